// The kinds of marrow prepare, one file each: prepare_KIND.cpp. A kind adds itself to the verb and sets what
// runs if it is chosen.
#pragma once

#include <vector>

#include "marrow/verbs.h"

namespace marrow {

using AddPrepareKind = void (*)(Verb prepare);

void add_prepare_certificates(Verb prepare);
void add_prepare_medial(Verb prepare);
void add_prepare_tet(Verb prepare);
void add_prepare_repair(Verb prepare);  // and hull

// All kinds, in the order in which --help lists them.
inline std::vector<AddPrepareKind> prepare_kinds() {
  return {add_prepare_certificates, add_prepare_medial, add_prepare_tet, add_prepare_repair};
}

}  // namespace marrow
