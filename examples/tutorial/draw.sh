#!/usr/bin/env bash
# Draws the pictures of the tutorial: runs the scenes into out/tutorial and renders docs/pictures/tutorial_N.png.
#   examples/tutorial/draw.sh [N…]      from the root of the repository; MARROW names the program
set -euo pipefail
marrow=${MARROW:-build/release/bin/marrow}
scenes=(- 1_fall 2_contact 3_friction 4_joint 5_cloth_and_wires 6_medial)
views=(- "--frame 60 --camera 0.9,1.9,2.6 --target 0,1.5,0" "--camera 1.0,0.95,1.5 --target 0,0.24,0"
  "--camera 2.1,1.4,2.3 --target 0.25,0.05,0" "--camera 1.3,1.5,1.9 --target 0,0,0"
  "--camera 0.9,0.95,1.7 --target 0,0.47,0" "--camera 1.9,1.6,2.5 --target 0,0.5,0")
for n in ${*:-1 2 3 4 5 6}; do
  [[ -f out/tutorial/$n/summary.json ]] || "$marrow" run "examples/tutorial/${scenes[n]}.json" -o "out/tutorial/$n"
  # shellcheck disable=SC2086
  "$marrow" render "out/tutorial/$n" -o "docs/pictures/tutorial_$n.png" --size 800x500 ${views[n]}
done
