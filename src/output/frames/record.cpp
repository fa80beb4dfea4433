#include "output/frames/record.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

namespace marrow {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kKinds[] = {"TOPO", "FRAM", "EXAC"};
constexpr size_t kSummedHeader = 24;  // bytes of the header that the sums cover

template <class T>
void append(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

template <class T>
T take(std::string_view bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

void pad(std::string& bytes, char with) {
  while (bytes.size() % 8 != 0) bytes += with;
}

}  // namespace

void RecordSums::add(std::string_view bytes) {
  for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    a += take<std::uint32_t>(bytes, i);
    b += a;
  }
}

std::uint32_t parse_records_header(std::string_view bytes) {
  if (bytes.size() < kRecordsFileHeader || !bytes.starts_with(kRecordsMagic)) return 0;
  return take<std::uint32_t>(bytes, kRecordsMagic.size());
}

std::string format_records_header() {
  std::string bytes(kRecordsMagic);
  append(bytes, kRecordsVersion);
  append(bytes, std::uint32_t{0});
  return bytes;
}

bool parse_record_header(std::string_view bytes, RecordHeader& header) {
  if (bytes.size() < kRecordHeader) return false;
  const std::string_view kind = bytes.substr(0, 4);
  const auto known = std::find(std::begin(kKinds), std::end(kKinds), kind);
  if (known == std::end(kKinds)) return false;
  header.kind = static_cast<RecordKind>(known - std::begin(kKinds));
  header.step = take<std::int32_t>(bytes, 4);
  header.time = take<double>(bytes, 8);
  header.payload_size = take<std::uint64_t>(bytes, 16);
  header.sums[0] = take<std::uint32_t>(bytes, 24);
  header.sums[1] = take<std::uint32_t>(bytes, 28);
  return header.payload_size % 8 == 0 && header.step >= 0;
}

bool is_sound_record(std::string_view record) {
  RecordHeader header;
  if (!parse_record_header(record, header) || record.size() - kRecordHeader != header.payload_size) {
    return false;
  }
  RecordSums sums;
  sums.add(record.substr(0, kSummedHeader));
  sums.add(record.substr(kRecordHeader));
  return sums.a == header.sums[0] && sums.b == header.sums[1];
}

std::string_view record_head(std::string_view payload) {
  if (payload.size() < 8) return {};
  const auto size = take<std::uint64_t>(payload, 0);
  return size <= payload.size() - 8 ? payload.substr(8, size) : std::string_view();
}

nlohmann::ordered_json RecordArrays::add(const char* type, const void* data, size_t size, size_t count,
                                         int components) {
  const size_t offset = bytes_.size();
  bytes_.append(static_cast<const char*>(data), size);
  pad(bytes_, '\0');
  return {{"type", type},
          {"components", components},
          {"count", count / static_cast<size_t>(components)},
          {"offset", offset}};
}

nlohmann::ordered_json RecordArrays::add_u16(std::span<const std::uint16_t> values, int components) {
  return add("u16", values.data(), values.size_bytes(), values.size(), components);
}

nlohmann::ordered_json RecordArrays::add_u32(std::span<const std::uint32_t> values, int components) {
  return add("u32", values.data(), values.size_bytes(), values.size(), components);
}

nlohmann::ordered_json RecordArrays::add_f32(std::span<const float> values, int components) {
  return add("f32", values.data(), values.size_bytes(), values.size(), components);
}

nlohmann::ordered_json RecordArrays::add_f64(std::span<const double> values, int components) {
  return add("f64", values.data(), values.size_bytes(), values.size(), components);
}

std::string format_record(RecordKind kind, int step, double time, const nlohmann::ordered_json& head,
                          const RecordArrays& arrays) {
  std::string text = head.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  pad(text, ' ');
  std::string bytes(kKinds[static_cast<size_t>(kind)]);
  append(bytes, static_cast<std::int32_t>(step));
  append(bytes, time);
  append(bytes, std::uint64_t{8 + text.size() + arrays.bytes().size()});
  std::string payload;
  payload.reserve(8 + text.size() + arrays.bytes().size());
  append(payload, std::uint64_t{text.size()});
  payload += text;
  payload += arrays.bytes();
  RecordSums sums;
  sums.add(bytes);
  sums.add(payload);
  append(bytes, sums.a);
  append(bytes, sums.b);
  return bytes + payload;
}

}  // namespace marrow
