// A folder of its own for one test, gone with it. Tests run side by side, so a fixed name would be shared.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace marrow {

struct TemporaryFolder {
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "marrow_XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& file) const { return path + "/" + file; }

  std::string path;
};

}  // namespace marrow
