# How device code is compiled: by nvcc, for Hopper, with PTX from which the driver builds for Ampere and all later GPUs.

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR "MARROW_CUDA is ON, but no CUDA compiler was found. Put nvcc on the PATH or name it with "
                      "-DCMAKE_CUDA_COMPILER=<path of nvcc>; to build without CUDA, say -DMARROW_CUDA=OFF.")
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90-real 80-virtual 90-virtual)
endif()
enable_language(CUDA)
# CMake 3.25 does not know how nvcc is asked for C++20.
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)

# --expt-relaxed-constexpr: constexpr functions of the standard library in kernels.
# -fmad=false: no contraction, as on the host.
add_compile_options(
  $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>
  $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)

# A kernel that calls a host function is an error. 20012: Eigen 3.4 marks defaulted functions, which nvcc reports
# even in system headers. The host's pedantic warnings would complain about what nvcc generates.
set(MARROW_CUDA_WARNINGS
  $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>
  $<$<COMPILE_LANGUAGE:CUDA>:-diag-suppress=20012>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow,-Werror>)
