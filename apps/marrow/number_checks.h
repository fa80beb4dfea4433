// Checks of numbers on the command line. CLI11's ranges let what is not a number pass.
#pragma once

#include <CLI/CLI.hpp>

namespace marrow {

// A finite number from low to high.
CLI::Validator between(double low, double high);

// A finite number, at least or above 0.
CLI::Validator not_negative();
CLI::Validator positive();

// Any finite number.
CLI::Validator finite();

}  // namespace marrow
