// Whole files in and out. Writing goes beside the target and is renamed over it, so that a crash, a kill or a
// full disk leaves either the old file or the new one, never half of one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace marrow {

// The bytes of a file. Throws InputError if it does not exist or cannot be read.
std::string read_file(const std::string& path);

// Replaces the file by these bytes, all or nothing. Throws OutputError.
void write_file(const std::string& path, std::string_view bytes);

// Creates a folder and its parents. Throws OutputError.
void make_folder(const std::string& path);

// Whether there is a file or a folder; false if the path cannot be reached. They never throw.
bool is_file(const std::string& path);
bool is_folder(const std::string& path);

// The names in a folder, sorted; none if it cannot be read.
std::vector<std::string> list_folder(const std::string& path);

// Removes a file, if there is one. Throws OutputError.
void remove_file(const std::string& path);

// Where a path leads, with every link followed as far as it exists. Throws InputError.
std::string canonical_path(const std::string& path);

// 64-bit FNV-1a of the bytes: a fingerprint against mix-ups, not against forgers.
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 14695981039346656037ULL);

}  // namespace marrow
