// marrow prepare certificates MESH -o FILE: the certificates of a triangle mesh
// (docs/models/self_collision.md).
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "exec/parallel.h"
#include "geometry/certificates/certificate_file.h"
#include "marrow/certificate_work.h"
#include "marrow/console.h"
#include "marrow/prepare.h"
#include "mesh/io/mesh_file.h"
#include "run/output_file.h"

namespace marrow {
namespace {

struct CertificateArguments {
  std::string mesh;
  std::string output;
  CertificateOptions options;
  double distance = 0;
  int threads = 0;
  bool json = false;
};

void print_report(const CertificateArguments& arguments, const Mesh& mesh, const CertificateResult& result,
                  double seconds) {
  const PrepareReport& report = result.report;
  const size_t bytes = result.certificates.byte_count();
  const auto triangles = static_cast<double>(mesh.triangles.size());
  if (arguments.json) {
    const nlohmann::ordered_json root = {{"mesh", arguments.mesh},
                                         {"output", arguments.output},
                                         {"triangles", mesh.triangles.size()},
                                         {"vertices", mesh.points.size()},
                                         {"nodes", report.node_count},
                                         {"intra_node_certificates", report.intra_count},
                                         {"inter_node_certificates", report.inter_count},
                                         {"cover_ratio", report.cover_ratio},
                                         {"separating_planes", report.plane_count},
                                         {"resumed_patches", result.resumed},
                                         {"hierarchy_s", result.split_seconds},
                                         {"green_s", report.green_seconds},
                                         {"pairs_s", report.pair_seconds},
                                         {"planes_s", report.plane_seconds},
                                         {"seconds", seconds},
                                         {"memory_bytes", bytes},
                                         {"memory_per_triangle", static_cast<double>(bytes) / triangles}};
    fmt::print("{}\n", root.dump(1));
    return;
  }
  fmt::print("{}: {}, {} patches\n", arguments.mesh,
             format_count(static_cast<long>(mesh.triangles.size()), "triangle", "triangles"),
             report.node_count);
  fmt::print("  certificates       {} within patches (cover ratio {:.2f}), {} between neighbours\n",
             report.intra_count, report.cover_ratio, report.inter_count);
  fmt::print("  separating planes  {}\n", report.plane_count);
  fmt::print(
      "  time               {} (hierarchy {:.2f} s; of all threads: Green's functions {:.2f} s, pairs {:.2f} "
      "s, "
      "planes {:.2f} s)\n",
      format_duration(seconds), result.split_seconds, report.green_seconds, report.pair_seconds,
      report.plane_seconds);
  fmt::print("  memory             {:.1f} MB at run time, {:.0f} bytes per triangle\n",
             1e-6 * static_cast<double>(bytes), static_cast<double>(bytes) / triangles);
  fmt::print("Written to {}\n", arguments.output);
}

int run_prepare_certificates(CertificateArguments& arguments) {
  exec::set_thread_count(arguments.threads);
  check_output(arguments.output, {arguments.mesh});
  if (arguments.distance > 0) {
    arguments.options.pairs = CertifiedPairs::Simplices;
    arguments.options.clearance = arguments.distance;
  }
  const Mesh mesh = read_mesh(arguments.mesh);
  check_triangle_mesh(mesh, arguments.mesh);
  const std::string part = arguments.output + ".part";
  const CertificateResult result = compute_certificates(mesh, arguments.options, {part, arguments.json});
  if (!result.report.is_complete) {
    fmt::print(stderr,
               "marrow: stopped; finished work is saved in {}\n  Run the same command again to continue.\n",
               part);
    return kExitStopped;
  }
  write_file(arguments.output,
             format_certificates(result.certificates, hash_mesh(mesh.points, mesh.triangles)));
  remove_file(part);
  print_report(arguments, mesh, result, result.split_seconds + result.report.wall_seconds);
  return kExitOk;
}

}  // namespace

void add_prepare_certificates(Verb prepare) {
  auto arguments = std::make_shared<CertificateArguments>();
  const Verb kind =
      prepare.add_verb("certificates", "Compute the energies below which parts of a surface cannot collide");
  CertificateOptions& options = arguments->options;
  kind.add_option("mesh", arguments->mesh, "Triangle mesh at rest").required();
  kind.add_option("-o,--output", arguments->output, "File to write (.cert)").required().file({".cert"});
  kind.add_option("--leaf-size", options.leaf_size, "Number of triangles in the smallest patches")
      .check(whole(1, 64))
      .show_default();
  kind.add_option("--max-triangles", options.max_triangles,
                  "Number of triangles in the largest patch that gets a certificate")
      .check(whole(0, 10000))
      .show_default();
  kind.add_option("--distance", arguments->distance, "Also certify that patches keep this distance [m]")
      .check(not_negative());
  kind.add_option("--threads", arguments->threads, "Number of threads; 0 uses all cores")
      .check(whole_from(0));
  kind.add_flag("--json", arguments->json, "Print one JSON object");
  kind.add_example("marrow prepare certificates cloth.obj -o cloth.cert",
                   "computes certificates; the same command goes on after Ctrl-C");
  kind.set_action([arguments] { return run_prepare_certificates(*arguments); });
}

}  // namespace marrow
