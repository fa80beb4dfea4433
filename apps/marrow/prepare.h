// The kinds of marrow prepare, one file each: prepare_KIND.cpp. A kind adds itself to the verb and sets what
// runs if it is chosen.
#pragma once

#include <vector>

#include "marrow/verbs.h"

namespace marrow {

using AddPrepareKind = void (*)(CLI::App& prepare, Action& action);

void add_prepare_certificates(CLI::App& prepare, Action& action);
void add_prepare_medial(CLI::App& prepare, Action& action);
void add_prepare_tet(CLI::App& prepare, Action& action);

// All kinds, in the order in which --help lists them.
inline std::vector<AddPrepareKind> prepare_kinds() {
  return {add_prepare_certificates, add_prepare_medial, add_prepare_tet};
}

}  // namespace marrow
