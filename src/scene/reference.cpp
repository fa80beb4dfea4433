#include "scene/reference.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "scene/json/field_types.h"
#include "scene/written_scene.h"

namespace marrow {
namespace {

constexpr const char* kIntroduction = R"md(# The scene file

A scene is one JSON file, with `//` and `/* */` comments allowed. Units are SI, Y is up. Every key has a
default unless it says *required*, so a first scene needs only `bodies`. Unknown keys, wrong types and values
out of range are errors; the message names the line. Any value can be set from the command line:
`marrow run scene.json --set time.step=0.02 --set bodies[0].material.density=500`.

A *formula* is text in quotes that is evaluated at every step: `"0.2 * sin(2*pi*t)"`, with t the time in seconds.
It may contain numbers, `t`, `pi`, `e`, the operators `+ - * / ^ < <= > >= == != && || !` and the functions sin, cos,
tan, asin, acos, atan, sinh, cosh, tanh, atan2(y, x), exp, log, sqrt, abs, floor, ceil, round, sign, step, mod(a, b),
min, max, if(condition, then, else), clamp(x, low, high), smoothstep(a, b, x), random(a, …), a number from 0 to 1 that
a, … decide, and table(x, x0, y0, x1, y1, …), which joins the points by straight lines.

## Variables, copies, includes

**Variables.** `"variables": {"n": 8, "gap": 0.002, "r": "10 * gap"}` names numbers. Wherever a number is wanted,
text in quotes is an expression of them, `"2*r + gap"`, without t; formulas may use them beside t. In text, `{…}` is
replaced by the value of the expression inside, `"link {i + 1}"`; a plain `{` is written `{{`. From the command
line: `--set variables.n=12`.

**Copies.** `"copies"` makes several bodies of one: a `row` (the type that may be left out), a `grid`, a `ring`, or
a `scatter` of bodies at random places where the spheres around them do not touch. Expressions in the body may use
`i` (in a grid also `j`, `k`), `index` and `count`. Copies are called `name[0]`, `name[1]`, …, unless the name says
it with `{i}`; they are a group of that name for `contact.pairs`, unless `group` is given. A copy is shifted, and
turned about its position; boxes, spheres and `about` of its selections and motions move along, velocities and
forces do not turn. Joints have copies in rows and grids. A chain:

```json
{
  "bodies": [{"name": "link", "kind": "rigid", "shape": {"type": "rod", "length": 0.09, "radius": 0.01},
              "copies": {"count": 8, "step": [0.1, 0, 0]}}],
  "joints": [{"type": "ball", "a": "link[{i}]", "b": "link[{i + 1}]", "at": [0.05, 0, 0],
              "copies": {"count": 7, "step": [0.1, 0, 0]}}]
}
```

**Includes.** `"include": ["gripper.json", {"file": "gripper.json", "prefix": "left ", "position": [1, 0, 0]}]` adds
the bodies, joints and `contact.pairs` of other scene files, moved as wholes with their velocities, forces and
motions. Meshes are relative to the file that names them. Of an included file, time, gravity, options, output and
ground are left out, so that it can also be run alone.

**Placement.** A body is placed in this order: `center` and `scale`, `size`, `rotation`, `position`, and at last
`rest_on` with `gap`, body by body from the ground up.

The `scene.json` of a run has variables, copies and includes filled in: numbers, and one entry per body.

**Editors** complete keys and mark mistakes with `docs/scene.schema.json` (`marrow reference --schema`). In VS Code,
put `"$schema": "path/to/scene.schema.json"` into a scene, or this into the settings: `"json.schemas":
[{"fileMatch": ["scenes/*.json"], "url": "./docs/scene.schema.json"}]`; for comments choose the language *JSON with
Comments*. `marrow new` starts a scene.

This page is generated from the field lists in the code.
)md";

constexpr const char* kExample = R"(
## Example

A beam, held at one end, that bends under its own weight, beside a ball that is carried on a moving plate:

```json
{
  "name": "beam and carried ball",
  "time": {"step": 0.01, "duration": 2},
  "bodies": [
    {
      "name": "beam",
      "shape": {"type": "box", "size": [1, 0.1, 0.1], "cells_x": 20, "cells_y": 2, "cells_z": 2},
      "material": {"density": 1000, "youngs_modulus": 1e6, "poissons_ratio": 0.4},
      "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}}]
    },
    {
      "name": "ball",
      "shape": {"type": "sphere", "radius": 0.1},
      "position": [0, 0, 1],
      "prescribed": [{
        "select": {"sphere": {"center": [0, -0.1, 1], "radius": 0.05}},
        "keyframes": [{"time": 0}, {"time": 1, "translation": [0.5, 0, 0], "rotation": [0, 90, 0]}]
      }]
    },
    {
      "name": "plate",
      "kind": "obstacle",
      "shape": {"type": "plate"},
      "position": [0, -0.2, 1],
      "prescribed": [{"select": {"all": true}, "velocity": [0.5, 0, 0]}]
    }
  ],
  "output": {"checkpoint_every": 10}
}
```
)";

template <class T>
std::string type_text() {
  if constexpr (std::is_same_v<T, bool>) {
    return "true or false";
  } else if constexpr (std::is_same_v<T, int>) {
    return "whole number";
  } else if constexpr (std::is_same_v<T, double>) {
    return "number";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "text";
  } else if constexpr (std::is_same_v<T, Vec3>) {
    return "3 numbers";
  } else if constexpr (std::is_same_v<T, Expression>) {
    return "number or formula";
  } else if constexpr (std::is_same_v<T, VectorExpression>) {
    return "3 numbers or formulas";
  } else if constexpr (std::is_same_v<T, VectorPlaceExpression>) {
    return "3 numbers or formulas in x, y, z, t";
  } else if constexpr (std::is_same_v<T, Variables>) {
    return "names and numbers";
  } else if constexpr (std::is_same_v<T, NameOrNumber>) {
    return "name or number";
  } else if constexpr (std::is_same_v<T, IncludeDescription>) {
    return "file name, or object, see below";
  } else if constexpr (std::is_same_v<T, WrittenCopies>) {
    return "number, or object, see below";
  } else if constexpr (std::is_enum_v<T>) {
    return fmt::format("`\"{}\"`", fmt::join(list_enum_names<T>(), "\"`, `\""));
  } else if constexpr (kIsChoiceOrMesh<T>) {
    return type_text<decltype(T::choice)>() + ", or `{\"mesh\": file}`";
  } else if constexpr (kIsVector<T>) {
    return "list: " + type_text<typename T::value_type>();
  } else if constexpr (kIsOptional<T>) {
    return type_text<typename T::value_type>();
  } else {
    return "object, see below";
  }
}

template <class T>
std::string default_text(const T& value) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, int> || std::is_same_v<T, double>) {
    return fmt::format("{}", value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return fmt::format("`\"{}\"`", value);
  } else if constexpr (std::is_same_v<T, Vec3>) {
    return fmt::format("[{}, {}, {}]", value.x(), value.y(), value.z());
  } else if constexpr (std::is_same_v<T, Expression>) {
    return value.text();
  } else if constexpr (std::is_same_v<T, VectorExpression>) {
    return fmt::format("[{}, {}, {}]", value.x.text(), value.y.text(), value.z.text());
  } else if constexpr (std::is_enum_v<T>) {
    return fmt::format("`\"{}\"`", enum_name(value));
  } else if constexpr (kIsVector<T> || std::is_same_v<T, Variables>) {
    return "empty";
  } else if constexpr (kIsOptional<T>) {
    return "none";
  } else {
    return "its defaults";
  }
}

// "above 0, at most 1000".
std::string range_text(const Field& field) {
  std::string text;
  const auto add = [&](const char* words, double bound) {
    if (std::isfinite(bound)) text += fmt::format("{}{} {:g}", text.empty() ? "" : ", ", words, bound);
  };
  add("above", field.above);
  add("at least", field.at_least);
  add("below", field.below);
  add("at most", field.at_most);
  return text;
}

// The sentence in lines of at most 119 bytes, broken between words.
std::string break_lines(std::string text) {
  constexpr size_t kWidth = 119;
  for (size_t start = 0; text.size() - start > kWidth;) {
    const size_t space = text.rfind(' ', start + kWidth);
    if (space == std::string::npos || space <= start) break;
    text[space] = '\n';
    start = space + 1;
  }
  return text;
}

// Writes the table of one struct, and keeps its inner structs for the sections that follow.
struct TableWriter {
  std::string path;
  std::string text;
  std::vector<std::function<std::string()>> inner;

  void start(const std::string& title, const char* doc) {
    text = fmt::format("\n## {}\n\n{}\n\n", title, break_lines(doc));
    text += "| key | type | unit | default | range | meaning |\n| --- | --- | --- | --- | --- | --- |\n";
  }

  template <class T>
  void operator()(const char* name, T& value, const Field& field) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", name, type_text<T>(), field.unit,
                        field.required ? "*required*" : default_text(value), range_text(field), field.doc);
    add_inner<T>(path.empty() ? name : fmt::format("{}.{}", path, name), field.doc);
  }

  // A section for what T holds, if that is a struct.
  template <class T>
  void add_inner(const std::string& inner_path, const char* doc) {
    if constexpr (kIsVector<T>) {
      add_inner<typename T::value_type>(inner_path + "[]", doc);
    } else if constexpr (kIsOptional<T>) {
      add_inner<typename T::value_type>(inner_path, doc);
    } else if constexpr (std::is_same_v<T, WrittenCopies>) {
      add_inner<Copies>(inner_path, doc);
    } else if constexpr (kIsVariant<T>) {
      for_each_alternative<T>([&](auto alternative) {
        add_struct<decltype(alternative)>(fmt::format("`{}` of type `{}`", inner_path, alternative.name),
                                          inner_path, doc);
      });
    } else if constexpr (OptionsStruct<T>) {
      add_struct<T>(fmt::format("`{}`", inner_path), inner_path, doc);
    }
  }

  template <class T>
  void add_struct(const std::string& title, const std::string& inner_path, const char* doc) {
    inner.push_back([=] {
      TableWriter table{inner_path, {}, {}};
      table.start(title, doc);
      T defaults;
      visit_fields(table, defaults);
      return table.finish();
    });
  }

  std::string finish() const {
    std::string all = text;
    for (const auto& section : inner) all += section();
    return all;
  }
};

}  // namespace

std::string scene_reference() {
  TableWriter table;
  table.start("The scene", "The outermost object.");
  WrittenScene defaults;
  visit_fields(table, defaults);
  return kIntroduction + table.finish() + kExample;
}

}  // namespace marrow
