// Builds the bytes of files: text with shortest numbers that read back exactly, and binary values of either
// byte order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/types.h"

namespace marrow {

// A string that grows by doubling and is written through a pointer.
class GrowingBytes {
 public:
  char* room(size_t count) {
    if (size_ + count > bytes_.size()) bytes_.resize(std::max(2 * bytes_.size(), size_ + count + 4096));
    return bytes_.data() + size_;
  }
  void advance(size_t count) { size_ += count; }
  std::string take() {
    bytes_.resize(size_);
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  size_t size_ = 0;
};

template <class Number>
void append_number(GrowingBytes& bytes, Number value, char separator) {
  constexpr size_t kLongest = 32;
  char* start = bytes.room(kLongest + 1);
  char* end = std::to_chars(start, start + kLongest, value).ptr;
  *end = separator;
  bytes.advance(static_cast<size_t>(end - start) + 1);
}

class TextWriter {
 public:
  // Text as it is.
  TextWriter& text(std::string_view piece) {
    std::memcpy(bytes_.room(piece.size()), piece.data(), piece.size());
    bytes_.advance(piece.size());
    return *this;
  }
  TextWriter& line(std::string_view piece = {}) { return text(piece).text("\n"); }

  // A number and a separator.
  template <class Number>
  TextWriter& number(Number value, char separator = ' ') {
    append_number(bytes_, value, separator);
    return *this;
  }
  TextWriter& point(const Vec3& p, char separator = '\n') {
    return number(p.x()).number(p.y()).number(p.z(), separator);
  }

  // The vertices of an element, counted from base, and a line end.
  template <class Element>
  TextWriter& element(const Element& element, Index base = 0) {
    for (size_t i = 0; i < element.size(); ++i) {
      number(element[i] + std::int64_t{base}, i + 1 == element.size() ? '\n' : ' ');
    }
    return *this;
  }

  std::string take() { return bytes_.take(); }

 private:
  GrowingBytes bytes_;
};

class ByteWriter {
 public:
  explicit ByteWriter(std::endian order) : order_(order) {}

  void text(std::string_view piece) {
    std::memcpy(bytes_.room(piece.size()), piece.data(), piece.size());
    bytes_.advance(piece.size());
  }

  template <class T>
  void value(T v) {
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(v);
    if (order_ != std::endian::native) std::reverse(bytes.begin(), bytes.end());
    std::memcpy(bytes_.room(sizeof(T)), bytes.data(), sizeof(T));
    bytes_.advance(sizeof(T));
  }

  // A number as text and a separator.
  template <class Number>
  void number(Number v, char separator) {
    append_number(bytes_, v, separator);
  }

  template <class T>
  void point(const Vec3& p) {
    for (int i = 0; i < 3; ++i) value(static_cast<T>(p[i]));
  }

  std::string take() { return bytes_.take(); }

 private:
  GrowingBytes bytes_;
  std::endian order_;
};

}  // namespace marrow
