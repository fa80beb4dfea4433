// The element types of Gmsh's format that one meets, by number. Supported are those of straight meshes;
// curved simplices have an order (curved_file.h).
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
  int dimension = 0;  // of simplices
  int order = 0;      // of simplices, up to 4; 0: of others
};

inline constexpr MshElement kMshElements[] = {{kMshLine, 2, true, "line", 1, 1},
                                              {kMshTriangle, 3, true, "triangle", 2, 1},
                                              {kMshQuad, 4, true, "quad", 2, 1},
                                              {kMshTet, 4, true, "tet", 3, 1},
                                              {5, 8, false, "hexahedron"},
                                              {6, 6, false, "prism"},
                                              {7, 5, false, "pyramid"},
                                              {8, 3, false, "second-order line", 1, 2},
                                              {9, 6, false, "second-order triangle", 2, 2},
                                              {10, 9, false, "second-order quad"},
                                              {11, 10, false, "second-order tet", 3, 2},
                                              {12, 27, false, "second-order hexahedron"},
                                              {13, 18, false, "second-order prism"},
                                              {14, 14, false, "second-order pyramid"},
                                              {kMshPoint, 1, true, "point"},
                                              {16, 8, false, "8-node quad"},
                                              {17, 20, false, "20-node hexahedron"},
                                              {18, 15, false, "15-node prism"},
                                              {19, 13, false, "13-node pyramid"},
                                              {20, 9, false, "9-node triangle"},
                                              {21, 10, false, "third-order triangle", 2, 3},
                                              {22, 12, false, "12-node triangle"},
                                              {23, 15, false, "fourth-order triangle", 2, 4},
                                              {26, 4, false, "third-order line", 1, 3},
                                              {27, 5, false, "fourth-order line", 1, 4},
                                              {29, 20, false, "third-order tet", 3, 3},
                                              {30, 35, false, "fourth-order tet", 3, 4},
                                              {31, 56, false, "fifth-order tet"}};

// nullptr if there is none of this number.
inline const MshElement* find_msh_element(int type) {
  for (const MshElement& element : kMshElements) {
    if (element.type == type) return &element;
  }
  return nullptr;
}

}  // namespace marrow
