// The cells of VTK, in legacy files and in XML: which are read, and what becomes of them.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "mesh/io/curved_simplices.h"
#include "mesh/io/polygons.h"

namespace marrow {

enum VtkCell : int {
  kVtkVertex = 1,
  kVtkPolyVertex = 2,
  kVtkLine = 3,
  kVtkPolyLine = 4,
  kVtkTriangle = 5,
  kVtkTriangleStrip = 6,
  kVtkPolygon = 7,
  kVtkPixel = 8,
  kVtkQuad = 9,
  kVtkTetra = 10,
  kVtkQuadraticEdge = 21,
  kVtkQuadraticTriangle = 22,
  kVtkQuadraticTetra = 24,
  kVtkLagrangeCurve = 68,
  kVtkLagrangeTriangle = 69,
  kVtkLagrangeTetra = 71
};

// The dimension of cells that may be curved simplices; 0 of others. Their order follows from their points.
inline int find_curved_dimension(int type) {
  switch (type) {
    case kVtkQuadraticEdge:
    case kVtkLagrangeCurve:
      return 1;
    case kVtkQuadraticTriangle:
    case kVtkLagrangeTriangle:
      return 2;
    case kVtkQuadraticTetra:
    case kVtkLagrangeTetra:
      return 3;
    default:
      return 0;
  }
}

// The dimension of straight cells; 0 of points and of curved ones.
inline int find_straight_dimension(int type) {
  if (type == kVtkLine || type == kVtkPolyLine) return 1;
  if (type >= kVtkTriangle && type <= kVtkQuad) return 2;
  return type == kVtkTetra ? 3 : 0;
}

class VtkCells {
 public:
  // Throws the error that names the place in the file.
  using Fail = std::function<void(const std::string& problem, const std::string& advice)>;

  // curved: takes the curved simplices; null: they are refused.
  VtkCells(CurvedSimplices* curved, Fail fail) : curved_(curved), fail_(std::move(fail)) {}

  // A cell over points that exist.
  void add(size_t number, int type, std::span<const Index> points, Mesh& mesh, Polygons& polygons) const;

 private:
  // For CurvedSimplices.
  struct Source {
    const Fail& report;
    void fail(const std::string& problem, const std::string& advice) const { report(problem, advice); }
  };

  bool add_curved(size_t number, int type, std::span<const Index> points, Mesh& mesh,
                  Polygons& polygons) const;

  CurvedSimplices* curved_;
  Fail fail_;
};

}  // namespace marrow
