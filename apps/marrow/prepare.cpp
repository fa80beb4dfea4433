// marrow prepare KIND MESH -o FILE: what is computed once for a mesh and used in every run.
#include "marrow/prepare.h"

#include <CLI/CLI.hpp>

namespace marrow {

void add_prepare_verb(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("prepare", "Compute data of a mesh once, to be used in every run");
  verb->require_subcommand(1);
  // Each kind is a subcommand of its own, added here.
  for (const AddPrepareKind add_kind : prepare_kinds()) add_kind(*verb, action);
}

}  // namespace marrow
