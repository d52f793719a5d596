# Builds that watch themselves: sanitizers, fuzzing, coverage. Flags go to all of our own code, so that
# nothing is watched in part.

set(DUBITO_SANITIZE
    ""
    CACHE STRING "Sanitizers of GCC or clang, separated by commas: address,undefined or thread; empty: none")
option(DUBITO_FUZZ "Build the fuzz targets (needs clang)" OFF)
option(DUBITO_COVERAGE "Count which lines the tests reach (needs GCC)" OFF)

if(DUBITO_SANITIZE)
  # A program that goes on after undefined behaviour would pass its tests.
  # Torch keeps the type information of its classes to itself, which the check of virtual calls would need.
  add_compile_options(-fsanitize=${DUBITO_SANITIZE} -fno-sanitize-recover=all -fno-sanitize=vptr -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DUBITO_SANITIZE})
endif()
if(DUBITO_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "Fuzz targets need clang; use the preset fuzz, or set CMAKE_CXX_COMPILER to clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(DUBITO_COVERAGE)
  # Atomic counts, because the tests run threads.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
