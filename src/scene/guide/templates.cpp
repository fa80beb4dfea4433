#include "scene/guide/templates.h"

namespace marrow {
namespace {

constexpr const char* kDrop = R"json(// A soft ball and a rigid box fall to the ground.
{
  "name": NAME,
  "time": {"step": 0.01, "duration": 1.5},
  "ground": {"friction": 0.4},  // level, at y = 0
  "bodies": [
    {
      "name": "ball",
      "kind": "soft",           // soft, affine, rigid, medial, or obstacle
      "shape": {"type": "sphere", "radius": 0.2, "resolution": 3},
      "position": [0, 0.6, 0],  // metres; y is up
      "material": {"density": 1000, "youngs_modulus": 1e5, "poissons_ratio": 0.4}
    },
    {
      "name": "box",
      "kind": "rigid",
      "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1},
      "position": [0.15, 1, 0],
      "rotation": [20, 0, 30]   // degrees
    }
  ]
}
)json";

constexpr const char* kStack =
    R"json(// Blocks that rest on each other: each names what it stands on, and its height follows.
{
  "name": NAME,
  "time": {"step": 0.01, "duration": 1},
  "variables": {"n": 4, "a": 0.2},
  "ground": {"friction": 0.5},
  "bodies": [
    {"name": "block[0]", "kind": "rigid", "shape": {"type": "box", "size": ["a", "a", "a"],
      "cells_x": 1, "cells_y": 1, "cells_z": 1}, "rest_on": "ground"},
    {"name": "block[{i + 1}]", "kind": "rigid", "shape": {"type": "box", "size": ["a", "a", "a"],
      "cells_x": 1, "cells_y": 1, "cells_z": 1}, "rest_on": "block[{i}]", "rotation": [0, "10 * (i + 1)", 0],
      "copies": {"count": "n - 1"}}
  ]
}
)json";

constexpr const char* kCloth =
    R"json(// A cloth falls over a ball. An open surface with a thickness is a shell.
{
  "name": NAME,
  "time": {"step": 0.02, "duration": 1.2},
  "contact": {"friction": 0.3},
  "variables": {"thickness": 0.002, "cells": 20},
  "ground": {},
  "bodies": [
    {
      "name": "cloth",
      "shape": {"type": "sheet", "width": 1, "depth": 1, "cells_x": "cells", "cells_z": "cells"},
      "position": [0, 0.75, 0],
      "thickness": "thickness",
      "radius": "thickness / 2",  // others stay half a thickness away from its middle
      "material": {"density": 300, "youngs_modulus": 1e5, "poissons_ratio": 0.3}
    },
    {"name": "ball", "kind": "obstacle", "shape": {"type": "sphere", "radius": 0.25, "resolution": 5},
     "rest_on": "ground"}
  ]
}
)json";

constexpr const char* kChain =
    R"json(// A chain of rigid links, joined end to end, held at one end. Try --set variables.n=20.
{
  "name": NAME,
  "time": {"step": 0.01, "duration": 1.5},
  "variables": {"n": 8, "length": 0.1, "top": 1},
  "bodies": [
    {"name": "link", "kind": "rigid", "shape": {"type": "rod", "length": "0.9 * length", "radius": "0.1 * length",
      "segments": 4}, "position": ["length / 2", "top", 0], "material": {"density": 2000},
     "copies": {"count": "n", "step": ["length", 0, 0]}}
  ],
  "joints": [
    {"name": "held", "type": "ball", "a": "link[0]", "at": [0, "top", 0]},
    {"type": "ball", "a": "link[{i}]", "b": "link[{i + 1}]", "at": ["length", "top", 0],
     "copies": {"count": "n - 1", "step": ["length", 0, 0]}}
  ]
}
)json";

constexpr const char* kHeap =
    R"json(// Bodies scattered without overlap fall into a heap. Another seed gives another heap.
{
  "name": NAME,
  "time": {"step": 0.01, "duration": 1.5},
  "contact": {"friction": 0.4},
  "ground": {},
  "bodies": [
    {"name": "brick", "kind": "rigid", "shape": {"type": "box", "size": [0.2, 0.1, 0.1], "cells_x": 1, "cells_y": 1,
      "cells_z": 1}, "position": [0, 0.6, 0],
     "copies": {"type": "scatter", "count": 12, "min": [-0.2, -0.3, -0.2], "max": [0.2, 0.8, 0.2], "turned": true,
      "seed": 1}}
  ]
}
)json";

constexpr const char* kGripper = R"json(// Two jaws on sliders close on a soft cube and lift it.
{
  "name": NAME,
  "time": {"step": 0.01, "duration": 2},
  "contact": {"friction": 0.8},
  "variables": {"a": 0.1, "gap": 0.02, "jaw": 0.02},
  "ground": {},
  "bodies": [
    {"name": "cube", "shape": {"type": "box", "size": ["a", "a", "a"], "cells_x": 3, "cells_y": 3, "cells_z": 3},
     "material": {"density": 500, "youngs_modulus": 5e4}, "rest_on": "ground"},
    {"name": "arm", "kind": "rigid", "shape": {"type": "box", "size": [0.4, 0.02, 0.05], "cells_x": 1, "cells_y": 1,
      "cells_z": 1}, "position": [0, 0.2, 0]},
    // i = 0 is the jaw on the left, i = 1 the one on the right
    {"name": "jaw", "kind": "rigid", "shape": {"type": "box", "size": ["jaw", 0.15, "0.8 * a"], "cells_x": 1,
      "cells_y": 1, "cells_z": 1}, "position": ["(2*i - 1) * (a/2 + gap + jaw/2)", 0.11, 0], "copies": {"count": 2}}
  ],
  "joints": [
    // Up with 0.1 m/s from t = 0.6 s on
    {"name": "lift", "type": "slider", "a": "arm", "at": [0, 0.2, 0], "axis": [0, 1, 0],
     "motor": {"position": "0.1 * max(0, t - 0.6)"}},
    {"name": "close", "type": "slider", "a": "jaw[{i}]", "b": "arm", "axis": ["1 - 2*i", 0, 0],
     "at": ["(2*i - 1) * (a/2 + gap + jaw/2)", 0.2, 0], "motor": {"speed": 0.1, "max_force": 10},
     "ignore_contact": true, "copies": {"count": 2}}
  ]
}
)json";

constexpr const char* kJoint = R"json(// A door on a hinge with a limit and a spring, hit by a ball.
{
  "name": NAME,
  "time": {"step": 0.01, "duration": 1.5},
  "gravity": [0, 0, 0],
  "bodies": [
    {"name": "door", "kind": "rigid", "shape": {"type": "box", "size": [0.8, 1, 0.05], "cells_x": 1, "cells_y": 1,
      "cells_z": 1}, "position": [0.4, 0.5, 0], "material": {"density": 300}},
    {"name": "ball", "kind": "rigid", "shape": {"type": "sphere", "radius": 0.1, "resolution": 3},
     "position": [0.6, 0.5, 0.5], "velocity": [0, 0, -3]}
  ],
  "joints": [
    {"name": "hinge", "type": "hinge", "a": "door", "at": [0, 0.5, 0], "axis": [0, 1, 0],
     "limits": {"min": -10, "max": 80},            // degrees
     "spring": {"stiffness": 5, "damping": 2}}     // pulls it back
  ]
}
)json";

constexpr const char* kTwist =
    R"json(// A soft bar, held at one end and twisted at the other by half a turn per second.
{
  "name": NAME,
  "time": {"step": 0.02, "duration": 2},
  "gravity": [0, 0, 0],
  "bodies": [
    {
      "name": "bar",
      "shape": {"type": "box", "size": [1, 0.2, 0.2], "cells_x": 16, "cells_y": 3, "cells_z": 3},
      "material": {"density": 1000, "youngs_modulus": 1e5, "poissons_ratio": 0.4},
      "prescribed": [
        {"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}},  // stands still
        {"select": {"relative_box": {"min": [1, 0, 0], "max": [1, 1, 1]}}, "axis": [1, 0, 0], "angle": "180 * t"}
      ]
    }
  ]
}
)json";

constexpr const char* kMedial =
    R"json(// A torus that a few handles deform (docs/models/medial.md) falls on the ground.
{
  "name": NAME,
  "time": {"step": 0.01, "duration": 1},
  "ground": {"friction": 0.4},
  "bodies": [
    {
      "name": "ring",
      "kind": "medial",
      "handles": 20,            // more of them bend in finer detail and cost more
      "shape": {"type": "torus", "ring_radius": 0.4, "tube_radius": 0.12},
      "position": [0, 0.5, 0],
      "rotation": [0, 0, 30],
      "material": {"density": 1000, "youngs_modulus": 1e5, "poissons_ratio": 0.4}
    }
  ]
}
)json";

constexpr const char* kMesh = R"json(// A mesh of your own on the ground.
{
  "name": NAME,
  "time": {"step": 0.01, "duration": 1},
  "ground": {"friction": 0.4},
  "bodies": [
    {
      "name": "body",
      "kind": "rigid",       // soft fills a closed surface with tets; obstacle stands still
      "mesh": MESH,
      "center": true,        // the middle of its box comes to stand at position
      "size": 1,             // metres, the longest side; remove it to keep the units of the file
      "position": [0, 2, 0]  // or "rest_on": "ground"
    }
  ]
}
)json";

std::string quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '{') quoted += '{';  // a plain brace
    quoted += c;
  }
  return quoted + "\"";
}

void replace(const std::string& word, const std::string& by, std::string& text) {
  const size_t at = text.find(word);
  if (at != std::string::npos) text.replace(at, word.size(), by);
}

}  // namespace

const std::vector<SceneTemplate>& list_templates() {
  static const std::vector<SceneTemplate> kTemplates = {
      {"drop", "a soft ball and a rigid box fall to the ground", kDrop},
      {"stack", "blocks that rest on each other", kStack},
      {"heap", "bricks scattered without overlap fall into a heap", kHeap},
      {"cloth", "a cloth falls over a ball", kCloth},
      {"chain", "rigid links with joints between neighbours", kChain},
      {"joint", "a door on a hinge with limits and a spring", kJoint},
      {"gripper", "jaws on sliders with motors lift a cube", kGripper},
      {"twist", "a soft bar with prescribed ends", kTwist},
      {"medial", "a body that a few handles deform", kMedial},
      {"mesh", "a mesh of your own (with --mesh FILE)", kMesh},
  };
  return kTemplates;
}

std::string fill_template(const SceneTemplate& chosen, const std::string& name, const std::string& mesh) {
  std::string text = chosen.text;
  replace("MESH", quote(mesh), text);
  replace("NAME", quote(name), text);
  return text;
}

}  // namespace marrow
