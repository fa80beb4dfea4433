#include "view/server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

#include "core/error.h"
#include "view/page_files.h"
#include "view/play_routes.h"
#include "view/timed_server.h"

namespace marrow {
namespace {

using httplib::Request;
using httplib::Response;
using Json = nlohmann::ordered_json;

constexpr size_t kThreads = 48;  // each page holds one for its events and a few for its requests
constexpr size_t kMostStreams = kThreads / 2;  // of events; the other threads are for requests
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
    "'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void refuse(Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain; charset=utf-8");
}

// A number of at most 15 digits; nothing else.
std::optional<size_t> parse_number(const std::string& text) {
  if (text.empty() || text.size() > 15) return {};
  if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) return {};
  return static_cast<size_t>(std::stoull(text));
}

std::optional<size_t> number_parameter(const Request& request, const char* name) {
  return request.has_param(name) ? parse_number(request.get_param_value(name)) : 0;
}

// The open event streams. Each holds a thread; beyond kMostStreams the oldest are closed, and their pages
// connect again after a second.
class EventStreams {
 public:
  long open() {
    const std::lock_guard lock(mutex_);
    open_.insert(++newest_);
    return newest_;
  }
  void close(long stream) {
    const std::lock_guard lock(mutex_);
    open_.erase(stream);
  }
  size_t count() const {
    const std::lock_guard lock(mutex_);
    return open_.size();
  }
  bool must_give_way(long stream) const {
    const std::lock_guard lock(mutex_);
    if (open_.size() <= kMostStreams) return false;
    return stream < *std::prev(open_.end(), static_cast<std::ptrdiff_t>(kMostStreams));
  }

 private:
  mutable std::mutex mutex_;
  std::set<long> open_;
  long newest_ = 0;
};

}  // namespace

class ViewServer::Implementation {
 public:
  Implementation(RunSource& source, LiveControl* control, const ServerOptions& options)
      : source_(source),
        control_(control),
        marks_(options.marks),
        page_(load_page()),
        server_(make_timed_server(options.request_time)) {
    server_->new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_->set_payload_max_length(4096);
    server_->set_tcp_nodelay(true);
    server_->set_keep_alive_max_count(100000);
    server_->set_keep_alive_timeout(1);  // [s]; closing waits that long
    server_->set_exception_handler([](const Request&, Response& response, const std::exception_ptr& thrown) {
      try {
        std::rethrow_exception(thrown);
      } catch (const std::exception& error) {
        refuse(response, 500, error.what());
      } catch (...) {
        refuse(response, 500, "unknown error");
      }
    });
    // No SO_REUSEPORT: two servers on one port would share its requests.
    server_->set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_->set_pre_routing_handler([this](const Request& request, Response& response) {
      return guard(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                      : httplib::Server::HandlerResponse::Handled;
    });
    add_routes();
    if (options.desk != nullptr && options.play != nullptr)
      add_play_routes(*server_, *options.desk, *options.play);
    bind(options);
    thread_ = std::thread([this] { server_->listen_after_bind(); });
    while (!server_->is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  ~Implementation() {
    is_closing_ = true;
    server_->stop();
    thread_.join();
  }

  const std::string& url() const { return url_; }
  int watcher_count() const { return static_cast<int>(streams_.count()); }

 private:
  void bind(const ServerOptions& options) {
    const bool is_bound = options.port > 0 ? server_->bind_to_port(options.address.c_str(), options.port)
                                           : (port_ = server_->bind_to_any_port(options.address.c_str())) > 0;
    if (options.port > 0) port_ = options.port;
    if (!is_bound) {
      throw InputError({}, fmt::format("address {}, port {} cannot be used", options.address, options.port),
                       "Choose another port with --port, or leave it out.");
    }
    const bool is_v6 = options.address.find(':') != std::string::npos;
    const std::string host = is_v6 ? "[" + options.address + "]" : options.address;
    for (const std::string& name : {host, std::string("127.0.0.1"), std::string("localhost")}) {
      hosts_.push_back(fmt::format("{}:{}", name, port_));
    }
    url_ = "http://" + hosts_.front() + "/";
  }

  // Returns false if the request is refused. Also sets the headers of every answer.
  bool guard(const Request& request, Response& response) {
    response.set_header("Content-Security-Policy", kPolicy);
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("X-Frame-Options", "DENY");
    response.set_header("Cross-Origin-Resource-Policy", "same-origin");
    response.set_header("Cross-Origin-Opener-Policy", "same-origin");
    response.set_header("Referrer-Policy", "no-referrer");
    response.set_header("Cache-Control", "no-store");
    const auto is_known = [&](const std::string& host) {
      return std::find(hosts_.begin(), hosts_.end(), host) != hosts_.end();
    };
    const std::string host = request.get_header_value("Host");
    if (request.get_header_value_count("Host") != 1 || !is_known(host)) {
      refuse(response, 403, "This server answers to its own address only.");
      return false;
    }
    if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + host) {
      refuse(response, 403, "Requests from other pages are refused.");
      return false;
    }
    const std::string site = request.get_header_value("Sec-Fetch-Site");
    if (request.path.starts_with("/api/") && !site.empty() && site != "same-origin" && site != "none") {
      refuse(response, 403, "Requests from other pages are refused.");
      return false;
    }
    if (request.method != "GET" && request.method != "HEAD" && request.method != "POST") {
      refuse(response, 405, "Only GET, HEAD and POST.");
      return false;
    }
    return true;
  }

  void add_routes() {
    for (const auto& [path, file] : page_) {
      server_->Get(path, [&content = file](const Request&, Response& response) {
        response.set_content(content.content, content.type.c_str());
      });
    }
    server_->Get("/api/run", [this](const Request&, Response& response) {
      Json json = Json::parse(source_.describe());
      json["live"] = control_ != nullptr;
      json["has_marks"] = !marks_.empty();
      json["status"] = describe_status();
      response.set_content(json.dump(), "application/json");
    });
    server_->Get("/api/frames", [this](const Request& request, Response& response) {
      const std::optional<size_t> from = number_parameter(request, "from");
      if (!from) return refuse(response, 400, "from must be a number.");
      response.set_content(source_.describe_frames(*from), "application/json");
    });
    server_->Get("/api/topology", [this](const Request&, Response& response) {
      response.set_content(source_.read_topology(), "application/octet-stream");
    });
    server_->Get(R"(/api/frame/(\d{1,9}))", [this](const Request& request, Response& response) {
      const std::optional<std::string> record = source_.read_frame(*parse_number(request.matches[1]));
      if (!record) return refuse(response, 404, "There is no such frame.");
      response.set_content(*record, "application/octet-stream");
    });
    server_->Get("/api/metrics", [this](const Request& request, Response& response) {
      const std::optional<size_t> from = number_parameter(request, "from");
      if (!from) return refuse(response, 400, "from must be a number.");
      response.set_content(source_.read_metrics(*from), "text/plain; charset=utf-8");
    });
    add_results("/api/bodies", ResultsTable::Bodies);
    add_results("/api/contacts", ResultsTable::Contacts);
    add_results("/api/joints", ResultsTable::Joints);
    server_->Get("/api/marks", [this](const Request&, Response& response) {
      response.set_content(marks_.empty() ? "[]" : marks_, "application/json");
    });
    server_->Get("/api/events", [this](const Request&, Response& response) { stream_events(response); });
    server_->Post("/api/control",
                  [this](const Request& request, Response& response) { control(request, response); });
  }

  void add_results(const char* path, ResultsTable table) {
    server_->Get(path, [this, table](const Request& request, Response& response) {
      const std::optional<size_t> from = number_parameter(request, "from");
      if (!from) return refuse(response, 400, "from must be a number.");
      response.set_content(source_.read_results(table, *from), "text/csv; charset=utf-8");
    });
  }

  Json describe_status() {
    const SourceStatus status = source_.update();
    return {{"generation", status.generation},
            {"frames", status.frames},
            {"metrics_bytes", status.metrics_bytes},
            {"state", control_ != nullptr ? control_->state()
                      : status.is_running ? "elsewhere"
                                          : "still"}};
  }

  void control(const Request& request, Response& response) {
    if (control_ == nullptr) return refuse(response, 409, "No run is active in this process.");
    if (request.get_header_value("Content-Type") != "application/json") {
      return refuse(response, 415, "The body must be JSON.");
    }
    const Json body = Json::parse(request.body, nullptr, false);
    const bool has_action = body.is_object() && body.contains("action") && body["action"].is_string();
    const std::optional<LiveControl::Action> action =
        has_action ? LiveControl::parse(body["action"].get<std::string>()) : std::nullopt;
    if (!action) return refuse(response, 400, "action must be pause, step, continue or stop.");
    control_->request(*action);
    response.set_content(describe_status().dump(), "application/json");
  }

  // Server-sent events: the status whenever it changes, and a comment every second to notice closed
  // connections.
  void stream_events(Response& response) {
    struct Stream {
      explicit Stream(EventStreams& all) : streams(all), number(all.open()) {}
      ~Stream() { streams.close(number); }
      EventStreams& streams;
      long number;
      std::string last;
      int quiet = 0;
    };
    auto stream = std::make_shared<Stream>(streams_);
    response.set_chunked_content_provider("text/event-stream",
                                          [this, stream](size_t, httplib::DataSink& sink) {
                                            if (is_closing_ || streams_.must_give_way(stream->number)) {
                                              sink.done();
                                              return true;
                                            }
                                            const std::string text = find_news(stream->last, stream->quiet);
                                            if (!text.empty() && !sink.write(text.data(), text.size()))
                                              return false;
                                            std::this_thread::sleep_for(std::chrono::milliseconds(100));
                                            return true;
                                          });
  }

  // The next text of an event stream; usually empty.
  std::string find_news(std::string& last, int& quiet) {
    std::string text;
    try {
      const std::string status = describe_status().dump();
      if (status != last) text = "data: " + status + "\n\n";
      last = status;
    } catch (const std::exception&) {
      text = ": the run is away\n\n";
    }
    if (text.empty() && ++quiet >= 10) text = ": here\n\n";
    if (!text.empty()) quiet = 0;
    return text;
  }

  RunSource& source_;
  LiveControl* control_;
  std::string marks_;
  const std::map<std::string, PageFile> page_;
  std::unique_ptr<httplib::Server> server_;
  std::thread thread_;
  int port_ = 0;
  std::vector<std::string> hosts_;
  std::string url_;
  EventStreams streams_;
  std::atomic<bool> is_closing_{false};
};

ViewServer::ViewServer(RunSource& source, LiveControl* control, const ServerOptions& options)
    : implementation_(std::make_unique<Implementation>(source, control, options)) {}

ViewServer::~ViewServer() = default;

std::string ViewServer::url() const { return implementation_->url(); }

int ViewServer::watcher_count() const { return implementation_->watcher_count(); }

}  // namespace marrow
