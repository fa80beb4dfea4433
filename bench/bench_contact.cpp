// Contact on real meshes (../shared/data beside the repository), in the units of IPC Toolkit's published
// figures: contact set, barrier energy, gradient and assembled PSD Hessian; collision detection of whole
// candidate sets; the step limit. Peer figures were measured on this kind of machine.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "contact/stencils.h"
#include "contact/step_limit.h"
#include "exec/parallel.h"
#include "mesh/io/mesh_file.h"
#include "potentials/contact/barrier.h"

namespace {

using namespace marrow;

const std::string kData = std::string(MARROW_SOURCE_DIR) + "/../shared/data/";

template <class Work>
double best_milliseconds(int repetitions, const Work& work) {
  using Clock = std::chrono::steady_clock;
  double best = 1e300;
  for (int k = 0; k < repetitions; ++k) {
    const Clock::time_point start = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return best;
}

// One step of a mesh, with the candidates of its start and of its way.
struct Step {
  std::string name;
  CollisionMesh mesh;
  Points x0, x1;
  PairStencils at_start, on_way;
};

Step read_step(const std::string& name, const std::string& start, const std::string& end, double d_hat) {
  const Mesh first = read_mesh(kData + start), last = read_mesh(kData + end);
  Step step{name, build_collision_mesh(first), first.points, last.points, {}, {}};
  make_pair_stencils(step.mesh, compute_candidates(step.mesh, step.x0, d_hat), step.at_start);
  make_pair_stencils(step.mesh, compute_swept_candidates(step.mesh, step.x0, step.x1, 0), step.on_way);
  return step;
}

struct BarrierTimes {
  double set, value, gradient, hessian;
};

BarrierTimes time_barrier(const Step& step, double d_hat, int threads) {
  exec::set_thread_count(threads);
  const ContactPoints points{step.x0, step.x0, {}};
  const Index count = static_cast<Index>(step.x0.size());
  const NodeMap map(build_identity(count));
  std::vector<Contact> contacts;
  ContactStencils stencils;
  BlockMatrix H;
  VecX g;
  BarrierTimes times{};
  times.set = best_milliseconds(5, [&] { contacts = build_contact_set(points, step.at_start, d_hat); });
  times.value = best_milliseconds(5, [&] { compute_barrier_energy(contacts, points, 1); });
  set_barrier_stencils(contacts, map, stencils);
  times.gradient = best_milliseconds(5, [&] {
    g = VecX::Zero(3 * count);
    update_barrier_gradients(contacts, points, map, 1, stencils);
    stencils.group.add_gradient(g);
  });
  // The whole way from contacts to the assembled matrix, pattern included.
  times.hessian = best_milliseconds(5, [&] {
    ContactStencils fresh;
    BlockAssembler assembler;
    set_barrier_stencils(contacts, map, fresh);
    update_barrier_hessians(contacts, points, map, 1, fresh);
    const StencilGroup* groups[] = {&fresh.group};
    assembler.assemble(groups, count, H);
  });
  exec::set_thread_count(0);
  return times;
}

void print_barrier(const Step& step, double d_hat, const BarrierTimes& peer) {
  const ContactPoints points{step.x0, step.x0, {}};
  const auto contacts = build_contact_set(points, step.at_start, d_hat);
  const ContactCounts counts = count_kinds(contacts);
  const double unit = d_hat * d_hat * d_hat * d_hat;  // the peer's barrier is not normalised
  ContactStencils stencils;
  const NodeMap map(build_identity(static_cast<Index>(step.x0.size())));
  set_barrier_stencils(contacts, map, stencils);
  update_barrier_gradients(contacts, points, map, unit, stencils);
  VecX g = VecX::Zero(3 * static_cast<Index>(step.x0.size()));
  stencils.group.add_gradient(g);
  fmt::print(
      "**{}**, d_hat {:g}: {} contacts (vv {} ev {} ee {} fv {}), barrier value {:.12g}, |grad| {:.12g}.\n\n",
      step.name, d_hat, contacts.size(), counts.vertex_vertex, counts.edge_vertex, counts.edge_edge,
      counts.face_vertex, compute_barrier_energy(contacts, points, unit), g.norm());
  const BarrierTimes one = time_barrier(step, d_hat, 1), two = time_barrier(step, d_hat, 2);
  fmt::print(
      "| stage | 1 thread ms | 2 threads ms | IPC Toolkit, 1 thread ms | ratio (1 thread) "
      "|\n|---|---|---|---|---|\n");
  const auto row = [](const char* name, double a, double b, double p) {
    fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", name, a, b, p, p / a);
  };
  row("contact set from candidates", one.set, two.set, peer.set);
  row("barrier value", one.value, two.value, peer.value);
  row("barrier gradient", one.gradient, two.gradient, peer.gradient);
  row("barrier PSD Hessian, assembled", one.hessian, two.hessian, peer.hessian);
  fmt::print("\n");
}

// Every candidate decided on its own, tolerance 1e-6, one thread.
void print_queries(const std::string& name, PairKind kind, const std::vector<PairStencil>& pairs,
                   const Step& step, double peer_us) {
  std::vector<double> toi(pairs.size());
  const MovingPoints points{step.x0, step.x1, {}};
  const double ms = best_milliseconds(3, [&] { detect_collisions(kind, pairs, points, {}, toi); });
  const auto hits = std::count_if(toi.begin(), toi.end(), [](double t) { return t <= 1; });
  const double us = 1e3 * ms / static_cast<double>(pairs.size());
  fmt::print("| {} | {} | {} | {:.3f} | {:.2f} | {:.0f} |\n", name, pairs.size(), hits, us, peer_us,
             peer_us / us);
}

void print_limit(const Step& step, double peer_additive, double peer_inclusion) {
  const MovingPoints points{step.x0, step.x1, {}};
  double times[2];
  StepLimit limit;
  for (const int threads : {1, 2}) {
    exec::set_thread_count(threads);
    times[threads - 1] =
        best_milliseconds(3, [&] { limit = compute_collision_limit(points, step.on_way, 0); });
  }
  exec::set_thread_count(0);
  fmt::print("| {} | {} | {:.6g} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", step.name,
             step.on_way.size(), limit.alpha, times[0], times[1], peer_additive, peer_inclusion,
             peer_additive / times[0]);
}

std::vector<PairStencil> take_every(const std::vector<PairStencil>& pairs, size_t stride) {
  std::vector<PairStencil> taken;
  for (size_t k = 0; k < pairs.size(); k += stride) taken.push_back(pairs[k]);
  return taken;
}

}  // namespace

int main() {
  if (!std::filesystem::exists(kData + "meshes/spheres20k")) {
    fmt::print("Skipped: the data of others is not here (../shared/data).\n");
    return 0;
  }
  const std::string scalable = "ccd/Sample-Scalable-CCD-Data/";
  const Step spheres = read_step("spheres20k", "meshes/spheres20k/spheres20k_t0.obj",
                                 "meshes/spheres20k/spheres20k_t1.obj", 0.01);
  const Step ball = read_step("cloth-ball", scalable + "cloth-ball/frames/cloth_ball92.ply",
                              scalable + "cloth-ball/frames/cloth_ball93.ply", 0.01);
  const Step funnel = read_step("cloth-funnel", scalable + "cloth-funnel/frames/227.ply",
                                scalable + "cloth-funnel/frames/228.ply", 0.001);
  const Step armadillo = read_step("armadillo-rollers", scalable + "armadillo-rollers/frames/326.ply",
                                   scalable + "armadillo-rollers/frames/327.ply", 0.001);

  fmt::print("## Barrier\n\n");
  print_barrier(spheres, 0.01, {138.6, 6.97, 14.6, 1310.3});
  print_barrier(ball, 0.01, {77.7, 2.15, 4.53, 442.7});

  fmt::print(
      "## Collision detection of whole candidate sets\n\nInstruction set: {}. One thread, tolerance "
      "1e-6.\n\n",
      list_batch_targets().front());
  fmt::print(
      "| set | queries | hits | µs per query | Tight-Inclusion µs | ratio |\n|---|---|---|---|---|---|\n");
  exec::set_thread_count(1);
  print_queries("spheres20k VF", PairKind::PointTriangle, spheres.on_way.vertex_face, spheres, 31.5);
  print_queries("spheres20k EE", PairKind::EdgeEdge, spheres.on_way.edge_edge, spheres, 31.3);
  print_queries("cloth-funnel VF", PairKind::PointTriangle, funnel.on_way.vertex_face, funnel, 3.19);
  print_queries("cloth-funnel EE", PairKind::EdgeEdge, funnel.on_way.edge_edge, funnel, 41.6);
  print_queries("cloth-ball VF, every 50th", PairKind::PointTriangle, take_every(ball.on_way.vertex_face, 50),
                ball, 8.10);
  print_queries("cloth-ball EE, every 50th", PairKind::EdgeEdge, take_every(ball.on_way.edge_edge, 50), ball,
                7.21);

  fmt::print("\n## Step limit\n\nThe largest safe step over all swept candidates, earliest time shared.\n\n");
  fmt::print(
      "| scene | candidates | limit | 1 thread ms | 2 threads ms | additive (Toolkit) ms | Tight-Inclusion "
      "ms | "
      "ratio to additive |\n|---|---|---|---|---|---|---|---|\n");
  print_limit(spheres, 74.1, 636.8);
  print_limit(funnel, 11.1, 268.8);
  print_limit(ball, 2084.9, 4275.5);
  print_limit(armadillo, 2254.9, 2676.9);
  fmt::print("\n");
}
