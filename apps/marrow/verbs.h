// The verbs of the command line, one file each. A verb adds itself and sets what runs if it is chosen.
#pragma once

#include "marrow/command_line.h"

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

void add_new_verb(Verb root);
void add_run_verb(Verb root);
void add_play_verb(Verb root);
void add_check_verb(Verb root);
void add_view_verb(Verb root);
void add_render_verb(Verb root);
void add_info_verb(Verb root);
void add_ccd_verb(Verb root);
void add_convert_verb(Verb root);
void add_transfer_verb(Verb root);
void add_prepare_verb(Verb root);
void add_selfcollide_verb(Verb root);
void add_reference_verb(Verb root);

}  // namespace marrow
