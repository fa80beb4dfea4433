#include "marrow/certificate_work.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "geometry/certificates/certificate_file.h"
#include "marrow/progress_line.h"
#include "mesh/io/mesh_file.h"
#include "mesh/mesh_check.h"

namespace marrow {
namespace {

constexpr std::chrono::seconds kKeepInterval(10);

std::atomic<bool> is_stopped{false};

void stop_work(int signal) {
  is_stopped = true;
  std::signal(signal, SIG_DFL);
  static constexpr char kText[] =
      "\nStopping when the current patches are done. Press Ctrl-C again to quit immediately.\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kText, sizeof(kText) - 1);
}

// How far the work is, and how long the rest will take.
void show_progress(const PrepareProgress& progress, Clock::time_point start, ProgressLine& line) {
  if (!line.is_due()) return;
  const double left =
      progress.work_done > 0 ? std::max(seconds_since(start) * (1 / progress.work_done - 1), 0.0) : 0;
  line.show(fmt::format("{} of {} patches  {:.0f} %  {} left", progress.done, progress.total,
                        100 * progress.work_done, format_duration(left)));
}

bool has_same_options(const CertificateOptions& a, const CertificateOptions& b) {
  return a.leaf_size == b.leaf_size && a.max_triangles == b.max_triangles && a.pairs == b.pairs &&
         a.clearance == b.clearance && a.energy.affine_weight == b.energy.affine_weight &&
         a.energy.thin == b.energy.thin;
}

size_t count_known(const Certificates& certificates) {
  const auto is_known = [](float limit) { return limit > 0; };
  const auto& n = certificates.node_limits;
  const auto& p = certificates.pair_limits;
  return static_cast<size_t>(std::count_if(n.begin(), n.end(), is_known) +
                             std::count_if(p.begin(), p.end(), is_known));
}

// What an earlier run left, if it fits.
bool take_up(const std::string& path, const Mesh& mesh, const CertificateOptions& options,
             CertificateResult& result) {
  if (path.empty() || !is_file(path)) return false;
  try {
    Certificates kept = parse_certificates(read_file(path), path, mesh.points, mesh.triangles);
    if (!has_same_options(kept.options, options)) {
      fmt::print(stderr, "Note: {} was computed with other options; computing it again.\n", path);
      return false;
    }
    result.certificates = std::move(kept);
  } catch (const InputError& error) {
    fmt::print(stderr, "Note: {} cannot be used ({}); computing it again.\n", path, error.problem());
    return false;
  }
  result.resumed = count_known(result.certificates);
  fmt::print(stderr, "Continuing from {}: {} patches are done.\n", path, result.resumed);
  return true;
}

}  // namespace

void check_triangle_mesh(const Mesh& mesh, const std::string& path) {
  if (mesh.triangles.empty()) {
    throw InputError({path, 0, 0, {}}, "the mesh has no triangles",
                     mesh.tets.empty() ? "" : "Give a surface mesh instead of a tet mesh.");
  }
  check_mesh(mesh, path);
}

CertificateResult compute_certificates(const Mesh& mesh, const CertificateOptions& options,
                                       const CertificateWork& work) {
  CertificateResult result;
  const Clock::time_point start = Clock::now();
  if (!take_up(work.part_file, mesh, options, result))
    result.certificates = begin_certificates(mesh.points, mesh.triangles, options);
  result.split_seconds = seconds_since(start);
  const std::uint64_t hash = hash_mesh(mesh.points, mesh.triangles);
  is_stopped = false;
  if (!work.part_file.empty()) {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, stop_work);
  }
  ProgressLine line;
  const Clock::time_point work_start = Clock::now();
  Clock::time_point kept = work_start;
  const auto watch = [&](const PrepareProgress& progress) {
    if (!work.is_quiet) show_progress(progress, work_start, line);
    const bool is_due = is_stopped || Clock::now() - kept > kKeepInterval;
    if (!work.part_file.empty() && is_due && progress.done < progress.total) {
      write_file(work.part_file, format_certificates(progress.so_far, hash));
      kept = Clock::now();
    }
    return !is_stopped;
  };
  result.report = complete_certificates(result.certificates, watch);
  line.clear();
  return result;
}

}  // namespace marrow
