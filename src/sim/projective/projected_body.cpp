#include "sim/projective/projected_body.h"

#include <algorithm>
#include <limits>

namespace marrow {
namespace {

// The tets of a body, and what their corners follow.
struct BodyTets {
  const Elements* elements = nullptr;
  std::vector<Index> tets;                   // of the list
  Index first = 0;                           // the first node that elements count
  const ReducedElements* reduced = nullptr;  // null: corners are nodes
};

BodyTets find_tets(const Kinematics& kinematics, const Body& body) {
  BodyTets found;
  for (const ReducedElements& reduced : kinematics.reduced) {
    if (reduced.first_node != body.first_node) continue;
    found.elements = &reduced.fine;
    found.reduced = &reduced;
    for (size_t e = 0; e < reduced.fine.count(); ++e) found.tets.push_back(static_cast<Index>(e));
    return found;
  }
  found.elements = &kinematics.elements;
  found.first = body.first_node;
  const Index end = body.first_node + body.node_count;
  for (size_t e = 0; e < kinematics.elements.count(); ++e) {
    const Index node = kinematics.elements.nodes[kinematics.elements.offsets[e]];
    if (node >= body.first_node && node < end) found.tets.push_back(static_cast<Index>(e));
  }
  return found;
}

// Rest positions that give these gradients, up to a shift, are not kept; centres at time 0 do as well.
Points compute_centers(const BodyTets& tets, const VecX& points) {
  Points centers;
  centers.reserve(tets.tets.size());
  for (const Index e : tets.tets) {
    Vec3 sum = Vec3::Zero();
    for (Index k = tets.elements->offsets[e]; k < tets.elements->offsets[e + 1]; ++k) {
      sum += points.segment<3>(3 * tets.elements->nodes[k]);
    }
    centers.push_back(sum / 4);
  }
  return centers;
}

// Keeps some of the tets, and gives each the share of the others in its weight.
std::vector<double> sample(const Model& model, BodyTets& tets) {
  std::vector<double> shares(tets.tets.size(), 1);
  if (model.projective.local != LocalStep::Hyper) return shares;
  VecX points = model.initial_nodes;
  if (tets.reduced != nullptr) {
    const Body* body = nullptr;
    for (const Body& other : model.kinematics.bodies) {
      if (other.first_node == tets.reduced->first_node) body = &other;
    }
    multiply(tets.reduced->W, model.initial_nodes.segment(3 * body->first_node, 3 * body->node_count),
             points);
  }
  std::vector<double> volumes;
  for (const Index e : tets.tets) volumes.push_back(tets.elements->volumes[e]);
  TetSamples chosen = choose_tet_samples(compute_centers(tets, points), volumes, model.projective.samples);
  for (Index& e : chosen.tets) e = tets.tets[e];
  tets.tets = std::move(chosen.tets);
  return std::move(chosen.shares);
}

std::vector<ProjectionWeights> compute_weights(const Model& model, const BodyTets& tets,
                                               const std::vector<double>& shares) {
  const ProjectiveOptions& options = model.projective;
  std::vector<ProjectionWeights> weights;
  for (size_t t = 0; t < tets.tets.size(); ++t) {
    const Index e = tets.tets[t];
    const Material& material = model.materials[tets.elements->materials[e]];
    const double volume = shares[t] * tets.elements->volumes[e];
    weights.push_back(
        {.shape = 2 * material.lame_mu * volume,
         .volume = options.volume * 3 * material.lame_lambda * volume,
         .limits = options.limits_stretch() ? options.limit_stiffness * 2 * material.lame_mu * volume : 0});
  }
  return weights;
}

// Σ w Gᵀ G over the corners.
ScalarMatrix assemble_corners(const Elements& elements, const std::vector<Index>& tets,
                              const std::vector<ProjectionWeights>& weights, Index first, Index count) {
  std::vector<Triplet> triplets;
  triplets.reserve(16 * tets.size());
  for (size_t t = 0; t < tets.size(); ++t) {
    const Index begin = elements.offsets[tets[t]];
    for (Index a = begin; a < begin + 4; ++a) {
      for (Index b = begin; b < begin + 4; ++b) {
        const double value = weights[t].sum() * elements.gradients[a].dot(elements.gradients[b]);
        triplets.push_back({elements.nodes[a] - first, elements.nodes[b] - first, value});
      }
    }
  }
  return build_scalar_matrix(count, count, std::move(triplets));
}

// Wᵀ K W. Handles move many points: a full matrix is summed up row by row.
ScalarMatrix reduce(const ScalarMatrix& W, const ScalarMatrix& K) {
  const Index columns = W.columns;
  MatX sum = MatX::Zero(columns, columns);
  VecX row = VecX::Zero(columns);
  std::vector<Index> touched;
  for (Index p = 0; p < K.rows(); ++p) {
    for (Index k = K.offsets[p]; k < K.offsets[p + 1]; ++k) {
      const Index q = K.indices[k];
      for (Index s = W.offsets[q]; s < W.offsets[q + 1]; ++s) {
        if (row[W.indices[s]] == 0) touched.push_back(W.indices[s]);
        row[W.indices[s]] += K.values[k] * W.values[s];
      }
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (Index r = W.offsets[p]; r < W.offsets[p + 1]; ++r) {
      for (const Index c : touched) sum(c, W.indices[r]) += W.values[r] * row[c];
    }
    for (const Index c : touched) row[c] = 0;
    touched.clear();
  }
  ScalarMatrix reduced;
  reduced.columns = columns;
  for (Index i = 0; i < columns; ++i) {
    for (Index j = 0; j < columns; ++j) {
      if (sum(i, j) == 0 && sum(j, i) == 0 && i != j) continue;
      reduced.indices.push_back(j);
      reduced.values.push_back(0.5 * (sum(i, j) + sum(j, i)));
    }
    reduced.offsets.push_back(static_cast<Index>(reduced.indices.size()));
  }
  return reduced;
}

ScalarMatrix keep_rows(const ScalarMatrix& W, const std::vector<Index>& rows) {
  ScalarMatrix kept;
  kept.columns = W.columns;
  for (const Index r : rows) {
    kept.indices.insert(kept.indices.end(), W.indices.begin() + W.offsets[r],
                        W.indices.begin() + W.offsets[r + 1]);
    kept.values.insert(kept.values.end(), W.values.begin() + W.offsets[r],
                       W.values.begin() + W.offsets[r + 1]);
    kept.offsets.push_back(static_cast<Index>(kept.indices.size()));
  }
  return kept;
}

// Numbers the corners of these tets anew, in order; returns the corners.
std::vector<Index> number_corners(const std::vector<Index>& tets, Elements& elements) {
  std::vector<Index> corners;
  for (const Index e : tets) {
    corners.insert(corners.end(), elements.nodes.begin() + elements.offsets[e],
                   elements.nodes.begin() + elements.offsets[e + 1]);
  }
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  for (const Index e : tets) {
    for (Index k = elements.offsets[e]; k < elements.offsets[e + 1]; ++k) {
      elements.nodes[k] = static_cast<Index>(
          std::lower_bound(corners.begin(), corners.end(), elements.nodes[k]) - corners.begin());
    }
  }
  return corners;
}

}  // namespace

bool is_projected(const Model& model, size_t body) {
  const Body& b = model.kinematics.bodies[body];
  if (b.kind != BodyKind::Soft && b.kind != BodyKind::Medial) return false;
  return !find_tets(model.kinematics, b).tets.empty();
}

bool is_projected_whole(const Model& model, size_t body) {
  const Body& b = model.kinematics.bodies[body];
  if (b.kind == BodyKind::Medial) return true;
  if (!is_projected(model, body)) return false;
  std::vector<char> is_corner(static_cast<size_t>(b.node_count), 0);
  const BodyTets tets = find_tets(model.kinematics, b);
  for (const Index e : tets.tets) {
    for (Index k = tets.elements->offsets[e]; k < tets.elements->offsets[e + 1]; ++k) {
      is_corner[tets.elements->nodes[k] - b.first_node] = 1;
    }
  }
  for (const Elements* thin : {&model.kinematics.membranes, &model.kinematics.strands}) {
    for (const Index node : thin->nodes) {
      if (node >= b.first_node && node < b.first_node + b.node_count) return false;
    }
  }
  return std::all_of(is_corner.begin(), is_corner.end(), [](char is) { return is != 0; });
}

// The first sample is the first tet, each other the one farthest from those before; then each moves to the
// tet nearest to the middle of those that it stands for.
TetSamples choose_tet_samples(const Points& centers, const std::vector<double>& volumes, int count) {
  TetSamples samples;
  const size_t all = centers.size();
  if (all <= static_cast<size_t>(count)) {
    for (size_t t = 0; t < all; ++t) samples.tets.push_back(static_cast<Index>(t));
    samples.shares.assign(all, 1);
    return samples;
  }
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  std::vector<double> distances(all, kInfinite);  // squared, to the nearest sample
  std::vector<Index> owners(all, 0);
  size_t next = 0;
  for (int s = 0; s < count; ++s) {
    size_t farthest = 0;
    for (size_t t = 0; t < all; ++t) {
      const double squared = (centers[t] - centers[next]).squaredNorm();
      if (squared < distances[t]) {
        distances[t] = squared;
        owners[t] = s;
      }
      if (distances[t] > distances[farthest]) farthest = t;
    }
    samples.tets.push_back(static_cast<Index>(next));
    next = farthest;
  }
  const auto size = static_cast<size_t>(count);
  std::vector<double> volume(size, 0);
  Points middle(size, Vec3::Zero());
  for (size_t t = 0; t < all; ++t) {
    volume[owners[t]] += volumes[t];
    middle[owners[t]] += volumes[t] * centers[t];
  }
  std::vector<double> nearest(size, kInfinite);
  for (size_t t = 0; t < all; ++t) {
    const size_t s = static_cast<size_t>(owners[t]);
    const double squared = (centers[t] - middle[s] / volume[s]).squaredNorm();
    if (!(squared < nearest[s])) continue;
    nearest[s] = squared;
    samples.tets[s] = static_cast<Index>(t);
  }
  for (size_t s = 0; s < size; ++s) samples.shares.push_back(volume[s] / volumes[samples.tets[s]]);
  return samples;
}

ProjectedBody::ProjectedBody(const Model& model, size_t body) : body_(body) {
  const Body& own = model.kinematics.bodies[body];
  first_node_ = own.first_node;
  node_count_ = own.node_count;
  BodyTets found = find_tets(model.kinematics, own);
  const std::vector<double> shares = sample(model, found);
  const std::vector<ProjectionWeights> weights = compute_weights(model, found, shares);
  const ProjectiveOptions& options = model.projective;
  StretchLimits limits;
  if (options.limits_stretch()) {
    limits = {options.least_stretch.value_or(0),
              options.most_stretch.value_or(std::numeric_limits<double>::infinity())};
  }
  const bool has_volume =
      std::any_of(weights.begin(), weights.end(), [](const ProjectionWeights& w) { return w.volume > 0; });
  constraints_a_tet_ = size_t{1} + (has_volume ? 1 : 0) + (limits.is_on() ? 1 : 0);
  Elements elements = *found.elements;
  const bool is_sampled = options.local == LocalStep::Hyper;
  if (found.reduced == nullptr && !is_sampled) {
    projector_ = TetProjector(elements, found.tets, weights, limits, found.first, node_count_);
    stiffness_ = assemble_corners(elements, found.tets, weights, found.first, node_count_);
    return;
  }
  if (found.reduced == nullptr) {
    stiffness_ = assemble_corners(elements, found.tets, weights, found.first, node_count_);
  }
  const std::vector<Index> corners = number_corners(found.tets, elements);
  std::vector<Index> rows = corners;
  for (Index& r : rows) r -= found.first;
  W_ = keep_rows(found.reduced != nullptr ? found.reduced->W : build_identity(node_count_), rows);
  Wt_ = multiply_transposed(W_, build_identity(W_.rows()));
  projector_ = TetProjector(elements, found.tets, weights, limits, 0, W_.rows());
  if (found.reduced != nullptr) {
    stiffness_ = reduce(W_, assemble_corners(elements, found.tets, weights, 0, W_.rows()));
  }
}

void ProjectedBody::add_pulls(const VecX& n, double factor, VecX& forces) {
  nodes_ = n.segment(3 * first_node_, 3 * node_count_);
  if (W_.rows() == 0) {
    projector_.project(nodes_, on_nodes_);
  } else {
    multiply(W_, nodes_, x_);
    projector_.project(x_, pulls_);
    multiply(Wt_, pulls_, on_nodes_);
  }
  forces.segment(3 * first_node_, 3 * node_count_) += factor * on_nodes_;
}

}  // namespace marrow
