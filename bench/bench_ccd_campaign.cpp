// Random and structured collision queries by the million: does any method ever miss a contact?
//
//   bench_ccd_campaign [--count N] [--seed S] [--first I] [--threads T] [--others K]
//
// Query I of seed S is the same everywhere (tests/geometry/ccd_families.h); every mistake is printed with the
// numbers that make it again. Each query is answered by the advancement, every Kth (K = 1: all) by the other
// two methods as well, and held against contacts that were built in exactly, and against sampled overlaps.
// Ctrl-C or SIGTERM ends it early, with its report; --first goes on from there. The exit code is 1 if
// anything was missed.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "exec/parallel.h"
#include "geometry/ccd_judge.h"

namespace marrow {
namespace {

using namespace ccd_families;
using Clock = std::chrono::steady_clock;

constexpr int kMethodCount = 3;
constexpr int kSamples = 24;
constexpr size_t kBlock = 1 << 18;
constexpr size_t kShownMistakes = 20;

std::atomic<bool> is_stopped{false};

struct Arguments {
  std::uint64_t count = 1'000'000;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t others = 1;
  int threads = 0;
};

struct MethodTally {
  std::uint64_t queries = 0, hits = 0, missed = 0, late = 0, out_of_range = 0, iterations = 0;
  int worst_iterations = 0;
};

struct Tally {
  std::uint64_t queries = 0, contacts = 0, overlaps = 0;
  MethodTally methods[kMethodCount];
  std::vector<std::uint64_t> mistakes;  // indices of queries

  void add(const Tally& other) {
    queries += other.queries;
    contacts += other.contacts;
    overlaps += other.overlaps;
    for (int m = 0; m < kMethodCount; ++m) {
      const MethodTally& b = other.methods[m];
      MethodTally& a = methods[m];
      a.queries += b.queries;
      a.hits += b.hits;
      a.missed += b.missed;
      a.late += b.late;
      a.out_of_range += b.out_of_range;
      a.iterations += b.iterations;
      a.worst_iterations = std::max(a.worst_iterations, b.worst_iterations);
    }
    mistakes.insert(mistakes.end(), other.mistakes.begin(), other.mistakes.end());
  }
};

CcdOptions make_options(const Sample& sample, int method) {
  CcdOptions options;
  options.method = static_cast<CcdMethod>(method);
  options.tolerance = 1e-6 * sample.size;
  options.min_separation = sample.min_separation;
  // A graze takes additive CCD thousands of steps; cut short it is as conservative.
  if (options.method == CcdMethod::Additive) options.max_iterations = 300;
  return options;
}

// The pure search: `inclusion` is to be a witness independent of the confirmation in higher precision.
CcdResult detect(const CcdQuery& query, const CcdOptions& options) {
  return options.method == CcdMethod::Inclusion ? detect_by_inclusion(query, options)
                                                : detect_collision(query, options);
}

void run_query(const Arguments& arguments, std::uint64_t index, Tally& tally) {
  const Sample sample = make_sample(arguments.seed, index);
  CcdResult results[kMethodCount];
  double end = 0;
  // Both kinds of pair and all families take turns by index, so groups of them do here.
  const bool is_asked = index / (2 * kFamilyCount) % arguments.others == 0;
  const int methods = is_asked ? kMethodCount : 1;
  for (int m = 0; m < methods; ++m) {
    const CcdOptions options = make_options(sample, m);
    results[m] = detect(sample.query, options);
    end = std::max(end, free_until(results[m], options.t_max));
  }
  const double overlap = find_overlap(sample, end, kSamples);
  ++tally.queries;
  tally.contacts += sample.contact <= 1 ? 1 : 0;
  tally.overlaps += overlap <= 1 ? 1 : 0;
  bool is_wrong = false;
  for (int m = 0; m < methods; ++m) {
    MethodTally& method = tally.methods[m];
    ++method.queries;
    const Mistake mistake = judge(sample, results[m], 1, overlap);
    method.hits += results[m].is_hit ? 1 : 0;
    method.missed += mistake == Mistake::Missed ? 1 : 0;
    method.late += mistake == Mistake::Late ? 1 : 0;
    method.out_of_range += mistake == Mistake::OutOfRange ? 1 : 0;
    method.iterations += static_cast<std::uint64_t>(results[m].iterations);
    method.worst_iterations = std::max(method.worst_iterations, results[m].iterations);
    is_wrong = is_wrong || mistake != Mistake::None;
  }
  if (is_wrong && tally.mistakes.size() < kShownMistakes) tally.mistakes.push_back(index);
}

struct Tallies {
  Tally families[kFamilyCount];
};

Tallies run_block(const Arguments& arguments, std::uint64_t first, size_t count) {
  constexpr size_t kPart = 4096;
  std::vector<Tallies> parts((count + kPart - 1) / kPart);
  exec::parallel_for(
      "ccd campaign", parts.size(),
      [&](size_t part) {
        const size_t last = std::min(count, (part + 1) * kPart);
        for (size_t i = part * kPart; i < last; ++i) {
          const std::uint64_t index = first + i;
          run_query(arguments, index, parts[part].families[index / 2 % kFamilyCount]);
        }
      },
      1);
  Tallies total;
  for (const Tallies& part : parts)
    for (int f = 0; f < kFamilyCount; ++f) total.families[f].add(part.families[f]);
  return total;
}

void print_row(const std::string& label, const Tally& tally) {
  fmt::print("| {} | {} | {} | {} |", label, tally.queries, tally.contacts, tally.overlaps);
  for (const MethodTally& m : tally.methods) {
    fmt::print(" {} | {} | {} | {:.2f} | {} |", m.queries, m.hits, m.missed + m.late + m.out_of_range,
               static_cast<double>(m.iterations) / static_cast<double>(std::max<std::uint64_t>(m.queries, 1)),
               m.worst_iterations);
  }
  fmt::print("\n");
}

int report(const Tallies& tallies, const Arguments& arguments, double seconds) {
  fmt::print("\nSeed {}, queries {} to {}, {:.0f} s.\n\n", arguments.seed, arguments.first,
             arguments.first + arguments.count - 1, seconds);
  fmt::print("| family | queries | built contacts | sampled overlaps |");
  for (int m = 0; m < kMethodCount; ++m)
    fmt::print(" {0}: queries | hits | wrong | mean it. | most it. |", enum_name(static_cast<CcdMethod>(m)));
  fmt::print("\n| --- |{}\n", [] {
    std::string dashes;
    for (int i = 0; i < 3 + 5 * kMethodCount; ++i) dashes += " ---: |";
    return dashes;
  }());
  Tally total;
  for (int f = 0; f < kFamilyCount; ++f) {
    print_row(family_name(f), tallies.families[f]);
    total.add(tallies.families[f]);
  }
  print_row("all", total);
  std::uint64_t wrong = 0;
  for (const MethodTally& m : total.methods) wrong += m.missed + m.late + m.out_of_range;
  for (size_t i = 0; i < std::min(kShownMistakes, total.mistakes.size()); ++i)
    fmt::print("wrong: --seed {} --first {} --count 1\n", arguments.seed, total.mistakes[i]);
  fmt::print("\n{} missed or late.\n", wrong);
  return wrong == 0 ? 0 : 1;
}

int run(const Arguments& arguments) {
  exec::set_thread_count(arguments.threads);
  const Clock::time_point start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  Tallies total;
  std::uint64_t done = 0;
  while (done < arguments.count && !is_stopped) {
    const size_t count = static_cast<size_t>(std::min<std::uint64_t>(kBlock, arguments.count - done));
    const Tallies block = run_block(arguments, arguments.first + done, count);
    std::uint64_t mistakes = 0;
    for (int f = 0; f < kFamilyCount; ++f) {
      total.families[f].add(block.families[f]);
      mistakes += total.families[f].mistakes.size();
    }
    done += count;
    fmt::print(stderr, "{} of {} queries, {} wrong, {:.0f} s, {:.2f} µs each\n", done, arguments.count,
               mistakes, seconds(), 1e6 * seconds() / static_cast<double>(done));
  }
  Arguments finished = arguments;
  finished.count = done;
  return report(total, finished, seconds());
}

}  // namespace
}  // namespace marrow

int main(int count, char** values) {
  marrow::Arguments arguments;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::uint64_t value = std::strtoull(values[i + 1], nullptr, 10);
    if (std::strcmp(values[i], "--count") == 0) arguments.count = value;
    if (std::strcmp(values[i], "--seed") == 0) arguments.seed = value;
    if (std::strcmp(values[i], "--first") == 0) arguments.first = value;
    if (std::strcmp(values[i], "--others") == 0) arguments.others = std::max<std::uint64_t>(value, 1);
    if (std::strcmp(values[i], "--threads") == 0) arguments.threads = static_cast<int>(value);
  }
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { marrow::is_stopped = true; });
  return marrow::run(arguments);
}
