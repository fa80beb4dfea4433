// Whole files in and out. Writing goes beside the target and is renamed over it, so that a crash, a kill or a
// full disk leaves either the old file or the new one, never half of one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace marrow {

// The bytes of a file. Throws InputError if it does not exist or cannot be read.
std::string read_file(const std::string& path);

// Replaces the file by these bytes, all or nothing. Throws OutputError.
void write_file(const std::string& path, std::string_view bytes);

// Creates a folder and its parents. Throws OutputError.
void make_folder(const std::string& path);

// 64-bit FNV-1a of the bytes: a fingerprint against mix-ups, not against forgers.
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 14695981039346656037ULL);

}  // namespace marrow
