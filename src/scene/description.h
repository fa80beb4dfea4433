// A scene as its JSON file says it: plain structs with defaults, and one field list per struct.
//
// From the field lists come parsing (read_fields.h), --set overrides, validation of single values, the
// canonical text (describe.h) and the scene reference (reference.h). What relates several fields is in
// validate.h. Units are SI, Y is up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contact/options.h"
#include "core/options.h"
#include "core/types.h"
#include "kinematics/medial.h"
#include "math/expression.h"
#include "mesh/shapes.h"
#include "scene/joint_description.h"
#include "scene/json/field_types.h"
#include "scene/selection.h"
#include "scene/view_description.h"
#include "sim/model/model.h"

namespace marrow {

// The choice of a stepper, Newton's options, the linear solver's and the joints', in one JSON object.
struct SolverOptions {
  Stepper stepper = Stepper::Newton;
  ProjectiveOptions projective;
  NewtonOptions newton;
  LinearSolverOptions linear;
  JointOptions joints;
  bool operator==(const SolverOptions&) const = default;
};

struct OutputOptions {
  bool vtu = true;
  std::optional<int> vtu_every;
  bool gltf = true;
  bool viewer = true;
  bool exact = true;
  bool viewer_full_precision = false;
  int checkpoint_every = 1;
  bool iterates = false;
  bool check = true;
  bool results = true;
  bool operator==(const OutputOptions&) const = default;
};

struct MaterialDescription {
  MaterialModel model = MaterialModel::NeoHookean;
  double density = 1000;
  double youngs_modulus = 1e5;
  double poissons_ratio = 0.4;
  double mooney_share = 0.2;
  double locking_stretch = 3;
  double damping = 0;
  bool operator==(const MaterialDescription&) const = default;
};

struct Keyframe {
  double time = 0;
  Vec3 translation = Vec3::Zero();
  Vec3 rotation = Vec3::Zero();  // degrees; R = Rz Ry Rx
  bool operator==(const Keyframe&) const = default;
};

// Meshes with the same elements, one after the other in time.
struct SequenceDescription {
  std::vector<std::string> meshes;  // paths, relative to the scene file
  double first = 0;
  double step = 0.01;
  bool operator==(const SequenceDescription&) const = default;
};

// Points that follow a given motion: at rest, with constant velocities, through keyframes, by formulas, or
// through the meshes of a sequence.
struct PrescribedDescription {
  Selection select;
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();
  std::optional<Vec3> about;  // centre of rotation at time 0; default: centroid of the selected points
  std::vector<Keyframe> keyframes;
  std::optional<VectorExpression> translation;
  std::optional<VectorPlaceExpression> displacement;
  std::optional<Expression> angle;  // degrees
  Vec3 axis = Vec3::UnitY();
  std::optional<Expression> scale;
  std::optional<SequenceDescription> sequence;
  double start = 0;
  std::optional<double> end;
  std::optional<double> release;
  bool operator==(const PrescribedDescription&) const = default;
};

// A force on points: an acceleration of their mass, or a force that they share.
struct ForceDescription {
  Selection select;
  std::optional<VectorExpression> acceleration;
  std::optional<VectorExpression> force;
  std::optional<VectorExpression> traction;
  std::optional<VectorExpression> torque;
  bool operator==(const ForceDescription&) const = default;
};

// What of a medial body collides.
enum class Collider { Surface, Medial };

template <>
struct EnumNames<Collider> {
  static constexpr const char* names[] = {"surface", "medial"};
};

// What of a mesh is used.
enum class MeshPart { Whole, EdgesOnly, PointsOnly };

template <>
struct EnumNames<MeshPart> {
  static constexpr const char* names[] = {"all", "edges", "points"};
};

// Copies of a mesh in rows.
struct RepeatDescription {
  int count_x = 1;
  int count_y = 1;
  int count_z = 1;
  Vec3 step = Vec3::Ones();
  bool operator==(const RepeatDescription&) const = default;
};

// As the surface of a soft body: the triangles of its own mesh.
inline constexpr const char* kCarried = "carried";

// A flat surface without an end: the points x with normal · x = height, for a normal of length 1.
struct PlaneDescription {
  double height = 0;
  Vec3 normal = Vec3::UnitY();
};

// Densities that differ from tet to tet: given, or the nearest to that of the material that put the centre of
// mass where it should be.
struct DensitiesDescription {
  std::optional<std::vector<double>> values;
  std::optional<std::string> file;  // a path, relative to the scene file
  std::optional<Vec3> center_of_mass;
  bool match_collider = false;
  double least = 0.1;
  double most = 10;
  bool operator==(const DensitiesDescription&) const = default;
};

struct BodyDescription {
  Origin origin;
  std::string name;  // empty: "body 0", "body 1", … by position
  BodyKind kind = BodyKind::Soft;
  std::optional<std::string> mesh;  // a path; relative to the scene file
  std::optional<Shape> shape;
  std::optional<PlaneDescription> plane;
  MeshPart mesh_part = MeshPart::Whole;
  std::optional<RepeatDescription> repeat;
  Vec3 position = Vec3::Zero();
  Vec3 rotation = Vec3::Zero();  // degrees; R = Rz Ry Rx
  Vec3 scale = Vec3::Ones();
  bool center = false;
  std::optional<double> size;
  std::optional<NameOrNumber> rest_on;  // a body, or a height
  std::optional<double> gap;
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();  // rad/s, about the body's centroid
  MaterialDescription material;
  MassKind mass = MassKind::Lumped;
  std::optional<DensitiesDescription> densities;
  std::optional<double> thickness;
  std::optional<double> stiffness;
  std::optional<int> handles;
  std::optional<double> target_error;
  std::optional<int> cells;
  std::optional<double> tet_size;
  std::optional<int> refine;
  std::optional<int> order;
  std::optional<int> surface_cells;
  std::optional<double> surface_deviation;  // [m]
  std::optional<RemeshOptions> remesh;
  std::optional<std::string> surface;  // a path, relative to the scene file, or kCarried
  std::optional<double> weight_threshold;
  std::optional<std::vector<Vec3>> extra_handles;  // in the coordinates of the mesh
  std::optional<HandleChoice> handle;
  std::optional<std::vector<Vec3>> quadratic_handles;  // in the coordinates of the mesh
  std::optional<ChoiceOrMesh<Collider>> collider;
  double radius = 0;
  std::vector<Freedom> locked;
  std::vector<PrescribedDescription> prescribed;
  std::vector<ForceDescription> forces;
  std::optional<Expression> pressure;
  std::string group;  // empty: none
  bool contact = true;
  bool self_contact = true;
  SelfCollision self_collision = SelfCollision::Auto;
  std::optional<double> friction;
  std::optional<std::string> color;  // see parse_color
  std::optional<bool> visible;

  // Whether tets carry a surface, by either key.
  bool is_carried() const { return surface || (collider && !collider->mesh.empty()); }
  // Whether that is the triangles of the body's own mesh.
  bool carries_own_surface() const { return surface == kCarried; }
  // The file of the surface; null: none, or the body's own.
  std::string* surface_file() {
    if (collider && !collider->mesh.empty()) return &collider->mesh;
    return surface && !carries_own_surface() ? &*surface : nullptr;
  }
  const std::string* surface_file() const { return const_cast<BodyDescription*>(this)->surface_file(); }
  const char* surface_key() const { return surface ? "surface" : "collider"; }
  bool collides_as_medial() const { return collider && collider->choice == Collider::Medial; }
};

// What another program found: norms of the displacement of all bodies that are not obstacles.
struct RecordedNorms {
  int steps = 1;
  std::optional<double> l2;
  std::optional<double> h1;
  std::optional<double> h1_semi;
  std::optional<double> linf;
  std::optional<double> linf_grad;
  std::optional<double> lp;
  double margin = 1e-5;
};

struct Scene {
  std::string name;
  bool strict = false;
  int dimension = 3;
  TimeOptions time;
  Vec3 gravity = {0, -9.81, 0};
  SolverOptions solver;
  ContactOptions contact;
  std::vector<BodyDescription> bodies;
  std::vector<JointDescription> joints;
  OutputOptions output;
  std::optional<ViewDescription> view;
  std::optional<RecordedNorms> recorded_norms;
  std::vector<std::string> included;  // other files that it was read from, relative to the scene file

  // What the body is called in messages and in contact.pairs.
  std::string name_of(size_t body) const {
    return bodies[body].name.empty() ? "body " + std::to_string(body) : bodies[body].name;
  }
};

template <class Visitor>
void visit_fields(Visitor& visit, SolverOptions& o) {
  visit("stepper", o.stepper,
        {.doc = "newton solves every step. projective is for soft and medial bodies that must be fast: local "
                "projections and a constant matrix (projective)."});
  visit("projective", o.projective, {.doc = "Options of the projective stepper."});
  visit_fields(visit, o.newton);
  visit_fields(visit, o.linear);
  visit_fields(visit, o.joints);
}

template <class Visitor>
void visit_fields(Visitor& visit, OutputOptions& o) {
  visit("vtu", o.vtu, {.doc = "Write frames for ParaView: run.pvd and VTU files in frames/."});
  visit(
      "vtu_every", o.vtu_every,
      {.unit = "frames",
       .at_least = 1,
       .doc = "Number of frames per VTU file; the last state always has one. Default: 4 if run.mrw keeps the "
              "others exactly, so that `marrow convert` can write them afterwards; else 1."});
  visit(
      "gltf", o.gltf,
      {.doc = "Write the animation for Blender and web viewers, run.glb, at the end; needs viewer or vtu."});
  visit("viewer", o.viewer,
        {.doc = "Write all frames for `marrow view`, `render`, `check` and `convert`: run.mrw."});
  visit(
      "exact", o.exact,
      {.doc = "Keep the exact positions of every frame in run.mrw. If false, run.mrw of soft bodies is about "
              "five times smaller; `marrow check` and run.glb then take the VTU files, and `marrow convert` "
              "does not work."});
  visit("viewer_full_precision", o.viewer_full_precision,
        {.doc = "Write positions in run.mrw as 32-bit floats instead of 16-bit fractions of each body's box. "
                "This doubles the size; use it to look closely at contacts of large bodies."});
  visit("checkpoint_every", o.checkpoint_every,
        {.unit = "steps",
         .at_least = 1,
         .doc = "Number of steps between checkpoints; with larger values, a crash loses more."});
  visit("iterates", o.iterates,
        {.doc = "Also record the positions of every Newton iteration, so that `marrow check` can examine "
                "them; needs much disk space."});
  visit("check", o.check,
        {.doc = "Check every frame exactly for intersections and inverted tets when it is written; this "
                "takes a small part of the time of a step."});
  visit("results", o.results,
        {.doc = "Write poses, contact forces, reactions and forces of joints of every step: bodies.csv, "
                "contacts.csv, joints.csv."});
}

template <class Visitor>
void visit_fields(Visitor& visit, MaterialDescription& o) {
  visit("model", o.model,
        {.doc = "Elastic energy; docs/models/elasticity.md helps to choose. neo_hookean, mooney_rivlin and "
                "arruda_boyce resist flattening without bound."});
  visit("density", o.density, {.unit = "kg/m³", .above = 0, .doc = "Mass per volume at rest."});
  visit("youngs_modulus", o.youngs_modulus, {.unit = "Pa", .above = 0, .doc = "Stiffness of the material."});
  visit("poissons_ratio", o.poissons_ratio,
        {.above = -1,
         .below = 0.5,
         .doc = "Lateral contraction per stretch; near 0.5 the volume is preserved."});
  visit(
      "mooney_share", o.mooney_share,
      {.at_least = 0,
       .at_most = 1,
       .doc =
           "mooney_rivlin: C2 / (C1 + C2); larger values are softer in tension and stiffer in compression."});
  visit("locking_stretch", o.locking_stretch,
        {.above = 1, .doc = "arruda_boyce: stretch near which the material becomes very stiff."});
  visit("damping", o.damping,
        {.unit = "s",
         .at_least = 0,
         .doc = "Stiffness-proportional damping: a vibration of angular frequency w decays as "
                "exp(-damping w^2 t / 2)."});
}

template <class Visitor>
void visit_fields(Visitor& visit, Keyframe& o) {
  visit("time", o.time, {.unit = "s", .at_least = 0, .required = true, .doc = "Time of the pose."});
  visit("translation", o.translation, {.unit = "m", .doc = "Displacement from the position at time 0."});
  visit("rotation", o.rotation,
        {.unit = "°", .doc = "Rotation from the pose at time 0, about x, then y, then z."});
}

template <class Visitor>
void visit_fields(Visitor& visit, SequenceDescription& o) {
  visit("meshes", o.meshes,
        {.required = true,
         .doc = "Mesh files in order of time, with the elements of the body's mesh, in world coordinates."});
  visit("first", o.first,
        {.unit = "s",
         .at_least = 0,
         .doc = "Time of the first mesh; until then, points move straight towards it."});
  visit("step", o.step,
        {.unit = "s", .above = 0, .doc = "Time from one mesh to the next; the last one is held."});
}

template <class Visitor>
void visit_fields(Visitor& visit, PrescribedDescription& o) {
  visit("select", o.select, {.required = true, .doc = "Which points; exactly one of the keys below."});
  visit("velocity", o.velocity, {.unit = "m/s", .doc = "Constant velocity; zero holds the points in place."});
  visit("angular_velocity", o.angular_velocity,
        {.unit = "rad/s", .doc = "Constant angular velocity about `about`."});
  visit("about", o.about,
        {.unit = "m", .doc = "Centre of rotation at time 0; if absent, the centroid of the points."});
  visit("keyframes", o.keyframes,
        {.doc = "Poses at increasing times, interpolated linearly, and held before the first and after the "
                "last; instead of velocities and formulas."});
  visit(
      "translation", o.translation,
      {.unit = "m", .doc = "Displacement from the position at time 0 as formulas in t; added to velocity."});
  visit("displacement", o.displacement,
        {.unit = "m",
         .doc = "Displacement of each point as formulas in t and in x, y, z, its position at time 0 in the "
                "world; added to the other motions."});
  visit("angle", o.angle, {.unit = "°", .doc = "Rotation about `axis` through `about` as a formula in t."});
  visit("axis", o.axis, {.doc = "Direction of the axis of `angle`; need not have length 1."});
  visit("scale", o.scale,
        {.doc = "Scaling about `about` as a formula in t; 1 is the size at time 0. It must be above 0 and at "
                "most 1e6 at every step."});
  visit("sequence", o.sequence, {.doc = "Meshes to follow, instead of all other motions."});
  visit("start", o.start,
        {.unit = "s",
         .at_least = 0,
         .doc = "Time at which the motion begins; t in formulas and the times of keyframes count from it."});
  visit("end", o.end,
        {.unit = "s",
         .at_least = 0,
         .doc = "Time at which the motion ends; after that, the points are held in place."});
  visit("release", o.release,
        {.unit = "s",
         .at_least = 0,
         .doc = "Time at which the points are released; soft, medial and affine bodies only."});
}

template <class Visitor>
void visit_fields(Visitor& visit, ForceDescription& o) {
  visit("select", o.select, {.required = true, .doc = "Which points; exactly one of the keys below."});
  visit("acceleration", o.acceleration,
        {.unit = "m/s²", .doc = "Each point is pulled with its mass times this acceleration, like gravity."});
  visit("force", o.force,
        {.unit = "N", .doc = "Total force, shared evenly by the points; on one point, a point load."});
  visit("traction", o.traction,
        {.unit = "Pa",
         .doc = "Force per area at rest, on the triangles of the surface whose corners are all selected; its "
                "direction does not follow the surface. Not for affine and rigid bodies."});
  visit("torque", o.torque,
        {.unit = "N m",
         .doc = "Torque about the centre of mass, in world axes; for affine and rigid bodies, with all "
                "points selected."});
}

template <class Visitor>
void visit_fields(Visitor& visit, PlaneDescription& o) {
  visit("height", o.height, {.unit = "m", .doc = "Distance of the plane from the origin along its normal."});
  visit("normal", o.normal, {.doc = "Direction of its upper side; need not have length 1."});
}

template <class Visitor>
void visit_fields(Visitor& visit, RepeatDescription& o) {
  const Field count = {.at_least = 1, .at_most = 1000, .doc = "Number of copies along this axis."};
  visit("count_x", o.count_x, count);
  visit("count_y", o.count_y, count);
  visit("count_z", o.count_z, count);
  visit("step", o.step, {.unit = "m", .doc = "Offset from one copy to the next along each world axis."});
}

template <class Visitor>
void visit_fields(Visitor& visit, DensitiesDescription& o) {
  visit("values", o.values, {.unit = "kg/m³", .above = 0, .doc = "One density per tet, in their order."});
  visit("file", o.file,
        {.unit = "kg/m³",
         .doc = "Instead: a text file with one density per tet, relative to the scene file; # starts a "
                "comment."});
  visit("center_of_mass", o.center_of_mass,
        {.unit = "m",
         .doc = "Instead: where the centre of mass is to be, in mesh coordinates (before scale, rotation and "
                "position). The mass stays, and the densities change as little as they can."});
  visit("match_collider", o.match_collider,
        {.doc = "Instead: mass and centre of mass are those of the solid that the collider encloses."});
  visit("least", o.least,
        {.above = 0,
         .at_most = 1,
         .doc = "Smallest density for center_of_mass and match_collider, as a factor of the mean one."});
  visit("most", o.most, {.at_least = 1, .doc = "The largest."});
}

// How meshes are prepared that lack what their kind needs.
template <class Visitor>
void visit_preparation(Visitor& visit, BodyDescription& o) {
  visit("handles", o.handles,
        {.at_least = 1,
         .doc = "medial: number of handles, the vertices of the medial mesh; default 100. More handles bend "
                "in finer detail and cost more."});
  visit("target_error", o.target_error,
        {.above = 0,
         .below = 1,
         .doc = "medial, instead of handles: as few handles as keep the mean distance between the surface "
                "and that of the medial mesh below this fraction of the box diagonal."});
  visit("cells", o.cells,
        {.at_least = 4,
         .at_most = 400,
         .doc = "medial, if the mesh has no tets: lattice cells along the longest side. Default: as many as "
                "divide the volume into about 4000 cells, at most 32, and more for more than a hundred "
                "handles. More cells resolve finer parts and cost more."});
  visit("tet_size", o.tet_size,
        {.at_least = 0.002,
         .at_most = 0.5,
         .doc = "soft, if the mesh is a closed surface without tets: edge length of the tets that fill it, "
                "as a fraction of the box diagonal; default 0.05. The surface is remeshed with triangles of "
                "that size, unless surface or collider keeps it as it is."});
  visit("refine", o.refine,
        {.at_least = 0,
         .at_most = 6,
         .doc = "soft: how often each tet is cut into eight, before anything else. Numbers of points in "
                "selections are those of the finer mesh: its corners keep theirs."});
  visit(
      "order", o.order,
      {.at_least = 1,
       .at_most = 4,
       .doc = "soft: the order of the tets; default: that of the mesh, 1 for straight ones. 1: straight tets "
              "with nodes at their corners. 2, 3 and 4 have more nodes and bend: far fewer tets give the "
              "same answer, and bending does not lock. No tet turns over anywhere inside. The mass is the "
              "consistent one. A mesh of higher order (docs/meshes.md) is interpolated."});
  visit("surface_cells", o.surface_cells,
        {.at_least = 1,
         .at_most = 64,
         .doc = "soft, with order above 1: what collides and is seen is the boundary with each face cut into "
                "the square of this many triangles; default: order."});
  visit(
      "surface_deviation", o.surface_deviation,
      {.unit = "m",
       .above = 0,
       .doc = "soft, with order above 1, in place of surface_cells: as many triangles, at least those of the "
              "default, that none is farther than this from the curved surface at rest, by a bound. "
              "`marrow info` and `marrow check` tell the bound."});
  visit(
      "remesh", o.remesh,
      {.doc = "soft: split edges of the tets within the steps where that lowers the energy, so that "
              "elements are small where the motion needs them (docs/models/remeshing.md). The mass is the "
              "consistent one. VTU files have all frames; run.mrw and run.glb have those since the mesh last "
              "changed."});
  visit("surface", o.surface,
        {.doc = "soft: a mesh file with a fine surface that the tets of the mesh carry, or those that fill "
                "it; or \"carried\": the triangles of the mesh itself, carried by a lattice of cells of "
                "tet_size. This surface is what collides and is seen, with its own points, triangles and "
                "texture coordinates. Points outside the tets follow the nearest one. A file may be named "
                "under collider as well."});
  visit("weight_threshold", o.weight_threshold,
        {.at_least = 0,
         .below = 0.5,
         .doc = "medial: weights below this are dropped; default 0.001. Larger values make handles more "
                "local, steps faster and the motion less smooth."});
  visit("extra_handles", o.extra_handles,
        {.doc = "medial: additional handles, which do not collide, at these points in mesh coordinates "
                "(before scale, rotation and position). Round bodies have few handles of their own."});
  visit(
      "handle", o.handle,
      {.doc =
           "medial: affine handles (the default) have four nodes each and can stretch and shear. "
           "quadratic handles have ten nodes and can also bend, at several times the cost. mixed: quadratic "
           "where a medial vertex has at most two neighbours and moves enough volume, affine elsewhere."});
  visit(
      "quadratic_handles", o.quadratic_handles,
      {.doc = "medial: the handles nearest to these points, in mesh coordinates (before scale, rotation and "
              "position), are quadratic, all others affine."});
  visit("collider", o.collider,
        {.doc = "What collides and is seen. soft: any triangle mesh near the body, for tets of any order; a "
                "point outside the tets by more than the longest edge of the nearest one is refused. "
                "surface names the same. medial: surface (the default) is the true surface; medial the "
                "spheres, cones and slabs that enclose it at rest. These are much faster, but the surface "
                "itself may penetrate other bodies where the body deforms, deeply if it is soft."});
}

// Where a body is put by what it is and what is below it.
template <class Visitor>
void visit_placement(Visitor& visit, BodyDescription& o) {
  visit("center", o.center,
        {.doc = "Whether the centre of the mesh's box, instead of its origin, comes to stand at position."});
  visit("size", o.size,
        {.unit = "m",
         .above = 0,
         .doc = "Scales the mesh evenly, after scale, so that the longest side of its box has this length; "
                "rotation comes after that."});
  visit(
      "rest_on", o.rest_on,
      {.doc = "Moves the body straight up or down, against gravity, so that it stands on this: \"ground\", a "
              "body "
              "by name, or a height (y) as a number. Its lowest point comes to stand `gap` above the highest "
              "point of that body within the outline of its own box."});
  visit(
      "gap", o.gap,
      {.unit = "m",
       .above = 0,
       .doc =
           "rest_on: the distance. If absent, contact.d_hat: the largest at which contact acts, so that the "
           "body is neither pushed away nor falls first."});
}

template <class Visitor>
void visit_fields(Visitor& visit, BodyDescription& o) {
  visit(
      "name", o.name,
      {.doc = "Name in messages and output; must be unique. If empty, the index is used: body 0, body 1, …"});
  visit("kind", o.kind,
        {.doc = "soft: deforms elastically. affine: hardly deforms, and is fast. rigid: does not deform, and "
                "is fast. obstacle: moves as prescribed, or not at all. medial: deforms with a few handles; "
                "its mesh is a closed surface, a tet mesh or a .medial file."});
  visit("mesh", o.mesh, {.doc = "Mesh file, relative to the scene file; either this or shape."});
  visit("shape", o.shape, {.doc = "Built-in shape; either this or mesh."});
  visit("plane", o.plane,
        {.doc =
             "obstacle, instead of mesh and shape: a plane, as large as needed; drawn as the ground. The key "
             "ground of the scene makes one."});
  visit("mesh_part", o.mesh_part,
        {.doc = "Part of the mesh to use: everything, its edges as wires, or its points only."});
  visit("repeat", o.repeat, {.doc = "Repeats the mesh in rows, as one body."});
  visit("position", o.position,
        {.unit = "m", .doc = "Position of the mesh origin: world = position + R · scale · mesh point."});
  visit("rotation", o.rotation, {.unit = "°", .doc = "Rotation R about x, then y, then z."});
  visit("scale", o.scale, {.above = 0, .doc = "Factor along each axis of the mesh."});
  visit_placement(visit, o);
  visit("velocity", o.velocity, {.unit = "m/s", .doc = "Velocity at time 0; not for obstacles."});
  visit("angular_velocity", o.angular_velocity,
        {.unit = "rad/s", .doc = "Angular velocity about the centre of mass at time 0; not for obstacles."});
  visit("material", o.material,
        {.doc = "Material of the body; affine and rigid bodies use only its density."});
  visit("mass", o.mass,
        {.doc = "soft: lumped puts the mass at the nodes, which makes coarse bodies turn too slowly (by 12 % "
                "with 4 cells across, docs/models/time_step.md). consistent follows the shape functions and "
                "is exact."});
  visit(
      "densities", o.densities,
      {.doc = "soft: a density per tet, instead of material.density for all. Coarse tets have another centre "
              "of mass than what they stand for; this puts it back."});
  visit("thickness", o.thickness,
        {.unit = "m",
         .above = 0,
         .doc = "Thickness of shells (triangles outside tetrahedra), and diameter of wires (edges outside "
                "triangles) and loose points. Soft bodies with such parts need it. For affine and rigid "
                "bodies, whose open surfaces are plates, the default is a hundredth of the box diagonal. It "
                "sets mass and stiffness; how close others may come is set by radius."});
  visit(
      "stiffness", o.stiffness,
      {.unit = "Pa",
       .above = 0,
       .doc =
           "affine: kappa of the energy kappa V |A A^T - 1|^2 that keeps the body in shape; default 3e9 for "
           "a density of 1000, proportional to the density. Smaller values are faster and less stiff."});
  visit_preparation(visit, o);
  visit("radius", o.radius,
        {.unit = "m",
         .at_least = 0,
         .doc = "Collision radius of all points: the surface that others touch lies this far outside the "
                "mesh. This also holds within the body, unless self_contact is false. If 0, the radii of the "
                "mesh file are used, times the largest factor of scale."});
  visit(
      "locked", o.locked,
      {.doc =
           "rigid: locked degrees of freedom. x, y, z: the centre of mass keeps that coordinate. rx, ry, rz: "
           "no rotation about that world axis. For example, [\"z\", \"rx\", \"ry\"] moves in the XY plane."});
  visit("prescribed", o.prescribed, {.doc = "Points that follow a given motion."});
  visit("forces", o.forces, {.doc = "Forces on points; not for obstacles."});
  visit("pressure", o.pressure,
        {.unit = "Pa",
         .doc = "Pressure inside the closed surface relative to the outside; not for obstacles. It always "
                "acts along the normal."});
  visit("group", o.group, {.doc = "A name that bodies may share, for contact.pairs."});
  visit("contact", o.contact, {.doc = "Whether the body collides with anything, itself included."});
  visit("self_contact", o.self_contact, {.doc = "Whether the body collides with itself."});
  visit("self_collision", o.self_collision,
        {.doc = "How the search for pairs within the body works; the results are the same. certified: skips "
                "patches that are hardly deformed, with certificates that are computed once per mesh "
                "(docs/models/self_collision.md). plain: uses no certificates. auto: uses them if, and as "
                "long as, they are likely to save time. Soft and medial bodies only."});
  visit("friction", o.friction,
        {.at_least = 0,
         .doc = "Coefficient of friction of the body. If both bodies have one, the geometric mean is used; "
                "if only one has, its value; if neither has, contact.friction. Entries of contact.pairs take "
                "precedence."});
  visit("color", o.color,
        {.doc = "Colour in pictures and in glTF: \"#d08020\", or a name of CSS such as \"orange\"."});
  visit("visible", o.visible, {.doc = "Whether the body is drawn; default true."});
}

template <class Visitor>
void visit_fields(Visitor& visit, RecordedNorms& o) {
  visit("steps", o.steps, {.at_least = 1, .doc = "Number of steps after which they were taken."});
  visit("l2", o.l2, {.doc = "Root of the integral of u² over the bodies at rest."});
  visit("h1", o.h1, {.doc = "Root of the integral of u² + (grad u)²."});
  visit("h1_semi", o.h1_semi, {.doc = "Root of the integral of (grad u)²."});
  visit("linf", o.linf, {.unit = "m", .doc = "Largest length of u at the points of quadrature."});
  visit("linf_grad", o.linf_grad,
        {.doc = "linf or, if that is larger, the largest norm of grad u in the last tet: so PolyFEM computes "
                "it."});
  visit("lp", o.lp, {.doc = "Eighth root of the integral of the eighth power of u."});
  visit("margin", o.margin, {.above = 0, .doc = "Relative difference that the other program allows itself."});
}

template <class Visitor>
void visit_fields(Visitor& visit, Scene& o) {
  visit("name", o.name, {.doc = "Title of the scene."});
  visit("strict", o.strict,
        {.doc = "If true, meshes with small faults (triangles that are listed twice or have no area, equal "
                "points, triangles that face the wrong way) are refused; if false, they are mended, and a "
                "note says so."});
  visit(
      "dimension", o.dimension,
      {.at_least = 2,
       .at_most = 3,
       .doc =
           "3, or 2 for a scene in the plane z = 0: soft bodies of triangles in plane strain, and obstacles "
           "of triangles or edges, all 1 m deep (docs/models/planar.md)."});
  visit("time", o.time, {.doc = "Time step and duration."});
  visit("gravity", o.gravity, {.unit = "m/s²", .doc = "Acceleration by gravity."});
  visit("solver", o.solver, {.doc = "How each step is solved."});
  visit("contact", o.contact, {.doc = "How bodies collide."});
  visit("bodies", o.bodies, {.required = true, .doc = "The bodies; at least one."});
  visit("joints", o.joints, {.doc = "Joints between bodies; see docs/models/joints.md."});
  visit("output", o.output, {.doc = "Files to write."});
  visit("view", o.view, {.doc = "How the scene is shown; options of `marrow render` take precedence."});
  visit(
      "recorded_norms", o.recorded_norms,
      {.doc = "Norms of the displacement u that PolyFEM found (docs/polyfem_scenes.md); a run writes its own "
              "beside them, into polyfem_norms.json."});
}

}  // namespace marrow
