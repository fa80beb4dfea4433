// marrow transfer FRAME.vtu --to MESH: fields of a body on another mesh.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/activity.h"
#include "core/error.h"
#include "core/text.h"
#include "marrow/verbs.h"
#include "run/transfer_frame.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

// Parts of the new mesh outside the old one that are said: rounding stays far below, a coarser boundary
// above.
constexpr double kMentionedGap = 1e-9;

struct TransferArguments {
  FrameTransfer work;
  int body = -1;
  bool json = false;
};

Json to_json(const FrameTransferReport& report, const std::string& output) {
  const TransferReport& transfer = report.transfer;
  Json fields = Json::object();
  for (const TransferredComponent& component : report.components) {
    fields[component.name] = {{"integral_before", component.before}, {"integral_after", component.after}};
  }
  return {{"output", output},
          {"dimension", transfer.dimension},
          {"points", report.points},
          {"cells", report.cells},
          {"old_volume", transfer.old_volume},
          {"new_volume", transfer.new_volume},
          {"common_volume", transfer.overlap},
          {"extended_points", transfer.extended_points},
          {"overlapping_pairs", transfer.pair_count},
          {"pieces", transfer.piece_count},
          {"iterations", transfer.iterations},
          {"fields", std::move(fields)},
          {"inverted", report.inverted}};
}

void print_report(const FrameTransferReport& report, const std::string& output) {
  const TransferReport& transfer = report.transfer;
  const char* unit = transfer.dimension == 3 ? "m³" : "m²";
  fmt::print("{}: {}, {}; {} overlaps in {} pieces\n", output,
             format_count(static_cast<long>(report.points), "point", "points"),
             format_count(static_cast<long>(report.cells), "cell", "cells"), transfer.pair_count,
             transfer.piece_count);
  for (const TransferredComponent& component : report.components) {
    fmt::print("  ∫ {:<24} {:>22.15e}, before {:.15e}\n", component.name, component.after, component.before);
  }
  const double beyond = transfer.new_volume - transfer.overlap, lost = transfer.old_volume - transfer.overlap;
  if (beyond > kMentionedGap * transfer.new_volume) {
    fmt::print(
        "Note: {:.3g} {} of the new mesh ({:.2g} %) lie outside the old one; there, fields go on with their "
        "values "
        "at the closest point, and integrals differ.\n",
        beyond, unit, 100 * beyond / transfer.new_volume);
  }
  if (lost > kMentionedGap * transfer.old_volume) {
    fmt::print(
        "Note: {:.3g} {} of the old mesh ({:.2g} %) lie outside the new one; what the fields have there is "
        "lost, and integrals differ.\n",
        lost, unit, 100 * lost / transfer.old_volume);
  }
  if (!report.inverted.empty()) {
    fmt::print(
        "{} of the result turned over or flat, the first is tet {}: the motion is too rough for this mesh. "
        "Take a finer one.\n",
        format_count(static_cast<long>(report.inverted.size()), "tet is", "tets are"),
        report.inverted.front());
  }
}

int transfer(const TransferArguments& arguments) {
  FrameTransfer work = arguments.work;
  if (arguments.body >= 0) work.body = arguments.body;
  const Activity activity("transferring fields");
  const FrameTransferReport report = transfer_frame(work);
  if (arguments.json) {
    fmt::print("{}\n", to_json(report, work.output).dump(1));
  } else {
    print_report(report, work.output);
  }
  return report.inverted.empty() ? kExitOk : kExitIntersecting;
}

}  // namespace

void add_transfer_verb(Verb root) {
  auto a = std::make_shared<TransferArguments>();
  const Verb verb = root.add_verb(
      "transfer", "Carry the fields of a body to another mesh, with their integrals (L² projection)");
  verb.add_option("frame", a->work.from, "Frame of a run (.vtu)").required().file({".vtu"});
  verb.add_option("--to", a->work.to, "Mesh that gets the fields: tets, or triangles in a plane z = constant")
      .required()
      .file({".msh", ".vtk", ".obj", ".node", ".ele"});
  verb.add_option("-o,--output", a->work.output, "Frame to write (.vtu)").required().file({".vtu"});
  verb.add_option(
          "--rest", a->work.rest,
          "Mesh or frame with the body before it moved: both meshes are laid over each other there, and "
          "positions are carried too")
      .file({".vtu", ".msh", ".vtk"});
  verb.add_option("--body", a->body, "Which body of the frame, counted from 0; needed if it has several")
      .check(whole_from(0))
      .type_name("INDEX");
  verb.add_flag("--json", a->json, "Print the report as JSON");
  verb.add_example("marrow transfer out/a/frames/frame_000050.vtu --to fine.msh -o fine.vtu",
                   "carries velocities and stresses to a mesh of the same shape")
      .add_example("marrow transfer frame.vtu --rest coarse.msh --to fine.msh -o fine.vtu",
                   "deforms the fine mesh as the coarse one is deformed");
  verb.set_action([a] { return transfer(*a); });
}

}  // namespace marrow
