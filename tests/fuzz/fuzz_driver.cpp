// A small deterministic mutation fuzzer for compilers without libFuzzer.
//
//   fuzz_mesh [--runs N] [--seconds S] [--seed S] [--crash FILE]
//
// Takes a seed input, damages it a few times (flipped, inserted, removed and repeated bytes, swapped numbers,
// splices with another seed) and hands it to the target. The same arguments try the same inputs. An input is
// kept on disk while it runs if --crash names a file, so that a crash leaves it behind; `fuzz_mesh FILE…`
// replays it.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include "fuzz_target.h"

namespace {

struct Arguments {
  long runs = std::numeric_limits<long>::max();
  double seconds = 5;
  unsigned seed = 1;
  std::string crash_file;
  std::vector<std::string> replays;
};

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, unsigned seed) : seeds_(std::move(seeds)), random_(seed) {}

  std::string next() {
    std::string input = seeds_[below(seeds_.size())];
    const size_t damages = 1 + below(6);
    for (size_t i = 0; i < damages; ++i) damage(input);
    return input;
  }

 private:
  size_t below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void damage(std::string& input) {
    if (input.empty()) return;
    const size_t at = below(input.size());
    const size_t length = 1 + below(std::min<size_t>(16, input.size() - at));
    switch (below(8)) {
      case 0:
        input[at] = static_cast<char>(random_());
        break;
      case 1:
        input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
        break;
      case 2:
        input.insert(at, std::string(1 + below(4), static_cast<char>(random_())));
        break;
      case 3:
        input.erase(at, length);
        break;
      case 4:
        input.insert(at, input.substr(at, length));
        break;
      case 5:
        replace_number(input, at);
        break;
      case 6:
        splice(input, at);
        break;
      case 7:
        swap_number_bytes(input, at);
        break;
    }
  }

  // The number at or after a place, as text, becomes an awkward one.
  void replace_number(std::string& input, size_t at) {
    static const char* const kNumbers[] = {
        "0",   "-1",  "1",         "255", "4294967295", "2147483648", "-2147483649",
        "nan", "inf", "1e999",     "-0",  "1e-400",     "3",          "99999999999999999999",
        "",    "7/7", "2000000000"};
    const size_t start = input.find_first_of("0123456789", at);
    if (start == std::string::npos) return;
    const size_t end = std::min(input.find_first_not_of("0123456789.e-", start), input.size());
    input.replace(start, end - start, kNumbers[below(std::size(kNumbers))]);
  }

  // Four or eight bytes become a binary number.
  void swap_number_bytes(std::string& input, size_t at) {
    static const std::uint64_t kNumbers[] = {
        0,          1,          0xffffffff,         0x7fffffff, 0x80000000,
        0x00000080, 0x01000000, 0x7ff0000000000000, ~0ULL,      0x7fffffffffffffff};
    const std::uint64_t number = kNumbers[below(std::size(kNumbers))];
    const size_t size = below(2) == 0 ? 4 : 8;
    if (at + size <= input.size()) std::memcpy(input.data() + at, &number, size);
  }

  void splice(std::string& input, size_t at) {
    const std::string& other = seeds_[below(seeds_.size())];
    input = input.substr(0, at) + other.substr(below(other.size()));
  }

  std::vector<std::string> seeds_;
  std::mt19937 random_;
};

bool parse_arguments(int count, char** values, Arguments& arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string name = values[i];
    if (name.rfind("--", 0) != 0) {
      arguments.replays.push_back(name);
      continue;
    }
    if (++i == count) return false;
    if (name == "--runs") {
      arguments.runs = std::stol(values[i]);
      arguments.seconds = std::numeric_limits<double>::infinity();
    } else if (name == "--seconds") {
      arguments.seconds = std::stod(values[i]);
    } else if (name == "--seed") {
      arguments.seed = static_cast<unsigned>(std::stoul(values[i]));
    } else if (name == "--crash") {
      arguments.crash_file = values[i];
    } else {
      return false;
    }
  }
  return true;
}

void run_one(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

void replay(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  run_one({std::istreambuf_iterator<char>(file), {}});
  std::printf("%s: fine\n", path.c_str());
}

// Returns the number of inputs tried.
long fuzz(const Arguments& arguments) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::string> seeds;
  add_seeds(seeds);
  for (const std::string& seed : seeds) run_one(seed);
  Mutator mutator(std::move(seeds), arguments.seed);
  const Clock::time_point start = Clock::now();
  long runs = 0;
  for (; runs < arguments.runs; ++runs) {
    if (std::chrono::duration<double>(Clock::now() - start).count() > arguments.seconds) break;
    const std::string input = mutator.next();
    if (!arguments.crash_file.empty()) std::ofstream(arguments.crash_file, std::ios::binary) << input;
    run_one(input);
  }
  return runs;
}

}  // namespace

int main(int count, char** values) {
  Arguments arguments;
  if (!parse_arguments(count, values, arguments)) {
    std::fprintf(stderr, "usage: %s [--runs N] [--seconds S] [--seed S] [--crash FILE] [FILE…]\n", values[0]);
    return 2;
  }
  for (const std::string& path : arguments.replays) replay(path);
  if (arguments.replays.empty()) std::printf("%ld inputs, all handled\n", fuzz(arguments));
  return 0;
}
