// The element types of Gmsh's format that one meets, by number.
#pragma once

#include <cstddef>

namespace marrow {

inline constexpr int kMshLine = 1;
inline constexpr int kMshTriangle = 2;
inline constexpr int kMshQuad = 3;
inline constexpr int kMshTet = 4;
inline constexpr int kMshPoint = 15;

struct MshElement {
  int type;
  size_t nodes;
  bool is_supported;
  const char* name;
};

inline constexpr MshElement kMshElements[] = {{kMshLine, 2, true, "line"},
                                              {kMshTriangle, 3, true, "triangle"},
                                              {kMshQuad, 4, true, "quad"},
                                              {kMshTet, 4, true, "tet"},
                                              {5, 8, false, "hexahedron"},
                                              {6, 6, false, "prism"},
                                              {7, 5, false, "pyramid"},
                                              {8, 3, false, "second-order line"},
                                              {9, 6, false, "second-order triangle"},
                                              {10, 9, false, "second-order quad"},
                                              {11, 10, false, "second-order tet"},
                                              {12, 27, false, "second-order hexahedron"},
                                              {13, 18, false, "second-order prism"},
                                              {14, 14, false, "second-order pyramid"},
                                              {kMshPoint, 1, true, "point"},
                                              {16, 8, false, "8-node quad"},
                                              {17, 20, false, "20-node hexahedron"},
                                              {18, 15, false, "15-node prism"},
                                              {19, 13, false, "13-node pyramid"},
                                              {20, 9, false, "9-node triangle"},
                                              {21, 10, false, "third-order triangle"},
                                              {22, 12, false, "12-node triangle"},
                                              {23, 15, false, "fourth-order triangle"},
                                              {26, 4, false, "third-order line"},
                                              {27, 5, false, "fourth-order line"},
                                              {29, 20, false, "third-order tet"},
                                              {30, 35, false, "fourth-order tet"}};

// nullptr if there is none of this number.
inline const MshElement* find_msh_element(int type) {
  for (const MshElement& element : kMshElements) {
    if (element.type == type) return &element;
  }
  return nullptr;
}

}  // namespace marrow
