#include "marrow/kind_option.h"

#include <CLI/CLI.hpp>

namespace marrow {

void add_kind_option(CLI::App& verb, ImportOptions& options) {
  const std::vector<std::pair<std::string, BodyKind>> kinds = {{"rigid", BodyKind::Rigid},
                                                               {"affine", BodyKind::Affine}};
  verb.add_option("--kind", options.kind, "Kind of the bodies of a rigid-ipc fixture: rigid or affine")
      ->type_name("KIND")
      ->transform(CLI::CheckedTransformer(kinds));
}

}  // namespace marrow
