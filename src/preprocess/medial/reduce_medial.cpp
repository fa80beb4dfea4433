#include "preprocess/medial/reduce_medial.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "core/error.h"
#include "preprocess/medial/enclose_surface.h"
#include "preprocess/medial/fit_medial.h"
#include "preprocess/medial/measure_medial.h"
#include "preprocess/medial/medial_gates.h"

namespace marrow {
namespace {

// Weight of samples outside when fitting: what stays outside has to be enclosed by enlarging.
constexpr double kOutsideWeight = 30;
constexpr double kMeasureSpacing = 1.0 / 120;  // box diagonals
constexpr int kMostHandles = 800;              // looked at for a target error

ReducedMedial finish_medial(const Solid& solid, Mesh medial) {
  fit_medial(solid.fit_samples, {.iterations = 12, .outside_weight = kOutsideWeight}, medial);
  merge_spheres(medial);
  apply_gates(medial);
  ReducedMedial finished{medial, std::move(medial)};
  enclose_with_gates(solid, finished.enclosing);
  return finished;
}

void explain_count(int handles, int count, bool is_stuck, std::vector<std::string>& notes) {
  if (count < handles) {
    notes.push_back(
        fmt::format("handles: {} instead of {}; the others were inside other spheres, cones and slabs, or "
                    "coincided with another one. The medial axis of a round body is small: for more freedom "
                    "to deform, use quadratic handles or add extra ones",
                    count, handles));
  } else if (count > handles && is_stuck) {
    notes.push_back(
        fmt::format("{} handles instead of {}: the medial mesh cannot be simplified further without tearing "
                    "or folding it",
                    count, handles));
  }
}

}  // namespace

void enclose_with_gates(const Solid& solid, Mesh& medial) {
  // Enlarging may break a gate, and a gate may open the enclosure: until neither does.
  for (int round = 0; round < 10; ++round) {
    enclose_surface(solid.pieces, medial);
    const GateReport gates = apply_gates(medial);
    if (gates.slabs + gates.cones + gates.vertices == 0) return;
  }
}

MedialError measure_error(const Solid& solid, const Mesh& medial) {
  MedialError error = measure_medial(solid.surface, solid.tree, medial, kMeasureSpacing * solid.diagonal);
  for (double* value : {&error.mean, &error.max, &error.mean_from_surface, &error.mean_to_surface})
    *value /= solid.diagonal;
  return error;
}

ReducedMedial reduce_to_count(const Solid& solid, MedialSimplifier& axis, int handles,
                              const std::string& name, std::vector<std::string>& notes) {
  if (handles > axis.vertex_count()) {
    throw InputError({name, 0, 0, {}},
                     fmt::format("{} handles are requested, but the medial axis has only {} vertices",
                                 handles, axis.vertex_count()),
                     "Request fewer handles, or refine the surface.");
  }
  axis.collapse_to(std::min(axis.vertex_count(), handles + handles / 4 + 8));
  int goal = handles, most = 0;
  for (int attempt = 0;; ++attempt) {
    MedialSimplifier copy = axis;
    copy.collapse_to(goal);
    ReducedMedial medial = finish_medial(solid, copy.take_mesh());
    const int count = static_cast<int>(medial.enclosing.points.size()), missing = handles - count;
    const bool is_last = attempt == 3 || count <= most || copy.vertex_count() > goal;
    if (missing <= 0 || is_last) {
      explain_count(handles, count, copy.vertex_count() > goal, notes);
      return medial;
    }
    most = count;
    goal = std::min(goal + missing, axis.vertex_count());
  }
}

ReducedMedial reduce_to_error(const Solid& solid, MedialSimplifier& axis, double target,
                              const std::string& name) {
  std::vector<Mesh> ladder;
  for (double count = std::min<double>(axis.vertex_count(), kMostHandles); count >= 4; count /= 1.05) {
    axis.collapse_to(static_cast<Index>(count));
    ladder.push_back(axis.take_mesh());
  }
  size_t coarse = ladder.size() - 1;
  std::optional<ReducedMedial> best;
  // From the coarse end in strides, so that large meshes are only looked at where needed; then by halves.
  size_t fine = coarse;
  double least = std::numeric_limits<double>::infinity();  // mean error so far
  size_t least_handles = 0;
  for (size_t stride = 1;; stride *= 2) {
    ReducedMedial medial = finish_medial(solid, ladder[fine]);
    const double error = measure_error(solid, medial.enclosing).mean;
    if (error <= target) {
      best = std::move(medial);
      break;
    }
    if (error < least) {
      least = error;
      least_handles = medial.enclosing.points.size();
    }
    if (fine == 0) {
      throw InputError({name, 0, 0, {}},
                       fmt::format("no medial mesh of at most {} handles has a mean error of {:g}: the best "
                                   "has {:.3g}, with {} handles",
                                   kMostHandles, target, least, least_handles),
                       fmt::format("Request {:.3g} or more.", 1.01 * least));
    }
    coarse = fine;
    fine -= std::min(fine, 4 * stride);
  }
  while (coarse > fine + 1) {
    const size_t middle = (coarse + fine) / 2;
    ReducedMedial medial = finish_medial(solid, ladder[middle]);
    if (measure_error(solid, medial.enclosing).mean <= target) {
      best = std::move(medial);
      fine = middle;
    } else {
      coarse = middle;
    }
  }
  return *best;
}

}  // namespace marrow
