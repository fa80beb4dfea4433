// marrow render DIR -o PICTURE: pictures and movies of a run, without a screen.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

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
  std::string camera = "corner";
  std::string target;
  std::string range;
  std::string theme = "light";
  PictureOptions picture;
  int frame = -1;
  bool all = false;
  bool has_samples = false;
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

// A direction by name, or a place in the world with a target.
void apply_camera(const RenderArguments& arguments, PictureOptions& options) {
  const std::pair<const char*, Vec3> directions[] = {{"corner", {0.55, 0.38, 1}}, {"front", {0, 0.05, 1}},
                                                     {"back", {0, 0.05, -1}},     {"left", {-1, 0.05, 0}},
                                                     {"right", {1, 0.05, 0}},     {"top", {0, 1, 0.001}}};
  for (const auto& [name, direction] : directions) {
    if (arguments.camera == name) options.direction = direction;
    if (arguments.camera == name) return;
  }
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
  options.is_dark = arguments.theme == "dark";
  if (!arguments.marks.empty()) options.marks = read_marks(arguments.marks);
  if (!arguments.range.empty()) {
    const std::vector<double> range = parse_numbers("--range", arguments.range, 2);
    options.range = Vec2(range[0], range[1]);
  }
  if (is_movie && !arguments.has_samples) options.samples = kMovieSamples;
  return options;
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
  ProgressLine progress;
  std::string png;
  for (size_t k = 0; k < frames.size(); ++k) {
    if (k == 0 || frames[k] != frames[k - 1]) png = maker.draw(frames[k]);
    movie.add(png);
    if (progress.is_due()) progress.show(fmt::format("{} of {} pictures", k + 1, frames.size()));
  }
  movie.finish();
  progress.clear();
  fmt::print("{}: {} pictures, {:g} per second\n", arguments.output, frames.size(), arguments.rate);
}

// shot.png becomes shot_000000.png, shot_000001.png, …
void render_pictures(const RenderArguments& arguments, PictureMaker& maker) {
  const std::string stem = arguments.output.substr(0, arguments.output.size() - 4);
  ProgressLine progress;
  for (size_t k = 0; k < maker.times().size(); ++k) {
    write_file(fmt::format("{}_{:06d}.png", stem, k), maker.draw(k));
    if (progress.is_due()) progress.show(fmt::format("{} of {} pictures", k + 1, maker.times().size()));
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
  write_file(arguments.output, maker.draw(static_cast<size_t>(frame)));
  fmt::print("{}: frame {}, {:.6g} s\n", arguments.output, frame, maker.times()[static_cast<size_t>(frame)]);
}

int render(const RenderArguments& arguments) {
  const std::string& output = arguments.output;
  const bool is_movie = output.ends_with(".mp4") || output.ends_with(".gif");
  if (!is_movie && !output.ends_with(".png")) {
    throw refuse("-o", output, "Use a name that ends in .png, .mp4 or .gif.");
  }
  if (is_movie && !arguments.all) throw refuse("-o", output, "A movie shows all frames: add --all.");
  check_output(output, {arguments.path, arguments.marks});
  const PictureOptions options = make_options(arguments, is_movie);
  const std::unique_ptr<RunSource> source = open_source(arguments.path);
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
  verb.add_option("path", a.path, "Run folder, frame (.vtu) or mesh").required();
  verb.add_option("-o,--output", a.output, "Picture (.png) or movie (.mp4, .gif)")
      .required()
      .file({".png", ".mp4", ".gif"});
  const Option frame =
      verb.add_option("--frame", a.frame, "Frame to render, counted from 0; default: the last")
          .check(whole_from(0));
  verb.add_flag("--all", a.all, "All frames: a movie, or numbered pictures").excludes(frame);
  verb.add_option("--size", a.size, "Width and height in pixels").type_name("WxH").show_default();
  verb.add_option("--camera", a.camera, "corner, front, back, left, right, top, or x,y,z with --target")
      .type_name("CAMERA")
      .show_default();
  verb.add_option("--target", a.target, "What the camera looks at: x,y,z").type_name("X,Y,Z");
  verb.add_option("--color,--colour", a.picture.colour,
                  "body, kind, displacement, or a field: von_mises, contact_pressure")
      .type_name("FIELD")
      .show_default();
  verb.add_option("--range", a.range, "Values at the ends of the colour scale: MIN,MAX").type_name("MIN,MAX");
  verb.add_option("--overlay", a.picture.overlays,
                  "Overlays: wireframe, medial, contacts, smallest_gap, joints, handles")
      .split_at(',')
      .take_one();
  verb.add_option("--theme", a.theme, "light or dark").check(one_of({"light", "dark"})).show_default();
  const Option samples =
      verb.add_option("--samples", a.picture.samples,
                      "Number of lights to average: 1 is fast and plain; default 32, for movies 12")
          .check(whole(1, 1024));
  samples.check(whole(1, 1024));
  verb.add_option("--fps", a.rate, "Pictures per second of a movie").check(between(1, 120)).show_default();
  verb.add_option("--speed", a.speed, "Simulated seconds per second of the movie")
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
  verb.set_action([arguments, samples] {
    arguments->has_samples = samples.is_given();
    return render(*arguments);
  });
}

}  // namespace marrow
