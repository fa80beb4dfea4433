#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.h"
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

// Whether the first word is no verb; says so.
bool is_refused(const std::vector<std::string>& verbs, const std::string& word) {
  if (word.starts_with("-") || std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return false;
  const std::string nearest = marrow::nearest_name(word, verbs);
  fmt::print(stderr, "marrow: unknown command \"{}\"\n  {}marrow --help lists all commands.\n", word,
             nearest.empty() ? "" : fmt::format("Did you mean {}? ", nearest));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  // Keep freed memory: the factorisation asks for the same large blocks again and again, and fetching them
  // from the system each time costs as much as a fifth of a small solve.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  marrow::CommandLine line("marrow", "Marrow: simulation of bodies that touch but never intersect.",
                           MARROW_VERSION,
                           "A first scene: docs/first_scene.md. Every key of a scene: marrow reference.");
  for (const auto add_verb :
       {marrow::add_new_verb, marrow::add_run_verb, marrow::add_view_verb, marrow::add_render_verb,
        marrow::add_check_verb, marrow::add_info_verb, marrow::add_ccd_verb, marrow::add_convert_verb,
        marrow::add_prepare_verb, marrow::add_selfcollide_verb, marrow::add_reference_verb}) {
    add_verb(line.root());
  }
  if (argc > 1 && is_refused(line.verb_names(), argv[1])) return marrow::kExitUsage;
  return flush_output(run_action(line.parse(argc, argv)));
}
