// Query files: rationals of any length to the last bit, every layout, and errors that say what to do.
#include "geometry/queries/queries.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "geometry/queries/rational.h"
#include "geometry/queries/score.h"
#include "mesh/io/mesh_file.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

// Eight rows: a vertex falls through a triangle.
std::string make_rows(const std::string& truth, const std::string& end = "\n") {
  const char* points[8] = {"0,1,1,1,0,1",  "-1,1,0,1,-1,1", "1,1,0,1,-1,1", "0,1,0,1,2,1",
                           "0,1,-1,1,0,1", "-1,1,0,1,-1,1", "1,1,0,1,-1,1", "0,1,0,1,2,1"};
  std::string text;
  for (const char* point : points) {
    text += point;
    if (!truth.empty()) text.append(",").append(truth);
    text += end;
  }
  return text;
}

std::string error_of(const std::string& text) {
  try {
    parse_ccd_queries(text, "q.csv", PairKind::PointTriangle);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const std::string& text, const std::vector<std::string>& parts) {
  const std::string message = error_of(text);
  for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
}

std::string replace_first(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(CcdRational, quotients_are_exact) {
  EXPECT_EQ(compute_exact_quotient("1", "2"), 0.5);
  EXPECT_EQ(compute_exact_quotient("-6", "4"), -1.5);
  EXPECT_EQ(compute_exact_quotient("3", "-4"), -0.75);
  EXPECT_EQ(compute_exact_quotient("+0", "17"), 0.0);
  EXPECT_EQ(compute_exact_quotient("21", "7"), 3.0);  // not reduced
  EXPECT_EQ(compute_exact_quotient("9007199254740993", "1"), std::nullopt);
  EXPECT_EQ(compute_exact_quotient("1", "3"), std::nullopt);
  EXPECT_EQ(compute_exact_quotient("6896999465383287", "36028797018963968"),
            6896999465383287.0 / 36028797018963968.0);
  // 112 bits, and far more.
  EXPECT_EQ(compute_exact_quotient("3", "5192296858534827628530496329220096"), std::ldexp(3, -112));
  const std::string huge = "1" + std::string(400, '0');
  EXPECT_EQ(compute_exact_quotient("25" + std::string(399, '0'), huge), 2.5);
  EXPECT_EQ(compute_exact_quotient(huge, "1"), std::nullopt);  // beyond the largest double
  EXPECT_EQ(compute_exact_quotient("1", huge), std::nullopt);
}

TEST(CcdRational, every_double_survives_its_fraction) {
  std::uint64_t state = 7;
  for (int i = 0; i < 2000; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto mantissa = static_cast<std::int64_t>(state >> 11);
    const int shift = static_cast<int>(state % 100);
    std::string denominator = "1";
    for (int k = 0; k < shift; ++k) {  // doubling in decimal
      int carry = 0;
      for (size_t d = denominator.size(); d-- > 0;) {
        const int digit = 2 * (denominator[d] - '0') + carry;
        denominator[d] = static_cast<char>('0' + digit % 10);
        carry = digit / 10;
      }
      if (carry > 0) denominator.insert(0, "1");
    }
    EXPECT_EQ(compute_exact_quotient(std::to_string(mantissa), denominator),
              std::ldexp(static_cast<double>(mantissa), -shift));
  }
}

TEST(CcdQueries, kinds_are_read_off_paths) {
  EXPECT_EQ(find_pair_kind("a/edge-edge/data_0_0.csv"), PairKind::EdgeEdge);
  EXPECT_EQ(find_pair_kind("a/vertex-face/data_0_1.csv"), PairKind::PointTriangle);
  EXPECT_EQ(find_pair_kind("queries/227ee.csv"), PairKind::EdgeEdge);
  EXPECT_EQ(find_pair_kind("queries/227vf.csv"), PairKind::PointTriangle);
  EXPECT_EQ(find_pair_kind("worst-query-w1ee.csv"), PairKind::EdgeEdge);
  EXPECT_EQ(find_pair_kind("queries.csv"), std::nullopt);
  EXPECT_EQ(find_pair_kind("sheep/freed.csv"), std::nullopt);
}

TEST(CcdQueries, layouts) {
  for (const std::string& text :
       {make_rows("1"), make_rows("1", "\r\n"), make_rows("1").substr(0, make_rows("1").size() - 1),
        "\n\n" + make_rows("1") + "\n  \n", make_rows(" 1 ")}) {
    const CcdQuerySet set = parse_ccd_queries(text, "q", PairKind::PointTriangle);
    ASSERT_EQ(set.queries.size(), 1u);
    ASSERT_EQ(set.truth.size(), 1u);
    EXPECT_EQ(set.truth[0], 1);
    EXPECT_EQ(set.queries[0].x0[0], Vec3(0, 1, 0));
    EXPECT_EQ(set.queries[0].x1[3], Vec3(0, 0, 2));
  }
  const CcdQuerySet set = parse_ccd_queries(make_rows(""), "q", PairKind::PointTriangle);
  EXPECT_TRUE(set.truth.empty());
  const std::string decimal = replace_first(make_rows("0"), "0,1,1,1,0,1", "0.1,1,1e-3,1,-2.5,1");
  EXPECT_EQ(parse_ccd_queries(decimal, "q", PairKind::PointTriangle).queries[0].x0[0], Vec3(0.1, 1e-3, -2.5));
}

TEST(CcdQueries, mistakes_are_named_with_their_line) {
  expect_error(replace_first(make_rows("1"), "0,1,1,1,0,1,1", "0,1,1,1,0"), {"q.csv:1", "5 columns", "7"});
  expect_error(make_rows("1") + make_rows(""), {"q.csv:9", "6 columns, but earlier rows have 7"});
  expect_error(replace_first(make_rows("1"), "0,1,1,1", "0,1,1,0"), {"q.csv:1", "column 4 is zero"});
  expect_error(replace_first(make_rows("1"), "1,1,0,1,-1", "1,1,zero,1,-1"),
               {"\"zero\" is not a number", "header"});
  expect_error(replace_first(make_rows("1"), "1,1,0,1,-1", "1,3,0,1,-1"),
               {"1/3", "not exactly representable"});
  expect_error(replace_first(make_rows("1"), "1,1,0,1,-1", "nan,1,0,1,-1"), {"not a number"});
  expect_error(replace_first(make_rows("1"), "1,1,0,1,-1", "0.5,2,0,1,-1"), {"denominator must be 1"});
  expect_error(make_rows("1") + "0,1,0,1,0,1,1\n", {"9 rows", "Eight rows"});
  expect_error("", {"0 rows"});
  expect_error(make_rows("2"), {"\"2\"", "0 or 1"});
  expect_error(replace_first(make_rows("1"), "2,1,1", "2,1,0"), {"q.csv:4", "changes within a query"});
}

TEST(CcdQueries, lists_of_answers_and_pairs) {
  EXPECT_EQ(parse_ccd_truth(" [ true,false , true]\n", "t"), (std::vector<std::uint8_t>{1, 0, 1}));
  EXPECT_TRUE(parse_ccd_truth("[]", "t").empty());
  EXPECT_EQ(parse_ccd_boxes("[[1,2],\n[3, 4]]", "b"), (std::vector<std::array<int, 2>>{{1, 2}, {3, 4}}));
  for (const char* bad : {"", "[true", "[true,]", "[1]", "[true] x", "{}", "[tru]"})
    EXPECT_THROW(parse_ccd_truth(bad, "t"), InputError) << bad;
  for (const char* bad : {"[[1]]", "[[1,2,3]]", "[[1,99999999999999]]", "[[1,2]", "[1,2]", "[[a,b]]"})
    EXPECT_THROW(parse_ccd_boxes(bad, "b"), InputError) << bad;
}

class CcdFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              fmt::format("marrow_ccd_{}", testing::UnitTest::GetInstance()->random_seed());
    fs::create_directories(folder_ / "queries");
    fs::create_directories(folder_ / "mma_bool");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    write_file((folder_ / name).string(), text);
    return (folder_ / name).string();
  }

  fs::path folder_;
};

TEST_F(CcdFiles, answers_are_found_beside) {
  const std::string path = write("queries/5vf.csv", make_rows(""));
  EXPECT_TRUE(read_ccd_queries(path).truth.empty());
  write("mma_bool/5vf_mma_bool.json", "[true]");
  EXPECT_EQ(read_ccd_queries(path).truth, (std::vector<std::uint8_t>{1}));
  const std::string other = write("other.json", "[false]");
  EXPECT_EQ(read_ccd_queries(path, {}, other).truth, (std::vector<std::uint8_t>{0}));
  write("mma_bool/5vf_mma_bool.json", "[true, true]");
  EXPECT_THROW(read_ccd_queries(path), InputError);
  EXPECT_THROW(read_ccd_queries(write("queries/unnamed.csv", make_rows("1"))), InputError);
  EXPECT_EQ(read_ccd_queries((folder_ / "queries/unnamed.csv").string(), PairKind::EdgeEdge).queries[0].kind,
            PairKind::EdgeEdge);
}

TEST_F(CcdFiles, queries_are_rebuilt_from_frames) {
  // Two triangles; ids: vertices 0–5, edges 6–11 (0 1, 0 2, 1 2, 3 4, 3 5, 4 5), triangles 12, 13.
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  write_mesh((folder_ / "a.ply").string(), mesh);
  for (size_t i = 3; i < 6; ++i) mesh.points[i][2] = -1;
  write_mesh((folder_ / "b.ply").string(), mesh);
  const std::string a = (folder_ / "a.ply").string(), b = (folder_ / "b.ply").string();
  const CcdQuerySet set = read_ccd_boxes(write("boxes.json", "[[8, 9], [3, 12]]"), a, b);
  ASSERT_EQ(set.queries.size(), 2u);
  EXPECT_EQ(set.queries[0].kind, PairKind::EdgeEdge);
  EXPECT_EQ(set.queries[0].x0[1], Vec3(0, 1, 0));
  EXPECT_EQ(set.queries[0].x0[2], Vec3(0, 0, 1));
  EXPECT_EQ(set.queries[1].kind, PairKind::PointTriangle);
  EXPECT_EQ(set.queries[1].x1[0], Vec3(0, 0, -1));
  EXPECT_THROW(read_ccd_boxes(write("boxes.json", "[[0, 14]]"), a, b), InputError);
  EXPECT_THROW(read_ccd_boxes(write("boxes.json", "[[0, 7]]"), a, b), InputError);
  mesh.triangles.pop_back();
  write_mesh(b, mesh);
  EXPECT_THROW(read_ccd_boxes(write("boxes.json", "[[3, 12]]"), a, b), InputError);
}

TEST(CcdScore, counts_what_is_wrong) {
  CcdQuerySet set = parse_ccd_queries(make_rows("1") + make_rows("0"), "q", PairKind::PointTriangle);
  CcdOptions options;
  CcdScore score = score_ccd(set, options);
  EXPECT_EQ(score.queries, 2u);
  EXPECT_EQ(score.positives, 1u);
  EXPECT_EQ(score.false_positives, 1u);  // the second answer is a lie
  EXPECT_EQ(score.false_negatives, 0u);
  EXPECT_EQ(score.hits, 2u);
  EXPECT_NEAR(score.earliest_toi, 0.5, 1e-5);
  EXPECT_GT(score.mean_us, 0);
  EXPECT_GT(score.worst_us, 0);
  set.truth.clear();
  score.add(score_ccd(set, options));
  EXPECT_EQ(score.queries, 4u);
  EXPECT_EQ(score.unknown, 2u);
}

}  // namespace
}  // namespace marrow
