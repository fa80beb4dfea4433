#include "scene/import/ipc_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "scene/import/ipc_line.h"

namespace marrow {
namespace {

// Keywords that do not matter here, and why.
const std::map<std::string, const char*>& ignored_keywords() {
  constexpr const char* kView = "it only affects how IPC draws";
  constexpr const char* kSolver = "it only affects how IPC solves; Marrow decides for itself";
  constexpr const char* kConstraint =
      "it only affects the constraint solvers QP and SQP, which Marrow does not have";
  static const std::map<std::string, const char*> keywords = {
      {"view", kView},
      {"zoom", kView},
      {"cameraTracking", kView},
      {"playBackSpeed", kView},
      {"appendStr", kView},
      {"disableCout", kView},
      {"warmStart", kSolver},
      {"CCDMethod", kSolver},
      {"CCDTolerance", kSolver},
      {"exactCCD", kSolver},
      {"timeStepper", kSolver},
      {"inexactSolve", kSolver},
      {"resolution", "IPC itself does not use it"},
      {"constraintType", kConstraint},
      {"constraintOffset", kConstraint},
      {"QPSolver", kConstraint},
      {"useActiveSetConvergence", kConstraint},
      {"noActiveSetConvergence", kConstraint},
      {"restart", "the run starts at the beginning; Marrow resumes runs with --resume"},
  };
  return keywords;
}

class ScriptParser {
 public:
  ScriptParser(const std::string& text, const std::string& file)
      : file_(file), lines_(split_ipc_lines(text)) {}

  IpcScript parse() {
    for (; next_ < lines_.size(); ++next_) {
      if (lines_[next_].words.empty()) continue;
      IpcLineReader line(lines_[next_], file_);
      const std::string keyword = line.word("a keyword");
      if (read_setting(keyword, line) || read_objects(keyword, line) || read_solver(keyword, line)) {
        note_rest(keyword, line);
      } else {
        note_unused(keyword, line);
      }
    }
    if (script_.shapes.empty()) {
      throw InputError({file_, 0, 0, {}}, "the script has no shapes",
                       "IPC scripts have a line \"shapes input N\" followed by N lines, one per mesh.");
    }
    return std::move(script_);
  }

 private:
  void note(int line, const std::string& text) { script_.notices.push_back({line, text}); }

  void note_rest(const std::string& keyword, IpcLineReader& line) {
    while (!line.at_end()) {
      note(line.number(), fmt::format("{}: '{}' at the end of the line is ignored", keyword, line.word("")));
    }
  }

  void note_unused(const std::string& keyword, const IpcLineReader& line) {
    const auto known = ignored_keywords().find(keyword);
    const std::string why = known == ignored_keywords().end() ? "unknown keyword" : known->second;
    note(line.number(), fmt::format("{} is ignored: {}", keyword, why));
  }

  bool read_setting(const std::string& keyword, IpcLineReader& line) {
    if (keyword == "energy") {
      script_.energy = read_choice(line, "the energy", {"NH", "FCR"});
    } else if (keyword == "timeIntegration") {
      script_.integration = read_choice(line, "the time integration", {"BE", "NM"});
      if (script_.integration == "NM" && line.next_is_number()) read_newmark(line);
    } else if (keyword == "time") {
      script_.duration = line.positive("the duration");
      script_.step = line.positive("the time step");
    } else if (keyword == "density") {
      script_.material.density = line.positive("the density");
    } else if (keyword == "stiffness") {
      script_.material.youngs_modulus = line.positive("Young's modulus");
      script_.material.poissons_ratio = line.value("Poisson's ratio");
    } else if (keyword == "turnOffGravity") {
      script_.has_gravity = false;
    } else if (keyword == "size") {
      script_.size = line.value("the size");
    } else if (keyword == "rotateModel") {
      script_.rotation_axis = line.vector("the axis");
      script_.rotation_degrees = line.value("the angle");
      if (script_.rotation_axis.isZero(0)) line.fail("the axis of rotateModel has no direction");
    } else if (keyword == "handleRatio") {
      script_.handle_ratio = line.positive("the ratio");
    } else if (keyword == "dampingStiff") {
      script_.damping_stiffness = std::max(0.0, line.value("the damping"));
    } else if (keyword == "dampingRatio") {
      script_.damping_ratio = std::clamp(line.value("the damping ratio"), 0.0, 1.0);
    } else {
      return false;
    }
    return true;
  }

  bool read_objects(const std::string& keyword, IpcLineReader& line) {
    if (keyword == "shape") {
      line.word("the word input");
      script_.shapes.push_back({});
      script_.shapes.back().line = line.number();
      script_.shapes.back().path = line.word("the mesh file");
    } else if (keyword == "shapes") {
      line.word("the word input");
      const int count = line.whole("the number of shapes", 0, 1000000);
      for (int i = 0; i < count; ++i) read_shape(line);
    } else if (keyword == "shapeMatrix") {
      read_matrix(line);
    } else if (keyword == "meshCO") {
      read_mesh_obstacle(line);
    } else if (keyword == "halfSpace") {
      read_half_space(line);
    } else if (keyword == "ground") {
      IpcHalfSpace ground;
      ground.line = line.number();
      ground.friction = read_friction(line);
      ground.origin.y() = line.value("the height");
      if (line.next_is_number()) line.value("the stiffness");  // IPC does not use it
      script_.half_spaces.push_back(ground);
    } else {
      return false;
    }
    return true;
  }

  bool read_solver(const std::string& keyword, IpcLineReader& line) {
    if (keyword == "selfCollisionOn" || keyword == "selfCollisionOff") {
      script_.has_self_collision = keyword == "selfCollisionOn";
    } else if (keyword == "selfFric") {
      script_.self_friction = std::max(0.0, line.value("the friction"));
    } else if (keyword == "dHat") {
      script_.d_hat = line.positive("dHat");
    } else if (keyword == "epsv") {
      script_.epsilon_v = line.positive("epsv");
    } else if (keyword == "useAbsParameters") {
      script_.is_absolute = true;
    } else if (keyword == "fricIterAmt") {
      script_.friction_iterations = line.whole("the number of iterations", -1000000, 1000000);
    } else if (keyword == "tol") {
      read_tolerances(line);
    } else if (keyword == "tuning") {
      read_tuning(line);
    } else if (keyword == "constraintSolver") {
      read_constraint_solver(line);
    } else if (keyword == "section") {
      read_section(line);
    } else if (keyword == "script") {
      read_motion(line);
    } else if (keyword == "DBCTimeRange" || keyword == "NBCTimeRange") {
      auto& range = keyword == "DBCTimeRange" ? held_range_ : pulled_range_;
      range = {line.value("the start"), line.value("the end")};
    } else {
      return false;
    }
    return true;
  }

  static std::string read_choice(IpcLineReader& line, const char* what,
                                 const std::vector<std::string>& names) {
    const std::string word = line.word(what);
    if (std::find(names.begin(), names.end(), word) != names.end()) return word;
    line.fail(fmt::format("{} '{}' is not known", what, word),
              fmt::format("Known are {}.", fmt::join(names, ", ")));
  }

  void read_newmark(IpcLineReader& line) {
    const double beta = line.value("beta");
    const double gamma = line.value("gamma");
    if (beta != 0.25 || gamma != 0.5) {
      note(line.number(), fmt::format("Newmark's β = {}, γ = {}: Marrow uses 0.25 and 0.5", beta, gamma));
    }
  }

  static double read_friction(IpcLineReader& line) {
    const double friction = line.value("the friction");
    if (friction < 0) line.fail("the friction is negative");
    return friction;
  }

  // The line after a keyword that announces it.
  IpcLineReader next_line(const IpcLineReader& keyword, const char* what) {
    do {
      ++next_;
    } while (next_ < lines_.size() && lines_[next_].words.empty());
    if (next_ >= lines_.size()) keyword.fail(fmt::format("the script ends before {}", what));
    return {lines_[next_], file_};
  }

  // Numbers that follow on the next lines.
  std::vector<double> next_numbers(const IpcLineReader& keyword, int count) {
    std::vector<double> numbers;
    while (static_cast<int>(numbers.size()) < count) {
      IpcLineReader line = next_line(keyword, "all values are given");
      while (!line.at_end() && static_cast<int>(numbers.size()) < count)
        numbers.push_back(line.value("a value"));
      note_rest("a value", line);
    }
    return numbers;
  }

  void read_shape(const IpcLineReader& keyword) {
    IpcLineReader line = next_line(keyword, "the last shape");
    IpcShape shape;
    shape.line = line.number();
    shape.path = line.word("the mesh file");
    shape.translation = line.vector("the translation");
    shape.degrees = line.vector("the rotation");
    shape.scale = line.vector("the scale");
    while (!line.at_end()) read_shape_keyword(line.word("a keyword"), line, shape);
    script_.shapes.push_back(std::move(shape));
  }

  void read_shape_keyword(const std::string& keyword, IpcLineReader& line, IpcShape& shape) {
    if (keyword == "material") {
      shape.material = IpcMaterial{line.value("the density"), line.value("Young's modulus"),
                                   line.value("Poisson's ratio")};
    } else if (keyword == "linearVelocity") {
      shape.linear_velocity = line.vector("the velocity");
    } else if (keyword == "angularVelocity") {
      shape.angular_velocity = line.vector("the angular velocity");
    } else if (keyword == "initVel") {
      shape.initial_velocity = line.vector("the velocity");
      shape.initial_spin = line.vector("the angular velocity");
    } else if (keyword == "DBC") {
      shape.held.push_back(read_boundary(line, true));
    } else if (keyword == "NBC") {
      shape.pulled.push_back(read_boundary(line, false));
    } else if (keyword == "meshSeq") {
      shape.sequence = line.word("the folder");
    } else {
      note(line.number(), fmt::format("'{}' after a shape is ignored: unknown keyword", keyword));
    }
  }

  IpcBoundary read_boundary(IpcLineReader& line, bool is_held) {
    IpcBoundary boundary;
    boundary.line = line.number();
    boundary.min = line.vector("the box");
    boundary.max = line.vector("the box");
    boundary.value = line.vector(is_held ? "the velocity" : "the force");
    if (is_held) boundary.angular_velocity = line.vector("the angular velocity");
    const std::array<double, 2>& range = is_held ? held_range_ : pulled_range_;
    boundary.start = line.next_is_number() ? line.value("the start") : range[0];
    boundary.end = line.next_is_number() ? line.value("the end") : range[1];
    return boundary;
  }

  void read_matrix(IpcLineReader& keyword) {
    keyword.word("the word input");
    IpcShape shape;
    for (int& count : shape.count) count = keyword.whole("the number of copies", 1, 1000);
    if (keyword.next_is_number()) shape.translation = keyword.vector("the position");
    IpcLineReader line = next_line(keyword, "its shape");
    shape.line = line.number();
    shape.path = line.word("the mesh file");
    shape.step = line.vector("the distance between copies");
    shape.degrees = line.vector("the rotation");
    shape.scale = line.vector("the scale");
    while (!line.at_end()) read_shape_keyword(line.word("a keyword"), line, shape);
    script_.shapes.push_back(std::move(shape));
  }

  void read_mesh_obstacle(IpcLineReader& line) {
    IpcMeshObstacle obstacle;
    obstacle.line = line.number();
    obstacle.path = line.word("the mesh file");
    obstacle.origin = line.vector("the position");
    obstacle.size = line.positive("the size");
    line.value("the stiffness");  // IPC does not use it
    obstacle.friction = read_friction(line);
    if (!line.at_end()) {
      const std::string keyword = line.word("a keyword");
      if (keyword != "rotate") line.fail(fmt::format("meshCO accepts 'rotate', found '{}'", keyword));
      obstacle.degrees = line.vector("the rotation");
    }
    script_.obstacles.push_back(obstacle);
  }

  void read_half_space(IpcLineReader& line) {
    IpcHalfSpace half_space;
    half_space.line = line.number();
    half_space.origin = line.vector("the origin");
    half_space.normal = line.vector("the normal");
    if (half_space.normal.isZero(0)) line.fail("the normal of the half space has no direction");
    half_space.normal.normalize();
    line.value("the stiffness");  // IPC does not use it
    half_space.friction = read_friction(line);
    script_.half_spaces.push_back(half_space);
  }

  // IPC may loosen the first steps; the last value is that of all others.
  void read_tolerances(IpcLineReader& line) {
    const std::vector<double> values = next_numbers(line, line.whole("the number of tolerances", 0, 1000000));
    if (values.empty()) return;
    script_.tolerance = values.back();
    if (script_.tolerance <= 0) line.fail("the tolerance must be above 0");
    if (std::any_of(values.begin(), values.end(), [&](double v) { return v != values.back(); })) {
      note(line.number(), fmt::format("tol: every step uses the last value, {}", values.back()));
    }
  }

  // κ, d̂ at first and at last, distance tolerance, ε_v at first and at last.
  void read_tuning(IpcLineReader& line) {
    const std::vector<double> values = next_numbers(line, line.whole("the number of values", 0, 1000));
    script_.d_hat = values.size() > 2 ? values[2] : 1e-3;
    script_.epsilon_v = values.size() > 5 ? values[5] : 1e-3;
    if (script_.d_hat <= 0 || script_.epsilon_v <= 0) line.fail("the distances of tuning must be above 0");
    if (!values.empty() && values[0] != 0) {
      note(line.number(), "tuning: the barrier stiffness is ignored; Marrow adapts it automatically");
    }
    if (values.size() > 1 && values[1] != script_.d_hat) {
      note(line.number(),
           fmt::format("tuning: dHat is {} from the start, not {} at first", script_.d_hat, values[1]));
    }
  }

  void read_constraint_solver(IpcLineReader& line) {
    solver_ = read_choice(line, "the constraint solver", {"interiorPoint", "IP", "SQP", "QP"});
    if (solver_ == "IP") solver_ = "interiorPoint";
    if (solver_ != "interiorPoint") {
      note(line.number(), fmt::format("constraintSolver {}: Marrow uses the barrier method", solver_));
    }
  }

  // Skips to the end of a section that is not for the solver in use.
  void read_section(IpcLineReader& line) {
    bool is_ours = line.at_end();
    std::string names;
    while (!line.at_end()) {
      const std::string name = line.word("the name");
      is_ours = is_ours || name == "end" || name == solver_ || (name == "IP" && solver_ == "interiorPoint");
      names += " " + name;
    }
    if (is_ours) return;
    note(line.number(), fmt::format("the section{} is skipped: the solver is {}", names, solver_));
    while (++next_ < lines_.size()) {
      const std::vector<std::string>& words = lines_[next_].words;
      if (words.size() > 1 && words[0] == "section" && words[1] == "end") return;
    }
  }

  void read_motion(IpcLineReader& line) {
    script_.motion = line.word("the name of the motion");
    script_.motion_line = line.number();
    if (line.at_end() || !line.next_is_number()) return;
    const int count = line.whole("the number of values", 0, 1000);
    for (int i = 0; i < count; ++i) script_.motion_values.push_back(line.value("a value of the motion"));
  }

  const std::string& file_;
  std::vector<IpcLine> lines_;
  size_t next_ = 0;
  std::string solver_ = "interiorPoint";
  std::array<double, 2> held_range_ = {0, 0}, pulled_range_ = {0, 0};
  IpcScript script_;
};

}  // namespace

IpcScript parse_ipc_script(const std::string& text, const std::string& file) {
  return ScriptParser(text, file).parse();
}

}  // namespace marrow
