// Which points of a body a selection means.
#pragma once

#include "core/error.h"
#include "scene/description.h"

namespace marrow {

// The selected points, ascending. Throws InputError at the place given if there are none or an id is out of
// range.
std::vector<Index> select_points(const Selection& selection, const Points& points, const Location& where);

}  // namespace marrow
