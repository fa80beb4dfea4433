// The verbs of the command line, one file each. A verb adds itself to the parser and sets what runs if it is
// chosen.
#pragma once

#include <functional>

namespace CLI {  // NOLINT(readability-identifier-naming): theirs
class App;
}

namespace marrow {

// What the process returns; documented in docs/cli.md.
enum ExitCode : int {
  kExitOk = 0,
  kExitUsage = 1,         // the command line itself is wrong
  kExitInput = 2,         // a scene, mesh or run folder is wrong
  kExitFailed = 3,        // a step could not be solved
  kExitOutput = 4,        // results could not be written
  kExitIntersecting = 5,  // a check found intersections or inverted tets
  kExitMissed = 6,        // collision detection missed a contact
  kExitStopped = 130      // stopped by Ctrl-C or kill; resume with --resume
};

using Action = std::function<int()>;

void add_run_verb(CLI::App& app, Action& action);
void add_check_verb(CLI::App& app, Action& action);
void add_view_verb(CLI::App& app, Action& action);
void add_render_verb(CLI::App& app, Action& action);
void add_info_verb(CLI::App& app, Action& action);
void add_ccd_verb(CLI::App& app, Action& action);
void add_convert_verb(CLI::App& app, Action& action);
void add_prepare_verb(CLI::App& app, Action& action);
void add_selfcollide_verb(CLI::App& app, Action& action);
void add_reference_verb(CLI::App& app, Action& action);

}  // namespace marrow
