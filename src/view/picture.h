// Pictures of a run without a screen: the viewer's own page in a headless browser.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/types.h"
#include "view/run_source.h"

namespace marrow {

struct CameraPose {
  Vec3 position;  // [m]
  Vec3 target;
};

struct PictureOptions {
  int width = 1280;  // [pixels]
  int height = 720;
  std::optional<CameraPose> camera;   // where it stands; otherwise
  Vec3 direction = {0.55, 0.38, 1};   // from where everything is seen
  std::string colour = "body";        // or kind, displacement, the name of a field
  std::vector<std::string> overlays;  // wireframe, contacts, …
  bool is_dark = false;
  std::optional<Vec2> range;  // of the colours; otherwise that of the run
  int samples = 32;           // of the light; 1 is quick and plain, more are softer
  std::string marks;          // JSON (view/marks.h)
  std::string browser;        // program; empty: look for one
};

class PictureMaker {
 public:
  // Starts server and browser and loads the run. The source must outlive this. Throws InputError.
  PictureMaker(RunSource& source, const PictureOptions& options);
  ~PictureMaker();
  PictureMaker(const PictureMaker&) = delete;
  PictureMaker& operator=(const PictureMaker&) = delete;

  // Times of the frames [s].
  const std::vector<double>& times() const { return times_; }

  // A frame as PNG. Throws InputError if it cannot be shown.
  std::string draw(size_t frame);

 private:
  struct Parts;
  PictureOptions options_;
  std::vector<double> times_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace marrow
