#include <fmt/format.h>
#include <malloc.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "marrow/build_facts.h"
#include "marrow/help_verbs.h"
#include "marrow/program_name.h"
#include "marrow/progress_line.h"
#include "marrow/verbs.h"

namespace {

int run_action(const marrow::Action& action) {
  using namespace marrow;
  try {
    return action();
  } catch (const UsageError& error) {
    fmt::print(stderr, "{}\nRun with --help for more information.\n", error.what());
    return kExitUsage;
  } catch (const InputError& error) {
    fmt::print(stderr, "marrow: {}\n", error.what());
    return kExitInput;
  } catch (const OutputError& error) {
    fmt::print(stderr, "marrow: {}\n  {} or choose another folder; --resume continues a run.\n", error.what(),
               error.is_full() ? "Free some space" : "Check the name and the permissions");
    return kExitOutput;
  } catch (const std::bad_alloc&) {
    fmt::print(
        stderr,
        "marrow: out of memory\n  Use a coarser mesh, or \"solver\": {{\"linear_solver\": \"pcg\"}}.\n");
    return kExitFailed;
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "marrow: {}: {}\n  Check the name and the permissions.\n", error.path1().string(),
               error.code().message());
    return kExitInput;
  } catch (const std::system_error& error) {
    fmt::print(stderr, "marrow: output cannot be written: {}\n", error.code().message());
    return kExitOutput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "marrow: {}\n", error.what());
    return kExitInput;
  }
}

// The exit code, unless what was printed could not all be written.
int flush_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (code == marrow::kExitOk) fmt::print(stderr, "marrow: output cannot be written\n");
  return code == marrow::kExitOk ? marrow::kExitOutput : code;
}

// The verbs in the order and under the titles of the overview.
void add_verbs(marrow::CommandLine& line) {
  using namespace marrow;
  const std::pair<const char*, std::vector<void (*)(Verb)>> groups[] = {
      {"Simulate", {add_run_verb, add_play_verb, add_check_verb}},
      {"Look at results", {add_view_verb, add_render_verb, add_info_verb}},
      {"Scenes and meshes",
       {add_new_verb, add_reference_verb, add_convert_verb, add_transfer_verb, add_prepare_verb}},
      {"Collision queries", {add_ccd_verb, add_selfcollide_verb}}};
  for (const auto& [title, verbs] : groups) {
    for (const auto add_verb : verbs) add_verb(line.group(title));
  }
  add_help_verbs(line.group("This program"), line.text());
  line.add_example("marrow new first", "writes a first scene, first.json, to change and run");
  line.add_example("marrow run first.json -o out/first", "simulates it");
  line.add_example("marrow view out/first --open", "shows the result in the browser");
  line.add_example("marrow render out/first -o first.png", "makes a picture of it");
}

}  // namespace

int main(int argc, char** argv) {
  // Keep freed memory: the factorisation asks for the same large blocks again and again, and fetching them
  // from the system each time costs as much as a fifth of a small solve.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  marrow::CommandLine line(marrow::short_command_name(),
                           "Marrow simulates soft, affine and rigid bodies that touch but never intersect.",
                           marrow::describe_build());
  add_verbs(line);
  if (marrow::answer_shell(line.text(), argc, argv)) return flush_output(marrow::kExitOk);
  const marrow::Action action = line.parse(argc, argv);
  const marrow::ActivityLine activity_line;
  return flush_output(run_action(action));
}
