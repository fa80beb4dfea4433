#include "run/part_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/error.h"
#include "core/file.h"
#include "run/run_scene.h"
#include "scene/body_names.h"
#include "scene/describe.h"
#include "scene/import/import_scene.h"
#include "scene/json/json_text.h"
#include "scene/read_scene.h"
#include "sim/start/check_start.h"
#include "sim/start/model_witness.h"

namespace marrow {
namespace {

// A body that stays out of the way of those that moved keeps this part of the gap. [speed only: half of d_hat
// gets no note, sim/start/check_start.cpp]
constexpr double kKept = 0.5;

// Positions are rounded to this many digits, so that sums read well.
constexpr int kDigits = 12;

double round_digits(double value) {
  if (value == 0) return 0;
  const double unit = std::pow(10.0, kDigits - 1 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

// Numbers below `least` are rounding.
Vec3 add_move(const Vec3& position, const Vec3& move, double least) {
  Vec3 sum;
  for (int k = 0; k < 3; ++k) {
    sum[k] = std::abs(move[k]) <= least ? position[k] : round_digits(position[k] + move[k]);
  }
  return sum;
}

void shift_selection(Selection& select, const Vec3& move, double least) {
  if (select.box) {
    select.box->min = add_move(select.box->min, move, least);
    select.box->max = add_move(select.box->max, move, least);
  }
  if (select.sphere) select.sphere->center = add_move(select.sphere->center, move, least);
}

void shift_body(BodyDescription& body, const Vec3& move, double least) {
  body.position = add_move(body.position, move, least);
  for (PrescribedDescription& part : body.prescribed) {
    shift_selection(part.select, move, least);
    if (part.about) part.about = add_move(*part.about, move, least);
  }
  for (ForceDescription& force : body.forces) shift_selection(force.select, move, least);
}

void shift_joint(JointDescription& joint, const Vec3& move, double least) {
  if (joint.at) joint.at = add_move(*joint.at, move, least);
  if (joint.at_b) joint.at_b = add_move(*joint.at_b, move, least);
  if (joint.select) shift_selection(*joint.select, move, least);
}

// Bodies that move as one.
struct PartGroup {
  std::vector<Index> bodies;
  bool is_fixed = false;
  double low = 0;  // along up
};

class ScenePartition {
 public:
  ScenePartition(const Scene& scene, const BuiltScene& built)
      : scene_(scene),
        model_(built.model),
        start_(check_start(built.model, built.state)),
        parting_(start_.witness, static_cast<Index>(built.model.kinematics.bodies.size())),
        gap_(built.model.contact.d_hat),
        moves_(scene.bodies.size(), Vec3::Zero()) {}

  PartedScene part() {
    PartedScene parted{scene_, {}, {}};
    for (const PartGroup& group : order_groups()) {
      if (!group.is_fixed && is_in_the_way(group)) place(group, parted);
      placed_.insert(placed_.end(), group.bodies.begin(), group.bodies.end());
    }
    apply(parted);
    return parted;
  }

 private:
  bool holds_place(Index b) const {
    const BodyDescription& body = scene_.bodies[static_cast<size_t>(b)];
    if (body.kind == BodyKind::Obstacle) return true;
    return std::any_of(body.prescribed.begin(), body.prescribed.end(),
                       [](const PrescribedDescription& part) { return part.sequence.has_value(); });
  }

  std::vector<PartGroup> order_groups() const {
    std::map<Index, PartGroup> groups;
    const std::vector<Index> group_of = group_joined_bodies(model_);
    const Vec3 up = start_.up;
    for (Index b = 0; b < static_cast<Index>(group_of.size()); ++b) {
      PartGroup& group = groups[group_of[static_cast<size_t>(b)]];
      // The lowest corner of the box along up.
      double low = 0;
      for (int k = 0; k < 3; ++k) {
        low += std::min(up[k] * parting_.lower(b)[k], up[k] * parting_.upper(b)[k]);
      }
      group.low = group.bodies.empty() ? low : std::min(group.low, low);
      group.bodies.push_back(b);
      group.is_fixed = group.is_fixed || holds_place(b);
    }
    for (const JointDescription& joint : scene_.joints) {
      if (joint.b != kWorld) continue;
      groups[group_of[static_cast<size_t>(find_body(scene_, joint.a))]].is_fixed = true;
    }
    std::vector<PartGroup> ordered;
    for (auto& [number, group] : groups) ordered.push_back(std::move(group));
    std::stable_sort(ordered.begin(), ordered.end(), [](const PartGroup& a, const PartGroup& b) {
      return std::pair(!a.is_fixed, a.low) < std::pair(!b.is_fixed, b.low);
    });
    return ordered;
  }

  // Whether some body of the group meets one that has its place, or is hardly apart from one that moved.
  bool is_in_the_way(const PartGroup& group) const {
    for (const Index m : group.bodies) {
      for (const Index s : placed_) {
        const bool has_moved = !moves_[static_cast<size_t>(s)].isZero(0);
        const double distance = has_moved ? kKept * gap_ : 10 * start_.least_gap;
        if (parting_.is_closer(m, s, distance)) return true;
      }
    }
    return false;
  }

  void place(const PartGroup& group, PartedScene& parted) {
    const std::string name = model_.kinematics.bodies[static_cast<size_t>(group.bodies[0])].name;
    const std::optional<PartingMove> found =
        placed_.empty() ? std::nullopt : parting_.find_least(group.bodies, placed_, gap_, start_.up);
    if (!found) {
      parted.left.push_back(fmt::format("\"{}\" is not moved: it has no room within its own length", name));
      return;
    }
    for (const Index b : group.bodies) {
      moves_[static_cast<size_t>(b)] = found->move;
      parting_.move(b, found->move);
    }
  }

  void apply(PartedScene& parted) const {
    for (size_t b = 0; b < moves_.size(); ++b) {
      if (moves_[b].isZero(0)) continue;
      BodyDescription& body = parted.scene.bodies[b];
      shift_body(body, moves_[b], 1e-9 * moves_[b].norm());
      parted.moves.push_back({scene_.name_of(b), moves_[b], body.position});
    }
    for (JointDescription& joint : parted.scene.joints) {
      const Vec3& move = moves_[static_cast<size_t>(find_body(scene_, joint.a))];
      if (!move.isZero(0)) shift_joint(joint, move, 1e-9 * move.norm());
    }
    for (const MeetingBodies& pair : start_.meeting) {
      if (!pair.is_joined && pair.a != pair.b) continue;
      parted.left.push_back(describe_meeting(pair, model_.kinematics) +
                            (pair.is_joined ? ", and a joint joins them: give it \"ignore_contact\": true"
                                            : ": repair its mesh, or use \"self_contact\": false"));
    }
  }

  const Scene& scene_;
  const Model& model_;
  StartReport start_;
  Parting parting_;
  double gap_;
  std::vector<Vec3> moves_;
  std::vector<Index> placed_;
};

// Other text for the values at some paths of a JSON text.
class JsonEdits {
 public:
  void set(const JsonPath& path, const Vec3& value) {
    texts_[to_string(path)] = fmt::format("[{}, {}, {}]", value.x(), value.y(), value.z());
  }

  // Values that are not there become the first of their object.
  std::string apply(const std::string& text) const {
    std::map<size_t, std::pair<size_t, std::string>> edits;  // by start: end, new text
    std::map<std::string, size_t> found;
    scan_json(text, [&](const JsonEntry& entry) {
      found[to_string(entry.path)] = entry.value;
      return true;
    });
    for (const auto& [path, value] : texts_) {
      if (const auto at = found.find(path); at != found.end()) {
        edits[at->second] = {find_end(text, at->second), value};
        continue;
      }
      const size_t dot = path.rfind('.');
      const auto parent = found.find(path.substr(0, dot));
      if (parent == found.end()) continue;
      const size_t inside = parent->second + 1;
      edits[inside] = {inside, fmt::format("\"{}\": {}, ", path.substr(dot + 1), value)};
    }
    std::string edited;
    size_t done = 0;
    for (const auto& [begin, edit] : edits) {
      edited += text.substr(done, begin - done) + edit.second;
      done = edit.first;
    }
    return edited + text.substr(done);
  }

 private:
  // Behind a list of numbers that begins there.
  static size_t find_end(const std::string& text, size_t begin) {
    const size_t end = text.find(']', begin);
    return end == std::string::npos ? text.size() : end + 1;
  }

  std::map<std::string, std::string> texts_;
};

void edit_selection(const JsonPath& path, const Selection& select, JsonEdits& edits) {
  if (select.box) {
    edits.set(path / "box" / "min", select.box->min);
    edits.set(path / "box" / "max", select.box->max);
  }
  if (select.sphere) edits.set(path / "sphere" / "center", select.sphere->center);
}

// The scene's own text with the parted scene's places.
std::string edit_text(const std::string& text, const Scene& before, const Scene& parted) {
  JsonEdits edits;
  for (size_t i = 0; i < parted.bodies.size(); ++i) {
    const BodyDescription& body = parted.bodies[i];
    if (body.position == before.bodies[i].position) continue;
    const JsonPath path = JsonPath() / "bodies" / i;
    edits.set(path / "position", body.position);
    for (size_t k = 0; k < body.prescribed.size(); ++k) {
      edit_selection(path / "prescribed" / k / "select", body.prescribed[k].select, edits);
      if (body.prescribed[k].about) edits.set(path / "prescribed" / k / "about", *body.prescribed[k].about);
    }
    for (size_t k = 0; k < body.forces.size(); ++k) {
      edit_selection(path / "forces" / k / "select", body.forces[k].select, edits);
    }
  }
  for (size_t k = 0; k < parted.joints.size(); ++k) {
    const JsonPath path = JsonPath() / "joints" / k;
    const JointDescription &joint = parted.joints[k], &old = before.joints[k];
    if (joint.at && joint.at != old.at) edits.set(path / "at", *joint.at);
    if (joint.at_b && joint.at_b != old.at_b) edits.set(path / "at_b", *joint.at_b);
    if (joint.select && joint.select != old.select) edit_selection(path / "select", *joint.select, edits);
  }
  return edits.apply(text);
}

}  // namespace

PartedScene part_scene(const Scene& scene, const BuiltScene& built) {
  return ScenePartition(scene, built).part();
}

std::string format_parted_scene(const Scene& parted, const std::string& scene_path,
                                const std::string& target) {
  const auto folder_of = [](const std::string& path) {
    const std::string parent = std::filesystem::path(path).parent_path().string();
    return canonical_path(parent.empty() ? "." : parent);
  };
  const std::string folder = folder_of(target);
  if (is_foreign_scene(scene_path) || folder_of(scene_path) != folder) {
    return describe_for_folder(parted, scene_path, folder);
  }
  // Where the text says more than numbers (overrides, values computed from others), every key is written.
  try {
    const std::string text = read_file(scene_path);
    const Scene before = parse_scene(text, scene_path);
    if (before.bodies.size() == parted.bodies.size() && before.joints.size() == parted.joints.size()) {
      const std::string edited = edit_text(text, before, parted);
      if (describe_scene(parse_scene(edited, target)) == describe_scene(parted)) return edited;
    }
  } catch (const InputError&) {
    // Overrides made a sound scene of one that is not.
  }
  return describe_for_folder(parted, scene_path, folder);
}

}  // namespace marrow
