// Pictures of a run without a screen: the viewer's own page in a headless browser.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/types.h"
#include "math/section_plane.h"
#include "view/run_source.h"

namespace marrow {

struct CameraPose {
  Vec3 position;  // [m]
  Vec3 target;
};

struct PictureOptions {
  int width = 1280;  // [pixels]
  int height = 720;
  // What is absent is as the scene says, or else as the viewer chooses.
  std::optional<CameraPose> camera;                  // where it stands
  std::string side;                                  // from where the bodies are seen: corner, front, …
  std::optional<std::string> colour;                 // body, kind, displacement, the name of a field
  std::optional<std::vector<std::string>> overlays;  // wireframe, contacts, …
  std::optional<bool> is_dark;
  std::optional<std::vector<std::string>> hidden;  // bodies or groups
  std::optional<SectionPlane> section;             // leaves out what is on its outer side
  std::optional<Vec2> range;                       // of the colours; otherwise that of the run
  int samples = 32;                                // of the light; 1 is quick and plain, more are softer
  std::string marks;                               // JSON (view/marks.h)
  std::string browser;                             // program; empty: look for one
};

// A picture and what can be measured of it.
struct Picture {
  std::string png;
  double fill = 0;     // size of the bodies over that of the picture: the larger of width and height
  double visible = 0;  // part of the bodies' pixels that nothing covers
  std::string colour;  // what the colours mean
};

class PictureMaker {
 public:
  // Starts server and browser and loads the run. The source must outlive this. Throws InputError, also for
  // bodies, colours and overlays that the run lacks.
  PictureMaker(RunSource& source, const PictureOptions& options);
  ~PictureMaker();
  PictureMaker(const PictureMaker&) = delete;
  PictureMaker& operator=(const PictureMaker&) = delete;

  // Times of the frames [s].
  const std::vector<double>& times() const { return times_; }

  // The camera is to suit these frames together, not each frame by itself.
  void set_span(size_t first, size_t last) { span_ = {first, last}; }

  // Throws InputError if the frame cannot be shown.
  Picture draw(size_t frame);

 private:
  struct Parts;
  PictureOptions options_;
  std::vector<double> times_;
  std::optional<std::pair<size_t, size_t>> span_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace marrow
