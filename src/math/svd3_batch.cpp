#include "math/svd3_batch.h"

#include <algorithm>
#include <array>

#include "math/svd3_batch_kernel.h"

namespace marrow {
namespace {

constexpr size_t kChunk = 64;  // [speed only]

struct SvdTarget {
  const char* name;
  void (*decompose)(const svd_batch::Arguments&);
};

std::vector<SvdTarget> find_targets() {
  std::vector<SvdTarget> targets;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    targets.push_back({"avx512", svd_batch::decompose_avx512});
  }
  if (__builtin_cpu_supports("avx2")) targets.push_back({"avx2", svd_batch::decompose_avx2});
  targets.push_back({"portable", svd_batch::decompose_portable});
  return targets;
}

SvdTarget& chosen_target() {
  static SvdTarget target = find_targets().front();
  return target;
}

}  // namespace

void compute_svds(std::span<const Mat3> F, std::span<Svd3> svds) {
  static_assert(sizeof(Mat3) == 9 * sizeof(double) && sizeof(Svd3) == 21 * sizeof(double));
  std::array<unsigned char, kChunk> is_bad;
  for (size_t first = 0; first < F.size(); first += kChunk) {
    const size_t count = std::min(kChunk, F.size() - first);
    chosen_target().decompose({count, F[first].data(), svds[first].U.data(), is_bad.data()});
    for (size_t k = 0; k < count; ++k) {
      if (is_bad[k] != 0) svds[first + k] = compute_svd3(F[first + k]);
    }
  }
}

std::vector<std::string> list_svd_targets() {
  std::vector<std::string> names;
  for (const SvdTarget& target : find_targets()) names.emplace_back(target.name);
  return names;
}

void set_svd_target(const std::string& name) {
  const std::vector<SvdTarget> targets = find_targets();
  chosen_target() = targets.front();
  for (const SvdTarget& target : targets) {
    if (name == target.name) chosen_target() = target;
  }
}

}  // namespace marrow
