#include "preprocess/volume/curve_tets.h"

#include <algorithm>
#include <set>

#include "geometry/curved/jacobian_path.h"
#include "mesh/mesh_summary.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

constexpr int kSweeps = 40;    // means of neighbours: nodes of a coarse mesh are few layers deep
constexpr int kBackOffs = 40;  // halvings of the way of nodes; after that the rest stays straight
constexpr int kHalvings = 3;   // of a tet, for its bound
constexpr int kSamples = 6;    // cells per boundary face, for the distance from the surface

// A curved tet keeps this part of the straight one's Jacobian everywhere: bodies guard the last tenth
// (docs/models/curved.md), and must be able to deform before. [derived: twice that]
constexpr double kKept = 0.2;

size_t at(Index i) { return static_cast<size_t>(i); }

// The nodes on the boundary: per boundary face those of its tet that have no share of the fourth corner.
std::vector<char> find_boundary_nodes(const CurvedMesh& mesh, const Mesh& tets) {
  std::set<Triangle> faces;
  for (Triangle face : extract_surface(tets.tets)) {
    std::sort(face.begin(), face.end());
    faces.insert(face);
  }
  const std::vector<LatticePoint4> lattice = list_lattice(mesh.order);
  std::vector<char> is_boundary(mesh.nodes.size(), 0);
  for (size_t t = 0; t < tets.tets.size(); ++t) {
    for (size_t opposite = 0; opposite < 4; ++opposite) {
      Triangle face;
      size_t next = 0;
      for (size_t c = 0; c < 4; ++c) {
        if (c != opposite) face[next++] = tets.tets[t][c];
      }
      std::sort(face.begin(), face.end());
      if (!faces.contains(face)) continue;
      const std::span<const Index> nodes = mesh.nodes_of(t);
      for (size_t k = 0; k < nodes.size(); ++k) {
        if (lattice[k][opposite] == 0) is_boundary[at(nodes[k])] = 1;
      }
    }
  }
  return is_boundary;
}

// Nodes one step of the lattice apart, of all tets.
std::vector<std::vector<Index>> find_neighbours(const CurvedMesh& mesh) {
  const std::vector<LatticePoint4> lattice = list_lattice(mesh.order);
  std::vector<std::pair<size_t, size_t>> steps;
  for (size_t a = 0; a < lattice.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      int apart = 0;
      for (size_t i = 0; i < 4; ++i) apart += std::abs(lattice[a][i] - lattice[b][i]);
      if (apart == 2) steps.emplace_back(a, b);
    }
  }
  std::vector<std::vector<Index>> neighbours(mesh.nodes.size());
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    const std::span<const Index> nodes = mesh.nodes_of(t);
    for (const auto& [a, b] : steps) {
      neighbours[at(nodes[a])].push_back(nodes[b]);
      neighbours[at(nodes[b])].push_back(nodes[a]);
    }
  }
  for (std::vector<Index>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

// The way of every node: boundary nodes to the surface, the others as the mean of their neighbours.
Points find_ways(const CurvedMesh& mesh, const std::vector<char>& is_boundary, const TriangleTree& surface) {
  Points ways(mesh.nodes.size(), Vec3::Zero());
  for (size_t i = 0; i < ways.size(); ++i) {
    if (is_boundary[i] != 0) ways[i] = surface.find_nearest(mesh.nodes[i]).point - mesh.nodes[i];
  }
  const std::vector<std::vector<Index>> neighbours = find_neighbours(mesh);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (size_t i = 0; i < ways.size(); ++i) {
      if (is_boundary[i] != 0 || neighbours[i].empty()) continue;
      Vec3 sum = Vec3::Zero();
      for (const Index k : neighbours[i]) sum += ways[at(k)];
      ways[i] = sum / static_cast<double>(neighbours[i].size());
    }
  }
  return ways;
}

double measure_deviation(const CurvedMesh& mesh, const CutBoundary& boundary, const TriangleTree& surface) {
  const LagrangeBasis basis(mesh.order);
  double largest = 0;
  for (const CurvedPlace& place : boundary.points) {
    const std::span<const Index> nodes = mesh.nodes_of(at(place.tet));
    const VecX w = basis.weights(place.lambda);
    Vec3 x = Vec3::Zero();
    for (size_t k = 0; k < nodes.size(); ++k) x += w[static_cast<Index>(k)] * mesh.nodes[at(nodes[k])];
    largest = std::max(largest, surface.find_nearest(x).distance);
  }
  return largest;
}

}  // namespace

CurvedMesh curve_tets(const Mesh& tets, const TriangleTree& surface, int order, CurvedTetsReport& report) {
  CurvedMesh mesh = raise_order(tets.points, tets.tets, order);
  const CutBoundary samples = cut_boundary(mesh, kSamples);
  report.straight_deviation = measure_deviation(mesh, samples, surface);
  const std::vector<char> is_boundary = find_boundary_nodes(mesh, tets);
  const Points ways = find_ways(mesh, is_boundary, surface);
  const Points straight = mesh.nodes;
  std::vector<double> shares(mesh.nodes.size(), 1);
  const JacobianPath path(order);
  for (int round = 0; round <= kBackOffs; ++round) {
    for (size_t i = 0; i < shares.size(); ++i) mesh.nodes[i] = straight[i] + shares[i] * ways[i];
    std::vector<char> goes_back(shares.size(), 0);
    bool is_valid = true;
    report.least_jacobian = 1;
    for (size_t t = 0; t < mesh.tet_count(); ++t) {
      std::vector<Vec3> nodes, before;
      for (const Index node : mesh.nodes_of(t)) {
        nodes.push_back(mesh.nodes[at(node)]);
        before.push_back(straight[at(node)]);
      }
      const double det = 6 * compute_tet_volume(before[0], before[1], before[2], before[3]);
      double low = path.bound(nodes, 0).low / det;
      if (low < kKept) low = path.bound(nodes, kHalvings).low / det;
      report.least_jacobian = std::min(report.least_jacobian, low);
      if (low >= kKept) continue;
      is_valid = false;
      for (const Index node : mesh.nodes_of(t)) goes_back[at(node)] = 1;
    }
    if (is_valid) break;
    for (size_t i = 0; i < shares.size(); ++i) {
      if (goes_back[i] != 0) shares[i] = round < kBackOffs / 2 ? shares[i] / 2 : 0;
    }
  }
  for (size_t i = 0; i < shares.size(); ++i) {
    if (is_boundary[i] == 0) continue;
    ++report.boundary_nodes;
    if (shares[i] < 1) ++report.held_back;
  }
  report.deviation = measure_deviation(mesh, samples, surface);
  return mesh;
}

}  // namespace marrow
