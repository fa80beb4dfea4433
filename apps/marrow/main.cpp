#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <iterator>
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

// The arguments, the last one first as CLI11 wants them. It takes "-.5" for an option, "-0.5" for a number.
std::vector<std::string> read_arguments(int argc, char** argv) {
  std::vector<std::string> arguments(std::make_reverse_iterator(argv + argc),
                                     std::make_reverse_iterator(argv + std::min(argc, 1)));
  for (std::string& text : arguments) {
    if (text.size() > 2 && text.starts_with("-.") && std::isdigit(static_cast<unsigned char>(text[2])) != 0)
      text.insert(1, "0");
  }
  return arguments;
}

// Whether the first word is no verb; says so.
bool is_refused(const CLI::App& app, const std::string& word) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
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
  CLI::App app("Marrow: simulation of bodies that touch but never intersect.", "marrow");
  app.set_version_flag("--version", MARROW_VERSION);
  app.require_subcommand(1);
  app.footer("A first scene: docs/first_scene.md. Every key of a scene: marrow reference.");
  marrow::Action action;
  marrow::add_run_verb(app, action);
  marrow::add_view_verb(app, action);
  marrow::add_render_verb(app, action);
  marrow::add_check_verb(app, action);
  marrow::add_info_verb(app, action);
  marrow::add_ccd_verb(app, action);
  marrow::add_convert_verb(app, action);
  marrow::add_prepare_verb(app, action);
  marrow::add_selfcollide_verb(app, action);
  marrow::add_reference_verb(app, action);
  if (argc > 1 && is_refused(app, argv[1])) return marrow::kExitUsage;
  try {
    app.parse(read_arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    return flush_output(app.exit(error) == 0 ? marrow::kExitOk : marrow::kExitUsage);
  }
  return flush_output(run_action(action));
}
