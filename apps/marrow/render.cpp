// marrow render DIR -o PICTURE: pictures and movies of a run, without a screen.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "marrow/progress_line.h"
#include "marrow/verbs.h"
#include "marrow/view_source.h"
#include "run/output_file.h"
#include "view/marks.h"
#include "view/movie.h"
#include "view/picture.h"

namespace marrow {
namespace {

struct RenderArguments {
  std::string path;
  std::string output;
  std::string marks;
  std::string size = "1280x720";
  std::string camera;
  std::string target;
  std::string colour;
  std::vector<std::string> overlays;
  std::vector<std::string> hidden;
  std::string section;
  std::string range;
  std::string theme;
  std::vector<std::string> overrides;
  PictureOptions picture;
  int frame = -1;
  bool all = false;
  bool json = false;
  bool has_samples = false;
  bool has_rate = false;
  bool has_speed = false;
  double rate = 30;
  double speed = 1;
};

constexpr int kMovieSamples = 12;  // a movie needs less care per picture

InputError refuse(const std::string& option, const std::string& value, const std::string& advice) {
  return InputError({}, fmt::format("{} {} is not valid", option, value), advice);
}

// "1,2.5,-3" as that many numbers.
std::vector<double> parse_numbers(const std::string& option, const std::string& text, size_t count) {
  std::vector<double> numbers;
  const char *at = text.data(), *const end = at + text.size();
  while (numbers.size() < count) {
    double number = 0;
    while (at != end && *at == ' ') ++at;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc() || !std::isfinite(number)) break;
    numbers.push_back(number);
    const bool is_last = numbers.size() == count;
    if (is_last ? rest != end : rest == end || *rest != ',') break;
    if (is_last) return numbers;
    at = rest + 1;
  }
  throw refuse(option, text, fmt::format("Give {} numbers separated by commas.", count));
}

Vec3 parse_point(const std::string& option, const std::string& text) {
  const std::vector<double> n = parse_numbers(option, text, 3);
  return {n[0], n[1], n[2]};
}

void apply_size(const std::string& text, PictureOptions& options) {
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || std::min(width, height) < 16 ||
      std::max(width, height) > 8192) {
    throw refuse("--size", text, "Give WIDTHxHEIGHT in pixels, each from 16 to 8192: --size 1920x1080.");
  }
  options.width = width;
  options.height = height;
}

constexpr const char* kSides[] = {"corner", "front", "back", "left", "right", "top"};

// A side by name, or a place in the world with a target.
void apply_camera(const RenderArguments& arguments, PictureOptions& options) {
  const bool is_side = std::find(std::begin(kSides), std::end(kSides), arguments.camera) != std::end(kSides);
  if (!arguments.target.empty() && (arguments.camera.empty() || is_side)) {
    throw refuse("--target", arguments.target, "It belongs to a camera at a place: --camera x,y,z.");
  }
  if (is_side) options.side = arguments.camera;
  if (is_side || arguments.camera.empty()) return;
  if (arguments.camera.find(',') == std::string::npos || arguments.target.empty()) {
    throw refuse("--camera", arguments.camera,
                 "Use corner, front, back, left, right or top, or give x,y,z with --target x,y,z. The "
                 "viewer's key v copies both.");
  }
  options.camera =
      CameraPose{parse_point("--camera", arguments.camera), parse_point("--target", arguments.target)};
}

PictureOptions make_options(const RenderArguments& arguments, bool is_movie) {
  PictureOptions options = arguments.picture;
  apply_size(arguments.size, options);
  apply_camera(arguments, options);
  if (!arguments.theme.empty()) options.is_dark = arguments.theme == "dark";
  if (!arguments.colour.empty()) options.colour = arguments.colour;
  if (!arguments.overlays.empty()) options.overlays = arguments.overlays;
  if (!arguments.hidden.empty()) options.hidden = arguments.hidden;
  if (!arguments.section.empty()) {
    options.section = parse_section(arguments.section);
    if (!options.section) throw refuse("--section", arguments.section, kSectionAdvice);
  }
  if (!arguments.marks.empty()) options.marks = read_marks(arguments.marks);
  if (!arguments.range.empty()) {
    const std::vector<double> range = parse_numbers("--range", arguments.range, 2);
    options.range = Vec2(range[0], range[1]);
  }
  if (is_movie && !arguments.has_samples) options.samples = kMovieSamples;
  return options;
}

// How many pictures are done, and how long the others will take.
std::string describe_progress(size_t done, size_t count, Clock::time_point start) {
  const double left = seconds_since(start) / static_cast<double>(done) * static_cast<double>(count - done);
  return fmt::format("{} of {} pictures, about {} left", done, count,
                     left < 90 ? fmt::format("{:.0f} s", left) : fmt::format("{:.0f} min", left / 60));
}

// The frame shown at each picture of a movie: the last one that is not later.
std::vector<size_t> choose_movie_frames(const std::vector<double>& times, double rate, double speed) {
  std::vector<size_t> frames;
  const double duration = times.back() - times.front();
  const auto count = static_cast<size_t>(std::floor(duration / speed * rate + 1e-9)) + 1;
  for (size_t k = 0; k < count; ++k) {
    const double time = times.front() + static_cast<double>(k) * speed / rate;
    const auto after = std::upper_bound(times.begin(), times.end(), time + 1e-9);
    frames.push_back(static_cast<size_t>(std::max<std::ptrdiff_t>(after - times.begin() - 1, 0)));
  }
  return frames;
}

void render_movie(const RenderArguments& arguments, PictureMaker& maker) {
  const std::vector<size_t> frames = choose_movie_frames(maker.times(), arguments.rate, arguments.speed);
  MovieEncoder movie(arguments.output, arguments.rate);
  maker.set_span(frames.front(), frames.back());
  ProgressLine progress;
  const Clock::time_point start = Clock::now();
  std::string png;
  for (size_t k = 0; k < frames.size(); ++k) {
    if (k == 0 || frames[k] != frames[k - 1]) png = maker.draw(frames[k]).png;
    movie.add(png);
    if (progress.is_due()) progress.show(describe_progress(k + 1, frames.size(), start));
  }
  movie.finish();
  progress.clear();
  fmt::print("{}: {} pictures, {:g} per second\n", arguments.output, frames.size(), arguments.rate);
}

// shot.png becomes shot_000000.png, shot_000001.png, …
void render_pictures(const RenderArguments& arguments, PictureMaker& maker) {
  const std::string stem = arguments.output.substr(0, arguments.output.size() - 4);
  const size_t count = maker.times().size();
  maker.set_span(0, count - 1);
  ProgressLine progress;
  const Clock::time_point start = Clock::now();
  for (size_t k = 0; k < count; ++k) {
    write_file(fmt::format("{}_{:06d}.png", stem, k), maker.draw(k).png);
    if (progress.is_due()) progress.show(describe_progress(k + 1, count, start));
  }
  progress.clear();
  fmt::print("{}_000000.png and following: {} pictures\n", stem, maker.times().size());
}

void render_one(const RenderArguments& arguments, PictureMaker& maker) {
  const int count = static_cast<int>(maker.times().size());
  const int frame = arguments.frame < 0 ? count - 1 : arguments.frame;
  if (frame >= count) {
    throw refuse("--frame", std::to_string(frame),
                 fmt::format("The frames of this run are 0 to {}.", count - 1));
  }
  const Picture picture = maker.draw(static_cast<size_t>(frame));
  write_file(arguments.output, picture.png);
  if (arguments.json) {
    const nlohmann::ordered_json root = {{"file", arguments.output},
                                         {"frame", frame},
                                         {"time", maker.times()[static_cast<size_t>(frame)]},
                                         {"color", picture.colour},
                                         {"fill", picture.fill},
                                         {"visible", picture.visible}};
    fmt::print("{}\n", root.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return;
  }
  fmt::print("{}: frame {}, {:.6g} s\n", arguments.output, frame, maker.times()[static_cast<size_t>(frame)]);
}

int render(const RenderArguments& arguments) {
  const std::string& output = arguments.output;
  const bool is_movie = output.ends_with(".mp4") || output.ends_with(".gif");
  if (!is_movie && !output.ends_with(".png")) {
    throw refuse("-o", output, "Use a name that ends in .png, .mp4 or .gif.");
  }
  if (!is_movie && (arguments.has_rate || arguments.has_speed)) {
    throw refuse(arguments.has_rate ? "--fps" : "--speed", "without a movie", "Add --all and -o NAME.mp4.");
  }
  if (arguments.json && arguments.all) throw refuse("--json", "with --all", "It describes one picture.");
  if (is_movie && !arguments.all) throw refuse("-o", output, "A movie shows all frames: add --all.");
  check_output(output, {arguments.path, arguments.marks});
  PictureOptions options = make_options(arguments, is_movie);
  const ViewedSource viewed = open_source(arguments.path, arguments.overrides);
  for (const std::string& note : viewed.notes) fmt::print("Note: {}.\n", note);
  if (options.marks.empty()) options.marks = viewed.marks;
  const std::unique_ptr<RunSource>& source = viewed.source;
  PictureMaker maker(*source, options);
  if (is_movie) {
    render_movie(arguments, maker);
  } else if (arguments.all) {
    render_pictures(arguments, maker);
  } else {
    render_one(arguments, maker);
  }
  return kExitOk;
}

}  // namespace

void add_render_verb(Verb root) {
  auto arguments = std::make_shared<RenderArguments>();
  RenderArguments& a = *arguments;
  const Verb verb = root.add_verb("render", "Render pictures or a movie of a run; needs no screen");
  verb.add_option("path", a.path, "Run folder, scene (its start), frame (.vtu) or mesh").required();
  verb.add_option("-o,--output", a.output, "Picture (.png) or movie (.mp4, .gif)")
      .required()
      .file({".png", ".mp4", ".gif"});
  const Option frame =
      verb.add_option("--frame", a.frame, "Frame to render, counted from 0; default: the last")
          .check(whole_from(0));
  verb.add_flag("--all", a.all, "All frames: a movie, or numbered pictures").excludes(frame);
  verb.add_option("--size", a.size, "Width and height in pixels").type_name("WxH").show_default();
  verb.add_option("--camera", a.camera,
                  "corner, front, back, left, right, top, or x,y,z with --target; default: "
                  "as the scene says, or a corner from which the bodies are seen")
      .type_name("CAMERA");
  verb.add_option("--target", a.target, "What the camera looks at: x,y,z").type_name("X,Y,Z");
  verb.add_option("--color,--colour", a.colour,
                  "body, kind, displacement, or a field: von_mises, contact_pressure; default: as the scene "
                  "says, or body")
      .type_name("FIELD");
  verb.add_option("--range", a.range, "Values at the ends of the colour scale: MIN,MAX").type_name("MIN,MAX");
  verb.add_option("--overlay", a.overlays,
                  "Overlays: wireframe, medial, contacts, smallest_gap, joints, handles")
      .split_at(',')
      .take_one();
  verb.add_option("--hide", a.hidden, "Bodies or groups that are not drawn: NAME,NAME")
      .split_at(',')
      .take_one();
  verb.add_option(
          "--section", a.section,
          "Cut the picture open: x=0.2 leaves out the camera's side, x<0.2 keeps what is below, x>0.2 "
          "what is above; or a point and a normal, six numbers")
      .type_name("PLANE");
  verb.add_option("--theme", a.theme, "light or dark; default: as the scene says, or light")
      .check(one_of({"light", "dark"}));
  const Option samples =
      verb.add_option("--samples", a.picture.samples,
                      "Number of lights to average: 1 is fast and plain; default 32, for movies 12")
          .check(whole(1, 1024));
  samples.check(whole(1, 1024));
  const Option rate = verb.add_option("--fps", a.rate, "Pictures per second of a movie")
                          .check(between(1, 120))
                          .show_default();
  const Option speed = verb.add_option("--speed", a.speed, "Simulated seconds per second of the movie")
                           .check(positive())
                           .show_default();
  verb.add_option("--marks", a.marks,
                  "Mark the elements listed in this file, the saved output of `marrow check --json`")
      .type_name("FILE");
  verb.add_option("--browser", a.picture.browser, "Chromium or Chrome; default: the one on the PATH")
      .type_name("PROGRAM");
  verb.add_example("marrow render out/first -o first.png", "makes a picture of the last frame")
      .add_example("marrow render out/first -o first.mp4 --all", "makes a movie (needs ffmpeg)")
      .add_example("marrow render out/first -o stress.png --color von_mises --camera front",
                   "paints stresses, seen from the front");
  verb.add_option("--set", a.overrides, "Change a value of the scene: --set bodies[0].color=teal")
      .type_name("KEY=VALUE")
      .take_one();
  verb.add_flag(
      "--json", a.json,
      "Print one JSON object: which part of the picture the bodies fill and how much of them is seen");
  verb.set_action([arguments, samples, rate, speed] {
    arguments->has_rate = rate.is_given();
    arguments->has_speed = speed.is_given();
    arguments->has_samples = samples.is_given();
    return render(*arguments);
  });
}

}  // namespace marrow
