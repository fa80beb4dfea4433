// Chromium without a screen, driven over its DevTools pipe: two file descriptors, JSON messages ended by a
// zero byte. No port, no web socket.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace marrow {

struct BrowserOptions {
  std::string program;  // empty: $MARROW_BROWSER, then Chromium or Chrome on the PATH
  int width = 1280;     // [pixels]
  int height = 720;
};

class HeadlessBrowser {
 public:
  // Starts the browser with one empty page. Throws InputError if there is none or it does not answer.
  explicit HeadlessBrowser(const BrowserOptions& options);
  ~HeadlessBrowser();
  HeadlessBrowser(const HeadlessBrowser&) = delete;
  HeadlessBrowser& operator=(const HeadlessBrowser&) = delete;

  void open(const std::string& url);

  // The value of a JavaScript expression in the page, a promise's when it is kept. Throws InputError with the
  // page's own message if it throws.
  nlohmann::json evaluate(const std::string& expression);

 private:
  void start_process(const std::vector<std::string>& arguments);
  void stop();
  nlohmann::json call(const std::string& method, const nlohmann::json& parameters);
  std::string receive();
  void send(const std::string& message);

  std::string profile_;  // a temporary folder
  std::string session_;
  int process_ = -1;
  int to_browser_ = -1, from_browser_ = -1;
  int last_id_ = 0;
  std::string received_;
};

// Opens an address in the user's own browser. Answers false if nothing could be started.
bool open_in_browser(const std::string& url);

}  // namespace marrow
