#include "mesh/io/byte_reader.h"

#include <fmt/format.h>

#include "core/error.h"

namespace marrow {

void ByteReader::require_room(std::int64_t count, size_t, size_t bytes_each, const char* what) const {
  const auto room = static_cast<std::int64_t>(remaining() / std::max<size_t>(bytes_each, 1));
  if (count >= 0 && count <= room) return;
  fail(fmt::format("the file announces {} {}, but only {} bytes follow", count, what, remaining()),
       "The file is cut off, or the count is wrong.");
}

void ByteReader::fail(const std::string& problem, const std::string& advice) const {
  throw InputError({name_, 0, 0, {}}, fmt::format("at byte {}: {}", last_, problem), advice);
}

void ByteReader::fail_short(size_t count, const char* what) const {
  throw InputError({name_, 0, 0, {}},
                   fmt::format("at byte {}: the file ends where {} is expected ({} bytes needed, {} left)",
                               position_, what, count, remaining()),
                   "The file is cut off; export it again.");
}

}  // namespace marrow
