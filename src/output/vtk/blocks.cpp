#include "output/vtk/blocks.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

namespace marrow {
namespace {

// Larger chunks are not packed better: zlib looks back 32 KiB.
constexpr size_t kChunk = size_t{1} << 20;
// Level 6 makes frames smaller by less than 2 % and takes three times as long [measured: output_size].
constexpr int kLevel = 1;
// zlib cannot do better than this, so that a longer chunk is damage and not worth the memory.
constexpr std::uint64_t kMostPacked = 1032;

void append_count(std::uint64_t count, std::string& data) {
  data.append(reinterpret_cast<const char*>(&count), sizeof count);
}

// Takes a count from the front of data.
bool take_count(std::string_view& data, std::uint64_t& count) {
  if (data.size() < sizeof count) return false;
  std::memcpy(&count, data.data(), sizeof count);
  data.remove_prefix(sizeof count);
  return true;
}

// A zlib stream; a flush before its end makes it a few bytes longer.
std::string compress_chunk(std::string_view bytes, int flush = Z_NO_FLUSH) {
  constexpr size_t kFlushes = 16;  // more than a flush and the empty part after it take
  z_stream stream = {};
  if (deflateInit(&stream, kLevel) != Z_OK) throw std::bad_alloc();  // the one way in which it can fail
  std::string packed(deflateBound(&stream, bytes.size()) + kFlushes, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  if (flush != Z_NO_FLUSH) deflate(&stream, flush);
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::bad_alloc();
  return packed;
}

// The last chunk of a block that begins at this place. meshio mistakes one array for another if blocks begin
// at multiples of four bytes (it looks for them among offsets that it has already rewritten), so none does.
std::string compress_last_chunk(std::string_view bytes, size_t start) {
  std::string packed;
  for (const int flush : {Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_BLOCK}) {
    packed = compress_chunk(bytes, flush);
    if ((start + packed.size()) % 4 != 0) break;
  }
  return packed;
}

// Appends the chunk, which must have exactly this size.
bool expand_chunk(std::string_view packed, std::uint64_t size, std::string& bytes) {
  if (size / kMostPacked > packed.size()) return false;
  const size_t before = bytes.size();
  bytes.resize(before + size);
  uLongf expanded = size;
  const int result = uncompress(reinterpret_cast<Bytef*>(bytes.data() + before), &expanded,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  return result == Z_OK && expanded == size;
}

}  // namespace

void append_compressed(std::string_view bytes, std::string& data) {
  std::vector<std::string> chunks;
  size_t end = data.size();  // of the block, but for its counts, which are multiples of four bytes
  for (size_t at = 0; at < bytes.size(); at += kChunk) {
    const std::string_view chunk = bytes.substr(at, kChunk);
    chunks.push_back(at + kChunk < bytes.size() ? compress_chunk(chunk) : compress_last_chunk(chunk, end));
    end += chunks.back().size();
  }
  append_count(chunks.size(), data);
  append_count(kChunk, data);
  append_count(bytes.size() % kChunk, data);
  for (const std::string& chunk : chunks) append_count(chunk.size(), data);
  for (const std::string& chunk : chunks) data += chunk;
}

bool read_compressed(std::string_view data, std::string& bytes) {
  std::uint64_t count = 0, size = 0, last = 0;
  if (!take_count(data, count) || !take_count(data, size) || !take_count(data, last)) return false;
  if (count > data.size() / sizeof count || last > size) return false;
  std::vector<std::uint64_t> packed(count);
  for (std::uint64_t& length : packed) take_count(data, length);
  bytes.clear();
  for (size_t i = 0; i < count; ++i) {
    const std::uint64_t length = i + 1 == count && last > 0 ? last : size;
    if (packed[i] > data.size() || !expand_chunk(data.substr(0, packed[i]), length, bytes)) return false;
    data.remove_prefix(packed[i]);
  }
  return true;
}

bool read_raw(std::string_view data, std::string& bytes) {
  std::uint64_t length = 0;
  if (!take_count(data, length) || length > data.size()) return false;
  bytes = data.substr(0, length);
  return true;
}

}  // namespace marrow
