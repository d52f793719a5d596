# Instrumented builds: sanitizers, fuzzing, coverage. The flags apply to all of our own code.

set(DUBITO_SANITIZE
    ""
    CACHE STRING "Sanitizers, separated by commas: address,undefined or thread; empty: none")
option(DUBITO_FUZZ "Build the fuzz targets (requires clang)" OFF)
option(DUBITO_COVERAGE "Measure the line coverage of the tests (requires GCC)" OFF)

if(DUBITO_SANITIZE)
  # No recovery: a program that continues after undefined behaviour would pass its tests.
  # No vptr check: it needs type information that torch does not export.
  add_compile_options(-fsanitize=${DUBITO_SANITIZE} -fno-sanitize-recover=all -fno-sanitize=vptr -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DUBITO_SANITIZE})
endif()
if(DUBITO_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "Fuzz targets require clang; use the preset fuzz, or set CMAKE_CXX_COMPILER to clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(DUBITO_COVERAGE)
  # Atomic counters, because tests use threads.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
