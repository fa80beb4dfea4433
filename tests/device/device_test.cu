// Compares every kernel on the GPU with the host: prints a table, returns 0 if all agree, 1 if not, 77
// without a GPU.
//
//   test_device_cuda [samples per kernel, at least 16]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

#include "device/samples.h"
#include "exec/device.h"

namespace marrow {
namespace {

constexpr int kNoDevice = 77;

// max|a − b| relative to max|b|, or to the size of the terms where that is larger. Equal infinities agree.
template <class A, class B>
double compare(const Eigen::DenseBase<A>& a, const Eigen::DenseBase<B>& b, double term_size) {
  double difference = 0, size = term_size;
  for (Eigen::Index k = 0; k < a.size(); ++k) {
    const double ak = a.derived().coeff(k % a.rows(), k / a.rows());
    const double bk = b.derived().coeff(k % a.rows(), k / a.rows());
    if (ak == bk) {
      size = std::isinf(bk) ? size : std::fmax(size, std::abs(bk));
      continue;
    }
    if (!std::isfinite(ak) || !std::isfinite(bk)) return std::numeric_limits<double>::infinity();
    difference = std::fmax(difference, std::abs(ak - bk));
    size = std::fmax(size, std::abs(bk));
  }
  return difference == 0 ? 0 : difference / size;
}

double compare(double a, double b, double term_size) {
  using Scalar = Eigen::Matrix<double, 1, 1>;
  return compare(Scalar(a), Scalar(b), term_size);
}

double compare(const Svd3& a, const Svd3& b, double term_size) {
  return std::fmax(compare(a.s, b.s, term_size), std::fmax(compare(a.U, b.U, 1), compare(a.V, b.V, 1)));
}

double compare(const Eigen3& a, const Eigen3& b, double term_size) {
  return std::fmax(compare(a.values, b.values, term_size), compare(a.vectors, b.vectors, 1));
}

double compare(const StretchHessian& a, const StretchHessian& b, double term_size) {
  return std::fmax(compare(a.scaling, b.scaling, term_size),
                   std::fmax(compare(a.twist, b.twist, term_size), compare(a.flip, b.flip, term_size)));
}

// The shortest of some runs, after one that loads code and touches memory for the first time.
template <class Function>
double best_seconds(int runs, const Function& f) {
  f();
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < runs; ++k) {
    const auto start = std::chrono::steady_clock::now();
    f();
    best = std::fmin(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// Runs one kernel on both, prints its line of the table, and returns whether they agree.
template <class Kernel>
bool report(const Kernel& kernel, const std::vector<typename Kernel::Input>& inputs) {
  using Result = typename Kernel::Result;
  const size_t count = inputs.size();
  std::vector<Result> expected(count);
  const MapBody<Kernel> host_body{kernel, inputs.data(), expected.data()};
  const double host_time = best_seconds(1, [&] {
    for (size_t i = 0; i < count; ++i) host_body(i);
  });

  exec::DeviceBuffer<typename Kernel::Input> input(count);
  exec::DeviceBuffer<Result> result(count);
  input.upload(inputs);
  const double device_time = best_seconds(10, [&] {
    exec::device_for(Kernel::name, count, MapBody<Kernel>{kernel, input.data(), result.data()});
  });

  const std::vector<Result> found = result.download();
  double difference = 0;
  for (size_t i = 0; i < count; ++i) {
    difference = std::fmax(difference, compare(found[i], expected[i], kernel.term_size(inputs[i])));
  }
  const bool ok = difference <= Kernel::kTolerance;
  std::printf("%-28s | %8zu | %11.2e | %9.0e | %10.3f | %10.1f | %s\n", Kernel::name, count, difference,
              Kernel::kTolerance, 1e9 * device_time / count, 1e9 * host_time / count, ok ? "ok" : "WRONG");
  return ok;
}

struct FaultyBody {
  double* values;
  MARROW_HD void operator()(size_t i) const { values[i] = 1; }
};

// Whether doing this throws an error that says so.
template <class Function>
bool throws(const char* expected, const Function& f) {
  try {
    f();
  } catch (const std::runtime_error& error) {
    std::printf("  %s\n", error.what());
    return std::string(error.what()).find(expected) != std::string::npos;
  }
  std::printf("  WRONG: no error from %s\n", expected);
  return false;
}

// Failures are errors with a name. The faulty loop comes last: no CUDA call works after it.
bool report_errors() {
  std::puts("\nerrors, as they must be:");
  const bool memory = throws("device memory", [] { exec::DeviceBuffer<double> endless(size_t{1} << 50); });
  const bool loop = throws("test.faulty", [] { exec::device_for("test.faulty", 1, FaultyBody{nullptr}); });
  return memory && loop;
}

int run_all(size_t count) {
  if (!exec::has_device()) {
    std::puts("no CUDA device: nothing was compared");
    return kNoDevice;
  }
  std::printf("device: %s\n\n", exec::device_name().c_str());
  std::printf("%-28s | %8s | %11s | %9s | %10s | %10s |\n", "", "", "max rel.", "", "device", "host");
  std::printf("%-28s | %8s | %11s | %9s | %10s | %10s | %s\n", "kernel", "samples", "difference", "tolerance",
              "ns/call", "ns/call", "ok");
  bool ok = true;
  for_each_kernel(count, [&](const auto& kernel, const auto& inputs) { ok = report(kernel, inputs) && ok; });
  std::puts("device: best of 10 loops, without copies; host: one thread, Eigen not vectorised by nvcc");
  return report_errors() && ok ? 0 : 1;
}

}  // namespace
}  // namespace marrow

int main(int argc, char** argv) {
  try {
    const size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
    return marrow::run_all(std::max<size_t>(count, 16));
  } catch (const std::runtime_error& error) {
    std::printf("failed: %s\n", error.what());
    return 1;
  }
}
