#include "view/picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "output/frames/record.h"
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

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json describe_shot(const PictureOptions& options, size_t frame) {
  json look = {{"colour", or_null(options.colour)},
               {"overlays", or_null(options.overlays)},
               {"hidden", or_null(options.hidden)},
               {"theme", nullptr},
               {"section", nullptr},
               {"range", nullptr}};
  if (options.is_dark) look["theme"] = *options.is_dark ? "dark" : "light";
  if (options.section) {
    look["section"] = {{"normal", to_json(options.section->normal)},
                       {"offset", options.section->offset},
                       {"faces_camera", options.section->faces_camera}};
  }
  if (options.range) look["range"] = {{"min", options.range->x()}, {"max", options.range->y()}};
  json shot = {{"frame", frame},  {"samples", options.samples},
               {"look", look},    {"camera", nullptr},
               {"span", nullptr}, {"side", nullptr}};
  if (!options.side.empty()) shot["side"] = options.side;
  if (options.camera) {
    shot["camera"] = {{"position", to_json(options.camera->position)},
                      {"target", to_json(options.camera->target)}};
  }
  return shot;
}

using Names = std::vector<std::string>;

// Refuses a name that is not among those of the run; what: "--color", "colour".
void check_known(const std::string& option, const std::string& name, const Names& known,
                 const std::string& kinds) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const std::string nearest = nearest_name(name, known);
  throw InputError(
      {}, fmt::format("{} {}: this run has no such {}", option, name, kinds),
      fmt::format("{}It has {}.", nearest.empty() ? "" : fmt::format("Did you mean {}? ", nearest),
                  known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

// The JSON head of the topology; an object without keys if there is none.
json read_topology_head(RunSource& source) {
  const std::string record = source.read_topology();
  if (record.size() < kRecordHeader) return json::object();
  json head = json::parse(record_head(std::string_view(record).substr(kRecordHeader)), nullptr, false);
  return head.is_object() ? head : json::object();
}

// The names of bodies and groups, in order.
Names list_bodies(const json& topology) {
  Names names;
  for (const json& body : topology.value("bodies", json::array())) {
    for (const char* key : {"name", "group"}) {
      const std::string name = body.value(key, std::string());
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

// What an option or the scene asks for must be there: otherwise the picture would be as if it had not.
void check_options(RunSource& source, const json& frames, const PictureOptions& options) {
  const json topology = read_topology_head(source);
  const json view = topology.value("view", json::object());
  Names colours = {"body", "kind", "displacement"};
  for (const auto& [name, range] : frames.at("ranges").items()) colours.push_back(name);
  const std::string colour = options.colour.value_or(view.value("color", std::string("body")));
  check_known(options.colour ? "--color" : "the scene's view.color", colour, colours, "field");
  if (options.range && (colour == "body" || colour == "kind")) {
    throw InputError({}, fmt::format("--range has no meaning where colours show the {}", colour),
                     "Add --color displacement, or a field, or leave --range out.");
  }
  Names overlays = frames.at("overlays").get<Names>();
  overlays.insert(overlays.begin(), "wireframe");
  for (const std::string& name : options.overlays.value_or(view.value("overlays", Names()))) {
    check_known(options.overlays ? "--overlay" : "the scene's view.overlays", name, overlays, "overlay");
  }
  for (const std::string& name : options.hidden.value_or(Names())) {
    check_known("--hide", name, list_bodies(topology), "body or group");
  }
}

}  // namespace

struct PictureMaker::Parts {
  Parts(RunSource& source, const ServerOptions& server_options, const BrowserOptions& browser_options)
      : server(source, nullptr, server_options), browser(browser_options) {}

  ViewServer server;
  HeadlessBrowser browser;
};

PictureMaker::PictureMaker(RunSource& source, const PictureOptions& options) : options_(options) {
  const json frames = json::parse(source.describe_frames(0));
  times_ = frames.at("times").get<std::vector<double>>();
  if (times_.empty()) throw InputError({}, "the run has no frames yet", "Try again when it has some.");
  check_options(source, frames, options);
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

Picture PictureMaker::draw(size_t frame) {
  json shot = describe_shot(options_, frame);
  if (span_) shot["span"] = {span_->first, span_->second};
  const json picture = parts_->browser.evaluate("window.marrow.shoot(" + shot.dump() + ")");
  return {decode_base64(picture.at("png").get<std::string>()), picture.at("fill").get<double>(),
          picture.at("visible").get<double>(), picture.at("colour").get<std::string>()};
}

}  // namespace marrow
