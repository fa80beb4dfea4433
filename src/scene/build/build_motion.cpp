#include "scene/build/build_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kinematics/medial.h"
#include "mesh/io/mesh_file.h"
#include "scene/build/select.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

Vec3 compute_centroid(const Points& points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& x : points) sum += x;
  return sum / static_cast<double>(points.size());
}

Motion make_motion(const PrescribedDescription& description, const Points& selected) {
  Motion motion;
  motion.about = description.about.value_or(compute_centroid(selected));
  motion.velocity = description.velocity;
  motion.angular_velocity = description.angular_velocity;
  for (const Keyframe& key : description.keyframes)
    motion.keys.push_back({key.time, key.translation, key.rotation});
  motion.formulas = {description.translation, description.displacement, description.angle, description.axis,
                     description.scale};
  motion.start = description.start;
  if (description.end) motion.end = *description.end;
  return motion;
}

// The positions of a sequence's meshes; points are the selected ones among the body's.
MotionSequence read_sequence(const SequenceDescription& description, const std::vector<Index>& points,
                             const Body& body, const std::string& key, const BodyPlace& place) {
  MotionSequence sequence;
  sequence.first = description.first;
  sequence.step = description.step;
  for (size_t k = 0; k < description.meshes.size(); ++k) {
    const Mesh mesh = read_mesh(resolve_path(place.scene_path, description.meshes[k]));
    if (mesh.points.size() != body.rest.points.size()) {
      throw InputError(
          place.at(fmt::format("{}.sequence.meshes[{}]", key, k)),
          fmt::format("has {} points, but the body has {}", mesh.points.size(), body.rest.points.size()),
          "Every mesh of a sequence must have the points of the body's mesh, in the same order.");
    }
    Points& positions = sequence.positions.emplace_back();
    for (const Index i : points) positions.push_back(mesh.points[i]);
  }
  return sequence;
}

// Formulas must give numbers: at time 0, and those of the point also at every step (check_formulas.cpp has
// the others). All points are looked at first and last, and one of them at every step.
void check_motion(const PrescribedNodes& group, const std::string& key, const BodyPlace& place,
                  const TimeOptions& time) {
  const auto fail = [&](double t) {
    throw InputError(place.at(key), fmt::format("the motion's formulas are not finite at time {:g}", t),
                     "Look for a division by zero, or a root or logarithm of a negative number.");
  };
  const auto check_all = [&](double t) {
    for (const Vec3& X : group.initial) {
      if (!compute_position(group.motion, X, t).allFinite()) fail(t);
    }
  };
  check_all(0);
  if (!group.motion.formulas.displacement) return;
  const double last = std::min(time.duration, group.release);
  check_all(last);
  for (double t = time.step; t < last; t += time.step) {
    if (!compute_position(group.motion, group.initial.front(), t).allFinite()) fail(t);
  }
}

// A third of the area of each triangle of the surface for each of its corners, if all are among these points.
std::map<Index, double> share_area(const std::vector<Index>& points, const Body& body) {
  std::vector<char> is_selected(body.rest.points.size(), 0);
  for (const Index i : points) is_selected[static_cast<size_t>(i)] = 1;
  std::map<Index, double> areas;
  for (const Triangle& t : body.rest.triangles) {
    if (!std::all_of(t.begin(), t.end(), [&](Index i) { return is_selected[static_cast<size_t>(i)] != 0; }))
      continue;
    const auto corner = [&](size_t k) { return body.rest.points[static_cast<size_t>(t[k])]; };
    const double area = 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm();
    for (const Index i : t) areas[i] += area / 3;
  }
  return areas;
}

// Adds a share of a node for each point that depends on it.
NodalLoad make_load(const ForceDescription& description, const std::vector<Index>& points, const Body& body) {
  NodalLoad load;
  std::map<Index, double> weights;
  if (description.traction) {
    for (const auto& [i, area] : share_area(points, body)) {
      for (Index k = body.W.offsets[i]; k < body.W.offsets[i + 1]; ++k) {
        weights[body.W.indices[k]] += area * body.W.values[k];
      }
    }
    load.value = *description.traction;
  } else if (!description.force) {
    const ScalarMatrix lumped = lump_rows(body.mass);
    for (const Index i : points) {
      for (Index k = body.W.offsets[i]; k < body.W.offsets[i + 1]; ++k) {
        const Index node = body.W.indices[k];
        weights[node] = lumped.values[node];
      }
    }
    load.is_torque = description.torque.has_value();
    load.value = load.is_torque ? *description.torque : *description.acceleration;
  } else {
    const double share = 1 / static_cast<double>(points.size());
    for (const Index i : points) {
      for (Index k = body.W.offsets[i]; k < body.W.offsets[i + 1]; ++k) {
        weights[body.W.indices[k]] += share * body.W.values[k];
      }
    }
    load.value = *description.force;
  }
  for (const auto& [node, weight] : weights) {
    load.nodes.push_back(body.first_node + node);
    load.weights.push_back(weight);
  }
  return load;
}

// A stiff body's nodes are not its points: a motion takes the body as a whole.
void add_prescribed_whole(const BodyDescription& description, const BodyPlace& place, const Points& nodes,
                          Model& model) {
  const Body& body = model.kinematics.bodies.back();
  for (size_t k = 0; k < description.prescribed.size(); ++k) {
    const PrescribedDescription& part = description.prescribed[k];
    const std::string key = fmt::format("prescribed[{}]", k);
    const std::vector<Index> points = select_points(part.select, body.rest.points, place.at(key + ".select"));
    if (k > 0 || points.size() != body.rest.points.size() || part.sequence || part.scale ||
        part.displacement) {
      throw InputError(
          place.at(key),
          fmt::format("{} bodies can only be moved as a whole, by one motion", enum_name(description.kind)),
          "Select all its points and give one rigid motion; to hold a part of it, use a joint.");
    }
    PrescribedNodes group;
    for (Index i = 0; i < body.node_count; ++i) group.nodes.push_back(body.first_node + i);
    group.initial = nodes;
    group.motion = make_motion(part, nodes);
    if (part.release) group.release = *part.release;
    check_motion(group, key, place, model.time);
    model.prescribed.push_back(std::move(group));
  }
}

// Each entry moves the nodes of a handle of its own, whose weight is 1 at the selected points.
void add_prescribed_handles(const BodyDescription& description, const BodyPlace& place, const Points& nodes,
                            Model& model) {
  const Body& body = model.kinematics.bodies.back();
  const bool is_quadratic = description.handle == HandleChoice::Quadratic;  // in mixed bodies they are affine
  const auto width =
      static_cast<size_t>(count_handle_nodes(is_quadratic ? HandleKind::Quadratic : HandleKind::Affine));
  const size_t first = nodes.size() - width * description.prescribed.size();
  for (size_t k = 0; k < description.prescribed.size(); ++k) {
    const PrescribedDescription& part = description.prescribed[k];
    const std::string key = fmt::format("prescribed[{}]", k);
    if (part.sequence || part.scale || part.displacement) {
      throw InputError(place.at(key), "points of a medial body can only be moved together, by a rigid motion",
                       "Remove sequence, scale and displacement, or make the body soft.");
    }
    Points selected;
    for (const Index i : select_points(part.select, body.rest.points, place.at(key + ".select"))) {
      selected.push_back(body.rest.points[i]);
    }
    PrescribedNodes group;
    for (size_t i = first + width * k; i < first + width * (k + 1); ++i) {
      group.nodes.push_back(body.first_node + static_cast<Index>(i));
      group.initial.push_back(nodes[i]);
    }
    group.motion = make_motion(part, selected);
    if (part.release) group.release = *part.release;
    check_motion(group, key, place, model.time);
    model.prescribed.push_back(std::move(group));
  }
}

// Points that coarse tets carry: each entry moves the nodes on which its points depend, so the points move as
// they should if the motion is rigid or a scaling.
void add_prescribed_carriers(const BodyDescription& description, const BodyPlace& place, const Points& nodes,
                             Model& model) {
  const Body& body = model.kinematics.bodies.back();
  std::vector<char> is_taken(nodes.size(), 0);
  for (size_t k = 0; k < description.prescribed.size(); ++k) {
    const PrescribedDescription& part = description.prescribed[k];
    const std::string key = fmt::format("prescribed[{}]", k);
    if (part.sequence) {
      throw InputError(place.at(key + ".sequence"), "a carried surface cannot follow a sequence of meshes",
                       "Remove surface, or move the points by a motion.");
    }
    std::set<Index> followed;
    Points selected;
    for (const Index i : select_points(part.select, body.rest.points, place.at(key + ".select"))) {
      selected.push_back(body.rest.points[static_cast<size_t>(i)]);
      followed.insert(body.W.indices.begin() + body.W.offsets[static_cast<size_t>(i)],
                      body.W.indices.begin() + body.W.offsets[static_cast<size_t>(i) + 1]);
    }
    PrescribedNodes group;
    for (const Index node : followed) {
      if (is_taken[static_cast<size_t>(node)] != 0) {
        throw InputError(place.at(key + ".select"),
                         "tets that carry these points also carry points of an earlier entry",
                         "Make the selections of one body disjoint by more than a tet, or the tets smaller.");
      }
      is_taken[static_cast<size_t>(node)] = 1;
      group.nodes.push_back(body.first_node + node);
      group.initial.push_back(nodes[static_cast<size_t>(node)]);
    }
    group.motion = make_motion(part, selected);
    if (part.release) group.release = *part.release;
    check_motion(group, key, place, model.time);
    model.prescribed.push_back(std::move(group));
  }
}

}  // namespace

Location place_of(const Origin& origin, const std::string& scene_path, const char* list, size_t number) {
  if (origin.path.empty()) return {scene_path, 0, 0, fmt::format("{}[{}]", list, number)};
  return {origin.file, 0, 0, origin.path};
}

Location BodyPlace::at(const std::string& key) const {
  Location where = place_of(origin, scene_path, "bodies", body);
  if (!key.empty()) where.json_path += "." + key;
  return where;
}

void add_prescribed(const BodyDescription& description, const BodyPlace& place, const Points& nodes,
                    Model& model) {
  const Body& body = model.kinematics.bodies.back();
  if (is_affine_or_rigid(body.kind)) {
    add_prescribed_whole(description, place, nodes, model);
    return;
  }
  if (body.kind == BodyKind::Medial) {
    add_prescribed_handles(description, place, nodes, model);
    return;
  }
  if (is_carried(body)) {
    add_prescribed_carriers(description, place, nodes, model);
    return;
  }
  // Nodes are points of the body; of curved tets, beside those of the surface.
  const Points& places = body.order > 1 ? nodes : body.rest.points;
  std::vector<char> is_taken(places.size(), 0);
  for (size_t k = 0; k < description.prescribed.size(); ++k) {
    const PrescribedDescription& part = description.prescribed[k];
    const std::string key = fmt::format("prescribed[{}]", k);
    const std::vector<Index> points = select_points(part.select, places, place.at(key + ".select"));
    if (part.sequence && body.order > 1) {
      throw InputError(place.at(key + ".sequence"),
                       "a body of order above 1 cannot follow a sequence of meshes",
                       "Remove order, or move the points by a motion.");
    }
    PrescribedNodes group;
    for (const Index i : points) {
      if (is_taken[i]) {
        throw InputError(place.at(key + ".select"),
                         fmt::format("point {} is already prescribed by an earlier entry", i),
                         "Make the selections of one body disjoint.");
      }
      is_taken[i] = 1;
      group.nodes.push_back(body.first_node + i);
      group.initial.push_back(places[i]);
    }
    group.motion = make_motion(part, group.initial);
    if (part.sequence) group.sequence = read_sequence(*part.sequence, points, body, key, place);
    if (part.release) group.release = *part.release;
    check_motion(group, key, place, model.time);
    model.prescribed.push_back(std::move(group));
  }
  if (body.kind != BodyKind::Obstacle) return;
  PrescribedNodes rest;
  for (Index i = 0; i < body.node_count; ++i) {
    if (is_taken[i]) continue;
    rest.nodes.push_back(body.first_node + i);
    rest.initial.push_back(body.rest.points[i]);
  }
  if (!rest.nodes.empty()) model.prescribed.push_back(std::move(rest));
}

void add_loads(const BodyDescription& description, const BodyPlace& place, Model& model) {
  const Body& body = model.kinematics.bodies.back();
  for (size_t k = 0; k < description.forces.size(); ++k) {
    const ForceDescription& force = description.forces[k];
    const std::string key = fmt::format("forces[{}].select", k);
    model.loads.push_back(
        make_load(force, select_points(force.select, body.rest.points, place.at(key)), body));
    if (force.traction && model.loads.back().nodes.empty()) {
      throw InputError(place.at(key), "no triangle of the surface has all of its corners selected",
                       "Select more points; a traction acts on triangles.");
    }
  }
  if (!description.pressure) return;
  if (!is_closed_surface(body.rest.triangles)) {
    throw InputError(place.at("pressure"), "the body's surface is not closed, so there is no inside",
                     "Close the mesh, or use forces.");
  }
  model.pressures.push_back({static_cast<Index>(model.kinematics.bodies.size()) - 1, *description.pressure});
}

}  // namespace marrow
