#include "sim/terms/resistance.h"

#include <algorithm>
#include <numbers>

#include "mesh/point_box.h"

namespace marrow {
namespace {

// Adds the mean of each diagonal block to its node.
void add_diagonal(const StencilGroup& group, std::vector<double>& sums) {
  for (size_t e = 0; e < group.stencil_count(); ++e) {
    const std::span<const Index> nodes = group.nodes_of(e);
    group.for_each_block(e, [&](size_t a, size_t b, size_t k) {
      if (a == b) sums[nodes[a]] += group.blocks[k].trace() / 3;
    });
  }
}

}  // namespace

std::vector<double> compute_node_stiffness(const Model& model, const VecX& n, const ElasticTerms& elastic) {
  std::vector<double> stiffness(static_cast<size_t>(model.kinematics.node_count), 0);
  for (const auto& term : elastic.list()) {
    if (const StencilGroup* group = term->update_hessian(n, 1)) add_diagonal(*group, stiffness);
  }
  return stiffness;
}

namespace {

// E/(1 − ν²).
double compute_contact_modulus(const Material& m) {
  const double longitudinal = m.lame_lambda + 2 * m.lame_mu;
  return longitudinal > 0 ? 4 * m.lame_mu * (m.lame_lambda + m.lame_mu) / longitudinal : 0;
}

// The modulus of the stiffest element of each body.
void add_moduli(const Model& model, std::vector<BodyResistance>& resistances) {
  const Kinematics& kinematics = model.kinematics;
  const std::vector<Index> bodies = list_bodies_of_nodes(kinematics);
  const auto add = [&](const Elements& elements, auto find_body) {
    for (size_t e = 0; e < elements.count(); ++e) {
      BodyResistance& body = resistances[static_cast<size_t>(find_body(elements, e))];
      const Material& material = model.materials[static_cast<size_t>(elements.materials[e])];
      body.modulus = std::max(body.modulus, compute_contact_modulus(material));
    }
  };
  const auto by_node = [&](const Elements& elements, size_t e) {
    return bodies[static_cast<size_t>(elements.nodes[static_cast<size_t>(elements.offsets[e])])];
  };
  for (const Elements* list : {&kinematics.elements, &kinematics.membranes, &kinematics.strands}) {
    add(*list, by_node);
  }
  for (const ReducedElements& reduced : kinematics.reduced) {
    add(reduced.fine,
        [&](const Elements&, size_t) { return bodies[static_cast<size_t>(reduced.first_node)]; });
  }
  for (size_t b = 0; b < resistances.size(); ++b) {
    if (kinematics.bodies[b].moves_as_one()) resistances[b].modulus = 0;
  }
}

// The area of the triangles that collide; of planar bodies, their border 1 m deep; of bodies without any,
// that of a sphere of the same size.
double compute_surface_area(const Body& body) {
  const std::vector<Triangle>& triangles = (body.has_collider() ? body.collider : body.rest).triangles;
  const auto first_collider = static_cast<Index>(body.rest.points.size());
  const auto at = [&](Index p) -> const Vec3& {
    return p < first_collider ? body.rest.points[static_cast<size_t>(p)]
                              : body.collider.points[static_cast<size_t>(p - first_collider)];
  };
  double area = 0;
  if (body.is_planar) {
    for (const Edge& e : list_planar_border(body)) area += (at(e[1]) - at(e[0])).norm();
    return area;
  }
  for (const Triangle& t : triangles) area += 0.5 * (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).norm();
  if (area > 0) return area;
  const double diameter = compute_box(body.rest.points).diagonal().norm();
  return std::numbers::pi * diameter * diameter;
}

}  // namespace

std::vector<BodyResistance> compute_resistances(const Model& model,
                                                const std::vector<double>& node_stiffness) {
  const std::vector<double> masses = lump_rows(model.mass).values;
  std::vector<BodyResistance> resistances;
  for (const Body& body : model.kinematics.bodies) {
    BodyResistance resistance;
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
      resistance.mass += masses[i] / body.node_count;
      // An impact moves an affine or rigid body as a whole.
      if (!body.moves_as_one()) resistance.stiffness += node_stiffness[i] / body.node_count;
    }
    resistances.push_back(resistance);
  }
  if (model.contact.is_by_area) {
    add_moduli(model, resistances);
    for (size_t b = 0; b < resistances.size(); ++b) {
      const Body& body = model.kinematics.bodies[b];
      const double area = compute_surface_area(body);
      if (area > 0) resistances[b].mass_per_area = resistances[b].mass * body.node_count / area;
    }
  }
  return resistances;
}

std::vector<double> compute_inverse_resistance(const Model& model, const std::vector<double>& node_stiffness,
                                               const StepPlan& plan, const std::vector<char>& is_prescribed) {
  const std::vector<double> masses = lump_rows(model.mass).values;
  std::vector<double> inverse(masses.size(), 0);
  for (const Body& body : model.kinematics.bodies) {
    const bool has_stiffness = !body.moves_as_one() || plan.inertia == 0;
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
      double resistance = plan.inertia * masses[i] + (has_stiffness ? plan.scale * node_stiffness[i] : 0);
      // A rigid body without inertia has no resistance; its mass is still a measure of the forces on it.
      if (resistance == 0) resistance = masses[i];
      if (!is_prescribed[i] && resistance > 0) inverse[i] = 1 / resistance;
    }
  }
  return inverse;
}

}  // namespace marrow
