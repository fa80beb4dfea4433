#include "core/staged_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace marrow {

StagedFile::StagedFile(const std::string& path)
    : path_(path), beside_(path + ".part"), stream_(std::fopen(beside_.c_str(), "wb")) {
  if (stream_ == nullptr) fail();
}

StagedFile::~StagedFile() {
  if (stream_ != nullptr) std::fclose(stream_);
  if (!beside_.empty()) std::remove(beside_.c_str());
}

void StagedFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size()) fail();
  size_ += bytes.size();
}

void StagedFile::finish() {
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) fail();
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) fail();
  beside_.clear();
}

void StagedFile::fail() const { throw OutputError(path_, std::strerror(errno)); }

}  // namespace marrow
