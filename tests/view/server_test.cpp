// The server as strangers meet it: what it answers, and what it refuses.
#include "view/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "output/frames/frames_file.h"
#include "output/sample_run.h"

namespace marrow {
namespace {

using nlohmann::json;

class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    for (const char* name : {"index.html", "page.js", "page.css", "worker.js", "icon.svg"}) {
      write_file(page_ / name, std::string("this is ") + name);
    }
    ::setenv("MARROW_PAGE", page_.path.c_str(), 1);
    write_file(folder_ / "secret.txt", "secret");
    write_file(folder_ / "metrics.jsonl", "{\"step\":1}\n{\"step\":2}\n{\"st");
    add_frames(2);
    source_ = RunSource::open_folder(folder_.path);
  }
  ~ServerTest() override { ::unsetenv("MARROW_PAGE"); }

  void add_frames(int count) {
    FramesFile file(folder_ / "run.mrw", sample_topology(), frames_ - 1);
    for (int k = 0; k < count; ++k, ++frames_) {
      const Points points = sample_points(frames_);
      Frame frame;
      frame.step = frames_;
      frame.time = 0.1 * frames_;
      frame.points = points;
      file.add(frame);
    }
  }

  httplib::Result get(const ViewServer& server, const std::string& path, httplib::Headers headers = {}) {
    httplib::Client client(server.url().substr(0, server.url().size() - 1));
    return client.Get(path, headers);
  }

  TemporaryFolder page_, folder_;
  int frames_ = 0;
  std::unique_ptr<RunSource> source_;
};

TEST_F(ServerTest, serves_the_page_and_the_run) {
  const ViewServer server(*source_, nullptr, {});
  EXPECT_EQ(get(server, "/")->body, "this is index.html");
  EXPECT_NE(get(server, "/")->get_header_value("Content-Security-Policy").find("default-src 'none'"),
            std::string::npos);
  const json run = json::parse(get(server, "/api/run")->body);
  EXPECT_EQ(run["live"], false);
  EXPECT_EQ(run["status"]["frames"], 2);
  EXPECT_TRUE(is_sound_record(get(server, "/api/topology")->body));
  EXPECT_TRUE(is_sound_record(get(server, "/api/frame/1")->body));
  EXPECT_EQ(get(server, "/api/frame/2")->status, 404);
  EXPECT_EQ(get(server, "/api/metrics?from=11")->body, "{\"step\":2}\n");  // the torn line is not there yet
}

TEST_F(ServerTest, follows_a_run_that_grows) {
  const ViewServer server(*source_, nullptr, {});
  add_frames(3);
  const json list = json::parse(get(server, "/api/frames?from=2")->body);
  EXPECT_EQ(list["steps"], json::parse("[2, 3, 4]"));
  EXPECT_EQ(list["generation"], 1);
  EXPECT_NEAR(list["box"][1], 1 - 0.1 * 16, 1e-12);  // of all frames
}

TEST_F(ServerTest, a_run_started_anew_is_another_generation) {
  const ViewServer server(*source_, nullptr, {});
  frames_ = 0;
  add_frames(1);
  EXPECT_EQ(json::parse(get(server, "/api/frames")->body)["generation"], 2);
}

TEST_F(ServerTest, nothing_else_in_the_folder_or_beyond_can_be_had) {
  const ViewServer server(*source_, nullptr, {});
  for (const char* path : {"/secret.txt", "/../secret.txt", "/api/../secret.txt", "/%2e%2e/secret.txt",
                           "//etc/passwd", "/api/frame/../../secret.txt", "/api/frame/%2e%2e%2fsecret.txt",
                           "/api/frame/-1", "/api/frame/1e3", "/api/frame/99999999999999999999", "/run.mrw",
                           "/metrics.jsonl", "/index.html", "/page.js/", "/.lock", "/api/frame/0%00"}) {
    EXPECT_EQ(get(server, path)->status, 404) << path;
  }
  for (const char* path :
       {"/api/frames?from=-1", "/api/frames?from=x", "/api/metrics?from=99999999999999999999"}) {
    EXPECT_EQ(get(server, path)->status, 400) << path;
  }
}

TEST_F(ServerTest, other_hosts_and_origins_are_refused) {
  const ViewServer server(*source_, nullptr, {});
  const std::string self = server.url().substr(0, server.url().size() - 1), host = self.substr(7);
  const std::string port = host.substr(host.find(':'));
  EXPECT_EQ(get(server, "/api/run", {{"Host", "localhost" + port}})->status, 200);
  for (const std::string& other : {std::string("evil.example"), "evil.example" + port,
                                   std::string("127.0.0.1"), std::string("127.0.0.1:1"), std::string()}) {
    EXPECT_EQ(get(server, "/", {{"Host", other}})->status, 403) << other;
    EXPECT_EQ(get(server, "/api/frame/0", {{"Host", other}})->status, 403) << other;
  }
  EXPECT_EQ(get(server, "/api/run", {{"Origin", self}})->status, 200);
  for (const char* other : {"http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"}) {
    EXPECT_EQ(get(server, "/api/run", {{"Origin", other}})->status, 403) << other;
  }
  EXPECT_EQ(get(server, "/api/run", {{"Sec-Fetch-Site", "cross-site"}})->status, 403);
  EXPECT_EQ(get(server, "/api/run", {{"Sec-Fetch-Site", "same-origin"}})->status, 200);
}

TEST_F(ServerTest, a_run_is_steered_by_its_own_page_only) {
  LiveControl control;
  const ViewServer server(*source_, &control, {});
  httplib::Client client(server.url().substr(0, server.url().size() - 1));
  const auto post = [&](const char* body, const char* type, const httplib::Headers& headers) {
    return client.Post("/api/control", headers, body, type)->status;
  };
  const char* pause = R"({"action": "pause"})";
  EXPECT_EQ(post(pause, "application/json", {{"Origin", "http://evil.example"}}), 403);
  EXPECT_EQ(post(pause, "text/plain", {}), 415);
  EXPECT_EQ(post(R"({"action": "explode"})", "application/json", {}), 400);
  EXPECT_EQ(post("[]", "application/json", {}), 400);
  EXPECT_EQ(control.state(), "running");
  EXPECT_EQ(post(pause, "application/json", {}), 200);
  EXPECT_EQ(control.state(), "paused");
  EXPECT_EQ(client.Delete("/api/run")->status, 405);
}

TEST_F(ServerTest, no_run_here_to_steer) {
  const ViewServer server(*source_, nullptr, {});
  httplib::Client client(server.url().substr(0, server.url().size() - 1));
  EXPECT_EQ(client.Post("/api/control", R"({"action": "stop"})", "application/json")->status, 409);
}

TEST_F(ServerTest, a_port_is_taken_once) {
  const ViewServer server(*source_, nullptr, {});
  ServerOptions options;
  options.port = std::stoi(server.url().substr(server.url().rfind(':') + 1));
  EXPECT_THROW(ViewServer(*source_, nullptr, options), InputError);
}

TEST_F(ServerTest, a_missing_page_says_how_to_build_it) {
  remove_file(page_ / "page.js");
  EXPECT_THROW(ViewServer(*source_, nullptr, {}), InputError);
}

TEST_F(ServerTest, events_tell_of_growth) {
  const ViewServer server(*source_, nullptr, {});
  httplib::Client client(server.url().substr(0, server.url().size() - 1));
  std::string text;
  client.Get("/api/events", [&](const char* data, size_t size) {
    text.append(data, size);
    if (text.find("\"frames\":2") != std::string::npos && frames_ == 2) add_frames(1);
    return text.find("\"frames\":3") == std::string::npos;
  });
  EXPECT_NE(text.find("\"frames\":3"), std::string::npos);
}

// A connection without any manners of HTTP.
class RawConnection {
 public:
  explicit RawConnection(const ViewServer& server) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(port_of(server)));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  ~RawConnection() { ::close(fd_); }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  static int port_of(const ViewServer& server) {
    return std::stoi(server.url().substr(server.url().rfind(':') + 1));
  }
  bool send(std::string_view text) const {
    return ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }
  // Whether the server hangs up, or says something, before the wait is over.
  bool is_answered(int milliseconds) const {
    pollfd entry = {fd_, POLLIN, 0};
    return ::poll(&entry, 1, milliseconds) > 0;
  }

 private:
  int fd_;
};

TEST_F(ServerTest, idle_pages_leave_room_for_requests) {
  const ViewServer server(*source_, nullptr, {});
  const std::string host = "Host: 127.0.0.1:" + std::to_string(RawConnection::port_of(server));
  std::vector<std::unique_ptr<RawConnection>> pages;
  for (int k = 0; k < 60; ++k) {
    pages.push_back(std::make_unique<RawConnection>(server));
    ASSERT_TRUE(pages.back()->send("GET /api/events HTTP/1.1\r\n" + host + "\r\n\r\n"));
  }
  EXPECT_TRUE(pages.back()->is_answered(5000));
  const httplib::Result run = get(server, "/api/run");
  ASSERT_TRUE(run) << "no answer while pages are open";
  EXPECT_EQ(run->status, 200);
  for (int k = 0; k < 50 && server.watcher_count() > 24; ++k) ::usleep(100'000);
  EXPECT_LE(server.watcher_count(), 24);
  EXPECT_GE(server.watcher_count(), 1);
}

TEST_F(ServerTest, a_request_that_trickles_in_is_given_up) {
  ServerOptions options;
  options.request_time = std::chrono::milliseconds(300);
  const ViewServer server(*source_, nullptr, options);
  const RawConnection slow(server);
  ASSERT_TRUE(slow.send("GET /api/run HTTP/1.1\r\nX-Slow: "));
  bool is_given_up = false;
  for (int k = 0; k < 60 && !is_given_up; ++k) {
    is_given_up = !slow.send("x") || slow.is_answered(50);
  }
  EXPECT_TRUE(is_given_up) << "still there after three seconds";
  EXPECT_EQ(get(server, "/api/run")->status, 200);
}

TEST(RunSource, folder_without_frames_is_refused) {
  const TemporaryFolder folder;
  EXPECT_THROW(RunSource::open_folder(folder.path), InputError);
}

TEST(RunSource, mesh_is_one_frame_of_its_surface) {
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  const std::unique_ptr<RunSource> source = RunSource::from_mesh("a/tet.msh", mesh);
  EXPECT_EQ(json::parse(source->describe_frames(0))["times"].size(), 1u);
  const std::string record = source->read_topology();
  EXPECT_TRUE(is_sound_record(record));
  const json head = json::parse(record_head(std::string_view(record).substr(kRecordHeader)));
  EXPECT_EQ(head["bodies"][0]["name"], "tet.msh");
  EXPECT_EQ(head["triangles"]["count"], 4);
  EXPECT_FALSE(source->read_frame(1));
}

}  // namespace
}  // namespace marrow
