#include "sim/remesh/changed_model.h"

#include <algorithm>
#include <utility>

#include "kinematics/joined.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

// Numbers the nodes of the base anew; kNone where a node is gone.
std::vector<Index> number_nodes(const Kinematics& base, const ChangedMeshes& meshes) {
  std::vector<Index> numbers;
  Index first = 0;
  for (size_t b = 0; b < base.bodies.size(); ++b) {
    const Body& body = base.bodies[b];
    const ChangedMesh* mesh = find_mesh(meshes, static_cast<Index>(b));
    const size_t start = numbers.size();
    numbers.resize(start + static_cast<size_t>(body.node_count), kNone);
    if (mesh == nullptr) {
      for (Index i = 0; i < body.node_count; ++i) numbers[start + static_cast<size_t>(i)] = first + i;
      first += body.node_count;
      continue;
    }
    for (size_t i = 0; i < mesh->origins.size(); ++i) {
      if (mesh->origins[i] != kNone)
        numbers[start + static_cast<size_t>(mesh->origins[i])] = first + static_cast<Index>(i);
    }
    first += static_cast<Index>(mesh->points.size());
  }
  return numbers;
}

// A node of the base and the bodies that remain as they are has a number.
void renumber(const std::vector<Index>& numbers, std::vector<Index>& nodes) {
  for (Index& node : nodes) node = numbers[node];
}

Body make_changed_body(const Body& old, const RemeshedBody& facts, const ChangedMesh& mesh) {
  Body body = old;
  body.rest = Mesh();
  body.rest.points = mesh.points;
  body.rest.tets = mesh.tets;
  body.rest.triangles = extract_surface(mesh.tets);
  body.W = build_identity(static_cast<Index>(mesh.points.size()));
  body.mass = compute_vertex_mass(mesh.points, mesh.tets, facts.density);
  return body;
}

const RemeshedBody& find_facts(const Model& base, Index body) {
  return *std::find_if(base.remeshed.begin(), base.remeshed.end(),
                       [&](const RemeshedBody& facts) { return facts.body == body; });
}

// The elements of the base with bodies in their order; those of changed bodies are made anew.
void build_elements(const Model& base, const ChangedMeshes& meshes, const std::vector<Index>& numbers,
                    Kinematics& kinematics) {
  const Elements& old = base.kinematics.elements;
  const std::vector<Index> body_of = list_bodies_of_nodes(base.kinematics);
  Elements elements;
  std::vector<size_t> element_numbers(old.count(), 0);
  size_t e = 0;
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    const auto is_own = [&] {
      return e < old.count() && body_of[old.nodes[old.offsets[e]]] == static_cast<Index>(b);
    };
    if (const ChangedMesh* mesh = find_mesh(meshes, static_cast<Index>(b))) {
      const Body& body = kinematics.bodies[b];
      add_tet_elements(mesh->points, mesh->tets, body.W, body.first_node,
                       find_facts(base, static_cast<Index>(b)).material, elements);
      while (is_own()) ++e;
      continue;
    }
    for (; is_own(); ++e) {
      element_numbers[e] = elements.count();
      for (Index k = old.offsets[e]; k < old.offsets[e + 1]; ++k) {
        elements.nodes.push_back(numbers[old.nodes[k]]);
        elements.gradients.push_back(old.gradients[k]);
      }
      elements.offsets.push_back(static_cast<Index>(elements.nodes.size()));
      elements.volumes.push_back(old.volumes[e]);
      elements.materials.push_back(old.materials[e]);
    }
  }
  kinematics.elements = std::move(elements);
  for (size_t& element : kinematics.affine_elements) element = element_numbers[element];
}

Kinematics build_kinematics(const Model& base, const ChangedMeshes& meshes,
                            const std::vector<Index>& numbers) {
  Kinematics kinematics = base.kinematics;
  kinematics.bodies.clear();
  kinematics.node_count = kinematics.point_count = 0;
  for (size_t b = 0; b < base.kinematics.bodies.size(); ++b) {
    const Body& old = base.kinematics.bodies[b];
    const ChangedMesh* mesh = find_mesh(meshes, static_cast<Index>(b));
    Body body =
        mesh == nullptr ? old : make_changed_body(old, find_facts(base, static_cast<Index>(b)), *mesh);
    const double radius = old.radii.empty() ? 0 : old.radii.front();
    append_body(std::move(body), kinematics);
    Body& added = kinematics.bodies.back();
    added.radii = old.radii;
    if (mesh != nullptr) added.radii.assign(mesh->points.size(), radius);
  }
  build_elements(base, meshes, numbers, kinematics);
  renumber(numbers, kinematics.membranes.nodes);
  renumber(numbers, kinematics.strands.nodes);
  renumber(numbers, kinematics.shell_bends.nodes);
  for (auto& nodes : kinematics.wire_bends.nodes) {
    for (Index& node : nodes) node = numbers[node];
  }
  for (CurvedTets& curved : kinematics.curved) {
    renumber(numbers, curved.nodes);
    renumber(numbers, curved.guards.nodes);
  }
  return kinematics;
}

}  // namespace

const ChangedMesh* find_mesh(const ChangedMeshes& meshes, Index body) {
  for (const auto& mesh : meshes) {
    if (mesh->body == body) return mesh.get();
  }
  return nullptr;
}

Model apply_meshes(const Model& base, const ChangedMeshes& meshes) {
  if (meshes.empty()) return base;
  const std::vector<Index> numbers = number_nodes(base.kinematics, meshes);
  Model model = base;
  model.kinematics = build_kinematics(base, meshes, numbers);
  for (PrescribedNodes& group : model.prescribed) renumber(numbers, group.nodes);
  for (NodalLoad& load : model.loads) renumber(numbers, load.nodes);
  model.mass = join_diagonal(model.kinematics, &Body::mass);
  model.initial_nodes = VecX::Zero(3 * model.kinematics.node_count);
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == kNone) continue;
    model.initial_nodes.segment<3>(3 * numbers[i]) = base.initial_nodes.segment<3>(3 * static_cast<Index>(i));
  }
  // Soft bodies begin at rest.
  for (const auto& mesh : meshes) {
    for (const auto& [group, point] : mesh->held) {
      PrescribedNodes& prescribed = model.prescribed[group];
      prescribed.nodes.push_back(model.kinematics.bodies[mesh->body].first_node + point);
      prescribed.initial.push_back(mesh->points[point]);
    }
    const Index first = model.kinematics.bodies[mesh->body].first_node;
    for (size_t i = 0; i < mesh->points.size(); ++i)
      model.initial_nodes.segment<3>(3 * (first + static_cast<Index>(i))) = mesh->points[i];
  }
  return model;
}

}  // namespace marrow
