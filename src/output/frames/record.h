// The records of run.mrw, the file of frames that the viewer reads: docs/frame_format.md has the layout.
//
// A record is a fixed header and a payload: a JSON head that names arrays, then the arrays. Whoever writes a
// record adds arrays one by one and gets back how to name them in the head.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace marrow {

inline constexpr std::string_view kRecordsMagic = "MARROWFR";
inline constexpr std::uint32_t kRecordsVersion = 2;      // version 1 is read too
inline constexpr std::uint64_t kRecordsFileHeader = 16;  // magic, version, zero
inline constexpr std::uint64_t kRecordHeader = 32;

// The first bytes of a file of records.
std::string format_records_header();

// The version in the first bytes of a file of records; 0 if they are none.
std::uint32_t parse_records_header(std::string_view bytes);

enum class RecordKind { Topology, Frame, Exact };

struct RecordHeader {
  RecordKind kind = RecordKind::Frame;
  int step = 0;
  double time = 0;                 // [s]
  std::uint64_t payload_size = 0;  // a multiple of 8
  std::uint32_t sums[2] = {0, 0};  // over the header before them, and the payload
};

// Reads a header; answers false if these bytes are none.
bool parse_record_header(std::string_view bytes, RecordHeader& header);

// Whether a whole record (header and payload) adds up.
bool is_sound_record(std::string_view record);

// The JSON head of a record's payload, of which at least the head must be there; empty if it is damaged.
std::string_view record_head(std::string_view payload);

// a = 1 + Σ words, b = Σ of all intermediate a, both modulo 2³².
struct RecordSums {
  std::uint32_t a = 1, b = 0;

  void add(std::string_view bytes);
};

// Collects the arrays of a record.
class RecordArrays {
 public:
  // Each returns how the head names the array: its type, components, count and offset.
  nlohmann::ordered_json add_u16(std::span<const std::uint16_t> values, int components);
  nlohmann::ordered_json add_u32(std::span<const std::uint32_t> values, int components);
  nlohmann::ordered_json add_f32(std::span<const float> values, int components);
  nlohmann::ordered_json add_f64(std::span<const double> values, int components);

  const std::string& bytes() const { return bytes_; }

 private:
  nlohmann::ordered_json add(const char* type, const void* data, size_t size, size_t count, int components);

  std::string bytes_;
};

// The bytes of a record.
std::string format_record(RecordKind kind, int step, double time, const nlohmann::ordered_json& head,
                          const RecordArrays& arrays);

}  // namespace marrow
