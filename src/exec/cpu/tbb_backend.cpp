#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <memory>

#include "core/float_scope.h"
#include "core/trace.h"
#include "exec/parallel.h"

namespace marrow::exec {
namespace {

std::unique_ptr<tbb::global_control>& limit() {
  static std::unique_ptr<tbb::global_control> instance;
  return instance;
}

}  // namespace

void set_thread_count(int count) {
  const int threads = count > 0 ? count : tbb::info::default_concurrency();
  limit().reset();
  limit() = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<size_t>(threads));
}

int thread_count() {
  return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

namespace detail {

void run_chunks(const char* name, size_t count, size_t grain, RangeBody body, const void* context) {
  if (count == 0) return;
  const trace::Scope scope(name);
  if (count <= grain) return body(context, 0, count);
  // Chunks are numbered so that a body sees the same ranges on every run.
  const size_t chunks = (count + grain - 1) / grain;
  tbb::parallel_for(tbb::blocked_range<size_t>(0, chunks), [&](const tbb::blocked_range<size_t>& range) {
    const FloatScope floats;  // threads may be somebody else's
    for (size_t chunk = range.begin(); chunk < range.end(); ++chunk) {
      body(context, chunk * grain, std::min(count, (chunk + 1) * grain));
    }
  });
}

}  // namespace detail
}  // namespace marrow::exec
