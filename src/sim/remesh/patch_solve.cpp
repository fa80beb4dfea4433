#include "sim/remesh/patch_solve.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "kinematics/joined.h"
#include "mesh/mesh_summary.h"
#include "mesh/point_box.h"
#include "solve/projected_newton.h"

namespace marrow {

namespace {

struct PatchSize {
  int rings = 2;        // at least [paper: thesis of IPC's remeshing, section 6.3.7]
  double share = 0.01;  // at least, of the body's volume [paper: the same]
  int iterations = 20;  // of Newton, at most [safety net: decides nothing but a split]
};
constexpr PatchSize kPatch;

template <size_t N>
bool has_both(const std::array<Index, N>& simplex, Edge edge) {
  const auto has = [&](Index i) { return std::find(simplex.begin(), simplex.end(), i) != simplex.end(); };
  return has(edge[0]) && has(edge[1]);
}

template <size_t N>
std::array<Index, N> replaced(std::array<Index, N> simplex, Index from, Index to) {
  std::replace(simplex.begin(), simplex.end(), from, to);
  return simplex;
}

// The simplices with each that has both ends replaced by its two halves.
template <size_t N>
std::vector<std::array<Index, N>> split_all(const std::vector<std::array<Index, N>>& simplices, Edge edge,
                                            Index middle) {
  std::vector<std::array<Index, N>> out;
  for (const auto& simplex : simplices) {
    if (!has_both(simplex, edge)) {
      out.push_back(simplex);
      continue;
    }
    out.push_back(replaced(simplex, edge[0], middle));
    out.push_back(replaced(simplex, edge[1], middle));
  }
  return out;
}

}  // namespace

// Points of a body that the patch's model has, numbered in the order in which they are asked for.
struct PatchBody {
  std::map<Index, Index> numbers;  // by point of the run
  std::vector<Index> points;

  Index number(Index point) {
    const auto [found, is_new] = numbers.try_emplace(point, static_cast<Index>(points.size()));
    if (is_new) points.push_back(point);
    return found->second;
  }
};

struct PatchModel {
  Model model;
  State before;
  VecX end;
};

struct PatchSolver::Patch {
  std::vector<Index> tets;
  std::vector<Index> points;  // of the body, ascending
  std::vector<char> is_free;  // of these
};

PatchSolver::PatchSolver(const SolvedStep& step, const RemeshedBody& facts, const State& before,
                         const State& after)
    : step_(step),
      facts_(facts),
      before_(before),
      after_(after),
      body_(step.terms.model.kinematics.bodies[facts.body]) {
  const Kinematics& kinematics = step.terms.model.kinematics;
  surfaces_ = build_collision_mesh(kinematics);
  compute_points(kinematics, before.nodes, x_before_);
  compute_points(kinematics, after.nodes, x_after_);
  compute_points(kinematics, before.velocities, v_before_);
  const Points& x = body_.rest.points;
  tets_at_ = fill_buckets<Index>(x.size(), [&](const auto& visit) {
    for (size_t t = 0; t < body_.rest.tets.size(); ++t) {
      for (const Index i : body_.rest.tets[t]) visit(i, static_cast<Index>(t));
    }
  });
  for (const Tet& tet : body_.rest.tets) {
    volumes_.push_back(compute_tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]));
    volume_ += volumes_.back();
  }
}

PatchSolver::Patch PatchSolver::choose_patch(Edge edge) const {
  std::vector<char> is_in(body_.rest.tets.size(), 0), is_known(body_.rest.points.size(), 0);
  Patch patch;
  std::vector<Index> front = {edge[0], edge[1]};
  is_known[edge[0]] = is_known[edge[1]] = 1;
  double volume = 0;
  for (int ring = 1; !front.empty() && (ring <= kPatch.rings || volume < kPatch.share * volume_); ++ring) {
    std::vector<Index> next;
    for (const Index point : front) {
      for (const Index t : tets_at_.of(static_cast<size_t>(point))) {
        if (is_in[t] != 0) continue;
        is_in[t] = 1;
        volume += volumes_[t];
        patch.tets.push_back(t);
        for (const Index i : body_.rest.tets[t]) {
          if (is_known[i] == 0) next.push_back(i);
          is_known[i] = 1;
        }
      }
    }
    front = std::move(next);
  }
  std::sort(patch.tets.begin(), patch.tets.end());
  for (Index i = 0; i < static_cast<Index>(is_known.size()); ++i) {
    if (is_known[i] == 0) continue;
    patch.points.push_back(i);
    const auto around = tets_at_.of(static_cast<size_t>(i));
    const bool is_inside = std::all_of(around.begin(), around.end(), [&](Index t) { return is_in[t] != 0; });
    const bool is_held = step_.terms.is_prescribed[body_.first_node + i] != 0;
    patch.is_free.push_back(is_inside && !is_held ? 1 : 0);
  }
  return patch;
}

// The body's tets in the patch, split, its nodes with their histories, and the surface there.
void PatchSolver::add_tets(Edge edge, const Patch& patch, PatchModel& out) const {
  PatchBody own;
  for (const Index i : patch.points) own.number(i);
  const bool sees_contact = out.model.contact.is_enabled;
  std::vector<Triangle> triangles;
  Eigen::AlignedBox3d box;
  for (const Index i : patch.points) box.extend(x_after_[body_.first_point + i]);
  const double reach = 2 * out.model.contact.d_hat;
  box.min().array() -= reach;
  box.max().array() += reach;
  if (sees_contact) {
    for (const Triangle& triangle : body_.rest.triangles) {
      Eigen::AlignedBox3d around;
      for (const Index i : triangle) around.extend(x_after_[body_.first_point + i]);
      if (!box.intersects(around)) continue;
      triangles.push_back({own.number(triangle[0]), own.number(triangle[1]), own.number(triangle[2])});
    }
  }
  const auto count = static_cast<Index>(own.points.size());
  const Edge local = {own.number(edge[0]), own.number(edge[1])};
  Mesh mesh;
  for (const Index i : own.points) mesh.points.push_back(body_.rest.points[i]);
  mesh.points.push_back(0.5 * (body_.rest.points[edge[0]] + body_.rest.points[edge[1]]));
  std::vector<Tet> tets;
  for (const Index t : patch.tets) {
    Tet tet = body_.rest.tets[t];
    for (Index& i : tet) i = own.number(i);
    tets.push_back(tet);
  }
  mesh.tets = split_all(tets, local, count);
  mesh.triangles = split_all(triangles, local, count);
  Kinematics& kinematics = out.model.kinematics;
  add_soft_body(body_.name, std::move(mesh), facts_.density, MassKind::Consistent, 0, kinematics);
  const double radius = body_.radii.empty() ? 0 : body_.radii.front();
  kinematics.bodies.back().radii.assign(own.points.size() + 1, radius);

  const auto take = [&](const VecX& from) {
    VecX taken(3 * (count + 1));
    for (Index i = 0; i < count; ++i)
      taken.segment<3>(3 * i) = from.segment<3>(3 * (body_.first_node + own.points[i]));
    taken.segment<3>(3 * count) = 0.5 * (taken.segment<3>(3 * local[0]) + taken.segment<3>(3 * local[1]));
    return taken;
  };
  out.end = take(after_.nodes);
  out.before.nodes = take(before_.nodes);
  out.before.velocities = take(before_.velocities);
  if (before_.previous_nodes.size() > 0) {
    out.before.previous_nodes = take(before_.previous_nodes);
    out.before.previous_velocities = take(before_.previous_velocities);
    out.before.path_velocities = take(before_.path_velocities);
  }
  PrescribedNodes held;
  for (Index i = 0; i < count; ++i) {
    const bool is_free = static_cast<size_t>(i) < patch.is_free.size() && patch.is_free[i] != 0;
    if (is_free) continue;
    held.nodes.push_back(i);
    held.initial.push_back(out.before.nodes.segment<3>(3 * i));
  }
  out.model.prescribed.push_back(std::move(held));
}

// What of other bodies is within reach, as obstacles where the step led them.
void PatchSolver::add_surfaces(Edge /*edge*/, const Patch& patch, PatchModel& out) const {
  const ContactModel& all = step_.terms.model.contact;
  ContactModel& contact = out.model.contact;
  std::vector<Index> run_bodies = {facts_.body};
  if (contact.is_enabled) {
    Eigen::AlignedBox3d box;
    for (const Index i : patch.points) box.extend(x_after_[body_.first_point + i]);
    box.min().array() -= 2 * all.d_hat;
    box.max().array() += 2 * all.d_hat;
    std::map<Index, std::pair<PatchBody, Mesh>> others;
    const auto gather = [&](const auto& simplex, auto Mesh::*list) {
      const Index body = surfaces_.bodies[simplex[0]];
      if (body == facts_.body) return;
      Eigen::AlignedBox3d around;
      for (const Index i : simplex) around.extend(x_after_[i]);
      if (!box.intersects(around)) return;
      auto& [points, mesh] = others[body];
      auto numbered = simplex;
      for (Index& i : numbered) i = points.number(i);
      (mesh.*list).push_back(numbered);
    };
    for (const Triangle& triangle : surfaces_.triangles) gather(triangle, &Mesh::triangles);
    for (size_t e = surfaces_.wire_start; e < surfaces_.edges.size(); ++e)
      gather(surfaces_.edges[e], &Mesh::edges);
    for (auto& [body, part] : others) {
      auto& [points, mesh] = part;
      PrescribedNodes held;
      const Index first = out.model.kinematics.node_count;
      const auto count = static_cast<Index>(points.points.size());
      for (VecX* values : {&out.before.nodes, &out.before.velocities, &out.end, &out.before.previous_nodes,
                           &out.before.previous_velocities, &out.before.path_velocities}) {
        if (values->size() == 0) continue;
        values->conservativeResize(3 * (first + count));
        values->tail(3 * count).setZero();
      }
      for (Index i = 0; i < count; ++i) {
        const size_t point = static_cast<size_t>(points.points[i]);
        mesh.points.push_back(x_before_[point]);
        mesh.radii.push_back(surfaces_.radii.empty() ? 0 : surfaces_.radii[point]);
        out.before.nodes.segment<3>(3 * (first + i)) = x_before_[point];
        out.before.velocities.segment<3>(3 * (first + i)) = v_before_[point];
        if (out.before.previous_nodes.size() > 0)
          out.before.previous_nodes.segment<3>(3 * (first + i)) = x_before_[point];
        out.end.segment<3>(3 * (first + i)) = x_after_[point];
        held.nodes.push_back(first + i);
        held.initial.push_back(x_before_[point]);
      }
      add_obstacle(step_.terms.model.kinematics.bodies[body].name, std::move(mesh), out.model.kinematics);
      out.model.prescribed.push_back(std::move(held));
      run_bodies.push_back(body);
    }
  }
  // Settings of bodies and pairs, by their numbers here.
  contact.body_friction.clear();
  contact.pair_friction.clear();
  contact.ignored_bodies.clear();
  const auto find = [&](Index body) {
    const auto found = std::find(run_bodies.begin(), run_bodies.end(), body);
    return found == run_bodies.end() ? kNone : static_cast<Index>(found - run_bodies.begin());
  };
  const auto find_pair = [&](Index a, Index b) {
    const Index first = find(a), second = find(b);
    return IndexPair{std::min(first, second), std::max(first, second)};
  };
  for (const Index body : run_bodies) {
    contact.body_friction.push_back(
        static_cast<size_t>(body) < all.body_friction.size() ? all.body_friction[body] : std::nullopt);
  }
  for (const auto& [pair, friction] : all.pair_friction) {
    const IndexPair own = find_pair(pair[0], pair[1]);
    if (own[0] != kNone) contact.pair_friction[own] = friction;
  }
  for (const IndexPair& pair : all.ignored_bodies) {
    const IndexPair own = find_pair(pair[0], pair[1]);
    if (own[0] != kNone) contact.ignored_bodies.push_back(own);
  }
  std::sort(contact.ignored_bodies.begin(), contact.ignored_bodies.end());
  for (const PairActivation& activation : after_.activations) {
    const IndexPair own = find_pair(activation.a, activation.b);
    if (own[0] != kNone) out.before.activations.push_back({own[0], own[1], activation.d_hat});
  }
}

double PatchSolver::solve(const SplitGain& split) const {
  const Model& whole = step_.terms.model;
  PatchModel patch;
  Model& model = patch.model;
  model.materials = {whole.materials[facts_.material]};
  model.gravity = whole.gravity;
  model.contact = whole.contact;
  model.contact.is_enabled = whole.contact.is_enabled && split.touches;
  model.contact.certified.clear();
  model.contact.overlapping = {};
  if (after_.contact_stiffness > 0) model.contact.kappa = after_.contact_stiffness;
  model.time = whole.time;
  model.newton = whole.newton;
  model.size = whole.size;
  const Patch chosen = choose_patch(split.edge);
  add_tets(split.edge, chosen, patch);
  add_surfaces(split.edge, chosen, patch);
  model.mass = join_diagonal(model.kinematics, &Body::mass);
  model.initial_nodes = patch.before.nodes;

  StepTerms terms(model);
  const double h = step_.plan.length;
  const StepPlan plan =
      find_integrator(model.time.integrator).plan(model, terms.is_prescribed, patch.before, h);
  start_part(terms, plan, {h, before_.time + h}, patch.before);
  start_at(terms, plan, patch.before, patch.before.nodes);
  VecX n = patch.end;
  if (terms.has_contact) terms.contact.update_friction(n, terms.contact.barrier().stiffness());
  const double begin = terms.objective.compute_value(n).value;
  if (!std::isfinite(begin)) return 0;
  const NewtonProblem problem = {
      .is_fixed = terms.is_prescribed,
      .limits = {.stop_length = model.stop_length(h), .iterations = kPatch.iterations}};
  minimize(terms.objective, problem, n, terms.work);
  return (begin - terms.objective.compute_value(n).value) / plan.scale;
}

}  // namespace marrow
