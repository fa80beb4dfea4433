#!/usr/bin/env bash
# Draws the pictures of the tutorial, docs/pictures/tutorial_N.png, and the moving one of the demo, demo.webp, which
# needs ffmpeg. What has not run yet is run into out/.
#   examples/tutorial/draw.sh [N… | demo]      from the root of the repository; MARROW names the program
set -euo pipefail
marrow=${MARROW:-build/release/bin/marrow}
scenes=(- 1_fall 2_contact 3_friction 4_joint 5_cloth_and_wires 6_medial 7_play)
views=(- "--frame 60 --camera 0.9,1.9,2.6 --target 0,1.5,0" "--camera 1.0,0.95,1.5 --target 0,0.24,0"
  "--camera 2.1,1.4,2.3 --target 0.25,0.05,0" "--camera 1.3,1.5,1.9 --target 0,0,0"
  "--camera 0.9,0.95,1.7 --target 0,0.47,0" "--camera 1.9,1.6,2.5 --target 0,0.5,0" "--frame 45 --camera 0.75,0.75,1.1 --target 0.05,0.17,0")

# run_once SCENE FOLDER
run_once() {
  [[ -f $2/summary.json ]] && return
  if [[ -f ${1}l ]]; then "$marrow" play "$1" --script "${1}l" -o "$2"; else "$marrow" run "$1" -o "$2"; fi
}

# Every frame for 0.04 s, so at half the speed, and the last one for a second more.
draw_demo() {
  run_once examples/demo.json out/demo
  mkdir -p out/demo_frames
  "$marrow" render out/demo --all -o out/demo_frames/shot.png --size 800x680 --samples 6
  ffmpeg -v error -y -framerate 25 -i out/demo_frames/shot_%06d.png -c:v libwebp_anim -q:v 72 -loop 0 \
    -vf "tpad=stop_mode=clone:stop_duration=1.2,scale=640:-2:flags=lanczos" docs/pictures/demo.webp
}

for n in ${*:-1 2 3 4 5 6 7 demo}; do
  if [[ $n == demo ]]; then draw_demo; continue; fi
  run_once "examples/tutorial/${scenes[n]}.json" "out/tutorial/$n"
  # shellcheck disable=SC2086
  "$marrow" render "out/tutorial/$n" -o "docs/pictures/tutorial_$n.png" --size 800x500 ${views[n]}
done
