// Inputs as JSON: what is taken, what is refused and how, and that numbers keep their bits.
#include "play/input.h"

#include <gtest/gtest.h>

#include <random>

#include "core/error.h"
#include "core/file.h"
#include "core/temporary_folder.h"
#include "play/script.h"

namespace marrow {
namespace {

const std::vector<PlayBody> kBodies = {
    {"bear", 10, true, true}, {"table", 8, false, false}, {"brick", 8, true, false}};

std::string problem_of(const std::string& text, bool has_step = false) {
  const ParsedInput parsed = parse_input(text, kBodies, has_step);
  EXPECT_EQ(parsed.input.has_value(), parsed.problem.empty());
  return parsed.problem;
}

}  // namespace

TEST(Input, takes_each_kind) {
  const auto grab =
      parse_input(R"({"step": 3, "do": "grab", "body": "bear", "points": [1, 9], "weights": [0.25, 0.75],
                                    "target": [0, 1, 2], "strength": 7})",
                  kBodies, true);
  ASSERT_TRUE(grab.input) << grab.problem;
  EXPECT_EQ(grab.input->step, 3);
  EXPECT_EQ(grab.input->body, 0);
  EXPECT_EQ(grab.input->points, (std::vector<Index>{1, 9}));
  EXPECT_EQ(grab.input->weights, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(grab.input->target, Vec3(0, 1, 2));
  EXPECT_EQ(grab.input->strength, 7);
  const auto set =
      parse_input(R"({"do": "set", "gravity": [0, -1, 0], "friction": 0.5, "stiffness": 2})", kBodies, false);
  ASSERT_TRUE(set.input) << set.problem;
  EXPECT_EQ(set.input->body, kNone);
  EXPECT_EQ(set.input->gravity, Vec3(0, -1, 0));
  EXPECT_EQ(problem_of(R"({"do": "release", "body": "brick"})"), "");
  EXPECT_EQ(problem_of(R"({"do": "move", "body": "brick", "target": [1, 2, 3]})"), "");
}

TEST(Input, says_what_is_wrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "not JSON"},
      {"[1, 2]", "must be a JSON object"},
      {"{}", "do is missing"},
      {R"({"do": "explode"})", "do must be grab, move, release or set"},
      {R"({"do": 3})", "do must be"},
      {R"({"do": "release", "body": "bera"})", "did you mean \"bear\"?"},
      {R"({"do": "release", "body": 0})", "body must be a name"},
      {R"({"do": "release", "body": "table"})", "is an obstacle and cannot be grabbed"},
      {R"({"do": "release", "body": "bear", "force": 1e9})", "has no key \"force\""},
      {R"({"do": "release", "body": "bear", "step": 1})", "has no key \"step\""},
      {R"({"do": "move", "body": "bear", "target": [0, 0]})", "target must be three numbers"},
      {R"({"do": "move", "body": "bear", "target": [0, 0, null]})", "target must be a number"},
      {R"({"do": "move", "body": "bear", "target": [0, 0, 1e7]})", "target must be from -1e+06 to 1e+06"},
      {R"({"do": "move", "body": "bear", "target": [0, 0, 1e999]})", "not JSON"},
      {R"({"do": "grab", "body": "bear", "target": [0, 0, 0]})", "points is missing"},
      {R"({"do": "grab", "body": "bear", "points": [], "weights": [], "target": [0, 0, 0]})", "one to three"},
      {R"({"do": "grab", "body": "bear", "points": [1, 2, 3, 4], "weights": [1, 0, 0, 0], "target": [0, 0, 0]})",
       "one to three"},
      {R"({"do": "grab", "body": "bear", "points": [10], "weights": [1], "target": [0, 0, 0]})",
       "a point must be from 0 to 9"},
      {R"({"do": "grab", "body": "bear", "points": [-1], "weights": [1], "target": [0, 0, 0]})",
       "a point must be"},
      {R"({"do": "grab", "body": "bear", "points": [1.5], "weights": [1], "target": [0, 0, 0]})",
       "a whole number"},
      {R"({"do": "grab", "body": "bear", "points": [1, 1], "weights": [0.5, 0.5], "target": [0, 0, 0]})",
       "points must differ"},
      {R"({"do": "grab", "body": "bear", "points": [1, 2], "weights": [1], "target": [0, 0, 0]})", "as many"},
      {R"({"do": "grab", "body": "bear", "points": [1, 2], "weights": [2, -1], "target": [0, 0, 0]})",
       "a weight must be"},
      {R"({"do": "grab", "body": "bear", "points": [1], "weights": [0.9], "target": [0, 0, 0]})",
       "must be 1"},
      {R"({"do": "grab", "body": "bear", "points": [1], "weights": [1], "target": [0, 0, 0], "strength": 0})",
       "strength must be"},
      {R"({"do": "set"})", "set needs gravity, friction or stiffness"},
      {R"({"do": "set", "friction": -1})", "friction must be from 0 to 10"},
      {R"({"do": "set", "friction": "much"})", "friction must be a number"},
      {R"({"do": "set", "stiffness": 0})", "stiffness must be from 0.01 to 100"},
      {R"({"do": "set", "stiffness": 2, "body": "brick"})", "does not deform"},
      {R"({"do": "set", "friction": 1, "body": "bear"})", "body goes with stiffness alone"},
      {R"({"do": "set", "gravity": [0, 0, -5e3]})", "gravity must be from -1000 to 1000"}};
  for (const auto& [text, expected] : cases) {
    EXPECT_NE(problem_of(text).find(expected), std::string::npos) << text << " → " << problem_of(text);
  }
  EXPECT_EQ(problem_of(R"({"do": "release", "body": "bear"})", true), "step is missing");
  EXPECT_NE(problem_of(R"({"do": "release", "body": "bear", "step": 0})", true), "");
  EXPECT_NE(problem_of(R"({"do": "release", "body": "bear", "step": 1e99})", true), "");
}

TEST(Input, rubbish_is_refused_without_harm) {
  std::mt19937 random(3);
  const std::string good =
      R"({"step":3,"do":"grab","body":"bear","points":[1,9,2],"weights":[0.25,0.5,0.25],"target":[0,1,2],"strength":7})";
  int refused = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string text = good;
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      const size_t at = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(at, 1 + random() % 8);
      } else {
        text[at] = static_cast<char>(random() % 256);
      }
      if (text.empty()) text = "x";
    }
    const ParsedInput parsed = parse_input(text, kBodies, true);
    if (!parsed.input) {
      ++refused;
      EXPECT_FALSE(parsed.problem.empty());
      continue;
    }
    EXPECT_TRUE(parsed.input->target.allFinite());
    for (const Index point : parsed.input->points) EXPECT_TRUE(point >= 0 && point < 10);
    // What was taken is taken again, as the same.
    EXPECT_EQ(parse_input(format_input(*parsed.input, kBodies), kBodies, true).input, parsed.input);
  }
  EXPECT_GT(refused, 10000);
}

TEST(Input, a_line_keeps_the_bits_of_its_numbers) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int k = 0; k < 2000; ++k) {
    const double a = uniform(random), b = (1 - a) * uniform(random);
    const std::string text = fmt::format(
        R"({{"step": 1, "do": "grab", "body": "bear", "points": [0, 1, 2], "weights": [{}, {}, {}], "target": [{}, {}, {}]}})",
        a, b, 1 - a - b, 1e3 * uniform(random), uniform(random) / 3, -uniform(random));
    const ParsedInput first = parse_input(text, kBodies, true);
    ASSERT_TRUE(first.input) << first.problem;
    const std::string line = format_input(*first.input, kBodies);
    EXPECT_EQ(parse_input(line, kBodies, true).input, first.input);
    EXPECT_EQ(format_input(*parse_input(line, kBodies, true).input, kBodies), line);
  }
}

TEST(Script, mistakes_name_the_line) {
  const TemporaryFolder folder;
  const auto refusal_of = [&](const std::string& text) -> std::string {
    write_file(folder / "moves.jsonl", text);
    try {
      read_script(folder / "moves.jsonl", kBodies);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  const std::string grab =
      R"({"step": 2, "do": "grab", "body": "bear", "points": [1], "weights": [1], "target": [0, 0, 0]})"
      "\n";
  EXPECT_EQ(refusal_of(grab + "\n" + R"({"step": 4, "do": "release", "body": "bear"})"), "");
  EXPECT_NE(refusal_of(grab + "nonsense\n").find("moves.jsonl:2"), std::string::npos);
  EXPECT_NE(
      refusal_of(grab + R"({"step": 1, "do": "release", "body": "bear"})").find("step 1 comes after step 2"),
      std::string::npos);
  EXPECT_NE(refusal_of(grab + grab).find("held already"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"step": 1, "do": "release", "body": "bear"})").find("is not held"),
            std::string::npos);
}

TEST(Script, a_torn_recording_is_read_up_to_the_tear) {
  const TemporaryFolder folder;
  const std::string path = folder / "inputs.jsonl";
  write_file(path, R"({"step":2,"do":"set","friction":0.5})"
                   "\n"
                   R"({"step":3,"do":"set","friction":0.6})"
                   "\n"
                   R"({"step":4,"do":"set","fri)");
  EXPECT_EQ(read_recorded(path, kBodies, 10).size(), 2u);
  EXPECT_EQ(read_recorded(path, kBodies, 2).size(), 1u);
}

}  // namespace marrow
