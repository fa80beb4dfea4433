#include "sim/projective/projection.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/clock.h"
#include "core/disjoint_sets.h"
#include "core/trace.h"
#include "mesh/surface.h"
#include "sim/projective/projected_body.h"
#include "sim/projective/touched_matrix.h"

namespace marrow {
namespace {

// A vertex that contact may draw, over the nodes, and how strongly.
struct Ghost {
  Index point = kNone;
  Index body = 0;     // of all bodies
  Index row = 0;      // of its W
  double weight = 0;  // h² w [kg]
};

// Bodies that are solved together, as attachments join them.
struct Group {
  std::vector<size_t> bodies;  // of the projected ones
  std::vector<Index> nodes;    // free ones, of all bodies
  ScalarMatrix fixed;          // free nodes × all nodes: the columns that are not free
  ScalarMatrix matrix;         // free × free
  ScalarFactor plain;
  TouchedMatrix touched;
  std::vector<Index> touching;     // ghosts that contact draws in this solve, ascending
  std::vector<SpringRow> springs;  // of this solve
  bool is_changed = false;         // by the last search
  VecX rhs, last_rhs, solution;

  bool is_touched() const { return !touching.empty() || !springs.empty(); }
};

std::vector<double> get_diagonal(const ScalarMatrix& A) {
  std::vector<double> diagonal(static_cast<size_t>(A.rows()), 0);
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.indices[k] == i) diagonal[static_cast<size_t>(i)] = A.values[k];
    }
  }
  return diagonal;
}

void add_triplets(const ScalarMatrix& A, Index first, double factor, std::vector<Triplet>& triplets) {
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      triplets.push_back({first + i, first + A.indices[k], factor * A.values[k]});
    }
  }
}

// The points of a body that surface triangles have, by their rows of W.
std::vector<Index> list_surface_rows(const Body& body) {
  std::vector<Index> rows;
  for (const Triangle& t : body.rest.triangles) rows.insert(rows.end(), t.begin(), t.end());
  for (const Triangle& t : extract_surface(body.rest.tets)) rows.insert(rows.end(), t.begin(), t.end());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace

struct Projection::Parts {
  explicit Parts(const Model& m) : model(m) {}

  void list_attachments();
  void assemble();
  void make_groups();
  void make_ghosts();
  void touch(Group& group);
  void fill_rhs(Group& group, const VecX& n);
  double measure_unbalanced(bool is_first) const;
  bool is_converged(double unbalanced, const VecX& prediction, const VecX& n) const;
  void project(const VecX& n);
  void take_springs(const std::vector<SpringRow>& springs);
  void draw_springs(const VecX& n);
  void draw_ghost(const Ghost& ghost, const VecX& n);
  void draw_ghosts(const FindTargets& find_targets, const VecX& n, ProjectiveReport& report);
  void solve_groups(VecX& n);

  const Model& model;
  std::vector<ProjectedBody> bodies;
  std::vector<Index> number_of;  // by body: its number among the projected; kNone
  std::vector<const WeightedPoint*> attachments;
  std::vector<double> attachment_weights;  // h² w [kg]
  std::vector<char> is_fixed;              // prescribed, or not projected
  double h = 0;
  ScalarMatrix all;            // M + h² K + attachments
  std::vector<double> masses;  // diagonal of M
  std::vector<Group> groups;
  std::vector<Index> group_of;  // by projected body
  std::vector<Index> place_of;  // by node: in its group; kNone: fixed
  std::vector<Ghost> ghosts;
  std::vector<Index> ghost_of;  // by point; empty until contact needs them
  std::vector<Index> group_of_node;
  bool moves_all_free = false;
  // Scratch of a solve.
  VecX base, on_nodes;
  Points x;
  std::vector<GhostTarget> targets;
};

// Joints between bodies that projections move, prescribed nodes and the world.
void Projection::Parts::list_attachments() {
  for (const Joint& joint : model.joints) {
    if (joint.type != JointType::Ball) continue;
    for (const WeightedPoint& z : joint.vanishing) {
      const bool is_known = std::all_of(z.nodes.begin(), z.nodes.end(), [&](Index node) {
        const Index body = find_body_of_node(model.kinematics.bodies, node);
        return number_of[body] != kNone || model.kinematics.bodies[static_cast<size_t>(body)].is_obstacle();
      });
      if (is_known) attachments.push_back(&z);
    }
  }
}

void Projection::Parts::assemble() {
  const Index count = model.kinematics.node_count;
  std::vector<Triplet> triplets;
  add_triplets(model.mass, 0, 1, triplets);
  for (const ProjectedBody& body : bodies) add_triplets(body.stiffness(), body.first_node(), h * h, triplets);
  const ScalarMatrix bare = build_scalar_matrix(count, count, triplets);
  const std::vector<double> diagonal = get_diagonal(bare);
  attachment_weights.clear();
  for (const WeightedPoint* z : attachments) {
    double resistance = 0;
    for (size_t k = 0; k < z->nodes.size(); ++k) {
      if (is_fixed[z->nodes[k]] == 0) {
        resistance += z->weights[k] * z->weights[k] * diagonal[static_cast<size_t>(z->nodes[k])];
      }
    }
    const double weight = model.projective.attachment_stiffness * resistance;
    attachment_weights.push_back(weight);
    for (size_t a = 0; a < z->nodes.size(); ++a) {
      for (size_t b = 0; b < z->nodes.size(); ++b) {
        triplets.push_back({z->nodes[a], z->nodes[b], weight * z->weights[a] * z->weights[b]});
      }
    }
  }
  all = attachments.empty() ? bare : build_scalar_matrix(count, count, std::move(triplets));
}

void Projection::Parts::make_groups() {
  DisjointSets sets(bodies.size());
  for (const WeightedPoint* z : attachments) {
    size_t first = bodies.size();
    for (const Index node : z->nodes) {
      const Index number = number_of[find_body_of_node(model.kinematics.bodies, node)];
      if (number == kNone) continue;
      if (first == bodies.size()) first = static_cast<size_t>(number);
      sets.join(first, static_cast<size_t>(number));
    }
  }
  groups.clear();
  group_of.assign(bodies.size(), kNone);
  for (size_t b = 0; b < bodies.size(); ++b) {
    const size_t first = sets.find(b);
    if (first == b) {
      group_of[b] = static_cast<Index>(groups.size());
      groups.emplace_back();
    }
    group_of[b] = group_of[first];
    groups[group_of[b]].bodies.push_back(b);
  }
  place_of.assign(static_cast<size_t>(model.kinematics.node_count), kNone);
  group_of_node.assign(place_of.size(), kNone);
  for (Group& group : groups) {
    for (const size_t b : group.bodies) {
      for (Index i = bodies[b].first_node(); i < bodies[b].first_node() + bodies[b].node_count(); ++i) {
        if (is_fixed[i] != 0) continue;
        place_of[i] = static_cast<Index>(group.nodes.size());
        group_of_node[i] = static_cast<Index>(&group - groups.data());
        group.nodes.push_back(i);
      }
    }
    group.fixed.columns = all.columns;
    group.matrix.columns = static_cast<Index>(group.nodes.size());
    for (const Index i : group.nodes) {
      for (Index k = all.offsets[i]; k < all.offsets[i + 1]; ++k) {
        const bool is_free = is_fixed[all.indices[k]] == 0;
        ScalarMatrix& to = is_free ? group.matrix : group.fixed;
        to.indices.push_back(is_free ? place_of[all.indices[k]] : all.indices[k]);
        to.values.push_back(all.values[k]);
      }
      for (ScalarMatrix* to : {&group.matrix, &group.fixed}) {
        to->offsets.push_back(static_cast<Index>(to->indices.size()));
      }
    }
    group.plain.factorize(group.matrix);
  }
}

// A ghost has contact_stiffness times the mean of w² A over the vertices of its body.
void Projection::Parts::make_ghosts() {
  if (!ghost_of.empty()) return;
  ghost_of.assign(static_cast<size_t>(model.kinematics.point_count), kNone);
  ghosts.clear();
  const std::vector<double> diagonal = get_diagonal(all);
  for (const ProjectedBody& projected : bodies) {
    const Body& body = model.kinematics.bodies[projected.body()];
    const size_t first = ghosts.size();
    double sum = 0;
    for (const Index row : list_surface_rows(body)) {
      ghost_of[body.first_point + row] = static_cast<Index>(ghosts.size());
      ghosts.push_back({body.first_point + row, static_cast<Index>(projected.body()), row, 0});
      for (Index k = body.W.offsets[row]; k < body.W.offsets[row + 1]; ++k) {
        sum += body.W.values[k] * body.W.values[k] *
               diagonal[static_cast<size_t>(body.first_node + body.W.indices[k])];
      }
    }
    const double weight = model.projective.contact_stiffness * sum /
                          static_cast<double>(std::max<size_t>(1, ghosts.size() - first));
    for (size_t g = first; g < ghosts.size(); ++g) ghosts[g].weight = weight;
  }
}

// The matrix with the vertices of the group that touch.
void Projection::Parts::touch(Group& group) {
  std::vector<TouchedRow> rows;
  for (const Index g : group.touching) {
    const Ghost& ghost = ghosts[g];
    const Body& body = model.kinematics.bodies[static_cast<size_t>(ghost.body)];
    TouchedRow row;
    row.weight = ghost.weight;
    for (Index k = body.W.offsets[ghost.row]; k < body.W.offsets[ghost.row + 1]; ++k) {
      const Index place = place_of[body.first_node + body.W.indices[k]];
      if (place == kNone) continue;
      row.columns.push_back(place);
      row.values.push_back(body.W.values[k]);
    }
    if (!row.columns.empty()) rows.push_back(std::move(row));
  }
  for (const SpringRow& spring : group.springs) {
    TouchedRow row;
    row.weight = h * h * spring.stiffness;
    for (size_t k = 0; k < spring.point->nodes.size(); ++k) {
      const Index place = place_of[spring.point->nodes[k]];
      if (place == kNone) continue;
      row.columns.push_back(place);
      row.values.push_back(spring.point->weights[k]);
    }
    rows.push_back(std::move(row));
  }
  group.touched.set(group.matrix, group.plain, std::move(rows));
}

// What the nodes are drawn by, from on_nodes; the fixed nodes' share of the matrix goes to the other side.
void Projection::Parts::fill_rhs(Group& group, const VecX& n) {
  group.last_rhs.swap(group.rhs);
  multiply(group.fixed, n, group.rhs);
  for (size_t i = 0; i < group.nodes.size(); ++i) {
    const auto at = 3 * static_cast<Index>(i);
    group.rhs.segment<3>(at) = on_nodes.segment<3>(3 * group.nodes[i]) - group.rhs.segment<3>(at);
  }
}

// The root mean square of the acceleration that forces at n leave, weighted by mass. A n is the right-hand
// side of the iteration before.
double Projection::Parts::measure_unbalanced(bool is_first) const {
  double sum = 0, mass = 0;
  VecX product;
  for (const Group& group : groups) {
    if (is_first) multiply(group.matrix, group.solution, product);
    for (size_t i = 0; i < group.nodes.size(); ++i) {
      const auto at = 3 * static_cast<Index>(i);
      const Vec3 g = (is_first ? product : group.last_rhs).segment<3>(at) - group.rhs.segment<3>(at);
      const double m = masses[static_cast<size_t>(group.nodes[i])];
      if (!(m > 0)) continue;
      sum += g.squaredNorm() / m;
      mass += m;
    }
  }
  return mass > 0 ? std::sqrt(sum / mass) / (h * h) : 0;
}

bool Projection::Parts::is_converged(double unbalanced, const VecX& prediction, const VecX& n) const {
  if (model.projective.residual == 0) return unbalanced == 0;
  double sum = 0, mass = 0;
  for (const Group& group : groups) {
    for (const Index i : group.nodes) {
      sum += masses[static_cast<size_t>(i)] * (n - prediction).segment<3>(3 * i).squaredNorm();
      mass += masses[static_cast<size_t>(i)];
    }
  }
  const double own = mass > 0 ? std::sqrt(sum / mass) / (h * h) : 0;
  return unbalanced <= model.projective.residual * std::max(model.gravity.norm(), own);
}

void Projection::Parts::project(const VecX& n) {
  on_nodes = base;
  for (ProjectedBody& body : bodies) body.add_pulls(n, h * h, on_nodes);
}

// Each spring to the group of its body.
void Projection::Parts::take_springs(const std::vector<SpringRow>& springs) {
  for (Group& group : groups) group.springs.clear();
  for (const SpringRow& spring : springs) {
    for (const Index node : spring.point->nodes) {
      if (place_of[node] == kNone) continue;
      groups[group_of_node[node]].springs.push_back(spring);
      break;
    }
  }
  for (Group& group : groups) {
    if (!group.springs.empty()) touch(group);
  }
}

// Nodes that are fixed have their share of the point, and none of the matrix.
void Projection::Parts::draw_springs(const VecX& n) {
  for (const Group& group : groups) {
    for (const SpringRow& spring : group.springs) {
      const WeightedPoint& point = *spring.point;
      const Vec3 arm = spring.place - point.at(n);
      Vec3 target = Vec3::Zero();
      for (size_t k = 0; k < point.nodes.size(); ++k) {
        if (place_of[point.nodes[k]] != kNone) target += point.weights[k] * n.segment<3>(3 * point.nodes[k]);
      }
      target += spring.reach / std::hypot(spring.reach, arm.norm()) * arm;
      for (size_t k = 0; k < point.nodes.size(); ++k) {
        on_nodes.segment<3>(3 * point.nodes[k]) += h * h * spring.stiffness * point.weights[k] * target;
      }
    }
  }
}

// Draws it to x; the share of fixed nodes is not in the matrix.
void Projection::Parts::draw_ghost(const Ghost& ghost, const VecX& n) {
  const Body& body = model.kinematics.bodies[static_cast<size_t>(ghost.body)];
  Vec3 target = x[static_cast<size_t>(ghost.point)];
  for (Index k = body.W.offsets[ghost.row]; k < body.W.offsets[ghost.row + 1]; ++k) {
    const Index node = body.first_node + body.W.indices[k];
    if (place_of[node] == kNone) target -= body.W.values[k] * n.segment<3>(3 * node);
  }
  for (Index k = body.W.offsets[ghost.row]; k < body.W.offsets[ghost.row + 1]; ++k) {
    on_nodes.segment<3>(3 * (body.first_node + body.W.indices[k])) +=
        ghost.weight * body.W.values[k] * target;
  }
}

// A vertex that was found in this step stays in the matrix. Where nothing draws it any more, its place is
// where it is, so that it does not hold the body.
void Projection::Parts::draw_ghosts(const FindTargets& find_targets, const VecX& n,
                                    ProjectiveReport& report) {
  targets.clear();
  compute_points(model.kinematics, n, x);
  find_targets(n, x, targets);
  report.contacts = std::max(report.contacts, targets.size());
  if (!targets.empty()) make_ghosts();
  for (const GhostTarget& target : targets) {
    const Index g = ghost_of[target.point];
    if (g == kNone) continue;
    x[static_cast<size_t>(target.point)] += target.shift;
    Group& group = groups[group_of[number_of[ghosts[g].body]]];
    const auto at = std::lower_bound(group.touching.begin(), group.touching.end(), g);
    if (at != group.touching.end() && *at == g) continue;
    group.touching.insert(at, g);
    group.is_changed = true;
  }
  for (const Group& group : groups) {
    for (const Index g : group.touching) draw_ghost(ghosts[g], n);
  }
}

void Projection::Parts::solve_groups(VecX& n) {
  for (Group& group : groups) {
    if (group.is_touched()) {
      group.touched.solve(group.rhs, group.solution);
    } else {
      group.plain.solve(group.rhs, group.solution);
    }
    for (size_t i = 0; i < group.nodes.size(); ++i) {
      n.segment<3>(3 * group.nodes[i]) = group.solution.segment<3>(3 * static_cast<Index>(i));
    }
  }
}

Projection::Projection(const Model& model) : parts_(std::make_unique<Parts>(model)) {
  Parts& p = *parts_;
  p.number_of.assign(model.kinematics.bodies.size(), kNone);
  for (size_t b = 0; b < model.kinematics.bodies.size(); ++b) {
    if (!is_projected(model, b)) continue;
    p.number_of[b] = static_cast<Index>(p.bodies.size());
    p.bodies.emplace_back(model, b);
  }
  p.masses = get_diagonal(model.mass);
  p.list_attachments();
}

Projection::~Projection() = default;

void Projection::prepare(const std::vector<char>& is_prescribed, double h) {
  Parts& p = *parts_;
  std::vector<char> is_fixed(is_prescribed.size(), 1);
  for (const ProjectedBody& body : p.bodies) {
    const auto first = is_prescribed.begin() + body.first_node();
    std::copy(first, first + body.node_count(), is_fixed.begin() + body.first_node());
  }
  if (h == p.h && is_fixed == p.is_fixed) return;
  const trace::Scope scope("projective.factorize");
  p.moves_all_free = true;
  for (size_t i = 0; i < is_fixed.size(); ++i) p.moves_all_free &= is_fixed[i] == 0 || is_prescribed[i] != 0;
  p.h = h;
  p.is_fixed = std::move(is_fixed);
  p.ghost_of.clear();
  p.assemble();
  p.make_groups();
}

ProjectiveReport Projection::solve(const VecX& prediction, const VecX& loads,
                                   const std::vector<SpringRow>& springs, const FindTargets& find_targets,
                                   VecX& n) {
  Parts& p = *parts_;
  ProjectiveReport report;
  for (const ProjectedBody& body : p.bodies) report.constraints += body.constraint_count();
  multiply(p.model.mass, prediction, p.base);
  p.base -= p.h * p.h * loads;
  for (size_t a = 0; a < p.attachments.size(); ++a) {
    const WeightedPoint& z = *p.attachments[a];
    for (size_t k = 0; k < z.nodes.size(); ++k) {
      p.base.segment<3>(3 * z.nodes[k]) -= p.attachment_weights[a] * z.weights[k] * z.offset;
    }
  }
  for (Group& group : p.groups) {
    group.touching.clear();
    group.solution.resize(3 * static_cast<Index>(group.nodes.size()));
    for (size_t i = 0; i < group.nodes.size(); ++i) {
      group.solution.segment<3>(3 * static_cast<Index>(i)) = n.segment<3>(3 * group.nodes[i]);
    }
  }
  p.take_springs(springs);
  while (report.iterations < p.model.projective.iterations) {
    const Clock::time_point began = Clock::now();
    {
      const trace::Scope scope("projective.local");
      p.project(n);
      p.draw_springs(n);
    }
    report.local_seconds += seconds_since(began);
    for (Group& group : p.groups) group.is_changed = false;
    if (find_targets) {
      const trace::Scope scope("projective.contact");
      p.draw_ghosts(find_targets, n, report);
    }
    const Clock::time_point turned = Clock::now();
    const trace::Scope scope("projective.global");
    bool is_same = true;
    for (Group& group : p.groups) {
      is_same = is_same && !group.is_changed;
      if (group.is_changed) p.touch(group);
      p.fill_rhs(group, n);
    }
    // After a change of the matrix, the last right-hand side is that of another one.
    if (is_same && (springs.empty() || report.iterations > 0)) {
      report.residual = p.measure_unbalanced(report.iterations == 0);
      if (p.is_converged(report.residual, prediction, n)) break;
    }
    p.solve_groups(n);
    ++report.iterations;
    report.global_seconds += seconds_since(turned);
  }
  return report;
}

bool Projection::moves_all_free() const { return parts_->moves_all_free; }

bool Projection::is_dense() const {
  return std::all_of(parts_->groups.begin(), parts_->groups.end(),
                     [](const Group& group) { return group.plain.size() == 0 || group.plain.is_dense(); });
}

ContactInverse Projection::make_contact_inverse() {
  std::vector<FactorOfNodes> factors;
  for (Group& group : parts_->groups) factors.push_back({&group.plain, &group.nodes});
  return {std::move(factors), parts_->place_of, parts_->group_of_node};
}

}  // namespace marrow
