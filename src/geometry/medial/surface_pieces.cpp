#include "geometry/medial/surface_pieces.h"

#include <algorithm>
#include <tuple>

#include "exec/parallel.h"

namespace marrow {
namespace {

using PieceCorners = std::array<Vec3, 3>;  // weights of the triangle's corners

Vec3 place(const Vec3& weights, const Mesh& surface, const Triangle& t) {
  Vec3 x = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    if (weights[i] != 0) x += weights[i] * surface.points[static_cast<size_t>(t[static_cast<size_t>(i)])];
  return x;
}

// The longest side decides, whatever the order of the corners: the other triangle at it is cut alike.
void cut_triangle(const Mesh& surface, const Triangle& t, double longest, std::vector<PieceCorners>& pieces) {
  std::vector<PieceCorners> open = {{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()}};
  while (!open.empty()) {
    const PieceCorners piece = open.back();
    open.pop_back();
    size_t side = 0;
    double length = 0;
    for (size_t k = 0; k < 3; ++k) {
      const double l = (place(piece[(k + 1) % 3], surface, t) - place(piece[k], surface, t)).norm();
      if (l > length) std::tie(side, length) = std::pair(k, l);
    }
    if (length <= longest) {
      pieces.push_back(piece);
      continue;
    }
    const Vec3 middle = 0.5 * (piece[side] + piece[(side + 1) % 3]);
    const Vec3& far = piece[(side + 2) % 3];
    open.push_back({piece[side], middle, far});
    open.push_back({middle, piece[(side + 1) % 3], far});
  }
}

struct AssignedPiece {
  Index triangle, primitive;
  PieceCorners corners;
};

std::vector<AssignedPiece> list_pieces(const Mesh& surface, const MedialShape& shape, double longest) {
  std::vector<AssignedPiece> pieces;
  std::vector<PieceCorners> cut;
  for (size_t t = 0; t < surface.triangles.size(); ++t) {
    cut.clear();
    cut_triangle(surface, surface.triangles[t], longest, cut);
    for (const PieceCorners& corners : cut) pieces.push_back({static_cast<Index>(t), kNone, corners});
  }
  exec::parallel_for(
      "medial.pieces", pieces.size(),
      [&](size_t i) {
        AssignedPiece& piece = pieces[i];
        const Triangle& t = surface.triangles[static_cast<size_t>(piece.triangle)];
        std::array<Vec3, 3> corners;
        for (size_t k = 0; k < 3; ++k) corners[k] = place(piece.corners[k], surface, t);
        piece.primitive = find_best_primitive(corners, shape).primitive;
      },
      16);
  return pieces;
}

// What tells points apart: the vertex, or the triangle and the weights in it.
auto make_key(const Mesh& surface, Index triangle, const Vec3& weights) {
  const Triangle& t = surface.triangles[static_cast<size_t>(triangle)];
  for (int i = 0; i < 3; ++i)
    if (weights[i] == 1) return std::tuple(-1, t[static_cast<size_t>(i)], 0.0, 0.0);
  return std::tuple(0, triangle, weights[0], weights[1]);
}

}  // namespace

SurfacePieces assign_pieces(const Mesh& surface, const MedialShape& shape, double longest_side) {
  const std::vector<AssignedPiece> pieces = list_pieces(surface, shape, longest_side);
  const size_t count = shape.primitives().size();
  SurfacePieces result;
  const auto by_primitive = fill_buckets<Index>(count, [&](auto visit) {
    for (size_t i = 0; i < pieces.size(); ++i) visit(pieces[i].primitive, static_cast<Index>(i));
  });
  std::vector<std::vector<PiecePoint>> points(count);
  std::vector<std::vector<Index>> triangles(count);
  result.needs.assign(count, 0);
  const auto collect = [&](size_t p) {
    std::vector<PiecePoint>& list = points[p];
    for (size_t i = by_primitive.starts[p]; i < by_primitive.starts[p + 1]; ++i) {
      const AssignedPiece& piece = pieces[static_cast<size_t>(by_primitive.values[i])];
      triangles[p].push_back(piece.triangle);
      for (const Vec3& weights : piece.corners) list.push_back({piece.triangle, weights, Vec3::Zero(), 0});
    }
    triangles[p].erase(std::unique(triangles[p].begin(), triangles[p].end()), triangles[p].end());
    const auto key = [&](const PiecePoint& x) { return make_key(surface, x.triangle, x.weights); };
    std::stable_sort(list.begin(), list.end(),
                     [&](const PiecePoint& a, const PiecePoint& b) { return key(a) < key(b); });
    list.erase(std::unique(list.begin(), list.end(),
                           [&](const PiecePoint& a, const PiecePoint& b) { return key(a) == key(b); }),
               list.end());
    const int balls = shape.primitives()[p].count;
    for (PiecePoint& x : list) {
      const MedialPoint at =
          shape.find_in_primitive(static_cast<Index>(p), locate(x, surface, surface.points));
      // A ball may stand in several places of a cone or sphere.
      for (int i = 0; i < 3; ++i) x.along[std::min(i, balls - 1)] += at.weights[i];
      x.gap = at.gap;
      result.needs[p] = std::max(result.needs[p], at.gap);
    }
  };
  exec::parallel_for("medial.pieces", count, collect, 1);
  result.points = fill_buckets<PiecePoint>(count, [&](auto visit) {
    for (size_t p = 0; p < count; ++p)
      for (const PiecePoint& x : points[p]) visit(static_cast<Index>(p), x);
  });
  result.triangles = fill_buckets<Index>(count, [&](auto visit) {
    for (size_t p = 0; p < count; ++p)
      for (const Index t : triangles[p]) visit(static_cast<Index>(p), t);
  });
  return result;
}

}  // namespace marrow
