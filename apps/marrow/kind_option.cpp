#include "marrow/kind_option.h"

namespace marrow {

void add_kind_option(Verb verb, std::string& kind) {
  verb.add_option("--kind", kind, "Kind of the bodies of a rigid-ipc fixture: rigid or affine")
      .type_name("KIND")
      .check(one_of({"rigid", "affine"}));
}

ImportOptions read_import_options(const std::string& kind) {
  ImportOptions options;
  if (!kind.empty()) options.kind = kind == "rigid" ? BodyKind::Rigid : BodyKind::Affine;
  return options;
}

}  // namespace marrow
