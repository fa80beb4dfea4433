// The desk: who holds what, pages that disappear, floods and rubbish; and the pace.
#include "play/desk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "play/pace.h"

namespace marrow {
namespace {

using namespace std::chrono_literals;

const std::vector<PlayBody> kToys = {
    {"bear", 10, true, true}, {"cube", 8, true, false}, {"table", 8, false, false}};
constexpr const char* kA = "page-aaaa";
constexpr const char* kB = "page-bbbb";

std::string message(const std::string& page, const std::string& list) {
  return fmt::format(R"({{"page": "{}", "messages": [{}]}})", page, list);
}
std::string grab(const char* body, double x = 0) {
  return fmt::format(R"({{"do": "grab", "body": "{}", "points": [0], "weights": [1], "target": [{}, 0, 0]}})",
                     body, x);
}
std::string move(const char* body, double x) {
  return fmt::format(R"({{"do": "move", "body": "{}", "target": [{}, 0, 0]}})", body, x);
}
std::string release(const char* body) { return fmt::format(R"({{"do": "release", "body": "{}"}})", body); }

// The inputs of a step, taken into the hands.
std::vector<Input> take(Desk& desk, int step, Hands& hands) {
  std::vector<Input> inputs = desk.take_inputs(step, hands);
  for (const Input& input : inputs) EXPECT_EQ(hands.apply(input, kToys.size()), "");
  return inputs;
}

}  // namespace

TEST(Desk, a_grab_its_moves_and_its_release_become_inputs_of_steps) {
  Desk desk(kToys);
  Hands hands;
  EXPECT_EQ(desk.take_message(message(kA, grab("bear", 1))).text, R"({"problems":[]})");
  EXPECT_EQ(take(desk, 7, hands).at(0).step, 7);
  EXPECT_EQ(hands.held.at(0).target.x(), 1);
  // Of many moves the last one counts.
  for (int k = 0; k < 1000; ++k) desk.take_message(message(kA, move("bear", k)));
  const std::vector<Input> moves = take(desk, 8, hands);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].target.x(), 999);
  desk.take_message(message(kA, move("bear", 5) + "," + release("bear")));
  EXPECT_EQ(take(desk, 9, hands).size(), 2u);
  EXPECT_TRUE(hands.held.empty());
  EXPECT_TRUE(take(desk, 10, hands).empty());
}

TEST(Desk, who_drags_owns_the_body) {
  Desk desk(kToys);
  Hands hands;
  desk.take_message(message(kA, grab("bear", 1)));
  EXPECT_NE(desk.take_message(message(kB, grab("bear", 2))).text.find("somebody else holds this body"),
            std::string::npos);
  EXPECT_NE(desk.take_message(message(kB, move("bear", 2))).text.find("somebody else"), std::string::npos);
  EXPECT_NE(desk.take_message(message(kB, release("bear"))).text.find("somebody else"), std::string::npos);
  EXPECT_EQ(desk.take_message(message(kB, grab("cube", 3))).text, R"({"problems":[]})");
  take(desk, 1, hands);
  EXPECT_EQ(hands.held.at(0).target.x(), 1);
  EXPECT_EQ(hands.held.at(1).target.x(), 3);
  desk.take_message(message(kA, release("bear")));
  desk.take_message(message(kB, grab("bear", 4)));
  take(desk, 2, hands);
  EXPECT_EQ(hands.held.at(0).target.x(), 4);
}

TEST(Desk, a_page_that_disappears_lets_go) {
  Desk desk(kToys, 60ms);
  Hands hands;
  desk.take_message(message(kA, grab("bear", 1)));
  desk.take_message(message(kB, grab("cube", 1)));
  take(desk, 1, hands);
  for (int k = 0; k < 6; ++k) {
    std::this_thread::sleep_for(20ms);
    EXPECT_TRUE(desk.note_page(kB));  // it asks for frames
  }
  const std::vector<Input> inputs = take(desk, 2, hands);
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].kind, InputKind::Release);
  EXPECT_EQ(inputs[0].body, 0);
  EXPECT_TRUE(hands.held.contains(1));
  EXPECT_FALSE(desk.note_page("short"));
}

TEST(Desk, what_a_resumed_run_held_is_released) {
  Desk desk(kToys);
  Hands hands;
  hands.held[0] = {};
  EXPECT_EQ(take(desk, 20, hands).size(), 1u);
  EXPECT_TRUE(hands.held.empty());
}

TEST(Desk, settings_speed_and_restart) {
  Desk desk(kToys);
  Hands hands;
  for (int k = 1; k < 50; ++k) {
    desk.take_message(message(kA, fmt::format(R"({{"do": "set", "stiffness": {}, "body": "bear"}})", k)));
  }
  EXPECT_EQ(take(desk, 1, hands).size(), 1u);  // a slider that moved
  EXPECT_EQ(hands.stiffness, (std::vector<double>{49, 1, 1}));
  EXPECT_EQ(desk.take_message(message(kA, R"({"do": "speed", "speed": 0.25})")).text, R"({"problems":[]})");
  EXPECT_EQ(desk.speed(), 0.25);
  for (const char* speed : {"0", "-1", "1.5", "\"fast\"", "null"}) {
    EXPECT_NE(desk.take_message(message(kA, fmt::format(R"({{"do": "speed", "speed": {}}})", speed)))
                  .text.find("speed must be"),
              std::string::npos);
  }
  EXPECT_EQ(desk.speed(), 0.25);
  EXPECT_FALSE(desk.is_restart_requested());
  desk.take_message(message(kA, grab("bear") + R"(,{"do": "restart"})"));
  EXPECT_TRUE(desk.is_restart_requested());
  desk.start();
  EXPECT_FALSE(desk.is_restart_requested());
  Hands fresh;
  EXPECT_TRUE(take(desk, 1, fresh).empty());
}

TEST(Desk, rubbish_is_answered_and_changes_nothing) {
  Desk desk(kToys);
  Hands hands;
  desk.take_message(message(kA, grab("bear", 1)));
  take(desk, 1, hands);
  const std::string flood = [] {
    std::string list = release("bear");
    for (int k = 0; k < 40; ++k) list += "," + release("bear");
    return list;
  }();
  for (const std::string& text :
       {std::string(), std::string("rubbish"), std::string("[]"), std::string("{}"), std::string("null"),
        std::string(R"({"page": "page-aaaa"})"), message("x", release("bear")),
        message("../../etc/passwd", release("bear")), message(std::string(100, 'a'), release("bear")),
        message(kA, flood), std::string(R"({"page": 7, "messages": []})"),
        std::string(R"({"page": "page-aaaa", "messages": {}, "more": 1})"), std::string(4000, '['),
        std::string("{\"page\": \"page-aaaa\", \"messages\": [\"\xff\xfe\"]}")}) {
    EXPECT_EQ(desk.take_message(text).status, 400) << text;
  }
  for (const char* one :
       {"1", "null", "[]", "{}", R"({"do": "restart", "now": 1})", R"({"do": "speed"})", R"("grab")"}) {
    const Desk::Answer answer = desk.take_message(message(kA, one));
    EXPECT_EQ(answer.status, 200);
    EXPECT_NE(answer.text.find("problem\":"), std::string::npos) << one;
  }
  EXPECT_TRUE(take(desk, 2, hands).empty());
  EXPECT_TRUE(hands.held.contains(0));
  EXPECT_FALSE(desk.is_restart_requested());
}

TEST(Desk, a_flood_is_bounded_and_a_release_gets_through) {
  Desk desk(kToys);
  Hands hands;
  std::string list = grab("bear") + "," + release("bear");
  for (int k = 0; k < 1000; ++k) desk.take_message(message(kA, list));
  desk.take_message(message(kA, grab("bear")));
  EXPECT_LE(desk.take_inputs(1, hands).size(), 600u);
  for (int k = 0; k < 200; ++k) desk.take_message(message(fmt::format("page-{:04}", k), release("bear")));
  EXPECT_EQ(desk.take_message(message("page-9999", release("bear"))).status, 429);
  EXPECT_EQ(desk.take_message(message(kA, release("bear"))).status, 200);  // a page that is known
}

TEST(Desk, many_threads_at_once_leave_it_whole) {
  Desk desk(kToys);
  Hands hands;
  std::vector<std::thread> pages;
  std::atomic<bool> is_over{false};
  for (int p = 0; p < 4; ++p) {
    pages.emplace_back([&, p] {
      std::mt19937 random(static_cast<unsigned>(p));
      const std::string page = fmt::format("page-{:04}", p);
      while (!is_over) {
        const char* body = random() % 2 != 0 ? "bear" : "cube";
        const std::string one[] = {grab(body), move(body, p), release(body)};
        desk.take_message(message(page, one[random() % 3]));
      }
    });
  }
  for (int step = 1; step <= 300; ++step) {
    take(desk, step, hands);
    std::this_thread::sleep_for(100us);
  }
  is_over = true;
  for (std::thread& page : pages) page.join();
}

TEST(Pace, never_faster_than_the_clock_and_nothing_is_made_up_for) {
  Pace pace;
  const auto never = [] { return false; };
  const Clock::time_point start = Clock::now();
  for (int k = 0; k <= 20; ++k) EXPECT_TRUE(pace.wait_for_step(0.005, 0.5, never));
  EXPECT_GE(seconds_since(start), 20 * 0.01 - 1e-9);
  EXPECT_LE(pace.rate(), 0.5 + 1e-9);
  std::this_thread::sleep_for(100ms);  // a step that takes long
  const Clock::time_point late = Clock::now();
  for (int k = 0; k <= 5; ++k) pace.wait_for_step(0.005, 0.5, never);
  EXPECT_GE(seconds_since(late), 5 * 0.01 - 1e-9);
  EXPECT_FALSE(pace.wait_for_step(10, 1, [] { return true; }));
}

}  // namespace marrow
