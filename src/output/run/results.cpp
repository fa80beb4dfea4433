#include "output/run/results.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

#include "core/file.h"
#include "sim/model/pose.h"

namespace marrow {
namespace {

constexpr const char* kFileNames[] = {"bodies.csv", "contacts.csv", "joints.csv"};

// "x_x,x_y,x_z," for each name.
std::string list_axes(std::initializer_list<const char*> names) {
  std::string columns;
  for (const char* name : names) {
    for (const char axis : {'x', 'y', 'z'}) columns += fmt::format(",{}_{}", name, axis);
  }
  return columns;
}

std::string body_header() {
  return "step,time,body,kind,mass,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz" +
         list_axes({"normal", "friction", "contact_torque", "joint", "joint_torque", "load", "load_torque",
                    "reaction", "reaction_torque"});
}

std::string contact_header() {
  return "step,time,a,b" + list_axes({"normal", "friction", "torque"}) +
         ",x,y,z,nx,ny,nz,pressing,contacts,gap,slip,sticking";
}

std::string joint_header() {
  return "step,time,joint,a,b,coordinate" + list_axes({"force", "torque"}) + ",x,y,z,broken,held_up";
}

std::string header_of(const std::string& name) {
  return name == kFileNames[0] ? body_header() : name == kFileNames[1] ? contact_header() : joint_header();
}

// A line of a table, field by field.
class CsvRow {
 public:
  CsvRow(std::string& out, int step, double time) : out_(out) {
    fmt::format_to(std::back_inserter(out_), "{},{:.10g}", step, time);
  }
  ~CsvRow() { out_ += '\n'; }
  CsvRow(const CsvRow&) = delete;
  CsvRow& operator=(const CsvRow&) = delete;

  // Ten digits: forces on both sides of a contact are written alike, and files stay small.
  CsvRow& add(double value) {
    out_ += ',';
    if (std::isfinite(value)) fmt::format_to(std::back_inserter(out_), "{:.10g}", value == 0 ? 0.0 : value);
    return *this;
  }
  CsvRow& add(const Vec3& v) { return add(v[0]).add(v[1]).add(v[2]); }
  CsvRow& add(const Wrench& wrench) { return add(wrench.force).add(wrench.torque); }
  CsvRow& add_text(const std::string& text) {
    out_ += ',';
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
      out_ += text;
      return *this;
    }
    out_ += '"';
    for (const char c : text) out_ += c == '"' ? std::string("\"\"") : std::string(1, c);
    out_ += '"';
    return *this;
  }
  CsvRow& leave_empty(int fields) {
    out_.append(static_cast<size_t>(fields), ',');
    return *this;
  }

 private:
  std::string& out_;
};

bool stands_still(const PrescribedNodes& group) {
  const Motion& motion = group.motion;
  return group.sequence.positions.empty() && motion.velocity.isZero(0) && motion.angular_velocity.isZero(0) &&
         motion.keys.empty() && motion.formulas.is_empty();
}

// Obstacles that never move have rows only where something touches them.
std::vector<char> flag_shown(const Model& model, const StepForces& forces) {
  const std::vector<Body>& bodies = model.kinematics.bodies;
  std::vector<char> is_shown;
  for (const Body& body : bodies) is_shown.push_back(body.is_obstacle() ? 0 : 1);
  const auto show = [&](Index body) { is_shown[static_cast<size_t>(body)] = 1; };
  for (const PrescribedNodes& group : model.prescribed) {
    if (!group.nodes.empty() && !stands_still(group)) show(find_body_of_node(bodies, group.nodes[0]));
  }
  for (const PairForces& pair : forces.pairs) {
    show(pair.a);
    show(pair.b);
  }
  return is_shown;
}

void add_pose(const Body& body, const Model& model, const State& state, CsvRow& row) {
  const BodyPose pose = compute_pose(body, model.initial_nodes, state.nodes, state.velocities);
  Eigen::Quaterniond q(pose.rotation);
  if (q.w() < 0) q.coeffs() *= -1;
  row.add(pose.mass).add(pose.centre).add(q.w()).add(q.vec()).add(pose.velocity).add(pose.angular_velocity);
}

void add_forces(const BodyForces& forces, CsvRow& row) {
  row.add(forces.normal.force).add(forces.friction.force);
  row.add(Vec3(forces.normal.torque + forces.friction.torque));
  row.add(forces.joints).add(forces.loads).add(forces.reaction);
}

// The step that a row is of, if the row is whole.
std::optional<int> read_step(std::string_view line) {
  int step = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), step);
  if (error != std::errc() || end == line.data() + line.size() || *end != ',') return {};
  return step;
}

struct KeptRows {
  std::string text;
  int last_step = -1;
};

// The header and the whole rows of steps up to last_step; nothing if the header is another one. Names may
// hold line ends within quotes.
KeptRows keep_rows(const std::string& text, const std::string& header, int last_step) {
  KeptRows kept;
  if (!text.starts_with(header + "\n")) return kept;
  size_t begin = header.size() + 1;
  kept.text = text.substr(0, begin);
  bool is_quoted = false;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (text[i] != '\n' || is_quoted) continue;
    const std::optional<int> step = read_step(std::string_view(text).substr(begin, i - begin));
    if (!step || *step > last_step) break;
    kept.text += text.substr(begin, i + 1 - begin);
    kept.last_step = *step;
    begin = i + 1;
  }
  return kept;
}

const Body* find_joint_body(const Model& model, const WeightedPoint& anchor) {
  const std::vector<Body>& bodies = model.kinematics.bodies;
  return anchor.nodes.empty() ? nullptr
                              : &bodies[static_cast<size_t>(find_body_of_node(bodies, anchor.nodes[0]))];
}

}  // namespace

std::string format_body_rows(const Model& model, const State& state, const StepReport& report) {
  std::string out;
  const std::vector<Body>& bodies = model.kinematics.bodies;
  const std::vector<char> is_shown = flag_shown(model, report.forces);
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (is_shown[b] == 0) continue;
    CsvRow row(out, report.step, report.time);
    row.add_text(bodies[b].name).add_text(enum_name(bodies[b].named_kind()));
    add_pose(bodies[b], model, state, row);
    if (b < report.forces.bodies.size()) {
      add_forces(report.forces.bodies[b], row);
    } else {
      row.leave_empty(27);  // nine vectors
    }
  }
  return out;
}

std::string format_contact_rows(const Model& model, const StepReport& report) {
  std::string out;
  const auto name_of = [&](Index body) { return model.kinematics.bodies[static_cast<size_t>(body)].name; };
  for (const PairForces& pair : report.forces.pairs) {
    CsvRow row(out, report.step, report.time);
    row.add_text(name_of(pair.a)).add_text(name_of(pair.b));
    // Forces in a body cancel but for rounding.
    const bool is_own = pair.a == pair.b;
    const Wrench none;
    const Wrench& normal = is_own ? none : pair.normal;
    const Wrench& friction = is_own ? none : pair.friction;
    row.add(normal.force).add(friction.force).add(Vec3(normal.torque + friction.torque));
    row.add(pair.point).add(Vec3(normal.force.stableNormalized()));
    row.add(pair.pressing).add(static_cast<double>(pair.contacts)).add(pair.gap);
    row.add(pair.slip).add(pair.sticking);
  }
  return out;
}

std::string format_joint_rows(const Model& model, const State& state, const StepReport& report) {
  std::string out;
  for (size_t j = 0; j < report.forces.joints.size() && j < report.joint_states.size(); ++j) {
    const Joint& joint = model.joints[j];
    const JointStatus& status = report.joint_states[j];
    const Body* a = find_joint_body(model, joint.anchor_a);
    const Body* b = find_joint_body(model, joint.anchor_b);
    CsvRow row(out, report.step, report.time);
    row.add_text(joint.name).add_text(a != nullptr ? a->name : "").add_text(b != nullptr ? b->name : "");
    row.add(status.coordinate).add(report.forces.joints[j]).add(joint.anchor_a.at(state.nodes));
    row.add(status.is_broken ? 1 : 0).add(status.is_held_up ? 1 : 0);
  }
  return out;
}

ResultsFiles::ResultsFiles(const std::string& folder, int last_step)
    : folder_(folder),
      bodies_(open(kFileNames[0], body_header(), last_step)),
      contacts_(open(kFileNames[1], contact_header(), last_step)),
      joints_(open(kFileNames[2], joint_header(), last_step)) {}

AppendedFile ResultsFiles::open(const std::string& name, const std::string& header, int last_step) {
  const std::string path = folder_ + "/" + name;
  KeptRows kept;
  if (last_step > 0 && is_file(path)) kept = keep_rows(read_file(path), header, last_step);
  // Every step has rows of bodies; of contacts and joints it need not.
  const bool is_incomplete = kept.text.empty() || (name == kFileNames[0] && kept.last_step < last_step);
  if (last_step > 0 && is_incomplete) {
    notices_.push_back(fmt::format("{} has not all of the steps before this one: the others are lost", name));
  }
  write_file(path, kept.text.empty() ? header + "\n" : kept.text);
  return AppendedFile(path);
}

void ResultsFiles::drop_later(const std::string& folder, int last_step) {
  for (const std::string name : kFileNames) {
    const std::string path = fmt::format("{}/{}", folder, name);
    if (is_file(path)) write_file(path, keep_rows(read_file(path), header_of(name), last_step).text);
  }
}

void ResultsFiles::add(const Model& model, const State& state, const StepReport& report) {
  bodies_.add_lines(format_body_rows(model, state, report));
  contacts_.add_lines(format_contact_rows(model, report));
  joints_.add_lines(format_joint_rows(model, state, report));
}

}  // namespace marrow
