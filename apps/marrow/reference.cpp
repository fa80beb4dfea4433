// marrow reference: prints the scene reference (docs/scene.md), generated from the field lists.
#include <fmt/format.h>

#include "marrow/verbs.h"
#include "scene/reference.h"

namespace marrow {

void add_reference_verb(Verb root) {
  const Verb verb = root.add_verb("reference", "Print the reference of all scene keys (Markdown)");
  verb.add_example("marrow reference > scene.md", "writes the page of all keys of a scene");
  verb.set_action([] {
    fmt::print("{}", scene_reference());
    return static_cast<int>(kExitOk);
  });
}

}  // namespace marrow
