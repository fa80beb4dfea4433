#include "marrow/program_name.h"

#include <cerrno>
#include <cstdlib>

#include "core/text.h"

namespace marrow {
namespace {

std::string read_wrapper() {
  const char* const wrapper =
      std::getenv("MARROW_COMMAND");  // NOLINT(concurrency-mt-unsafe): nobody sets it here
  return wrapper == nullptr ? std::string() : wrapper;
}

}  // namespace

std::string command_name() {
  const std::string wrapper = read_wrapper();
  return wrapper.empty() ? quote_for_shell(program_invocation_name) : wrapper;
}

std::string short_command_name() {
  const std::string wrapper = read_wrapper();
  return wrapper.empty() ? "marrow" : wrapper;
}

}  // namespace marrow
