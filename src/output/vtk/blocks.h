// The blocks of data in a VTU file: compressed by zlib as VTK does (vtkZLibDataCompressor, 64-bit headers),
// or raw.
//
// A compressed block is cut into chunks: their number, the size of each, the size of the last one if it is
// smaller, the compressed size of each; then the compressed chunks. A raw block is its length and the bytes.
#pragma once

#include <string>
#include <string_view>

namespace marrow {

// Appends a compressed block. Its end is no multiple of four bytes from the start of data, unless it is
// empty.
void append_compressed(std::string_view bytes, std::string& data);

// Reads the block at the front of data, whatever follows it. Answers false if it is cut off or damaged.
bool read_compressed(std::string_view data, std::string& bytes);
bool read_raw(std::string_view data, std::string& bytes);

}  // namespace marrow
