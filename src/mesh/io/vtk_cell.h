// The cell types of VTK that are read.
#pragma once

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
  kVtkTetra = 10
};

}  // namespace marrow
