#include "scene/build/build.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "contact/rest_overlaps.h"
#include "core/activity.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "kinematics/elements/mass_properties.h"
#include "kinematics/joined.h"
#include "math/rotation.h"
#include "mesh/io/mesh_file.h"
#include "mesh/mesh_check.h"
#include "mesh/point_box.h"
#include "mesh/refine.h"
#include "mesh/shapes.h"
#include "mesh/surface.h"
#include "mesh/surface_edges.h"
#include "preprocess/volume/prepare_tets.h"
#include "scene/build/build_carried.h"
#include "scene/build/build_contact.h"
#include "scene/build/build_curved.h"
#include "scene/build/build_densities.h"
#include "scene/build/build_joints.h"
#include "scene/build/build_medial.h"
#include "scene/build/build_motion.h"
#include "scene/build/check_formulas.h"
#include "scene/build/load_mesh.h"
#include "scene/build/place_bodies.h"
#include "scene/build/planar_mesh.h"
#include "scene/fingerprint.h"
#include "scene/import/import_scene.h"
#include "scene/json/json_text.h"
#include "scene/read_scene.h"
#include "sim/projective/projected_body.h"

namespace marrow {
namespace {

// Of open surfaces, wires and points of stiff bodies, relative to the body's box.
constexpr double kPlateThickness = 1e-2;

// Gaps below this part of the radius count as touching.
constexpr double kTouching = 1e-6;

// Default stiffness of affine bodies, per density [m²/s²].
constexpr double kStiffnessPerDensity = 3e6;

// Leaves only what the scene asks for.
void keep_part(MeshPart part, Mesh& mesh) {
  if (part == MeshPart::Whole) return;
  if (part == MeshPart::EdgesOnly) {
    if (!mesh.tets.empty() && mesh.triangles.empty()) mesh.triangles = extract_surface(mesh.tets);
    const std::vector<Edge> sides = unique_edges(mesh.triangles);
    mesh.edges.insert(mesh.edges.end(), sides.begin(), sides.end());
  } else {
    mesh.edges.clear();
  }
  mesh.triangles.clear();
  mesh.tets.clear();
}

Mesh repeat_mesh(const RepeatDescription& repeat, const Mesh& mesh) {
  Mesh all;
  const auto add_shifted = [](const auto& elements, Index first, auto& list) {
    for (auto element : elements) {
      for (Index& i : element) i += first;
      list.push_back(element);
    }
  };
  for (int i = 0; i < repeat.count_x; ++i) {
    for (int j = 0; j < repeat.count_y; ++j) {
      for (int k = 0; k < repeat.count_z; ++k) {
        const auto first = static_cast<Index>(all.points.size());
        const Vec3 shift = repeat.step.cwiseProduct(Vec3(i, j, k));
        for (const Vec3& x : mesh.points) all.points.push_back(x + shift);
        all.radii.insert(all.radii.end(), mesh.radii.begin(), mesh.radii.end());
        add_shifted(mesh.edges, first, all.edges);
        add_shifted(mesh.triangles, first, all.triangles);
        add_shifted(mesh.tets, first, all.tets);
      }
    }
  }
  return all;
}

// Reduces triangles and edges to the surface of the tets, shells and wires.
void keep_thin_parts(const BodyDescription& body, const BodyPlace& place, Mesh& mesh) {
  const CodimensionalParts parts = find_codimensional_parts(mesh);
  if (parts.triangles.empty() && parts.edges.empty() && parts.points.empty()) {
    throw InputError(place.at("thickness"), "the mesh has only tetrahedra, which have no thickness",
                     "Remove thickness, or add triangles, edges or points outside the tetrahedra.");
  }
  if (mesh.tets.empty() && body.material.model != MaterialModel::NeoHookean) {
    throw InputError(
        place.at("material.model"),
        fmt::format("{} is for tetrahedra, but the mesh has none", enum_name(body.material.model)),
        "Remove it: shells and wires have a single elastic law (docs/models/elasticity.md).");
  }
  mesh.triangles = extract_surface(mesh.tets);
  mesh.triangles.insert(mesh.triangles.end(), parts.triangles.begin(), parts.triangles.end());
  mesh.edges = parts.edges;
}

// Why triangles are no closed surface, for a sentence; empty if there are none.
std::string describe_holes(const std::vector<Triangle>& triangles) {
  size_t open = 0, crowded = 0;
  Edge first = {kNone, kNone};
  for_each_surface_edge(triangles, [&](const SurfaceEdge& e) {
    const int count = e.forward + e.backward;
    if (count == 2) return;
    if (open + crowded == 0) first = {e.low, e.high};
    ++(count == 1 ? open : crowded);
  });
  if (open + crowded == 0) return {};
  const std::string which = fmt::format("the first between points {} and {}", first[0], first[1]);
  if (crowded == 0) {
    return fmt::format("its surface is open ({} in only one triangle, {}), ",
                       format_count(static_cast<long>(open), "edge lies", "edges lie"), which);
  }
  return fmt::format("its surface is not closed ({} not in two triangles, {}), ",
                     format_count(static_cast<long>(open + crowded), "edge lies", "edges lie"), which);
}

// A soft body that is a closed surface and no shell is filled with tets.
void fill_solid(const BodyDescription& body, const BodyPlace& place, const std::string& file, Mesh& mesh) {
  const bool is_missed = body.kind == BodyKind::Soft && mesh.tets.empty() && !body.thickness;
  if (is_missed && is_closed_surface(mesh.triangles)) {
    TetMesherOptions options;
    options.size = body.tet_size.value_or(options.size);
    mesh = prepare_tets_cached(mesh, file.empty() ? to_string(place.at("shape")) : file, options);
    return;
  }
  if (is_missed) {
    throw InputError(
        place.at(body.mesh ? "mesh" : "shape"),
        fmt::format("{} has no tetrahedra, {}and no thickness is given", body.mesh ? file : "it",
                    body.mesh ? describe_holes(mesh.triangles) : ""),
        "For a solid use a tet mesh (.msh, .vtk, .node/.ele) or a closed surface; `marrow prepare repair` "
        "closes small holes. For a shell, wires or points give their thickness; or make the body an "
        "obstacle.");
  }
  if (body.tet_size) {
    throw InputError(
        place.at("tet_size"), "there is no closed surface to fill with tets",
        "Remove it: it applies only to soft bodies whose mesh is a closed surface without tetrahedra.");
  }
}

// A body's mesh; of one whose file has curved tets, these and the surface that collides.
struct LoadedMesh {
  Mesh mesh;
  std::optional<CurvedMesh> curved = {};
};

// What splits tets at the middles of straight edges.
void refuse_for_curved(const BodyDescription& body, const BodyPlace& place) {
  if (!body.refine && !body.remesh) return;
  throw InputError({name_mesh(body, place), 0, 0, {}},
                   fmt::format("has curved tets, which {} does not cut", body.refine ? "refine" : "remesh"),
                   "Remove that key, or take a mesh of straight tets.");
}

// The body's mesh in the world, checked for its kind. Errors inside the mesh name the mesh file or the shape.
LoadedMesh load_mesh(const BodyDescription& body, const BodyPlace& place, const MeshCare& care) {
  const std::string file = body.mesh ? resolve_path(place.scene_path, *body.mesh) : std::string();
  CurvedFile read = read_body_file(body, place, care);
  if (std::optional<CurvedMesh> curved = take_curved(body, place, care, read)) {
    refuse_for_curved(body, place);
    place_points(body, curved->nodes);
    if (body.repeat) curved = repeat_curved(*body.repeat, *curved);
    Mesh surface = cut_surface(*curved, choose_cells(body, place, *curved));
    return {std::move(surface), std::move(curved)};
  }
  Mesh mesh = std::move(read.mesh);
  keep_part(body.mesh_part, mesh);
  fill_solid(body, place, file, mesh);
  for (int k = 0; k < body.refine.value_or(0); ++k) mesh = refine_tets(mesh);
  place_points(body, mesh.points);
  for (double& r : mesh.radii) r *= body.scale.maxCoeff();
  if (body.repeat) mesh = repeat_mesh(*body.repeat, mesh);
  const std::string name = name_mesh(body, place);
  if (body.kind == BodyKind::Soft && body.thickness) {
    check_soft_mesh(mesh, name);
    keep_thin_parts(body, place, mesh);
  } else if (body.kind == BodyKind::Soft) {
    check_tet_mesh(mesh, name);
    mesh.triangles = extract_surface(mesh.tets);
    mesh.edges.clear();
  } else {
    check_mesh(mesh, name);
    if (is_affine_or_rigid(body.kind)) check_tets(mesh, name);  // their volumes are its mass
  }
  return {std::move(mesh)};
}

// The same in a scene of dimension 2.
Mesh load_planar_mesh(const BodyDescription& body, const BodyPlace& place, const MeshCare& care) {
  Mesh mesh = read_body_mesh(body, place, care);
  keep_part(body.mesh_part, mesh);
  place_points(body, mesh.points);
  if (body.repeat) mesh = repeat_mesh(*body.repeat, mesh);
  finish_planar_mesh(name_mesh(body, place), body.kind == BodyKind::Soft, mesh);
  return mesh;
}

// The same of any kind of body, for what is placed by its mesh. What is mended is told when the body is
// built.
PlacedMesh load_placed_mesh(const BodyDescription& body, const BodyPlace& place, bool stacked) {
  std::vector<std::string> unheard;
  const MeshCare care{false, unheard};
  PlacedMesh placed;
  if (body.is_carried()) {
    placed.outside = load_carried_surface(body, place, care);
  } else if (body.kind == BodyKind::Medial) {
    placed.outside = load_medial_surface(body, place, care);
  } else {
    placed.outside = load_mesh(body, place, care).mesh;
  }
  placed.box = compute_box(placed.outside.points);
  if (stacked && body.collides_as_medial()) {
    placed.outside = load_medial_collider(body, place, care);
  }
  return placed;
}

// An obstacle made of a tet mesh keeps only its surface; points inside would be loose otherwise.
Mesh keep_used_points(const Mesh& mesh) {
  std::vector<char> is_used(mesh.points.size(), 0);
  const auto mark = [&](const auto& elements) {
    for (const auto& element : elements) {
      for (const Index i : element) is_used[i] = 1;
    }
  };
  mark(mesh.triangles);
  mark(mesh.edges);
  // The others keep their order, so that numbers stay what they are where all points are used.
  std::vector<Index> number(mesh.points.size(), kNone);
  Mesh kept;
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    if (!is_used[i]) continue;
    number[i] = static_cast<Index>(kept.points.size());
    kept.points.push_back(mesh.points[i]);
  }
  const auto renumber = [&](auto element) {
    for (Index& i : element) i = number[i];
    return element;
  };
  for (const Triangle& triangle : mesh.triangles) kept.triangles.push_back(renumber(triangle));
  for (const Edge& edge : mesh.edges) kept.edges.push_back(renumber(edge));
  if (!mesh.radii.empty()) {
    kept.radii.resize(kept.points.size());
    for (size_t i = 0; i < mesh.radii.size(); ++i) {
      if (number[i] != kNone) kept.radii[number[i]] = mesh.radii[i];
    }
  }
  return kept;
}

// The centre of mass of a body's nodes.
Vec3 compute_mass_center(const Body& body, const Points& nodes) {
  const ScalarMatrix lumped = lump_rows(body.mass);
  Vec3 sum = Vec3::Zero();
  double total = 0;
  for (Index i = 0; i < body.node_count; ++i) {
    sum += lumped.values[i] * nodes[i];
    total += lumped.values[i];
  }
  return sum / total;
}

// Appends the material of a body that deforms; returns its number.
Index add_material(const MaterialDescription& m, Model& model) {
  Material material = make_material(m.model, m.youngs_modulus, m.poissons_ratio);
  material.mooney_share = m.mooney_share;
  material.locking_stretch = m.locking_stretch;
  material.damping = m.damping;
  model.materials.push_back(material);
  return static_cast<Index>(model.materials.size()) - 1;
}

Points add_soft(const std::string& name, const BodyDescription& description, Mesh mesh,
                const BodyPlace& place, BuiltScene& built) {
  Kinematics& kinematics = built.model.kinematics;
  const Index material = add_material(description.material, built.model);
  const double density = description.material.density;
  MassKind mass = description.mass;
  if (description.remesh) {
    // Only the consistent mass is the same on both sides of a split.
    mass = MassKind::Consistent;
    const auto body = static_cast<Index>(kinematics.bodies.size());
    built.model.remeshed.push_back({body, density, material, *description.remesh});
  }
  const std::vector<double> densities =
      make_densities(description, place, compute_tet_masses(mesh, {}), {}, built.notes);
  Points nodes = add_soft_body(name, std::move(mesh), density, mass, material, kinematics,
                               description.thickness.value_or(0));
  if (!densities.empty()) set_tet_densities(densities, density, mass, kinematics);
  return nodes;
}

Points add_soft_or_curved(const std::string& name, const BodyDescription& description, const BodyPlace& place,
                          LoadedMesh loaded, BuiltScene& built) {
  const bool is_straight = !loaded.curved;
  const int order = description.order.value_or(1);
  if (is_straight && order == 1) {
    check_uncut(description, place);
    return add_soft(name, description, std::move(loaded.mesh), place, built);
  }
  if (is_straight) loaded.curved = raise_order(loaded.mesh.points, loaded.mesh.tets, order);
  const MeshCare care{false, built.notes};
  return add_curved(name, description, place, std::move(*loaded.curved), is_straight,
                    add_material(description.material, built.model), care, built.model);
}

// What of a mesh collides and is seen, where its inside plays no part.
Mesh keep_outside(Mesh mesh) {
  if (!mesh.tets.empty()) mesh.triangles = extract_surface(mesh.tets);
  mesh.tets.clear();
  const bool is_surface = !mesh.triangles.empty() || !mesh.edges.empty();
  return is_surface ? keep_used_points(mesh) : mesh;
}

Points add_stiff(const std::string& name, const BodyDescription& description, Mesh mesh,
                 const BodyPlace& place, Model& model) {
  const double density = description.material.density;
  const double diagonal = compute_diagonal(mesh.points);
  double thickness = description.thickness.value_or(kPlateThickness * diagonal);
  if (thickness == 0) thickness = 2 * description.radius;  // a single point
  const MassProperties properties = compute_mass_properties(mesh, density, thickness);
  if (!(properties.mass > 0)) {
    throw InputError(place.at(description.mesh ? "mesh" : "shape"), "the body has no volume, and so no mass",
                     "Give a closed surface, or the thickness of its triangles, edges or points.");
  }
  if (description.kind == BodyKind::Rigid && description.prescribed.empty()) {
    return add_rigid_body(name, keep_outside(std::move(mesh)), properties, model.kinematics);
  }
  // V = κ |A Aᵀ − 1|² is St. Venant–Kirchhoff's law with µ = 4κ and without λ.
  const double kappa = description.stiffness.value_or(kStiffnessPerDensity * density);
  model.materials.push_back({.model = MaterialModel::StVenantKirchhoff, .lame_mu = 4 * kappa});
  Points nodes = add_affine_body(name, keep_outside(std::move(mesh)), properties,
                                 static_cast<Index>(model.materials.size()) - 1, model.kinematics);
  model.kinematics.bodies.back().is_called_rigid = description.kind == BodyKind::Rigid;
  return nodes;
}

// Whether parts of the body that are no neighbours touch at rest if they have this radius.
bool touches_itself(const Body& body, double radius) {
  Mesh mesh = body.rest;
  mesh.radii.assign(mesh.points.size(), radius);
  return find_rest_overlaps(mesh, kTouching * radius).contacts > 0;
}

// Radii act between the parts of a body too: one that is thicker than its mesh is coarse could not move.
void check_radius(const BodyDescription& description, const BodyPlace& place, const Body& body) {
  const bool meets_itself = description.contact && description.self_contact &&
                            (body.kind == BodyKind::Soft || body.kind == BodyKind::Medial) &&
                            !body.has_collider();
  if (description.radius == 0 || !meets_itself || !touches_itself(body, description.radius)) return;
  double fits = 0, touches = description.radius;
  for (int k = 0; k < 12; ++k) {
    const double middle = 0.5 * (fits + touches);
    (touches_itself(body, middle) ? touches : fits) = middle;
  }
  throw InputError(
      place.at("radius"),
      fmt::format("with a radius of {:g} m parts of the body's own mesh overlap at rest", description.radius),
      fmt::format("Use a radius below {:.3g} m, a coarser mesh, or \"self_contact\": false.", fits));
}

// The body's mesh and nodes in a scene of dimension 2.
Points add_planar(const std::string& name, const BodyDescription& description, const BodyPlace& place,
                  const MeshCare& care, const Eigen::AlignedBox3d& others, Model& model) {
  if (description.plane)
    return add_planar_obstacle(name, build_line(*description.plane, others), model.kinematics);
  Mesh mesh = load_planar_mesh(description, place, care);
  if (description.kind == BodyKind::Obstacle)
    return add_planar_obstacle(name, keep_outside(std::move(mesh)), model.kinematics);
  const Index material = add_material(description.material, model);
  return add_planar_body(name, std::move(mesh), description.material.density, description.mass, material,
                         model.kinematics);
}

// others: the box of all bodies that are not planes.
void add_body(const std::string& name, const BodyDescription& description, const BodyPlace& place,
              const Scene& scene, const Eigen::AlignedBox3d& others, BuiltScene& built) {
  Model& model = built.model;
  const bool is_medial = description.kind == BodyKind::Medial;
  const bool is_planar = scene.dimension == 2;
  const MeshCare care{scene.strict, built.notes};
  LoadedMesh loaded;
  if (is_planar) {
    // read below
  } else if (description.plane) {
    loaded.mesh = build_plane(*description.plane, others);
  } else if (!is_medial && !description.is_carried()) {
    loaded = load_mesh(description, place, care);
  }
  Mesh& mesh = loaded.mesh;
  const bool is_obstacle = description.kind == BodyKind::Obstacle;
  Points nodes;
  if (is_planar) {
    nodes = add_planar(name, description, place, care, others, model);
  } else if (is_medial) {
    nodes = add_medial(name, description, place, add_material(description.material, model), care, model);
  } else if (description.is_carried()) {
    nodes = add_carried(name, description, place, add_material(description.material, model), care, model);
  } else if (description.kind == BodyKind::Soft) {
    nodes = add_soft_or_curved(name, description, place, std::move(loaded), built);
  } else if (is_obstacle) {
    nodes = add_obstacle(name, keep_outside(std::move(mesh)), model.kinematics);
  } else {
    nodes = add_stiff(name, description, std::move(mesh), place, model);
  }
  Body& body = model.kinematics.bodies.back();
  body.position = description.position;
  body.is_ground = description.plane.has_value() && !is_planar;
  if (description.radius > 0) body.radii.assign(body.rest.points.size(), description.radius);
  if (!is_planar) check_radius(description, place, body);
  add_prescribed(description, place, nodes, model);
  add_loads(description, place, model);

  // Initial positions and velocities.
  State& state = built.state;
  const Index start = static_cast<Index>(state.nodes.size());
  state.nodes.conservativeResize(start + 3 * body.node_count);
  state.velocities.conservativeResize(start + 3 * body.node_count);
  const Vec3 center = is_obstacle ? Vec3(Vec3::Zero()) : compute_mass_center(body, nodes);
  Vec3 velocity = description.velocity, turning = description.angular_velocity;
  for (const Freedom freedom : description.locked) {
    const auto k = static_cast<int>(freedom);
    body.is_locked[static_cast<size_t>(k)] = true;
    (k < 3 ? velocity : turning)[k % 3] = 0;
  }
  for (Index i = 0; i < body.node_count; ++i) {
    const Vec3 spin = turning.cross(nodes[i] - center);
    state.nodes.segment<3>(start + 3 * i) = nodes[i];
    state.velocities.segment<3>(start + 3 * i) = is_obstacle ? Vec3(Vec3::Zero()) : Vec3(velocity + spin);
  }
}

// Adds line and column to a place in a scene file.
Location add_position(Location where) {
  if (where.line > 0 || where.json_path.empty()) return where;
  // A scene made from text, or from another format, has no places in a file.
  if (!is_file(where.file) || is_foreign_scene(where.file)) return where;
  const TextPosition position =
      locate(read_file(where.file), parse_json_path(where.json_path), JsonPart::Value);
  where.line = position.line;
  where.column = position.column;
  return where;
}

// With detected contact, what is thin or loose has nothing to move it.
void check_projected(const Model& model, const std::string& scene_path) {
  if (!model.is_unguarded()) return;
  for (size_t b = 0; b < model.kinematics.bodies.size(); ++b) {
    const Body& body = model.kinematics.bodies[b];
    if (body.is_obstacle() || is_projected_whole(model, b)) continue;
    throw InputError(
        {scene_path, 0, 0, fmt::format("bodies[{}]", b)},
        "the projective stepper with detected contact moves tets only, and this body has shells, "
        "wires or loose points",
        "Set solver.projective.contact to \"certified\", or give it a tet mesh.");
  }
}

}  // namespace

BuiltScene build_scene(const Scene& written, const std::string& scene_path) {
  BuiltScene built;
  Scene scene = written;
  built.model.time = scene.time;
  try {
    Activity activity("reading the scene");
    const MeshLoader load_planar = [](const BodyDescription& body, const BodyPlace& place, bool) {
      std::vector<std::string> unheard;
      Mesh mesh = load_planar_mesh(body, place, MeshCare{false, unheard});
      const Eigen::AlignedBox3d box = compute_box(mesh.points);
      return PlacedMesh{std::move(mesh), box};
    };
    const Eigen::AlignedBox3d others =
        place_bodies(scene, scene_path, scene.dimension == 2 ? load_planar : MeshLoader(load_placed_mesh));
    const int count = static_cast<int>(scene.bodies.size());
    for (size_t i = 0; i < scene.bodies.size(); ++i) {
      activity.enter_part(static_cast<int>(i) + 1, count, scene.name_of(i));
      const BodyDescription& body = scene.bodies[i];
      add_body(scene.name_of(i), body, {scene_path, i, body.origin}, scene, others, built);
    }
    check_formulas(scene, scene_path);
    built.model.joints = build_joints(scene, scene_path, built.model.kinematics, built.state.nodes);
  } catch (const InputError& error) {
    throw InputError(add_position(error.where()), error.problem(), error.advice());
  }
  Model& model = built.model;
  model.mass = join_diagonal(model.kinematics, &Body::mass);
  model.initial_nodes = built.state.nodes;
  model.gravity = scene.gravity;
  model.size = compute_smallest_size(list_boxes(model.kinematics));
  model.contact = build_contact(scene, model.kinematics, model.size);
  model.newton = scene.solver.newton;
  model.stepper = scene.solver.stepper;
  model.projective = scene.solver.projective;
  model.linear = scene.solver.linear;
  model.joint_options = scene.solver.joints;
  check_projected(model, scene_path);
  built.fingerprint = compute_fingerprint(scene, model, built.state.nodes);
  return built;
}

}  // namespace marrow
