#include "marrow/check_surfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/start/describe_found.h"

namespace marrow {

void print_pairs(const IntersectionReport& report, const Kinematics* kinematics) {
  for (size_t i = 0; i < std::min(kShownPairs, report.pairs.size()); ++i) {
    fmt::print("  {}\n", describe_pair(report.pairs[i], kinematics));
  }
  if (report.pairs.size() > kShownPairs) {
    fmt::print("  and {} more\n", report.intersections + report.undecided - static_cast<long>(kShownPairs));
  }
}

std::string write_offenders(const CheckArguments& arguments, const SurfaceSet& surfaces,
                            const IntersectionReport& report) {
  if (report.pairs.empty()) return {};
  std::filesystem::path name = std::filesystem::path(arguments.path).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  const std::string path =
      arguments.write.empty() ? name.stem().string() + ".intersections.ply" : arguments.write;
  write_offenders(path, surfaces, report);
  return path;
}

}  // namespace marrow
