// A file written in pieces, too large to hold in memory: beside its target until it is complete.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace marrow {

class StagedFile {
 public:
  // Starts path.part. Throws OutputError, as all of this does.
  explicit StagedFile(const std::string& path);
  // Removes path.part unless the file was finished.
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  void write(std::string_view bytes);
  std::uint64_t size() const { return size_; }

  // Writes out everything and renames it over the target.
  void finish();

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  std::string beside_;
  std::FILE* stream_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace marrow
