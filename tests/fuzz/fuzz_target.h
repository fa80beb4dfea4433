// What a fuzz target offers: libFuzzer's entry point, and seeds for our own driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Sound inputs to start from.
void add_seeds(std::vector<std::string>& seeds);
