#include "scene/build/build_certificates.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/error.h"
#include "geometry/certificates/certificates.h"
#include "math/rotation.h"
#include "preprocess/certificates/certificate_store.h"
#include "scene/build/build_contact.h"

namespace marrow {
namespace {

// The clearance that certificates are computed for, over the distance that contact asks for: how much smaller
// than at rest a patch may become.
constexpr double kClearance = 2;

// What the automatic choice asks for: enough triangles to make searching them a good part of a step, that are
// large beside the clearance, and a run long enough to pay for the preparation.
constexpr size_t kLeastTriangles = 3000;
constexpr double kLeastLength = 2;              // mean edge over clearance
constexpr double kPreparationSeconds = 1.5e-3;  // a triangle
constexpr double kGainSeconds = 4e-7;  // a triangle and step: examples/self_collision, fold and tentacles

// A body's surface in coordinates of its own.
struct SurfacePart {
  Points points;
  std::vector<Triangle> triangles;
  std::vector<Index> numbers;  // of the points, among those of all bodies
  double mean_edge = 0;
};

// The grid of the coordinates, of the body's size: copies of a body elsewhere in the world are the same bits.
// Certificates hold for any rest shape; it need not be the solver's.
constexpr double kGrid = 0x1p-30;
constexpr double kUnlikely = 0.3718;  // so that sizes where the grid changes are none that people choose

SurfacePart find_surface(const Body& body, const BodyDescription& description) {
  SurfacePart part;
  std::vector<Index> place(body.rest.points.size(), kNone);
  const Mat3 back = rotation_from_degrees(description.rotation).transpose();
  double size = 0;
  for (Triangle t : body.rest.triangles) {
    for (Index& corner : t) {
      if (place[corner] == kNone) {
        place[corner] = static_cast<Index>(part.points.size());
        part.points.push_back(back * (body.rest.points[corner] - description.position));
        part.numbers.push_back(body.first_point + corner);
        size = std::max(size, part.points.back().cwiseAbs().maxCoeff());
      }
      corner = place[corner];
    }
    part.triangles.push_back(t);
  }
  if (!(size > 0)) return part;
  const double grid = kGrid * std::exp2(std::ceil(std::log2(size) + kUnlikely));
  for (Vec3& x : part.points) x = grid * (x / grid).array().round() + 0.0;  // no negative zeros
  for (const Triangle& t : part.triangles) part.mean_edge += (part.points[t[0]] - part.points[t[1]]).norm();
  if (!part.triangles.empty()) part.mean_edge /= static_cast<double>(part.triangles.size());
  return part;
}

bool meets_itself(const ContactModel& contact, Index body) {
  return contact.is_enabled && std::find(contact.ignored_bodies.begin(), contact.ignored_bodies.end(),
                                         IndexPair{body, body}) == contact.ignored_bodies.end();
}

// Whether certificates of the body are likely to pay.
bool is_promising(const SurfacePart& part, const CertificateOptions& options, int steps) {
  const auto triangles = static_cast<double>(part.triangles.size());
  if (part.triangles.size() < kLeastTriangles || part.mean_edge < kLeastLength * options.clearance)
    return false;
  return has_stored_certificates(part.points, part.triangles, options) ||
         steps * kGainSeconds * triangles > kPreparationSeconds * triangles;
}

// Why a body cannot be certified though it is to be.
void refuse(const BodyDescription& description, const Location& where, const SurfacePart& part,
            bool is_meeting_itself) {
  if (description.self_collision != SelfCollision::Certified) return;
  if (!is_meeting_itself) {
    throw InputError(where, "the body does not collide with itself, so there is nothing to certify",
                     "Remove self_collision, or set contact and self_contact to true.");
  }
  if (part.triangles.empty()) {
    throw InputError(where, "certificates need triangles, but the body has none",
                     "Remove self_collision: wires and points use no certificates.");
  }
}

double largest_radius(const Body& body) {
  return body.radii.empty() ? 0 : *std::max_element(body.radii.begin(), body.radii.end());
}

std::string describe(const Scene& scene, size_t i, const Certificates& certificates, bool is_stored,
                     double seconds) {
  const auto count = std::count_if(certificates.node_limits.begin(), certificates.node_limits.end(),
                                   [](float limit) { return limit > 0; });
  const std::string whence =
      is_stored ? std::string("from the store") : fmt::format("computed in {:.1f} s", seconds);
  return fmt::format("{} uses certificates for self-collision: {} for {} triangles, {}", scene.name_of(i),
                     count, certificates.tree.triangles.size(), whence);
}

}  // namespace

std::vector<std::string> add_certificates(const Scene& scene, const std::string& scene_path,
                                          BuiltScene& built,
                                          const std::function<void(const std::string&)>& announce) {
  std::vector<std::string> notes;
  Model& model = built.model;
  model.contact.certified.clear();
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDescription& description = scene.bodies[i];
    const Body& body = model.kinematics.bodies[i];
    const bool deforms = body.kind == BodyKind::Soft || body.kind == BodyKind::Medial;
    const bool is_certifiable = deforms && !body.has_collider() && !body.is_planar;
    if (!is_certifiable || description.self_collision == SelfCollision::Plain) continue;
    const SurfacePart part = find_surface(body, description);
    const bool is_meeting_itself = meets_itself(model.contact, static_cast<Index>(i));
    refuse(description, {scene_path, 0, 0, fmt::format("bodies[{}].self_collision", i)}, part,
           is_meeting_itself);
    if (!is_meeting_itself || part.triangles.empty()) continue;
    CertificateOptions options;
    options.pairs = CertifiedPairs::Simplices;
    options.clearance = kClearance * (model.contact.d_hat + 2 * largest_radius(body));
    const bool is_forced = description.self_collision == SelfCollision::Certified;
    if (!is_forced && !is_promising(part, options, model.step_count())) continue;
    const auto start = std::chrono::steady_clock::now();
    if (announce && !has_stored_certificates(part.points, part.triangles, options)) {
      announce(
          fmt::format("Computing certificates of {}, once per mesh: {} triangles, about {:.0f} s on one core",
                      scene.name_of(i), part.triangles.size(),
                      std::ceil(kPreparationSeconds * static_cast<double>(part.triangles.size()))));
    }
    bool is_stored = false;
    auto certificates = std::make_shared<Certificates>(
        compute_certificates_stored(part.points, part.triangles, options, is_stored));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    notes.push_back(describe(scene, i, *certificates, is_stored, seconds));
    model.contact.certified.push_back({std::move(certificates), part.numbers, is_forced});
  }
  return notes;
}

}  // namespace marrow
