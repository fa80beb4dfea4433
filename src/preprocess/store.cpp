#include "preprocess/store.h"

#include <cstdlib>

#include "core/error.h"
#include "core/file.h"

namespace marrow {

std::string find_store() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string own = variable("MARROW_CACHE"); !own.empty()) return own;
  if (const std::string caches = variable("XDG_CACHE_HOME"); !caches.empty()) return caches + "/marrow";
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.cache/marrow";
}

bool keep_in_store(const std::string& store, const std::string& path, const std::string& bytes) {
  try {
    make_folder(store);
    write_file(path, bytes);
    return true;
  } catch (const OutputError&) {
    return false;
  }
}

}  // namespace marrow
