// Which handles a prepared body has where points of its surface are anchored: moved in groups, not by
// handles.
#pragma once

#include <string>
#include <vector>

#include "preprocess/medial/prepare_medial.h"

namespace marrow {

// The volume's points that hold the anchored points of the surface. Throws InputError if there are none.
std::vector<Index> list_anchored(const PreparedMedial& prepared, const Points& anchors,
                                 const std::string& name);

// The centres of the spheres that are free to move. surface: in the coordinates of the medial mesh; groups:
// in those of prepared.surface. columns: of each sphere that of its handle, or ~g if all triangles of the
// surface that reach into it are of group g: it goes with them.
Points list_handles(const PreparedMedial& prepared, const Mesh& surface, const std::vector<Points>& groups,
                    std::vector<Index>& columns);

// The columns of groups follow those of all handles. Throws InputError if no handle is left.
void finish_columns(PreparedMedial& prepared, const std::string& name);

}  // namespace marrow
