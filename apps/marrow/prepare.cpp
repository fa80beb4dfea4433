// marrow prepare KIND MESH -o FILE: what is computed once for a mesh and used in every run.
#include "marrow/prepare.h"

namespace marrow {

void add_prepare_verb(Verb root) {
  const Verb verb = root.add_verb("prepare", "Compute data of a mesh once, to be used in every run");
  verb.require_verb();
  // Each kind is a subcommand of its own, added here.
  for (const AddPrepareKind add_kind : prepare_kinds()) add_kind(verb);
}

}  // namespace marrow
