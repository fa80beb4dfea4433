// The finder: its answers are values, and do not depend on what was asked before.
#include "potentials/contact/contact_finder.h"

#include <gtest/gtest.h>

#include "mesh/surface.h"
#include "potential_battery.h"

namespace marrow {
namespace {

// Two tets, the tip of the upper one a little above the face of the lower one, and an edge nearby.
struct FoundPair {
  Points rest = {{0, 0, 0}, {1, 0.1, 0}, {0.1, 0, 1},       {0.3, -1, 0.3},
                 {1, 1, 0}, {0, 1, 0.9}, {0.3, 0.06, 0.25}, {0.1, 0.07, 0.9}};

  CollisionMesh make_mesh() const {
    Mesh mesh;
    mesh.points = rest;
    mesh.tets = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    mesh.triangles = extract_surface(mesh.tets);
    CollisionMesh collision = build_collision_mesh(mesh);
    collision.bodies = {0, 0, 0, 0, 1, 1, 1, 1};
    return collision;
  }
  ContactFinder finder = ContactFinder(make_mesh(), {}, NodeMap(build_identity(8)), rest, 0.2);

  VecX nodes() const {
    VecX n(3 * static_cast<Index>(rest.size()));
    for (size_t i = 0; i < rest.size(); ++i) n.segment<3>(3 * static_cast<Index>(i)) = rest[i];
    return n;
  }
  VecX moved(unsigned seed) const { return nodes() + battery::random_vector(24, 0.01, seed); }
};

void expect_same(const ContactState& a, const ContactState& b) {
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (size_t k = 0; k < a.contacts.size(); ++k) {
    EXPECT_EQ(a.contacts[k].vertices, b.contacts[k].vertices);
    EXPECT_EQ(a.contacts[k].point.c, b.contacts[k].point.c);
    EXPECT_EQ(a.contacts[k].multiplicity, b.contacts[k].multiplicity);
    for (const Index i : std::span(a.contacts[k].vertices).first(a.contacts[k].shape.count)) {
      EXPECT_EQ(a.x[i], b.x[i]);
    }
  }
}

TEST(ContactFinder, the_answer_does_not_depend_on_earlier_questions) {
  FoundPair fresh, used;
  for (unsigned seed = 0; seed < 5; ++seed) used.finder.find(used.moved(seed));
  used.finder.compute_limit({used.nodes(), battery::random_vector(24, 0.5, 6), {}});
  for (const unsigned seed : {9, 3, 4}) {  // one that is new, one forgotten, one still known
    const ContactsAt a = fresh.finder.find(fresh.moved(seed)), b = used.finder.find(used.moved(seed));
    ASSERT_GE(a->contacts.size(), 3u);
    expect_same(*a, *b);
  }
}

TEST(ContactFinder, an_answer_stays_what_it_was) {
  FoundPair pair, fresh;
  const ContactsAt kept = pair.finder.find(pair.nodes());
  for (unsigned seed = 0; seed < 8; ++seed) pair.finder.find(pair.moved(seed));
  pair.finder.start({{}, {5, 7}});
  pair.finder.find(pair.nodes());
  EXPECT_EQ(kept->n, pair.nodes());
  expect_same(*kept, *fresh.finder.find(pair.nodes()));
}

TEST(ContactFinder, settings_hold_for_all_that_is_asked_after_them) {
  FoundPair pair;
  const ContactsAt before = pair.finder.find(pair.nodes());
  pair.finder.start({{}, {5, 7}});
  const ContactsAt stiffer = pair.finder.find(pair.nodes());
  ASSERT_EQ(stiffer->contacts.size(), before->contacts.size());
  for (size_t k = 0; k < before->contacts.size(); ++k) {
    EXPECT_EQ(stiffer->contacts[k].multiplicity, 5 * before->contacts[k].multiplicity);
  }
  pair.finder.start({{{0, 1, 1e-3}}, {}});  // they begin to act at a gap of 1 mm only
  EXPECT_TRUE(pair.finder.find(pair.nodes())->contacts.empty());
}

}  // namespace
}  // namespace marrow
