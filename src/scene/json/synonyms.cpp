#include "scene/json/synonyms.h"

#include <algorithm>
#include <cctype>

#include "core/error.h"

namespace marrow {
namespace {

struct Synonym {
  const char* word;  // in small letters, without _ and -
  const char* name;
};

// The same word may mean several things; the first that is valid at the place counts.
constexpr Synonym kSynonyms[] = {
    // shapes
    {"ball", "sphere"},
    {"cube", "box"},
    {"cuboid", "box"},
    {"block", "box"},
    {"brick", "box"},
    {"tube", "cylinder"},
    {"capsule", "rod"},
    {"bar", "rod"},
    {"beam", "box"},
    {"ring", "torus"},
    {"donut", "torus"},
    {"link", "chain_link"},
    {"pyramid", "spike"},
    {"prism", "wedge"},
    {"ramp", "wedge"},
    {"plane", "plate"},
    {"slab", "plate"},
    {"floor", "plate"},
    {"disc", "cylinder"},
    {"disk", "cylinder"},
    // kinds
    {"static", "obstacle"},
    {"fixed", "obstacle"},
    {"kinematic", "obstacle"},
    {"collider", "obstacle"},
    {"dynamic", "rigid"},
    {"deformable", "soft"},
    {"elastic", "soft"},
    {"fem", "soft"},
    {"cloth", "soft"},
    {"shell", "soft"},
    {"abd", "affine"},
    {"reduced", "medial"},
    // keys of scenes and bodies
    {"dt", "time"},
    {"timestep", "time"},
    {"h", "step"},
    {"dt", "step"},
    {"timestep", "step"},
    {"tend", "duration"},
    {"end", "duration"},
    {"fps", "frame_every"},
    {"objects", "bodies"},
    {"models", "bodies"},
    {"geometry", "bodies"},
    {"rigidbodies", "bodies"},
    {"constraints", "joints"},
    {"floor", "ground"},
    {"plane", "ground"},
    {"includes", "include"},
    {"import", "include"},
    {"parameters", "variables"},
    {"params", "variables"},
    {"constants", "variables"},
    {"defines", "variables"},
    {"materials", "bodies"},
    {"type", "kind"},
    {"file", "mesh"},
    {"filename", "mesh"},
    {"path", "mesh"},
    {"obj", "mesh"},
    {"model", "mesh"},
    {"pos", "position"},
    {"translation", "position"},
    {"translate", "position"},
    {"origin", "position"},
    {"location", "position"},
    {"rot", "rotation"},
    {"orientation", "rotation"},
    {"rotate", "rotation"},
    {"euler", "rotation"},
    {"angle", "rotation"},
    {"linearvelocity", "velocity"},
    {"vel", "velocity"},
    {"angvel", "angular_velocity"},
    {"omega", "angular_velocity"},
    {"spin", "angular_velocity"},
    {"repeat", "copies"},
    {"array", "copies"},
    {"instances", "copies"},
    {"duplicate", "copies"},
    {"centre", "center"},
    {"centered", "center"},
    {"centred", "center"},
    {"reston", "rest_on"},
    {"on", "rest_on"},
    {"fixed", "prescribed"},
    {"pinned", "prescribed"},
    {"pin", "prescribed"},
    {"held", "prescribed"},
    {"dirichlet", "prescribed"},
    {"motion", "prescribed"},
    {"force", "forces"},
    {"load", "forces"},
    {"loads", "forces"},
    {"collision", "contact"},
    {"collide", "contact"},
    {"colour", "color"},
    {"mu", "friction"},
    // materials
    {"rho", "density"},
    {"e", "youngs_modulus"},
    {"young", "youngs_modulus"},
    {"youngmodulus", "youngs_modulus"},
    {"stiffness", "youngs_modulus"},
    {"nu", "poissons_ratio"},
    {"poisson", "poissons_ratio"},
    {"poissonratio", "poissons_ratio"},
    {"law", "model"},
    {"stvenantkirchhoff", "stvk"},
    {"neohookean", "neo_hookean"},
    {"nh", "neo_hookean"},
    {"corotated", "fixed_corotated"},
    {"fcr", "fixed_corotated"},
    {"arap", "fixed_corotated"},
    // joints
    {"revolute", "hinge"},
    {"prismatic", "slider"},
    {"spherical", "ball"},
    {"socket", "ball"},
    {"point", "ball"},
    {"weld", "fixed"},
    {"rope", "distance"},
    {"parent", "b"},
    {"child", "a"},
    {"anchor", "at"},
    {"pivot", "at"},
    {"bodya", "a"},
    {"bodyb", "b"},
    {"body1", "a"},
    {"body2", "b"},
    // patterns
    {"n", "count"},
    {"number", "count"},
    {"offset", "step"},
    {"spacing", "step"},
    {"line", "row"},
    {"linear", "row"},
    {"circle", "ring"},
    {"radial", "ring"},
    {"polar", "ring"},
    {"random", "scatter"},
    {"lattice", "grid"},
};

std::string simplify(const std::string& word) {
  std::string simple;
  for (const char c : word) {
    if (c != '_' && c != '-' && c != ' ')
      simple += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return simple;
}

}  // namespace

std::string suggest_name(const std::string& word, const std::vector<std::string>& valid) {
  const std::string simple = simplify(word);
  for (const std::string& name : valid) {
    if (simplify(name) == simple) return name;
  }
  for (const Synonym& synonym : kSynonyms) {
    if (simple == synonym.word && std::find(valid.begin(), valid.end(), synonym.name) != valid.end())
      return synonym.name;
  }
  return nearest_name(word, valid);
}

}  // namespace marrow
