#include "preprocess/certificates/patch_certificate.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "exact/simplices.h"
#include "linalg/dense_inverse.h"
#include "preprocess/certificates/pair_certificate.h"

namespace marrow {
namespace {

constexpr double kRounding = 64 * 0x1p-53;      // of the entries of K and of products with G
constexpr double kMostError = 0.5;              // of the Green's function
constexpr double kQuotientRounding = 1 - 1e-7;  // for the rounding of quotients

// The patch with vertices of its own numbering.
struct LocalPatch {
  std::vector<Index> vertices;  // places in the tree, ascending
  std::vector<Triangle> triangles;
  Points X;
  struct Row {
    std::array<Index, 4> vertices;
    std::array<double, 4> weights;
  };
  std::vector<Row> rows;
  Eigen::Matrix<double, Eigen::Dynamic, 3> affine;  // C, by vertex

  Index size() const { return static_cast<Index>(vertices.size()); }
};

LocalPatch number_patch(const PatchTree& tree, const Patch& patch, const PatchShape& shape) {
  LocalPatch local;
  for (const Index t : patch.triangles) {
    for (const Index v : tree.triangles[static_cast<size_t>(t)]) local.vertices.push_back(v);
  }
  std::sort(local.vertices.begin(), local.vertices.end());
  local.vertices.erase(std::unique(local.vertices.begin(), local.vertices.end()), local.vertices.end());
  const auto number_of = [&](Index v) {
    return static_cast<Index>(std::lower_bound(local.vertices.begin(), local.vertices.end(), v) -
                              local.vertices.begin());
  };
  const Vec3 origin = tree.rest[static_cast<size_t>(local.vertices[0])];
  for (const Index v : local.vertices) local.X.push_back(tree.rest[static_cast<size_t>(v)] - origin);
  local.affine = Eigen::Matrix<double, Eigen::Dynamic, 3>::Zero(local.size(), 3);
  Mat3 P;
  P << shape.P[0], shape.P[1], shape.P[2], shape.P[1], shape.P[3], shape.P[4], shape.P[2], shape.P[4],
      shape.P[5];
  for (const Index t : patch.triangles) {
    const auto at = static_cast<size_t>(t);
    Triangle numbered = tree.triangles[at];
    const Vec3 share = tree.areas[at] / 3 * (P * (tree.centroids[at] - shape.centre));
    for (Index& v : numbered) {
      v = number_of(v);
      local.affine.row(v) += share.transpose();
    }
    local.triangles.push_back(numbered);
  }
  for (const PatchHinge* hinge : patch.hinges) {
    LocalPatch::Row row;
    const auto& w = hinge->weights;
    for (size_t k = 0; k < 4; ++k) row.vertices[k] = number_of(hinge->vertices[k]);
    row.weights = {-(w[0] + w[1] + w[2]), w[0], w[1], w[2]};
    local.rows.push_back(row);
  }
  return local;
}

// K without its last row and column.
MatX assemble(const LocalPatch& patch) {
  const Index n = patch.size() - 1;
  const auto C = patch.affine.topRows(n);
  MatX K = C * C.transpose();
  for (const LocalPatch::Row& row : patch.rows) {
    for (size_t i = 0; i < 4; ++i) {
      for (size_t j = 0; j < 4; ++j) {
        if (row.vertices[i] < n && row.vertices[j] < n)
          K(row.vertices[i], row.vertices[j]) += row.weights[i] * row.weights[j];
      }
    }
  }
  return K;
}

// ρ of the header. G is symmetric, so its columns are its rows.
double measure_error(const LocalPatch& patch, const MatX& G) {
  const Index n = static_cast<Index>(G.rows());
  VecX sums = VecX::Zero(n);                        // of |R| along its rows
  const VecX sizes = G.cwiseAbs().rowwise().sum();  // |G| 1
  const auto C = patch.affine.topRows(n);
  VecX column(n);
  const Eigen::Matrix<double, 3, Eigen::Dynamic> CG = C.transpose() * G;
  for (Index j = 0; j < n; ++j) {
    column = C * CG.col(j);
    for (const LocalPatch::Row& row : patch.rows) {
      double product = 0;
      for (size_t k = 0; k < 4; ++k) {
        if (row.vertices[k] < n) product += row.weights[k] * G(row.vertices[k], j);
      }
      for (size_t k = 0; k < 4; ++k) {
        if (row.vertices[k] < n) column[row.vertices[k]] += row.weights[k] * product;
      }
    }
    column[j] -= 1;
    sums += column.cwiseAbs();
  }
  // What the products themselves may be wrong by.
  VecX rounding = C.cwiseAbs() * (C.cwiseAbs().transpose() * sizes);
  for (const LocalPatch::Row& row : patch.rows) {
    double product = 0;
    for (size_t k = 0; k < 4; ++k) {
      if (row.vertices[k] < n) product += std::abs(row.weights[k]) * sizes[row.vertices[k]];
    }
    for (size_t k = 0; k < 4; ++k) {
      if (row.vertices[k] < n) rounding[row.vertices[k]] += std::abs(row.weights[k]) * product;
    }
  }
  return (sums + kRounding * rounding).maxCoeff();
}

// Finds the least certificate of all pairs.
class PairSearch {
 public:
  // G: of all vertices, with zeros for the last.
  PairSearch(const LocalPatch& patch, const Points& rest, const MatX& G, const CertificateOptions& options)
      : patch_(patch), rest_(rest), G_(G), options_(options), diagonal_(G.diagonal()) {
    for (const Triangle& t : patch.triangles) {
      const Vec3 &a = point(t[0]), &b = point(t[1]), &c = point(t[2]);
      const Vec3 middle = (a + b + c) / 3;
      middles_.push_back(middle);
      radii_.push_back((1 + 1e-12) *
                       std::sqrt(std::max({(a - middle).squaredNorm(), (b - middle).squaredNorm(),
                                           (c - middle).squaredNorm()})));
    }
  }

  double search() {
    double best = bound_by_vertices();
    std::vector<Bounded> open = list_pairs(best);
    std::sort(open.begin(), open.end(), [](const Bounded& a, const Bounded& b) { return a.bound < b.bound; });
    for (const Bounded& pair : open) {
      if (pair.bound >= best) break;
      const Triangle& t = patch_.triangles[static_cast<size_t>(pair.i)];
      const Triangle& s = patch_.triangles[static_cast<size_t>(pair.j)];
      if (pair.bound <= 0 &&
          exact::meet_beyond_shared(exact::PointSigns{rest_}, simplex_of(t), simplex_of(s)))
        return 0;
      lower_to_certificate(gather(t, s), options_.clearance, best);
      if (best <= 0) return 0;
    }
    return best;
  }

 private:
  struct Bounded {
    double bound;
    Index i, j;
  };

  const Vec3& point(Index v) const { return patch_.X[static_cast<size_t>(v)]; }

  // With the vertices of the tree, whose positions are not rounded.
  exact::Simplex simplex_of(const Triangle& t) const {
    const auto id = [&](size_t k) { return patch_.vertices[static_cast<size_t>(t[k])]; };
    return exact::make_simplex(id(0), id(1), id(2));
  }

  static bool share_vertex(const Triangle& t, const Triangle& s) {
    for (const Index v : t) {
      if (v == s[0] || v == s[1] || v == s[2]) return true;
    }
    return false;
  }

  PairCorners gather(const Triangle& t, const Triangle& s) const {
    PairCorners corners;
    for (size_t k = 0; k < 3; ++k) {
      corners.ids[k] = t[k];
      corners.ids[k + 3] = s[k];
    }
    for (size_t k = 0; k < 6; ++k) corners.X[k] = point(corners.ids[k]);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        corners.G(i, j) = G_(corners.ids[static_cast<size_t>(i)], corners.ids[static_cast<size_t>(j)]);
      }
    }
    return corners;
  }

  // An upper bound: the least over pairs of vertices, each of one of its triangles.
  double bound_by_vertices() const {
    const Index n = patch_.size();
    std::vector<Index> some_triangle(static_cast<size_t>(n), 0);
    for (size_t t = patch_.triangles.size(); t-- > 0;) {
      for (const Index v : patch_.triangles[t]) some_triangle[static_cast<size_t>(v)] = static_cast<Index>(t);
    }
    double best = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < i; ++j) {
        const double distance = (point(i) - point(j)).squaredNorm();
        const double green = diagonal_[i] + diagonal_[j] - 2 * G_(j, i);
        if (!(distance < best * green)) continue;
        const auto a = static_cast<size_t>(some_triangle[static_cast<size_t>(i)]);
        const auto b = static_cast<size_t>(some_triangle[static_cast<size_t>(j)]);
        if (!share_vertex(patch_.triangles[a], patch_.triangles[b])) best = distance / green;
      }
    }
    return best;
  }

  // The pairs that may be less than best.
  std::vector<Bounded> list_pairs(double best) const {
    std::vector<Bounded> open;
    const auto count = static_cast<Index>(patch_.triangles.size());
    VecX largest(patch_.size());
    for (Index i = 0; i < count; ++i) {
      const Triangle& t = patch_.triangles[static_cast<size_t>(i)];
      largest = (diagonal_[t[0]] - 2 * G_.col(t[0]).array())
                    .max(diagonal_[t[1]] - 2 * G_.col(t[1]).array())
                    .max(diagonal_[t[2]] - 2 * G_.col(t[2]).array()) +
                diagonal_.array();
      const Vec3& middle = middles_[static_cast<size_t>(i)];
      const double radius = radii_[static_cast<size_t>(i)] + options_.clearance;
      for (Index j = i + 1; j < count; ++j) {
        const Triangle& s = patch_.triangles[static_cast<size_t>(j)];
        const double green = std::max({largest[s[0]], largest[s[1]], largest[s[2]]});
        const double reach = radius + radii_[static_cast<size_t>(j)];
        const double squared = (middle - middles_[static_cast<size_t>(j)]).squaredNorm();
        // (√squared − reach)² / green ≥ best, without the root where it is plain.
        const double gap = squared > reach * reach ? std::sqrt(squared) - reach : 0;
        const double bound = gap * gap < best * green ? gap * gap / green : best;
        if (bound >= best) continue;
        if (!share_vertex(t, s)) {
          open.push_back({bound, i, j});
        } else if (options_.pairs == CertifiedPairs::Simplices) {
          open.push_back({0, i, j});
        }
      }
    }
    return open;
  }

  const LocalPatch& patch_;
  const Points& rest_;
  const MatX& G_;
  const CertificateOptions& options_;
  VecX diagonal_;
  Points middles_;
  std::vector<double> radii_;
};

void add_triangles(const PatchNode& node, Patch& patch) {
  for (Index i = node.first; i < node.last; ++i) patch.triangles.push_back(i);
}

void add_hinges(const PatchTree& tree, Index n, Patch& patch) {
  for (const PatchHinge& hinge : tree.hinges_below(n)) patch.hinges.push_back(&hinge);
}

// Of this thread alone: what a patch costs does not depend on what else the machine does.
double read_thread_clock() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Patch collect_patch(const PatchTree& tree, Index node) {
  Patch patch;
  add_triangles(tree.node(node), patch);
  add_hinges(tree, node, patch);
  return patch;
}

Patch collect_patch(const PatchTree& tree, const PatchPair& pair) {
  Patch patch;
  for (const Index node : {pair.a, pair.b}) {
    add_triangles(tree.node(node), patch);
    add_hinges(tree, node, patch);
  }
  for (const Index h : tree.hinges_of(pair)) patch.hinges.push_back(&tree.hinges[static_cast<size_t>(h)]);
  return patch;
}

std::optional<PatchGreen> compute_patch_green(const PatchTree& tree, const Patch& patch,
                                              const PatchShape& shape) {
  const LocalPatch local = number_patch(tree, patch, shape);
  MatX inverse = assemble(local);
  if (!inverse.allFinite() || !invert_positive_definite(inverse)) return {};
  const double error = measure_error(local, inverse);
  if (!(error < kMostError)) return {};
  const Index n = local.size();
  PatchGreen green{local.vertices, MatX::Zero(n, n), error};
  green.G.topLeftCorner(n - 1, n - 1) = inverse;
  return green;
}

PatchCertificate compute_patch_certificate(const PatchTree& tree, const Patch& patch, const PatchShape& shape,
                                           const CertificateOptions& options) {
  PatchCertificate certificate;
  const double start = read_thread_clock();
  const std::optional<PatchGreen> green = compute_patch_green(tree, patch, shape);
  certificate.green_seconds = read_thread_clock() - start;
  if (!green) return certificate;
  const LocalPatch local = number_patch(tree, patch, shape);
  // A patch without any pair never collides: infinite.
  const double least = PairSearch(local, tree.rest, green->G, options).search();
  certificate.energy = least * (1 - green->error) * kQuotientRounding;
  certificate.pair_seconds = read_thread_clock() - start - certificate.green_seconds;
  return certificate;
}

}  // namespace marrow
