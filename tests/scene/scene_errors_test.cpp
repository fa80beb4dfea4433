// The exact answers to mistakes in scene files.
#include <gtest/gtest.h>

#include "core/error.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

struct Mistake {
  const char* name;
  const char* text;
  const char* answer;
};

std::string answer_to_scene(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_scene(text, "scene.json", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

class SceneErrors : public testing::TestWithParam<Mistake> {};

TEST_P(SceneErrors, answer_is_exact) { EXPECT_EQ(answer_to_scene(GetParam().text), GetParam().answer); }

std::string name_of(const testing::TestParamInfo<Mistake>& info) { return info.param.name; }

constexpr Mistake kSyntax[] = {
    {"empty_file", " \n",
     "scene.json: the file is empty\n"
     "  A scene is one JSON object: { \"bodies\": [ … ] }."},
    {"trailing_comma", "{\n  \"name\": \"a\",\n}",
     "scene.json:2:14: not valid JSON: a comma before the closing }\n"
     "  Remove the comma.\n"
     "  Near: \"name\": \"a\","},
    {"missing_comma", "{\n  \"name\": \"a\"\n  \"time\": {}\n}",
     "scene.json:2:14: not valid JSON: a comma is missing\n"
     "  Put one at the end of line 2.\n"
     "  Near: \"name\": \"a\""},
    {"unclosed_bracket", "{\"bodies\": [\n  {}\n",
     "scene.json:2:5: not valid JSON: the file ends before the [ of line 1 is closed\n"
     "  Add the missing ].\n"
     "  Near: {}"},
    {"unclosed_quote", "{\"name\": \"abc\n}",
     "scene.json:1:14: not valid JSON: invalid string: control character U+000A (LF) must be escaped to "
     "\\u000A or \\n"
     "\n"
     "  Near: {\"name\": \"abc\n"
     "  Usual causes: a missing or extra comma, quote or bracket."},
    {"not_a_number", "{\"time\": {\"step\": NaN}}",
     "scene.json:1:19: not valid JSON: NaN is not a number that JSON knows\n"
     "  Give a finite number, or leave out the key.\n"
     "  Near: {\"time\": {\"step\": NaN}}"},
    {"too_large_number", "{\"time\": {\"step\": 1e999}}",
     "scene.json:1:19: not valid JSON: number overflow parsing '1e999'\n"
     "  Near: {\"time\": {\"step\": 1e999}}\n"
     "  Usual causes: a missing or extra comma, quote or bracket."},
    {"second_document", "{\"bodies\": []} {}",
     "scene.json:1:18: not valid JSON: unexpected '{'; expected end of input\n"
     "  Near: {\"bodies\": []} {}\n"
     "  Usual causes: a missing or extra comma, quote or bracket."},
    {"key_twice",
     "{\n  \"bodies\": [{\n    \"mass\": \"lumped\", // ä\n    /* \" */ \"mass\": \"lumped\"\n  }]\n}",
     "scene.json:4:13, at bodies[0].mass: the key \"mass\" appears twice\n"
     "  Keep one of the two; the first is in line 3."},
    {"single_quotes", "{'name': 'a'}",
     "scene.json:1:2: not valid JSON: text in other quotes than JSON has\n"
     "  Use straight double quotes: \"name\".\n"
     "  Near: {'name': 'a'}"},
    {"key_without_quotes", "{name: 1}",
     "scene.json:1:2: not valid JSON: the key name is not in quotes\n"
     "  Write \"name\".\n"
     "  Near: {name: 1}"},
    {"python_words", "{\"output\": {\"vtu\": True}}",
     "scene.json:1:20: not valid JSON: True is not a value\n"
     "  Write true.\n"
     "  Near: {\"output\": {\"vtu\": True}}"},
    {"expression_without_quotes", "{\"time\": {\"step\": dt}}",
     "scene.json:1:19: not valid JSON: the text dt is not in quotes\n"
     "  Write \"dt\"; an expression stands in quotes, too.\n"
     "  Near: {\"time\": {\"step\": dt}}"},
    {"hash_comment", "{\n  # a comment\n}",
     "scene.json:2:3: not valid JSON: a comment begins with // in a scene\n"
     "  Write // in place of #.\n"
     "  Near: # a comment"},
    {"two_commas", "{\"bodies\": [1,,2]}",
     "scene.json:1:15: not valid JSON: two commas in a row\n"
     "  Remove one.\n"
     "  Near: {\"bodies\": [1,,2]}"},
    {"comma_before_a_comment", "{\"name\": \"a\", // last\n}",
     "scene.json:1:13: not valid JSON: a comma before the closing }\n"
     "  Remove the comma.\n"
     "  Near: {\"name\": \"a\", // last"},
};
INSTANTIATE_TEST_SUITE_P(Syntax, SceneErrors, testing::ValuesIn(kSyntax), name_of);

constexpr Mistake kKeys[] = {
    {"misspelt_key", "{\n  \"time\": {\"stp\": 0.01},\n  \"bodies\": []\n}",
     "scene.json:2:12, at time.stp: unknown key \"stp\"\n"
     "  Did you mean \"step\"? Valid keys here: step, duration, frame_every, integrator."},
    {"misspelt_required_key", "{\"bodys\": []}",
     "scene.json:1:2, at bodys: unknown key \"bodys\"\n"
     "  Did you mean \"bodies\"? Valid keys here: $schema, variables, include, ground, name, strict, "
     "dimension, time, "
     "gravity, "
     "solver, contact, bodies, joints, "
     "output, view, recorded_norms."},
    {"foreign_key", "{\"bodies\": [], \"zzzzzzzzz\": 1}",
     "scene.json:1:16, at zzzzzzzzz: unknown key \"zzzzzzzzz\"\n"
     "  Valid keys here: $schema, variables, include, ground, name, strict, dimension, time, gravity, "
     "solver, contact, "
     "bodies, "
     "joints, output, view, recorded_norms."},
    {"missing_bodies", "{\"name\": \"a\"}",
     "scene.json:1:1: the key \"bodies\" is missing\n"
     "  bodies: The bodies; at least one."},
    {"missing_selection", "{\"bodies\": [{\"shape\": {\"type\": \"box\"}, \"prescribed\": [{}]}]}",
     "scene.json:1:55, at bodies[0].prescribed[0]: the key \"select\" is missing\n"
     "  select: Which points; exactly one of the keys below."},
    {"missing_shape_type", "{\"bodies\": [{\"shape\": {\"radius\": 1}}]}",
     "scene.json:1:23, at bodies[0].shape: the key \"type\" is missing\n"
     "  Give one of box, sphere, cylinder, torus, cone, plate, rod, chain_link, card, wedge, spike, sheet, "
     "rectangle, disk."},
    {"key_of_another_shape", "{\"bodies\": [{\"shape\": {\"type\": \"sphere\", \"cells_x\": 1}}]}",
     "scene.json:1:42, at bodies[0].shape.cells_x: unknown key \"cells_x\"\n"
     "  Valid keys here: type, radius, resolution."},
    {"odd_key", "{\"bodies\": [{\"shape\": {\"type\": \"sphere\", \"a b\": 1}}]}",
     "scene.json:1:42, at bodies[0].shape[\"a b\"]: unknown key \"a b\"\n"
     "  Valid keys here: type, radius, resolution."},
};
INSTANTIATE_TEST_SUITE_P(Keys, SceneErrors, testing::ValuesIn(kKeys), name_of);

constexpr Mistake kTypes[] = {
    {"scene_is_a_list", "[]",
     "scene.json:1:1: found an empty list, wanted an object\n"
     "  An object is written { \"key\": value, … }."},
    {"text_for_number", "{\"time\": {\"step\": \"fast\"}, \"bodies\": []}",
     "scene.json:1:19, at time.step: found the text \"fast\", wanted a number or an expression; column 1: "
     "'fast' is not known; names are t, pi, e, and the functions sin, cos, tan, asin, acos, atan, sinh, "
     "cosh, tanh, exp, log, sqrt, abs, floor, ceil, round, sign, step, atan2, mod, min, max, if, clamp, "
     "smoothstep, table, random\n"
     "  step [s]: Time step; larger steps are faster and damp motion more."},
    {"number_for_text", "{\"name\": 3, \"bodies\": []}",
     "scene.json:1:10, at name: found the number 3, wanted text in quotes\n"
     "  name: Title of the scene."},
    {"number_for_boolean", "{\"output\": {\"vtu\": 1}, \"bodies\": []}",
     "scene.json:1:20, at output.vtu: found the number 1, wanted true or false\n"
     "  vtu: Write frames for ParaView: run.pvd and VTU files in frames/."},
    {"fraction_for_whole_number", "{\"solver\": {\"max_iterations\": 2.5}, \"bodies\": []}",
     "scene.json:1:31, at solver.max_iterations: found the number 2.5, wanted a whole number\n"
     "  max_iterations: Number of Newton iterations after which a step fails."},
    {"huge_whole_number", "{\"solver\": {\"max_iterations\": 1e12}, \"bodies\": []}",
     "scene.json:1:31, at solver.max_iterations: 1000000000000 is too large for a whole number\n"
     "  max_iterations: Number of Newton iterations after which a step fails."},
    {"number_for_vector", "{\"gravity\": -9.81, \"bodies\": []}",
     "scene.json:1:13, at gravity: found the number -9.81, wanted a list of 3 numbers [x, y, z]\n"
     "  gravity [m/s²]: Acceleration by gravity."},
    {"two_coordinates", "{\n  \"gravity\": [0, -9.81],\n  \"bodies\": []\n}",
     "scene.json:2:14, at gravity: found a list of 2, wanted a list of 3 numbers [x, y, z]\n"
     "  gravity [m/s²]: Acceleration by gravity."},
    {"null_coordinate", "{\n  \"gravity\": [0,\n    null, 0],\n  \"bodies\": []\n}",
     "scene.json:3:5, at gravity[1]: found null, wanted a number\n"
     "  gravity [m/s²]: Acceleration by gravity."},
    {"object_for_list", "{\"bodies\": {}}",
     "scene.json:1:12, at bodies: found an object, wanted a list [ … ]\n"
     "  bodies: The bodies; at least one."},
    {"text_for_object", "{\"bodies\": [\"box\"]}",
     "scene.json:1:13, at bodies[0]: found the text \"box\", wanted an object\n"
     "  An object is written { \"key\": value, … }."},
    {"text_for_shape", "{\"bodies\": [{\"shape\": \"box\"}]}",
     "scene.json:1:23, at bodies[0].shape: found the text \"box\", wanted an object with the key \"type\"\n"
     "  An object is written { \"key\": value, … }."},
    {"long_text", "{\"time\": \"a text that is far too long to be repeated in an answer\", \"bodies\": []}",
     "scene.json:1:10, at time: found a long text, wanted an object\n"
     "  An object is written { \"key\": value, … }."},
    {"misspelt_choice", "{\"bodies\": [{\"kind\": \"sof\"}]}",
     "scene.json:1:22, at bodies[0].kind: found the text \"sof\", wanted one of soft, obstacle, affine, "
     "rigid, medial\n"
     "  Did you mean \"soft\"?"},
    {"foreign_choice", "{\"bodies\": [{\"kind\": \"granular\"}]}",
     "scene.json:1:22, at bodies[0].kind: found the text \"granular\", wanted one of soft, obstacle, affine, "
     "rigid, medial\n"
     "  kind: soft: deforms elastically. affine: hardly deforms, and is fast. rigid: does not deform, and is "
     "fast. obstacle: moves as prescribed, or not at all. medial: deforms with a few handles; its mesh is a "
     "closed surface, a tet mesh or a .medial file."},
    {"misspelt_shape", "{\"bodies\": [{\"shape\": {\"type\": \"spehre\"}}]}",
     "scene.json:1:32, at bodies[0].shape.type: found the text \"spehre\", wanted one of box, sphere, "
     "cylinder, torus, cone, plate, rod, chain_link, card, wedge, spike, sheet, rectangle, disk\n"
     "  Did you mean \"sphere\"?"},
};
INSTANTIATE_TEST_SUITE_P(Types, SceneErrors, testing::ValuesIn(kTypes), name_of);

constexpr Mistake kValues[] = {
    {"negative_density", "{\n  \"bodies\": [\n    {},\n    {\"material\": {\"density\": -1}}\n  ]\n}",
     "scene.json:4:30, at bodies[1].material.density: must be above 0, found -1\n"
     "  density [kg/m³]: Mass per volume at rest."},
    {"poissons_ratio_one_half", "{\"bodies\": [{\"material\": {\"poissons_ratio\": 0.5}}]}",
     "scene.json:1:45, at bodies[0].material.poissons_ratio: must be below 0.5, found 0.5\n"
     "  poissons_ratio: Lateral contraction per stretch; near 0.5 the volume is preserved."},
    {"zero_time_step", "{\"time\": {\"step\": 0}, \"bodies\": []}",
     "scene.json:1:19, at time.step: must be above 0, found 0\n"
     "  step [s]: Time step; larger steps are faster and damp motion more."},
    {"negative_frame_count", "{\"time\": {\"frame_every\": 0}, \"bodies\": []}",
     "scene.json:1:26, at time.frame_every: must be at least 1, found 0\n"
     "  frame_every: Number of steps per frame."},
    {"zero_scale", "{\"bodies\": [{\"scale\": [1, 0, 1]}]}",
     "scene.json:1:27, at bodies[0].scale[1]: must be above 0, found 0\n"
     "  scale: Factor along each axis of the mesh."},
    {"negative_radius", "{\"bodies\": [{\"shape\": {\"type\": \"sphere\", \"radius\": -1}}]}",
     "scene.json:1:52, at bodies[0].shape.radius: must be above 0, found -1\n"
     "  radius [m]: Radius."},
    {"too_many_cells", "{\"bodies\": [{\"shape\": {\"type\": \"sphere\", \"resolution\": 100000}}]}",
     "scene.json:1:56, at bodies[0].shape.resolution: must be at most 1000, found 100000\n"
     "  resolution: Cells from centre to surface; n gives 48 n³ tets."},
    {"negative_vertex", "{\"bodies\": [{\"prescribed\": [{\"select\": {\"vertices\": [0, -1]}}]}]}",
     "scene.json:1:57, at bodies[0].prescribed[0].select.vertices[1]: must be at least 0, found -1\n"
     "  vertices: The points with these numbers, counted from 0 as in the mesh."},
};
INSTANTIATE_TEST_SUITE_P(Values, SceneErrors, testing::ValuesIn(kValues), name_of);

constexpr Mistake kRelations[] = {
    {"no_body", "{\"bodies\": []}",
     "scene.json:1:12, at bodies: there is no body\n"
     "  Add at least one body."},
    {"duration_below_step", "{\"time\": {\"step\": 2}, \"bodies\": [{}]}",
     "scene.json:1:10, at time.duration: the duration, 1 s, is shorter than one step, 2 s\n"
     "  Lengthen time.duration or shorten time.step."},
    {"too_many_steps", "{\"time\": {\"step\": 1e-12}, \"bodies\": [{}]}",
     "scene.json:1:19, at time.step: 1e+12 steps are too many\n"
     "  Lengthen time.step or shorten time.duration."},
    {"neither_mesh_nor_shape", "{\"bodies\": [{\"name\": \"a\"}]}",
     "scene.json:1:13, at bodies[0]: has neither a mesh nor a shape\n"
     "  Give exactly one: \"mesh\": \"file.msh\", or \"shape\": {\"type\": \"box\"}."},
    {"mesh_and_shape", "{\"bodies\": [{\"mesh\": \"a.obj\", \"shape\": {\"type\": \"box\"}}]}",
     "scene.json:1:13, at bodies[0]: has both a mesh and a shape\n"
     "  Give exactly one: \"mesh\": \"file.msh\", or \"shape\": {\"type\": \"box\"}."},
    {"empty_mesh_name", "{\"bodies\": [{\"mesh\": \"\"}]}",
     "scene.json:1:22, at bodies[0].mesh: the file name is empty\n"
     "  Name a mesh file."},
    {"same_name_twice",
     "{\"bodies\": [{\"name\": \"a\", \"mesh\": \"a.obj\"},\n{\"mesh\": \"a.obj\", \"name\": \"a\"}]}",
     "scene.json:2:27, at bodies[1].name: bodies[0] is already called \"a\"\n"
     "  Give each body a unique name, or none."},
    {"obstacle_with_material",
     "{\"bodies\": [{\"kind\": \"obstacle\", \"mesh\": \"a.obj\", \"material\": {\"density\": 1}}]}",
     "scene.json:1:63, at bodies[0].material: an obstacle has no material\n"
     "  Remove it, or make the body soft; to move an obstacle, use prescribed."},
    {"obstacle_with_velocity",
     "{\"bodies\": [{\"kind\": \"obstacle\", \"mesh\": \"a.obj\", \"velocity\": [1, 0, 0]}]}",
     "scene.json:1:63, at bodies[0].velocity: an obstacle has no velocity\n"
     "  Remove it, or make the body soft; to move an obstacle, use prescribed."},
    {"empty_selection", "{\"bodies\": [{\"mesh\": \"a.obj\", \"prescribed\": [{\"select\": {}}]}]}",
     "scene.json:1:57, at bodies[0].prescribed[0].select: selects nothing\n"
     "  Give exactly one of all, box, relative_box, sphere, vertices."},
    {"two_selections",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"prescribed\": [{\"select\": {\"all\": true, \"vertices\": "
     "[1]}}]}]}",
     "scene.json:1:57, at bodies[0].prescribed[0].select: selects with more than one key\n"
     "  Give exactly one of all, box, relative_box, sphere, vertices."},
    {"no_vertices",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"prescribed\": [{\"select\": {\"vertices\": []}}]}]}",
     "scene.json:1:70, at bodies[0].prescribed[0].select.vertices: the list is empty\n"
     "  Name at least one vertex."},
    {"empty_box",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"prescribed\": [{\"select\": {\n"
     "  \"box\": {\"min\": [0, 1, 0], \"max\": [1, 0, 1]}}}]}]}",
     "scene.json:2:10, at bodies[0].prescribed[0].select.box: the box is empty: min is above max\n"
     "  Swap the coordinates that are the wrong way round."},
    {"keyframes_out_of_order",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"prescribed\": [{\"select\": {\"all\": true}, \"keyframes\": [\n"
     "  {\"time\": 1},\n  {\"time\": 1}]}]}]}",
     "scene.json:3:12, at bodies[0].prescribed[0].keyframes[1].time: the time 1 s does not come after the "
     "one before, 1 s\n"
     "  Sort the keyframes by time, each time once."},
    {"keyframes_and_velocity",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"prescribed\": [{\"select\": {\"all\": true}, \"velocity\": [1, "
     "0, 0],\n"
     "  \"keyframes\": [{\"time\": 1}]}]}]}",
     "scene.json:1:46, at bodies[0].prescribed[0]: keyframes and velocities contradict each other\n"
     "  Give keyframes, or velocity and angular_velocity, not both."},
    {"gltf_without_frames",
     "{\"bodies\": [{\"mesh\": \"a.obj\"}], \"output\": {\"vtu\": false, \"viewer\": false}}",
     "scene.json:1:43, at output.gltf: the glTF animation is made from the frames of run.mrw or VTU files, "
     "but "
     "neither is written\n"
     "  Set output.gltf to false as well, or output.viewer and output.exact to true."},
    {"gltf_without_exact_frames",
     "{\"bodies\": [{\"mesh\": \"a.obj\"}], \"output\": {\"vtu\": false, \"exact\": false}}",
     "scene.json:1:43, at output.gltf: the glTF animation is made from the frames of run.mrw or VTU files, "
     "but "
     "neither is written\n"
     "  Set output.gltf to false as well, or output.viewer and output.exact to true."},
    {"pair_without_body",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"group\": \"walls\"}],\n"
     " \"contact\": {\"pairs\": [{\"a\": \"body 0\", \"b\": \"wals\", \"ignore\": true}]}}",
     "scene.json:2:45, at contact.pairs[0].b: no body or group is called \"wals\"\n"
     "  Did you mean \"walls\"?"},
    {"pair_that_says_nothing",
     "{\"bodies\": [{\"mesh\": \"a.obj\"}], \"contact\": {\"pairs\": [{\"a\": \"body 0\", \"b\": \"body "
     "0\"}]}}",
     "scene.json:1:55, at contact.pairs[0]: sets nothing for its two bodies\n"
     "  Give friction, or \"ignore\": true."},
    {"group_called_like_a_body",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"group\": \"b\"}, {\"mesh\": \"a.obj\", \"name\": \"b\"}]}",
     "scene.json:1:40, at bodies[0].group: the group \"b\" has the name of bodies[1]\n"
     "  Call the group something else."},
    {"bad_formula",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"prescribed\": [{\"select\": {\"all\": true},\n"
     "  \"translation\": [0, \"sin(t\", 0]}]}]}",
     "scene.json:2:22, at bodies[0].prescribed[0].translation[1]: column 6 of the formula \"sin(t\": wanted "
     "')' after the values of the function, found the end\n"
     "  translation [m]: Displacement from the position at time 0 as formulas in t; added to velocity."},
    {"keyframes_and_formula",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"prescribed\": [{\"select\": {\"all\": true}, \"angle\": 5,\n"
     "  \"keyframes\": [{\"time\": 1}]}]}]}",
     "scene.json:1:46, at bodies[0].prescribed[0]: keyframes and formulas contradict each other\n"
     "  Give keyframes, or translation, displacement, angle and scale, not both."},
    {"end_before_start",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"prescribed\": [{\"select\": {\"all\": true}, \"start\": 2,\n"
     "  \"end\": 1}]}]}",
     "scene.json:2:10, at bodies[0].prescribed[0].end: the motion ends before it starts\n"
     "  Give end after start."},
    {"obstacle_released",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"kind\": \"obstacle\", \"prescribed\": [{\"select\": {\"all\": "
     "true},\n  \"release\": 1}]}]}",
     "scene.json:2:14, at bodies[0].prescribed[0].release: an obstacle cannot be released\n"
     "  Remove it, or make the body soft."},
    {"force_without_force",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"forces\": [{\"select\": {\"all\": true}}]}]}",
     "scene.json:1:42, at bodies[0].forces[0]: has no force\n"
     "  Give exactly one of acceleration, force, traction and torque."},
    {"torque_on_a_soft_body",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"forces\": [{\"select\": {\"all\": true}, \"torque\": [1, 0, "
     "0]}]}]}",
     "scene.json:1:78, at bodies[0].forces[0].torque: only affine and rigid bodies take a torque\n"
     "  Use forces on two opposite sets of points."},
    {"torque_on_some_points",
     "{\"bodies\": [{\"mesh\": \"a.obj\", \"kind\": \"rigid\", \"forces\": [{\"select\": {\"vertices\": "
     "[1]}, "
     "\"torque\": [1, 0, 0]}]}]}",
     "scene.json:1:70, at bodies[0].forces[0].select: a torque acts on the body as a whole\n"
     "  Select all points."},
    {"obstacle_with_pressure",
     "{\"bodies\": [{\"kind\": \"obstacle\", \"mesh\": \"a.obj\", \"pressure\": 1}]}",
     "scene.json:1:63, at bodies[0].pressure: an obstacle has no pressure\n"
     "  Remove it, or make the body soft; to move an obstacle, use prescribed."},
};
INSTANTIATE_TEST_SUITE_P(Relations, SceneErrors, testing::ValuesIn(kRelations), name_of);

constexpr const char* kSound = "{\"bodies\": [{\"shape\": {\"type\": \"box\"}}]}";

struct Override {
  const char* name;
  const char* assignment;
  const char* answer;
};

class OverrideErrors : public testing::TestWithParam<Override> {};

TEST_P(OverrideErrors, answer_is_exact) {
  EXPECT_EQ(answer_to_scene(kSound, {GetParam().assignment}), GetParam().answer);
}

constexpr Override kOverrides[] = {
    {"no_equals_sign", "time.step",
     "--set time.step: has no =\n"
     "  Write path=value, for example time.step=0.02."},
    {"not_a_path", "time..step=1",
     "--set time..step=1: not a path: a key is missing\n"
     "  A path looks like bodies[0].material.density."},
    {"not_an_index", "bodies[x].name=a",
     "--set bodies[x].name=a: not a path: an index looks like [0]\n"
     "  A path looks like bodies[0].material.density."},
    {"misspelt_key", "time.stp=0.02",
     "--set time.stp=0.02, at time.stp: unknown key \"stp\"\n"
     "  Did you mean \"step\"? Valid keys here: step, duration, frame_every, integrator."},
    {"misspelt_outer_key", "tim.step=0.02",
     "--set tim.step=0.02, at tim: unknown key \"tim\"\n"
     "  Did you mean \"time\"? Valid keys here: $schema, variables, include, ground, name, strict, "
     "dimension, time, "
     "gravity, "
     "solver, contact, bodies, joints, "
     "output, view, recorded_norms."},
    {"no_such_body", "bodies[1].name=a",
     "--set bodies[1].name=a: there is no bodies[1]\n"
     "  The list has 1, counted from 0."},
    {"index_into_object", "time[0]=1", "--set time[0]=1: time is not a list"},
    {"key_into_list", "bodies.name=a", "--set bodies.name=a: bodies is not an object"},
    {"wrong_type", "time.step=fast",
     "--set time.step=fast, at time.step: found the text \"fast\", wanted a number or an expression; column "
     "1: "
     "'fast' is not known; names are t, pi, e, and the functions sin, cos, tan, asin, acos, atan, sinh, "
     "cosh, tanh, exp, log, sqrt, abs, floor, ceil, round, sign, step, atan2, mod, min, max, if, clamp, "
     "smoothstep, table, random\n"
     "  step [s]: Time step; larger steps are faster and damp motion more."},
    {"out_of_range", "bodies[0].material.density=-5",
     "--set bodies[0].material.density=-5, at bodies[0].material.density: must be above 0, found -5\n"
     "  density [kg/m³]: Mass per volume at rest."},
    {"not_utf8", "name=\xff", "--set …: the value is not valid UTF-8 text"},
    {"key_twice", "time={\"step\":1,\"step\":2}",
     "--set time={\"step\":1,\"step\":2}: the key \"step\" appears twice"},
    {"relation", "time.duration=0.001",
     "--set time.duration=0.001, at time.duration: the duration, 0.001 s, is shorter than one step, 0.01 s\n"
     "  Lengthen time.duration or shorten time.step."},
};
INSTANTIATE_TEST_SUITE_P(Overrides, OverrideErrors, testing::ValuesIn(kOverrides),
                         [](const auto& tested) { return std::string(tested.param.name); });

std::string suggestion_for(const std::string& scene) {
  const std::string answer = answer_to_scene(scene);
  const size_t at = answer.find("Did you mean ");
  return at == std::string::npos ? answer : answer.substr(at, answer.find('?', at) + 1 - at);
}

TEST(Synonyms, words_of_other_programs_lead_to_ours) {
  const std::string body = "{\"bodies\": [{";
  EXPECT_EQ(suggestion_for(body + "\"shape\": {\"type\": \"ball\"}}]}"), "Did you mean \"sphere\"?");
  EXPECT_EQ(suggestion_for(body + "\"shape\": {\"type\": \"cube\"}}]}"), "Did you mean \"box\"?");
  EXPECT_EQ(suggestion_for(body + "\"shape\": {\"type\": \"plane\"}}]}"), "Did you mean \"plate\"?");
  EXPECT_EQ(suggestion_for(body + "\"kind\": \"static\"}]}"), "Did you mean \"obstacle\"?");
  EXPECT_EQ(suggestion_for(body + "\"centre\": true}]}"), "Did you mean \"center\"?");
  EXPECT_EQ(suggestion_for(body + "\"fixed\": true}]}"), "Did you mean \"prescribed\"?");
  EXPECT_EQ(suggestion_for("{\"dt\": 0.1, \"bodies\": []}"), "Did you mean \"time\"?");
  EXPECT_EQ(suggestion_for("{\"time\": {\"dt\": 0.1}, \"bodies\": []}"), "Did you mean \"step\"?");
  EXPECT_EQ(suggestion_for("{\"floor\": {}, \"bodies\": []}"), "Did you mean \"ground\"?");
}

TEST(SceneErrors, missing_file_is_named) {
  try {
    read_scene("no/such/scene.json");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "no/such/scene.json: cannot be read: No such file or directory\n"
                 "  Check the name; paths in a scene are relative to the scene file.");
  }
}

}  // namespace
}  // namespace marrow
