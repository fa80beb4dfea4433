#include "view/browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.h"
#include "view/programs.h"

namespace marrow {
namespace {

using nlohmann::json;

constexpr int kPatience = 600'000;  // timeout for one answer [ms]

std::string choose_program(const std::string& named) {
  if (!named.empty()) return named;
  if (const char* set = std::getenv("MARROW_BROWSER"); set != nullptr) return set;
  for (const char* name : {"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}) {
    if (const std::string found = find_program(name); !found.empty()) return found;
  }
  throw InputError({}, "pictures need Chromium, which was not found",
                   "Install the package chromium, or name a program with --browser.");
}

// Software drawing, so that every machine makes the same picture; nothing is sent anywhere.
std::vector<std::string> make_browser_arguments(const std::string& program, const std::string& profile,
                                                const BrowserOptions& options) {
  std::vector<std::string> arguments = {program,
                                        "--headless",
                                        "--remote-debugging-pipe",
                                        "--user-data-dir=" + profile,
                                        fmt::format("--window-size={},{}", options.width, options.height),
                                        "--use-angle=swiftshader",
                                        "--enable-unsafe-swiftshader",
                                        "--ignore-gpu-blocklist",
                                        "--hide-scrollbars",
                                        "--force-color-profile=srgb",
                                        "--force-device-scale-factor=1",
                                        "--no-first-run",
                                        "--no-default-browser-check",
                                        "--disable-background-networking",
                                        "--disable-component-update",
                                        "--disable-default-apps",
                                        "--disable-extensions",
                                        "--disable-sync",
                                        "--disable-quic",
                                        "--disable-dev-shm-usage",
                                        "--disable-background-timer-throttling",
                                        "--disable-renderer-backgrounding",
                                        "--mute-audio"};
  if (::geteuid() == 0) arguments.emplace_back("--no-sandbox");  // its sandbox refuses to work for root
  arguments.emplace_back("about:blank");
  return arguments;
}

}  // namespace

HeadlessBrowser::HeadlessBrowser(const BrowserOptions& options) {
  const std::string program = choose_program(options.program);
  std::string name = (std::filesystem::temp_directory_path() / "marrow_browser_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw OutputError(name, std::strerror(errno));
  profile_ = name;
  try {
    start_process(make_browser_arguments(program, profile_, options));
    const json target = call("Target.createTarget", {{"url", "about:blank"}});
    const json session =
        call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}});
    session_ = session.at("sessionId");
    call("Page.enable", json::object());
    call("Emulation.setDeviceMetricsOverride",
         {{"width", options.width}, {"height", options.height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  } catch (...) {
    stop();
    throw;
  }
}

HeadlessBrowser::~HeadlessBrowser() { stop(); }

// The browser reads from its descriptor 3 and writes to 4.
void HeadlessBrowser::start_process(const std::vector<std::string>& arguments) {
  int down[2], up[2];
  if (::pipe2(down, O_CLOEXEC) != 0 || ::pipe2(up, O_CLOEXEC) != 0) {
    throw InputError({}, std::string("no pipe to the browser: ") + std::strerror(errno));
  }
  to_browser_ = down[1];
  from_browser_ = up[0];
  const int process = start_program(arguments, {{down[0], 3}, {up[1], 4}});
  ::close(down[0]);
  ::close(up[1]);
  if (process < 0) {
    throw InputError({arguments.front(), 0, 0, {}},
                     std::string("cannot be started: ") + std::strerror(-process),
                     "Install the package chromium, or name a program with --browser.");
  }
  process_ = process;
}

void HeadlessBrowser::stop() {
  if (to_browser_ >= 0) ::close(to_browser_);
  if (from_browser_ >= 0) ::close(from_browser_);
  to_browser_ = from_browser_ = -1;
  if (process_ > 0) {
    // The browser ends when the pipe closes; after a second it is killed.
    for (int tries = 0; tries < 100 && ::waitpid(process_, nullptr, WNOHANG) == 0; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ::kill(-process_, SIGKILL);
    ::waitpid(process_, nullptr, WNOHANG);
    process_ = -1;
  }
  std::error_code ignored;
  for (int tries = 0; tries < 20 && !profile_.empty(); ++tries) {
    std::filesystem::remove_all(profile_, ignored);
    if (!ignored) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void HeadlessBrowser::send(const std::string& message) {
  const size_t size = message.size() + 1;  // with the terminating zero
  for (size_t done = 0; done < size;) {
    const ssize_t written = ::write(to_browser_, message.c_str() + done, size - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      throw InputError({}, "the browser ended unexpectedly", "Try again; memory may be short.");
    done += static_cast<size_t>(written);
  }
}

std::string HeadlessBrowser::receive() {
  size_t searched = 0;
  while (true) {
    if (const size_t end = received_.find('\0', searched); end != std::string::npos) {
      std::string message = received_.substr(0, end);
      received_.erase(0, end + 1);
      return message;
    }
    searched = received_.size();
    pollfd waiting = {from_browser_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kPatience);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0)
      throw InputError({}, "the browser does not answer", "Try again; the machine may be busy.");
    char buffer[1 << 16];
    const ssize_t got = ::read(from_browser_, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw InputError({}, "the browser ended unexpectedly", "Try again; memory may be short.");
    received_.append(buffer, static_cast<size_t>(got));
  }
}

json HeadlessBrowser::call(const std::string& method, const json& parameters) {
  json message = {{"id", ++last_id_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) message["sessionId"] = session_;
  send(message.dump());
  while (true) {
    const json answer = json::parse(receive(), nullptr, false);
    if (!answer.is_object() || answer.value("id", -1) != last_id_) continue;  // an event
    if (!answer.contains("error")) return answer.value("result", json::object());
    throw InputError({}, fmt::format("the browser refused {}: {}", method,
                                     answer["error"].value("message", std::string("no reason given"))));
  }
}

void HeadlessBrowser::open(const std::string& url) {
  const json result = call("Page.navigate", {{"url", url}});
  if (result.contains("errorText")) {
    throw InputError({url, 0, 0, {}}, "cannot be opened: " + result["errorText"].get<std::string>());
  }
}

json HeadlessBrowser::evaluate(const std::string& expression) {
  const json result =
      call("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (result.contains("exceptionDetails")) {
    const json& details = result["exceptionDetails"];
    const std::string text = details.contains("exception")
                                 ? details["exception"].value("description", std::string("unknown"))
                                 : details.value("text", std::string("unknown"));
    throw InputError({}, "the page failed: " + text.substr(0, text.find('\n')));
  }
  return result.at("result").value("value", json());
}

bool open_in_browser(const std::string& url) {
  const std::string program = find_program("xdg-open");
  return !program.empty() && start_program({program, url}, {}) > 0;
}

}  // namespace marrow
