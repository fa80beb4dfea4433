// Prepared medial bodies as files: a binary format of ours with a checksum, so that a damaged file is refused
// and not believed. The same machine-independent bytes come from the same preparation.
#pragma once

#include <string>
#include <string_view>

#include "preprocess/medial/prepare_medial.h"

namespace marrow {

std::string format_medial(const PreparedMedial& prepared);

// Throws InputError if the bytes are no such file, of another version, or damaged.
PreparedMedial parse_medial(std::string_view bytes, const std::string& name);

void write_medial(const std::string& path, const PreparedMedial& prepared);
PreparedMedial read_medial(const std::string& path);

// As prepare_medial, from a store of earlier results that is looked up by the content of the mesh and the
// options (preprocess/store.h). Where the store cannot be used, everything is computed. is_cached: whether
// the result was found there; the report is then empty, its notes are in the result.
PreparedMedial prepare_medial_cached(const Mesh& mesh, const std::string& name, const MedialOptions& options,
                                     MedialReport& report, bool& is_cached);

}  // namespace marrow
