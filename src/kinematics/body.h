// The solver sees a body as its share of the nodes, the weights that turn nodes into points, elements and
// mass.
//
// The kinds differ only in how they fill this in, one file each. Points are what is seen, collides and is
// written: x = W n (docs/notation.md).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "core/options.h"
#include "kinematics/elements/codimensional.h"
#include "kinematics/elements/curved_elements.h"
#include "kinematics/elements/mass_properties.h"
#include "mesh/mesh.h"

namespace marrow {

enum class BodyKind { Soft, Obstacle, Affine, Rigid, Medial };

template <>
struct EnumNames<BodyKind> {
  static constexpr const char* names[] = {"soft", "obstacle", "affine", "rigid", "medial"};
};

// Affine and rigid bodies: four nodes, whatever the mesh.
inline bool is_affine_or_rigid(BodyKind kind) { return kind == BodyKind::Affine || kind == BodyKind::Rigid; }

// The motions that a scene can lock for a rigid body: that of its centre along an axis of the world, and
// rotation about one.
enum class Freedom { X, Y, Z, TurnX, TurnY, TurnZ };

template <>
struct EnumNames<Freedom> {
  static constexpr const char* names[] = {"x", "y", "z", "rx", "ry", "rz"};
};

enum class MassKind { Lumped, Consistent };

template <>
struct EnumNames<MassKind> {
  static constexpr const char* names[] = {"lumped", "consistent"};
};

struct Body {
  std::string name;
  BodyKind kind = BodyKind::Soft;
  Index first_node = 0;
  Index node_count = 0;
  Index first_point = 0;
  Mesh rest;                  // points at rest, in the world; simplices by the body's own point ids
  Mesh collider;              // what collides in place of rest, if it has points; they follow those of rest
  std::vector<double> radii;  // collision radius of each point, rest's then the collider's [m]
  ScalarMatrix W;             // points × nodes
  ScalarMatrix mass;          // nodes × nodes [kg]; zero rows for prescribed nodes without material
  std::array<bool, 6> is_locked = {};  // rigid: by Freedom
  std::optional<Vec3> position;        // that the scene gives it, for messages [m]
  bool is_planar = false;              // triangles and edges in the XY plane; what collides is their border
  bool is_ground = false;              // a plane without an end, for those who draw
  bool is_called_rigid = false;        // by the scene, though affine here as all of its nodes are prescribed
  int order = 1;                       // of its tets (kinematics/elements/curved_elements.h)

  // The kind that the scene gives it, for what people read.
  BodyKind named_kind() const { return is_called_rigid ? BodyKind::Rigid : kind; }
  bool has_collider() const { return !collider.points.empty(); }
  // Its nodes are prescribed, and it has no mass.
  bool is_obstacle() const { return kind == BodyKind::Obstacle; }
  // It has unknowns beside its motion as a whole: it can strain.
  bool can_strain() const { return kind != BodyKind::Rigid; }
  // Affine or rigid: four nodes carry the whole body, whatever its mesh, and it has a rotation.
  bool moves_as_one() const { return is_affine_or_rigid(kind); }
};

// Tets that a few nodes move (kinematics/medial.h).
struct ReducedElements {
  Index first_node = 0;             // of the body, in the list of all
  std::vector<Index> handle_nodes;  // per handle its first node of the body, and the end
  ScalarMatrix W;  // points of the tets × nodes of the body, all of each handle that moves the point
  Elements fine;   // the tets, over these points
  // What encloses the body's surface, for those who look for collisions in it
  // (geometry/medial/medial_rest.h).
  Points rest_nodes;            // handle by handle
  Mesh medial;                  // spheres, cones and slabs at rest; empty: unknown
  ScalarMatrix sphere_weights;  // spheres × nodes of the body
};

// Curved tets of one body (kinematics/elements/curved_elements.h).
struct CurvedTets {
  int order = 2;
  std::vector<Index> nodes;  // of all bodies, those of each tet in Gmsh's order
  size_t element_count = 0;  // points of quadrature, in the list of elements
  Elements guards;           // places where a barrier keeps the Jacobian positive
};

// All bodies together.
struct Kinematics {
  std::vector<Body> bodies;
  Elements elements;                      // tets
  Elements membranes = make_elements(2);  // triangles of shells
  Elements strands = make_elements(1);    // edges of wires
  ShellBends shell_bends;
  WireBends wire_bends;
  std::vector<ReducedElements> reduced;
  std::vector<CurvedTets> curved;
  std::vector<size_t> affine_elements;  // the elements that stand for affine bodies
  Index node_count = 0;
  Index point_count = 0;
};

// Soft, P1: one node per vertex, W = I. rest must be checked: a tet mesh if thickness is 0, else any soft
// mesh (mesh/mesh_check.h); then all parts outside tets are shells, wires or loose points of that thickness
// [m]. Returns the initial node positions.
Points add_soft_body(const std::string& name, Mesh rest, double density, MassKind mass_kind, Index material,
                     Kinematics& kinematics, double thickness = 0);

// Gives the last body, whose nodes are the points of its tets, a density per tet, relative to the given one.
void set_tet_densities(const std::vector<double>& densities, double density, MassKind mass_kind,
                       Kinematics& kinematics);

// Soft, of order 2 to 4: the nodes are those of the tets, points follow them. The mass is the consistent one.
Points add_curved_body(const std::string& name, CurvedShape shape, double density, Index material,
                       Kinematics& kinematics);

// Soft, in the plane z = 0: the triangles of rest in plane strain, one node per vertex, all per metre of
// depth. A scene has planar bodies only, or none.
Points add_planar_body(const std::string& name, Mesh rest, double density, MassKind mass_kind, Index material,
                       Kinematics& kinematics);

// An obstacle in the plane z = 0, of triangles or edges.
Points add_planar_obstacle(const std::string& name, Mesh rest, Kinematics& kinematics);

// Whether the scene lies in a plane.
bool is_planar(const Kinematics& kinematics);

// What of a planar body collides: edges in one triangle, and edges outside triangles.
std::vector<Edge> list_planar_border(const Body& body);

// Obstacle: one node per vertex, W = I, no mass, no elements; its nodes are prescribed.
Points add_obstacle(const std::string& name, Mesh rest, Kinematics& kinematics);

// Affine: four nodes, which carry a quarter of the mass each and have the body's centre and second moments
// (docs/decisions/0008-four-points.md). They are the corners of a tetrahedron along the principal axes, so
// the weights of a point are its barycentric coordinates there. surface: collides and is seen. material: of
// the one element. Returns the initial node positions.
Points add_affine_body(const std::string& name, Mesh surface, const MassProperties& properties,
                       Index material, Kinematics& kinematics);

// Rigid: the same four nodes, which keep their distances. No element.
Points add_rigid_body(const std::string& name, Mesh surface, const MassProperties& properties,
                      Kinematics& kinematics);

// The corners of a regular tetrahedron at distance 1 from its centre, as columns: the four nodes in their own
// frame.
Eigen::Matrix<double, 3, 4> list_tetrahedron();

// Gives a body with a name, kind and rest mesh its four nodes; returns their positions.
Points add_four_points(Body body, const MassProperties& properties, Kinematics& kinematics);

// Takes a body whose W, mass, rest, collider and kind are set into the list: numbers its nodes and points,
// and gives each point the radius that its mesh has there.
void append_body(Body body, Kinematics& kinematics);

// The number of the body that a node belongs to.
Index find_body_of_node(const std::vector<Body>& bodies, Index node);

// The same for all nodes.
std::vector<Index> list_bodies_of_nodes(const Kinematics& kinematics);

// An affine body and the element that keeps its shape.
struct AffineElement {
  Index body;
  size_t element;
};
std::vector<AffineElement> list_affine_elements(const Kinematics& kinematics);

// Sets the share of affine and rigid bodies in a vector over the nodes to 0.
void clear_moved_as_one(const Kinematics& kinematics, VecX& v);

// All points of all bodies: x = W n.
void compute_points(const Kinematics& kinematics, const VecX& n, Points& x);

}  // namespace marrow
