// marrow reference: prints the scene reference (docs/scene.md) or the schema of scenes, generated from the
// field lists.
#include <fmt/format.h>

#include "marrow/verbs.h"
#include "scene/guide/schema.h"
#include "scene/reference.h"

namespace marrow {

void add_reference_verb(Verb root) {
  auto is_schema = std::make_shared<bool>(false);
  const Verb verb = root.add_verb("reference", "Print the reference of all scene keys (Markdown)");
  verb.add_flag("--schema", *is_schema, "Print the JSON schema of scenes instead, for editors");
  verb.add_example("marrow reference > scene.md", "writes the page of all keys of a scene");
  verb.set_action([is_schema] {
    fmt::print("{}", *is_schema ? scene_schema() : scene_reference());
    return static_cast<int>(kExitOk);
  });
}

}  // namespace marrow
