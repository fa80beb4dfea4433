// marrow reference: prints the scene reference (docs/scene.md), generated from the field lists.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "marrow/verbs.h"
#include "scene/reference.h"

namespace marrow {

void add_reference_verb(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("reference", "Print the reference of all scene keys (Markdown)");
  verb->callback([&action] {
    action = [] {
      fmt::print("{}", scene_reference());
      return static_cast<int>(kExitOk);
    };
  });
}

}  // namespace marrow
