#include "play/script.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"

namespace marrow {
namespace {

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

// Calls take(line, number) for every line that is not blank; the last one needs no end.
template <class Take>
void for_each_line(const std::string& text, const Take& take) {
  int number = 0;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = std::string_view(text).substr(from, end - from);
    ++number;
    if (!is_blank(line)) take(line, number);
    from = end + 1;
  }
}

}  // namespace

std::vector<Input> read_script(const std::string& path, const std::vector<PlayBody>& bodies) {
  std::vector<Input> inputs;
  Hands hands;
  for_each_line(read_file(path), [&](std::string_view line, int number) {
    const ParsedInput parsed = parse_input(line, bodies, true);
    const auto refuse = [&](const std::string& problem) {
      return InputError({path, number, 0, {}}, problem, "docs/play.md lists what a script may say.");
    };
    if (!parsed.input) throw refuse(parsed.problem);
    if (!inputs.empty() && parsed.input->step < inputs.back().step) {
      throw refuse(fmt::format("step {} comes after step {}", parsed.input->step, inputs.back().step));
    }
    const std::string problem = hands.apply(*parsed.input, bodies.size());
    if (!problem.empty()) throw refuse(problem);
    inputs.push_back(*parsed.input);
  });
  return inputs;
}

std::vector<Input> read_recorded(const std::string& path, const std::vector<PlayBody>& bodies,
                                 int last_step) {
  std::vector<Input> inputs;
  bool is_whole = true;
  for_each_line(read_file(path), [&](std::string_view line, int) {
    if (!is_whole) return;
    const ParsedInput parsed = parse_input(line, bodies, true);
    is_whole = parsed.input && parsed.input->step <= last_step;
    if (is_whole) inputs.push_back(*parsed.input);
  });
  return inputs;
}

}  // namespace marrow
