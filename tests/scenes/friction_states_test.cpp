// Friction of two cubes in a hundred states recorded from the original IPC code: normal forces, tangent
// planes, energy, gradient and Hessian agree. The data is not part of the project; without it the test says
// so and is skipped.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "contact/contact_set.h"
#include "potentials/contact/friction.h"
#include "potentials/potential_battery.h"

namespace marrow::test {
namespace {

using Json = nlohmann::json;

const std::filesystem::path kStates = std::filesystem::path(MARROW_SOURCE_DIR).parent_path() /
                                      "shared/data/ccd/ipc-toolkit-tests-data/friction/cube_cube";

Points read_points(const Json& rows) {
  Points points;
  for (const Json& row : rows) points.emplace_back(row[0], row[1], row[2]);
  return points;
}

VecX stack(const Points& points) {
  VecX n(3 * static_cast<Index>(points.size()));
  for (size_t i = 0; i < points.size(); ++i) n.segment<3>(3 * static_cast<Index>(i)) = points[i];
  return n;
}

// IPC writes a contact as four numbers: edge–edge pairs as their vertices; others with −1 − v first, and with
// fewer vertices the negative multiplicity last.
Contact read_contact(const Json& ids, const Points& x, double s_hat) {
  Contact contact;
  contact.s_hat = s_hat;
  contact.shape = kEdgeEdge;
  for (size_t i = 0; i < 4; ++i) contact.vertices[i] = ids[i];
  if (contact.vertices[0] < 0) {
    contact.vertices[0] = -1 - contact.vertices[0];
    contact.shape = kVertexFace;
    if (contact.vertices[3] < 0) {
      contact.multiplicity = -contact.vertices[3];
      contact.shape = contact.vertices[2] < 0 ? kVertexVertex : kVertexEdge;
    }
  }
  contact.point = find_closest(contact.shape, gather_balls(contact.vertices, contact.shape.count, x, {}));
  contact.barrier = compute_barrier_function(contact.squared() / contact.s_hat);
  return contact;
}

std::vector<Contact> read_contacts(const Json& state, const Points& x) {
  std::vector<Contact> contacts;
  for (const Json& ids : state["mmcvids"]) contacts.push_back(read_contact(ids, x, state["dhat_squared"]));
  return contacts;
}

void expect_normals(const Json& state, const std::vector<Contact>& contacts) {
  for (size_t k = 0; k < contacts.size(); ++k) {
    Vec3 first, second;
    for (size_t i = 0; i < 3; ++i) {
      first[static_cast<Index>(i)] = state["tangent_bases"][3 * k + i][0];
      second[static_cast<Index>(i)] = state["tangent_bases"][3 * k + i][1];
    }
    const Vec3 normal = first.cross(second).normalized();
    EXPECT_NEAR(std::abs(normal.dot(contacts[k].point.c.normalized())), 1, 1e-6);
  }
}

void compare_state(const Json& state) {
  const Points lagged = read_points(state["V_lagged"]), end = read_points(state["V_end"]);
  const double s_hat = state["dhat_squared"];
  const double kappa =
      state["barrier_stiffness"].get<double>() * s_hat * s_hat;  // of the dimensionless barrier
  const std::vector<Contact> contacts = read_contacts(state, lagged);

  // Normal forces and tangent planes.
  const ContactPoints points = {lagged, lagged, {}};
  for (size_t k = 0; k < contacts.size(); ++k) {
    const double expected = state["normal_force_magnitudes"][k];
    EXPECT_NEAR(compute_normal_force(contacts[k], points, kappa), expected, 1e-6 * expected);
  }
  expect_normals(state, contacts);

  // Energy, gradient, Hessian.
  ContactModel model;
  model.friction = state["mu"];
  const Index count = static_cast<Index>(lagged.size());
  const NodeMap map(build_identity(count));
  Friction friction(model, map, std::vector<Index>(lagged.size(), 0));
  friction.set_start(stack(read_points(state["V_start"])),
                     std::sqrt(state["epsv_times_h_squared"].get<double>()));
  const VecX n = stack(end);
  friction.set_contacts({.n = stack(lagged), .contacts = contacts, .x = lagged, .radii = {}}, kappa);
  EXPECT_NEAR(friction.compute_value(n), state["energy"], 1e-6 * std::abs(state["energy"].get<double>()));
  VecX expected_gradient(n.size());
  for (Index i = 0; i < n.size(); ++i) expected_gradient[i] = state["gradient"][static_cast<size_t>(i)];
  EXPECT_LE((battery::gradient_of(friction, n) - expected_gradient).norm(), 1e-6 * expected_gradient.norm());
  MatX expected = MatX::Zero(n.size(), n.size());
  for (const Json& entry : state["hessian_triplets"]) {
    expected(entry[0].get<Index>(), entry[1].get<Index>()) += entry[2].get<double>();
  }
  EXPECT_LE((battery::hessian_of(friction, n) - expected).norm(), 1e-5 * expected.norm());
}

TEST(FrictionStates, agree_with_those_of_the_original_code) {
  if (!std::filesystem::exists(kStates)) GTEST_SKIP() << "no data at " << kStates;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kStates)) {
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream file(entry.path());
    compare_state(Json::parse(file));
    ++count;
  }
  EXPECT_GE(count, 100);
}

}  // namespace
}  // namespace marrow::test
