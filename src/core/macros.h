// The few macros of the code base: host/device marking and assertions about our own mistakes.
#pragma once

#include <cassert>

// Marks a kernel that must compile for the host and for the device.
// MARROW_DEVICE_COMPILER is defined where the device compiler reads the file: it lacks 128-bit and vector
// types.
#if defined(__CUDACC__)
#define MARROW_HD __host__ __device__
#define MARROW_DEVICE_COMPILER
#else
#define MARROW_HD
#endif

// States what the code itself guarantees. Bad input is an InputError, never an assertion.
#define MARROW_ASSERT(condition) assert(condition)
