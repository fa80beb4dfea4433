#include "geometry/bvh/bvh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>

#include "exec/parallel.h"
#include "geometry/bvh/hilbert.h"
#include "geometry/bvh/round.h"

namespace marrow {
namespace {

using Pairs = std::vector<IndexPair>;

// Boxes with corners and labels of their own.
struct Soup {
  int corner_count = 1;
  std::vector<Aabb> boxes;
  std::vector<Index> ids, corners;
  std::vector<ItemLabels> labels;

  BvhItems items() const { return {ids, corner_count, corners, labels}; }
};

Soup make_soup(size_t count, int corner_count, double scale, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(-1, 1);
  std::uniform_int_distribution<Index> corner(0, static_cast<Index>(2 * count));
  Soup soup;
  soup.corner_count = corner_count;
  for (size_t i = 0; i < count; ++i) {
    Aabb box;
    for (int k = 0; k < 3; ++k) {
      const double a = place(random);
      box.lo[k] = scale * a;
      box.hi[k] = scale * (a + size * std::abs(place(random)));
    }
    soup.boxes.push_back(box);
    soup.ids.push_back(static_cast<Index>(i));
    for (int c = 0; c < corner_count; ++c) soup.corners.push_back(corner(random));
  }
  return soup;
}

void add_labels(Soup& soup, Index label_count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<Index> label(kNone, label_count - 1);
  for (size_t i = 0; i < soup.boxes.size(); ++i) soup.labels.push_back({label(random), label(random)});
}

bool is_pair(const Soup& a, Index i, const Soup& b, Index j) {
  if (!is_overlapping(a.boxes[static_cast<size_t>(i)], b.boxes[static_cast<size_t>(j)])) return false;
  for (int p = 0; p < a.corner_count; ++p) {
    for (int q = 0; q < b.corner_count; ++q) {
      if (a.corners[static_cast<size_t>(i * a.corner_count + p)] ==
          b.corners[static_cast<size_t>(j * b.corner_count + q)]) {
        return false;
      }
    }
  }
  if (a.labels.empty() || b.labels.empty()) return true;
  const ItemLabels& la = a.labels[static_cast<size_t>(i)];
  const ItemLabels& lb = b.labels[static_cast<size_t>(j)];
  return (la[0] == kNone || la[0] != lb[0]) && (la[1] == kNone || la[1] != lb[1]);
}

Pairs brute_self(const Soup& soup) {
  Pairs pairs;
  for (const Index i : soup.ids) {
    for (const Index j : soup.ids) {
      if (i < j && is_pair(soup, i, soup, j)) pairs.push_back({i, j});
    }
  }
  return pairs;
}

Pairs brute_cross(const Soup& a, const Soup& b) {
  Pairs pairs;
  for (const Index i : a.ids) {
    for (const Index j : b.ids) {
      if (is_pair(a, i, b, j)) pairs.push_back({i, j});
    }
  }
  return pairs;
}

Pairs sorted(Pairs pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Pairs self_pairs(const Bvh& tree, const KeepPair& keep = {}) {
  Pairs pairs(3, IndexPair{7, 7});  // what was there before must not matter
  BvhQuery().find_self_pairs(tree, keep, pairs);
  return pairs;
}

Pairs self_pairs(const Soup& soup) {
  Bvh tree;
  tree.build(soup.items(), soup.boxes);
  return self_pairs(tree);
}

Pairs cross_pairs(const Soup& a, const Soup& b) {
  Bvh tree_a, tree_b;
  tree_a.build(a.items(), a.boxes);
  tree_b.build(b.items(), b.boxes);
  Pairs pairs;
  BvhQuery().find_cross_pairs(tree_a, tree_b, {}, pairs);
  return pairs;
}

TEST(Hilbert, neighbours_on_the_curve_are_neighbours_in_space) {
  constexpr int kSide = 16;
  for (const std::uint32_t base : {0u, 1u << 14, (1u << 20) - kSide}) {
    std::map<std::uint64_t, std::array<int, 3>> cells;
    for (int i = 0; i < kSide * kSide * kSide; ++i) {
      const std::array<int, 3> cell = {i / kSide / kSide, i / kSide % kSide, i % kSide};
      cells[hilbert_code(base + static_cast<std::uint32_t>(cell[0]),
                         base + static_cast<std::uint32_t>(cell[1]),
                         base + static_cast<std::uint32_t>(cell[2]))] = cell;
    }
    ASSERT_EQ(cells.size(), static_cast<size_t>(kSide * kSide * kSide));
    for (auto it = cells.begin(), next = std::next(it); next != cells.end(); it = next++) {
      ASSERT_EQ(next->first, it->first + 1);
      const auto& [a, b] = std::pair(it->second, next->second);
      ASSERT_EQ(std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]), 1);
    }
  }
  EXPECT_EQ(hilbert_code(77777, 123456, 999999, 12), hilbert_code(77777, 123456, 999999) >> 24);
}

TEST(BvhRound, nearest_floats_on_either_side) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  std::vector<double> values = {0.0, -0.0, kTiny, 1e-46, 1.4e-45, 1e-38, 1, 0.1, 3.4028234e38, 3.5e38, 1e300};
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    values.push_back(std::ldexp(static_cast<double>(random()) + 0.3, static_cast<int>(random() % 300) - 180));
  }
  for (const double value : values) {
    for (const double x : {value, -value}) {
      EXPECT_LE(round_down(x), x);
      EXPECT_GT(std::nextafter(round_down(x), kInfinity), x);
      EXPECT_GE(round_up(x), x);
      EXPECT_LT(std::nextafter(round_up(x), -kInfinity), x);
      const auto f = static_cast<float>(x);
      if (std::isfinite(f)) {
        EXPECT_EQ(next_below(f), std::nextafter(f, -kInfinity));
        EXPECT_EQ(next_above(f), std::nextafter(f, kInfinity));
      }
    }
  }
}

TEST(Aabb, grown_boxes_contain_the_exact_ones) {
  std::mt19937 random(2);
  const auto number = [&](int exponents) {
    return std::ldexp(static_cast<double>(random()) - 2e9,
                      static_cast<int>(random() % exponents) - exponents / 2);
  };
  for (int i = 0; i < 10000; ++i) {
    const Vec3 x0(number(40), number(80), number(2000));
    const Vec3 x1(number(40), number(80), number(2000));
    const double pad = std::abs(number(i % 2 == 0 ? 60 : 2000));
    const Aabb box = box_of_swept_ball(x0, x1, pad);
    for (int k = 0; k < 3; ++k) {
      using Exact = long double;
      EXPECT_LE(Exact{box.lo[k]}, Exact{std::min(x0[k], x1[k])} - Exact{pad});
      EXPECT_GE(Exact{box.hi[k]}, Exact{std::max(x0[k], x1[k])} + Exact{pad});
    }
    const Aabb bare = box_of_swept_ball(x0, x1, 0);
    EXPECT_EQ(bare.lo[0], std::min(x0[0], x1[0]));
    EXPECT_EQ(bare.hi[2], std::max(x0[2], x1[2]));
  }
}

TEST(Bvh, self_pairs_equal_brute_force) {
  unsigned seed = 0;
  for (const size_t count : {0, 1, 2, 7, 8, 9, 63, 64, 65, 513, 700}) {
    for (const int corners : {1, 2, 3}) {
      for (const double size : {0.0, 0.05, 0.5}) {
        Soup soup = make_soup(count, corners, 1, size, ++seed);
        EXPECT_EQ(sorted(self_pairs(soup)), brute_self(soup)) << count << " " << corners << " " << size;
        add_labels(soup, seed % 2 == 0 ? 2 : 40, seed);
        EXPECT_EQ(sorted(self_pairs(soup)), brute_self(soup)) << count << " " << corners << " " << size;
      }
    }
  }
}

TEST(Bvh, cross_pairs_equal_brute_force) {
  unsigned seed = 100;
  for (const size_t count_a : {0, 1, 8, 100, 600}) {
    for (const size_t count_b : {0, 1, 9, 333}) {
      for (const int corners_a : {1, 2, 3}) {
        for (const int corners_b : {1, 2, 3}) {
          Soup a = make_soup(count_a, corners_a, 1, 0.2, ++seed);
          Soup b = make_soup(count_b, corners_b, 1, 0.1, ++seed);
          EXPECT_EQ(sorted(cross_pairs(a, b)), brute_cross(a, b));
          add_labels(a, 3, seed);
          add_labels(b, 3, seed + 1);
          EXPECT_EQ(sorted(cross_pairs(a, b)), brute_cross(a, b));
        }
      }
    }
  }
}

TEST(Bvh, huge_and_tiny_scales) {
  for (const double scale :
       {1e-320, 1e-300, 1e-46, 1e-44, 1e-38, 1e-10, 1e10, 1e37, 1e38, 1e39, 1e300, 1e307}) {
    const Soup soup = make_soup(300, 2, scale, 0.3, 5);
    EXPECT_EQ(sorted(self_pairs(soup)), brute_self(soup)) << scale;
  }
  // One box is vastly larger than the others, and far away.
  Soup soup = make_soup(500, 2, 1e-6, 0.1, 6);
  soup.boxes[77] = {{-1e9, -1e9, -1e9}, {1e9, 3e9, 1e-7}};
  EXPECT_EQ(sorted(self_pairs(soup)), brute_self(soup));
}

TEST(Bvh, boxes_that_touch_by_less_than_a_float_tells) {
  std::mt19937 random(7);
  Soup soup = make_soup(400, 1, 1, 0, 8);
  // A few units in the last place of double or of float apart, around numbers that are floats and that are
  // not.
  for (Aabb& box : soup.boxes) {
    for (int k = 0; k < 3; ++k) {
      const double base = random() % 2 == 0 ? 0.5 : 0.1;
      const double unit = random() % 2 == 0 ? 0x1p-54 : 0x1p-26;
      box.lo[k] = base + unit * static_cast<double>(random() % 5);
      box.hi[k] = std::max(box.lo[k], base + unit * static_cast<double>(random() % 5));
    }
  }
  EXPECT_EQ(sorted(self_pairs(soup)), brute_self(soup));
}

TEST(Bvh, everything_in_one_place) {
  Soup soup = make_soup(200, 2, 0, 0, 9);
  EXPECT_EQ(sorted(self_pairs(soup)), brute_self(soup));
  for (Aabb& box : soup.boxes) box = {{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}};
  EXPECT_EQ(sorted(self_pairs(soup)), brute_self(soup));
}

TEST(Bvh, some_of_the_items) {
  Soup soup = make_soup(400, 2, 1, 0.3, 10);
  std::erase_if(soup.ids, [](Index id) { return id % 3 == 0; });
  std::reverse(soup.ids.begin(), soup.ids.end());
  EXPECT_EQ(sorted(self_pairs(soup)), sorted(brute_self(soup)));
}

TEST(Bvh, refit_finds_what_rebuild_finds) {
  const Soup before = make_soup(900, 2, 1, 0.1, 11);
  Soup after = make_soup(900, 2, 1, 0.1, 12);
  after.corners = before.corners;
  Bvh tree;
  tree.build(before.items(), before.boxes);
  tree.refit(after.boxes);
  EXPECT_EQ(sorted(self_pairs(tree)), brute_self(after));
  tree.refit(before.boxes);
  EXPECT_EQ(self_pairs(tree), self_pairs(before));
  tree.build(after.items(), after.boxes);
  EXPECT_EQ(self_pairs(tree), self_pairs(after));
}

TEST(Bvh, a_last_look_at_pairs) {
  const Soup soup = make_soup(500, 1, 1, 0.3, 13);
  Bvh tree;
  tree.build(soup.items(), soup.boxes);
  const KeepPair keep = [](Index a, Index b) { return (a + b) % 3 != 0; };
  Pairs expected = brute_self(soup);
  std::erase_if(expected, [&](const IndexPair& pair) { return !keep(pair[0], pair[1]); });
  EXPECT_EQ(sorted(self_pairs(tree, keep)), expected);
}

TEST(Bvh, same_bits_on_any_number_of_threads) {
  Soup soup = make_soup(40000, 2, 1, 0.05, 14);
  add_labels(soup, 100, 15);
  exec::set_thread_count(1);
  const Pairs one = self_pairs(soup);
  const Pairs one_cross = cross_pairs(soup, soup);
  exec::set_thread_count(3);
  EXPECT_TRUE(self_pairs(soup) == one);
  EXPECT_TRUE(cross_pairs(soup, soup) == one_cross);
  exec::set_thread_count(0);
  EXPECT_GT(one.size(), 10000u);
}

TEST(Bvh, same_bits_on_any_instruction_set) {
  Soup soup = make_soup(3000, 2, 1, 0.3, 16);
  add_labels(soup, 50, 17);
  Bvh tree;
  tree.build(soup.items(), soup.boxes);
  for (const BvhPairing pairing : {BvhPairing::Self, BvhPairing::Cross}) {
    PairBuffer portable, chosen;
    find_leaf_pairs_portable(tree.view(), tree.view(), pairing, 0, tree.view().leaf_count(), portable);
    choose_find_leaf_pairs()(tree.view(), tree.view(), pairing, 0, tree.view().leaf_count(), chosen);
    portable.pairs.resize(portable.count);
    chosen.pairs.resize(chosen.count);
    EXPECT_TRUE(portable.pairs == chosen.pairs);
    EXPECT_GT(portable.count, 1000u);
  }
}

}  // namespace
}  // namespace marrow
