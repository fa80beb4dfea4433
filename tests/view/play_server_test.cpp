// The server while a scene plays: the newest frame and no other, messages, strangers, many who wait.
#include "view/play_source.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/file.h"
#include "output/sample_run.h"
#include "play/desk.h"
#include "view/server.h"

namespace marrow {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

// An answer of /api/next taken apart.
struct News {
  json status;
  std::string record;
};

News parse_news(const std::string& body) {
  std::uint32_t size = 0;
  for (int k = 3; k >= 0; --k) size = size << 8 | static_cast<unsigned char>(body.at(static_cast<size_t>(k)));
  return {json::parse(body.substr(4, size)), body.substr(4 + size)};
}

class PlayServerTest : public testing::Test {
 protected:
  PlayServerTest() {
    for (const char* name : {"index.html", "page.js", "page.css", "worker.js", "icon.svg"})
      write_file(page_ / name, name);
    ::setenv("MARROW_PAGE", page_.path.c_str(), 1);
    show(0);
  }
  ~PlayServerTest() override { ::unsetenv("MARROW_PAGE"); }

  void show(int step) {
    const Points points = sample_points(step);
    Frame frame;
    frame.step = step;
    frame.time = 0.1 * step;
    frame.points = points;
    if (step == 0) {
      source_.start(sample_topology(), frame, R"({"gravity": [0, -9.81, 0]})");
    } else {
      source_.show(frame, json({{"step", step}}).dump());
    }
  }

  ViewServer serve() {
    ServerOptions options;
    options.desk = &desk_;
    options.play = &source_;
    return {source_, &control_, options};
  }

  static httplib::Client connect(const ViewServer& server) {
    return httplib::Client(server.url().substr(0, server.url().size() - 1));
  }

  TemporaryFolder page_;
  Desk desk_{{{"drop", 4, true, true}, {"floor", 3, false, false}}};
  PlaySource source_{"sample", "sample.json", 0.1};
  LiveControl control_;
};

TEST_F(PlayServerTest, describes_the_scene_and_gives_the_newest_frame) {
  const ViewServer server = serve();
  httplib::Client client = connect(server);
  const json run = json::parse(client.Get("/api/run")->body);
  EXPECT_EQ(run["play"]["gravity"][1], -9.81);
  EXPECT_TRUE(run["live"]);
  EXPECT_EQ(run["status"]["frames"], 1);
  EXPECT_TRUE(is_sound_record(client.Get("/api/topology")->body));
  const News first = parse_news(client.Get("/api/next/0?page=page-0001")->body);
  for (int step = 1; step <= 7; ++step) show(step);
  const News news = parse_news(client.Get("/api/next/1?page=page-0001")->body);
  EXPECT_EQ(first.status["number"], 1);
  EXPECT_EQ(news.status["number"], 8);  // those between are passed over
  EXPECT_EQ(news.status["step"], 7);
  EXPECT_TRUE(is_sound_record(news.record));
  EXPECT_EQ(news.record, *source_.read_frame(0));
  EXPECT_EQ(client.Get("/api/next/8?page=page-0001")->status, 204);  // nothing new in time
}

TEST_F(PlayServerTest, who_waits_gets_the_frame_when_it_comes) {
  const ViewServer server = serve();
  std::thread run([&] {
    std::this_thread::sleep_for(50ms);
    show(1);
  });
  const httplib::Result answer = connect(server).Get("/api/next/1?page=page-0001");
  run.join();
  ASSERT_EQ(answer->status, 200);
  EXPECT_EQ(parse_news(answer->body).status["step"], 1);
}

TEST_F(PlayServerTest, messages_reach_the_desk_and_rubbish_does_not) {
  const ViewServer server = serve();
  httplib::Client client = connect(server);
  const std::string grab =
      R"({"page": "page-0001", "messages": [{"do": "grab", "body": "drop", "points": [1], "weights": [1], "target": [0, 1, 0]}]})";
  const auto post = [&](const std::string& body, const char* type, const httplib::Headers& headers = {}) {
    const httplib::Result result = client.Post("/api/play", headers, body, type);
    return result ? result->status : -1;
  };
  EXPECT_EQ(post(grab, "text/plain"), 415);
  EXPECT_EQ(post(grab, "application/json", {{"Origin", "http://evil.example"}}), 403);
  EXPECT_EQ(post(grab, "application/json", {{"Host", "evil.example"}}), 403);
  EXPECT_EQ(post(grab, "application/json", {{"Sec-Fetch-Site", "cross-site"}}), 403);
  EXPECT_EQ(post("rubbish", "application/json"), 400);
  EXPECT_EQ(post(std::string(100'000, 'x'), "application/json"), 413);
  EXPECT_TRUE(desk_.take_inputs(1, {}).empty());
  EXPECT_EQ(post(grab, "application/json"), 200);
  EXPECT_EQ(desk_.take_inputs(1, {}).size(), 1u);
  EXPECT_EQ(client.Get("/api/play")->status, 404);
  for (const char* path :
       {"/api/next/", "/api/next/-1", "/api/next/x", "/api/next/99999999999999999999", "/api/next/1/2"}) {
    EXPECT_EQ(client.Get(path)->status, 404) << path;
  }
  EXPECT_EQ(client.Get("/api/next/0?page=..%2f..")->status, 400);
}

TEST_F(PlayServerTest, many_who_wait_leave_room_for_others) {
  const ViewServer server = serve();
  std::vector<std::thread> pages;
  for (int k = 0; k < 40; ++k) {
    pages.emplace_back([&] { connect(server).Get("/api/next/1?page=page-0001"); });
  }
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(connect(server).Get("/api/run")->status, 200);
  source_.close();
  for (std::thread& page : pages) page.join();
}

}  // namespace
}  // namespace marrow
