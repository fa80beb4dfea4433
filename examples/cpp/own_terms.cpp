// Forces and energies of your own: a ball in a wind, and a ball on a spring that you define.
#include <marrow/marrow.h>

#include <cmath>
#include <cstdio>

namespace {

constexpr char kBall[] =
    R"({"time": {"step": 0.001, "duration": 0.5, "integrator": "bdf2"}, "gravity": [0, 0, 0],
  "bodies": [{"name": "ball", "kind": "KIND", "shape": {"type": "sphere", "radius": 0.1, "resolution": 2},
              "material": {"density": 1000}}]})";

marrow::Scene make_ball(const std::string& kind) {
  std::string text = kBall;
  text.replace(text.find("KIND"), 4, kind);
  return marrow::parse_scene(text);
}

// ½ k |x − a|² of each point that it is given.
class Spring final : public marrow::Potential {
 public:
  Spring(double stiffness, marrow::Vec3 anchor) : stiffness_(stiffness), anchor_(anchor) {}

  double evaluate(std::size_t, std::span<const marrow::Vec3> x, std::span<marrow::Vec3> gradient,
                  std::span<double> hessian) const override {
    double energy = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double difference = x[0][c] - anchor_[c];
      energy += 0.5 * stiffness_ * difference * difference;
      if (!gradient.empty()) gradient[0][c] = stiffness_ * difference;
      if (!hessian.empty()) hessian[4 * c] = stiffness_;
    }
    return energy;
  }

 private:
  double stiffness_;
  marrow::Vec3 anchor_;
};

double get_mean_x(const marrow::Simulation& simulation) {
  double sum = 0;
  const auto points = simulation.points("ball");
  for (const marrow::Vec3& x : points) sum += x[0];
  return sum / static_cast<double>(points.size());
}

}  // namespace

int main() {
  for (const char* kind : {"soft", "affine", "rigid"}) {
    // A wind of 1 N on every point: the momentum grows by their number times the time.
    marrow::Simulation blown(make_ball(kind));
    blown.add_force("ball", [](double, std::span<const marrow::Vec3>, std::span<const marrow::Vec3>,
                               std::span<marrow::Vec3> forces) {
      for (marrow::Vec3& force : forces) force[0] = 1;
    });
    double momentum = 0;
    while (!blown.is_finished()) momentum = blown.step().momentum[0];
    const double expected = static_cast<double>(blown.points("ball").size()) * blown.time();
    std::printf("%s wind %.9g %.9g\n", kind, momentum, expected);

    // Every point on a spring of its own to the same place 0.05 m away: the ball swings about it.
    marrow::Simulation swung(make_ball(kind));
    std::vector<std::vector<std::int32_t>> elements;
    const auto points = swung.points("ball");
    for (std::size_t i = 0; i < points.size(); ++i) elements.push_back({static_cast<std::int32_t>(i)});
    // Each point's spring ends where the point will be when the ball has moved by 0.05 m.
    for (std::size_t i = 0; i < points.size(); ++i) {
      const marrow::Vec3 anchor = {points[i][0] + 0.05, points[i][1], points[i][2]};
      swung.add_potential("ball", {elements[i]}, std::make_shared<Spring>(10.0, anchor));
    }
    const double start = get_mean_x(swung);
    double farthest = 0;
    while (!swung.is_finished()) {
      swung.step();
      farthest = std::max(farthest, get_mean_x(swung) - start);
    }
    std::printf("%s spring %.9g %.9g\n", kind, farthest, 0.1);
  }
}
