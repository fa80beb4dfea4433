// marrow check DIR: prints what run/check_run.h finds.
#include "run/check_run.h"

#include <fmt/format.h>

#include "marrow/check_surfaces.h"
#include "marrow/progress_line.h"
#include "marrow/verbs.h"
#include "sim/start/describe_found.h"

namespace marrow {
namespace {

constexpr size_t kShown = 10;  // bad places of each kind, in words

void print_bad(const BadPlace& bad) {
  if (bad.number > kShown) return;
  if (bad.number == kShown) {
    fmt::print("more {} follow; they are counted, and --json lists them\n", bad.kind);
    return;
  }
  if (!bad.difference.empty()) fmt::print("{}: not a frame of this scene: {}\n", bad.where, bad.difference);
  if (!bad.report.is_clean()) fmt::print("{}: {}\n", bad.where, describe_report(bad.report));
  print_pairs(bad.report.surfaces, bad.kinematics);
}

std::string describe_sound(const RunCheck& check) {
  if (!check.allowed_intersections) return " free of intersections and inverted tets";
  return fmt::format(" free of inverted tets; contact is off, {} pairs of elements intersect",
                     *check.allowed_intersections);
}

void print_total(const std::string& folder, const RunCheck& check) {
  fmt::print("{}: {} frames", folder, check.frames);
  if (check.iterates != 0) {
    fmt::print(", {} iterates and {} paths between them", check.iterates, check.paths);
  }
  fmt::print("{}\n",
             check.bad == 0 ? describe_sound(check) : fmt::format("; {} of these have errors", check.bad));
  if (check.smallest_gap) fmt::print("  smallest gap in a frame: {:.3g} m\n", *check.smallest_gap);
  if (!check.written.empty()) fmt::print("  first offending elements written to {}\n", check.written);
}

}  // namespace

int print_run_check(const CheckArguments& arguments) {
  ProgressLine progress;
  RunCheckEvents events;
  std::string now;
  Clock::time_point start;
  events.on_progress = [&](const char* what, std::int64_t done, std::int64_t total) {
    if (now != what) start = Clock::now();
    now = what;
    if (progress.is_due())
      progress.show(format_progress(done, total, now + " checked", seconds_since(start)));
  };
  events.write_offenders = [&](const SurfaceSet& surfaces, const IntersectionReport& report) {
    return write_offenders(arguments, surfaces, report);
  };
  if (!arguments.json) {
    events.on_note = [](const std::string& text) { fmt::print("Note: {}.\n", text); };
    events.on_bad = [&](const BadPlace& bad) {
      progress.clear();
      print_bad(bad);
    };
  }
  const RunCheck check = check_run(arguments.path, events);
  progress.clear();
  if (arguments.json) {
    fmt::print("{}\n", check.json);
  } else {
    print_total(arguments.path, check);
  }
  return check.bad == 0 ? kExitOk : kExitIntersecting;
}

}  // namespace marrow
