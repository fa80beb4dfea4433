#include "preprocess/medial/thin_parts.h"

#include <Eigen/Geometry>
#include <optional>

#include "exec/parallel.h"
#include "mesh/point_merger.h"

namespace marrow {
namespace {

constexpr int kMostRounds = 30;
constexpr double kRounding = 1e-6;
constexpr double kGrain = 1e-9;  // box diagonals

double measure_size(const std::vector<SpacedSample>& samples) {
  Eigen::AlignedBox3d box;
  for (const SpacedSample& sample : samples) box.extend(sample.point);
  return box.diagonal().norm();
}

struct Contact {
  Vec3 point = Vec3::Zero();
  Vec3 center = Vec3::Zero();  // of the ball
};

// Where the ball inside that touches the surface at the sample touches it again; nothing if a ball as large
// as the spacing fits.
std::optional<Contact> find_contact(const SpacedSample& sample, const TriangleTree& surface) {
  const Vec3 &p = sample.point, &n = sample.normal;
  double r = sample.spacing / 2;
  std::optional<Contact> contact;
  for (int round = 0; round < kMostRounds; ++round) {
    const Vec3 c = p - r * n;
    const NearestPoint nearest = surface.find_nearest_against(n, c, (1 - kRounding) * r);
    if (nearest.triangle == kNone) break;
    const Vec3 step = p - nearest.point;
    const double depth = n.dot(step);
    if (!(depth > 0)) return {};
    r = step.squaredNorm() / (2 * depth);
    contact = Contact{nearest.point, p - r * n};
  }
  return contact;
}

}  // namespace

PairedSamples pair_thin_samples(const std::vector<SpacedSample>& samples, const TriangleTree& surface) {
  std::vector<std::optional<Contact>> contacts(samples.size());
  exec::parallel_for("medial.thin", samples.size(),
                     [&](size_t i) { contacts[i] = find_contact(samples[i], surface); });
  PairedSamples pairs;
  // Points that only rounding tells apart are one.
  const double grain = kGrain * measure_size(samples);
  PointMerger merger(2 * samples.size());
  const auto add = [&](const Vec3& x) {
    const Index id = merger.add((x / grain).array().round());
    if (id < static_cast<Index>(pairs.points.size())) return id;
    pairs.points.push_back(x);
    pairs.partners.push_back(kNone);
    pairs.centers.push_back(x);
    return id;
  };
  for (const SpacedSample& sample : samples) add(sample.point);
  for (size_t i = 0; i < samples.size(); ++i) {
    if (!contacts[i]) continue;
    const Index a = add(samples[i].point), b = add(contacts[i]->point);
    if (a == b) continue;
    pairs.partners[a] = b;
    pairs.centers[a] = contacts[i]->center;
  }
  return pairs;
}

}  // namespace marrow
