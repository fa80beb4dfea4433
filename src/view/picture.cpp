#include "view/picture.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "view/browser.h"
#include "view/server.h"

namespace marrow {
namespace {

using nlohmann::json;

json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

std::string decode_base64(const std::string& text) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;  // "=" at the end
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return bytes;
}

json describe_shot(const PictureOptions& options, size_t frame) {
  json look = {{"colour", options.colour},
               {"overlays", options.overlays},
               {"theme", options.is_dark ? "dark" : "light"},
               {"range", nullptr}};
  if (options.range) look["range"] = {{"min", options.range->x()}, {"max", options.range->y()}};
  json shot = {{"frame", frame},
               {"samples", options.samples},
               {"look", look},
               {"camera", nullptr},
               {"direction", to_json(options.direction)}};
  if (options.camera) {
    shot["camera"] = {{"position", to_json(options.camera->position)},
                      {"target", to_json(options.camera->target)}};
  }
  return shot;
}

}  // namespace

struct PictureMaker::Parts {
  Parts(RunSource& source, const ServerOptions& server_options, const BrowserOptions& browser_options)
      : server(source, nullptr, server_options), browser(browser_options) {}

  ViewServer server;
  HeadlessBrowser browser;
};

PictureMaker::PictureMaker(RunSource& source, const PictureOptions& options) : options_(options) {
  times_ = json::parse(source.describe_frames(0)).at("times").get<std::vector<double>>();
  if (times_.empty()) throw InputError({}, "the run has no frames yet", "Try again when it has some.");
  ServerOptions server_options;
  server_options.marks = options.marks;
  BrowserOptions browser_options;
  browser_options.program = options.browser;
  browser_options.width = options.width;
  browser_options.height = options.height;
  parts_ = std::make_unique<Parts>(source, server_options, browser_options);
  parts_->browser.open(parts_->server.url() + "?picture");
  // Wait for the document, then for the run.
  parts_->browser.evaluate(
      "new Promise((done) => { const look = () => window.marrow ? done() : setTimeout(look, 5); look(); })");
  parts_->browser.evaluate("window.marrow.ready.then(() => true)");
}

PictureMaker::~PictureMaker() = default;

std::string PictureMaker::draw(size_t frame) {
  const json picture =
      parts_->browser.evaluate("window.marrow.shoot(" + describe_shot(options_, frame).dump() + ")");
  return decode_base64(picture.get<std::string>());
}

}  // namespace marrow
