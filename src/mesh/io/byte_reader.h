// Reads binary values from memory and never past its end.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace marrow {

// The value whose bytes, in the given order, stand at from.
template <class T>
T load(const char* from, std::endian order) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  if (order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

class ByteReader {
 public:
  // The bytes must outlive the reader.
  ByteReader(std::string_view bytes, std::string name, std::endian order, size_t position = 0)
      : bytes_(bytes), name_(std::move(name)), order_(order), position_(position), last_(position) {}

  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }
  std::endian order() const { return order_; }

  // The next bytes; what names them in errors.
  const char* take(size_t count, const char* what) {
    if (count > remaining()) fail_short(count, what);
    last_ = position_;
    position_ += count;
    return bytes_.data() + last_;
  }

  template <class T>
  T read(const char* what) {
    return load<T>(take(sizeof(T), what), order_);
  }

  template <class T>
  void skip(const char* what) {
    take(sizeof(T), what);
  }

  // Throws unless so many items of at least so many bytes each can be in the rest of the file.
  void require_room(std::int64_t count, size_t values_each, size_t bytes_each, const char* what) const;

  // Throws an InputError at the start of the last value read.
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const;

 private:
  [[noreturn]] void fail_short(size_t count, const char* what) const;

  std::string_view bytes_;
  std::string name_;
  std::endian order_;
  size_t position_;
  size_t last_;  // where the last value started
};

}  // namespace marrow
