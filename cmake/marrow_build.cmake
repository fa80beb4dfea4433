# How everything of ours is compiled: C++20, warnings are errors, one static library per layer.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# ccache shortens rebuilds, mold linking; both are optional.
find_program(MARROW_CCACHE ccache)
if(MARROW_CCACHE)
  # Without these it does not keep what uses precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${MARROW_CCACHE})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
find_program(MARROW_MOLD mold)
if(MARROW_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# No fast-math and no contraction: certificates rely on IEEE rounding, and results must not depend on inlining.
# errno is not ours: square roots become one instruction.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off> $<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno>)
if(MARROW_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${MARROW_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=${MARROW_SANITIZE})
endif()

set(MARROW_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Werror)
# GCC 12 sees overlapping and overlong copies in std::string concatenation where there are none.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND MARROW_WARNINGS -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()

# A file compiled together with others looks like a header to this warning.
if(MARROW_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND MARROW_WARNINGS -Wno-subobject-linkage)
endif()

# Headers that most files read: compiled once, for all that has the same flags. Files include what they use all the
# same; clang-tidy reads them without. Reading is the smaller part: a file's time goes into templates of Eigen and CLI11.
set(MARROW_COMMON_HEADERS <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <filesystem> <functional> <limits> <map>
    <memory> <numeric> <optional> <random> <set> <span> <string> <string_view> <utility> <vector> <Eigen/Dense> <fmt/format.h>)

# marrow_precompiled(name headers…): a target whose precompiled headers others take with marrow_take_precompiled.
function(marrow_precompiled name)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cpp CONTENT "// Holds precompiled headers.\n")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_compile_options(${name} PRIVATE ${MARROW_WARNINGS})
  target_link_libraries(${name} PRIVATE Eigen3::Eigen fmt::fmt)
  target_precompile_headers(${name} PRIVATE ${MARROW_COMMON_HEADERS} ${ARGN})
endfunction()

function(marrow_take_precompiled target from)
  if(MARROW_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${from})
  endif()
endfunction()

# marrow_compile_cold(target): code that runs once per run, optimised less: a quarter less time to compile.
function(marrow_compile_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  marrow_take_precompiled(${target} marrow_precompiled_cold)
endfunction()

# marrow_compile_rooms(target sources…): files of one folder are compiled together, a few at a time, because most of a
# file's time goes into templates of Eigen and fmt that the next file needs again. Names that a file defines for itself
# must therefore differ within a folder. Files with compile options of their own stay alone.
set(MARROW_FILES_AT_ONCE 12)
function(marrow_compile_rooms target)
  if(NOT MARROW_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source ${ARGN})
    get_filename_component(folder ${source} DIRECTORY)
    string(MD5 room ${folder})
    if(NOT DEFINED count_${room})
      set(count_${room} 0)
    endif()
    math(EXPR number "${count_${room}} / ${MARROW_FILES_AT_ONCE}")
    math(EXPR count_${room} "${count_${room}} + 1")
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${folder})
    string(REPLACE / _ name ${folder})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${number})
  endforeach()
endfunction()

# marrow_layer(name [PUBLIC libs…] [PRIVATE libs…]): the static library of src/name.
function(marrow_layer name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  if(sources)
    add_library(marrow_${name} STATIC ${sources})
    target_include_directories(marrow_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_compile_options(marrow_${name} PRIVATE ${MARROW_WARNINGS})
    target_link_libraries(marrow_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
    marrow_compile_rooms(marrow_${name} ${sources})
    if(name MATCHES "^(scene|run|view)$")
      marrow_compile_cold(marrow_${name})
    elseif(NOT name STREQUAL preprocess)
      marrow_take_precompiled(marrow_${name} marrow_precompiled_common)
    endif()
  else()
    add_library(marrow_${name} INTERFACE)
    target_include_directories(marrow_${name} INTERFACE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(marrow_${name} INTERFACE ${ARG_PUBLIC})
  endif()
endfunction()
