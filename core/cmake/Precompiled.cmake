# Precompiled headers for fast builds.

# A precompiled header only works for sources with the same options: programs are compiled like libraries, and tests
# share another one.
if(DUBITO_FAST_BUILD)
  set(CMAKE_CXX_COMPILE_OPTIONS_PIE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
endif()

# Tests and commands need not be fast, because the loops are in core; -O1 compiles faster, and -O0
# fastest.
set(dubito_cli_options $<$<CONFIG:Release>:-O1>)
set(dubito_test_options $<$<CONFIG:Release>:-O0>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False positives of GCC 12 about out-of-bounds copies in std::string (GCC bug 105651, as in Targets.cmake).
  list(APPEND dubito_test_options -Wno-array-bounds -Wno-stringop-overflow)
endif()

# dubito_add_precompiled(KIND LINKS target ... HEADERS <a> ... [OPTIONS option ...])
function(dubito_add_precompiled kind)
  cmake_parse_arguments(ARG "" "" "LINKS;HEADERS;OPTIONS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/precompiled/${kind}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(dubito_precompiled_${kind} OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(dubito_precompiled_${kind} PRIVATE ${ARG_LINKS})
  target_compile_options(dubito_precompiled_${kind} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(dubito_precompiled_${kind} PRIVATE ${ARG_HEADERS})
endfunction()

# dubito_use_precompiled(TARGET KIND)
function(dubito_use_precompiled target kind)
  if(kind MATCHES "tests$")
    target_compile_options(${target} PRIVATE ${dubito_test_options})
  elseif(kind STREQUAL "cli")
    target_compile_options(${target} PRIVATE ${dubito_cli_options})
  endif()
  if(DUBITO_FAST_BUILD)
    target_precompile_headers(${target} REUSE_FROM dubito_precompiled_${kind})
  endif()
endfunction()

if(DUBITO_FAST_BUILD)
  set(_standard <algorithm> <filesystem> <functional> <memory> <optional> <span> <string> <vector>)
  dubito_add_precompiled(
    torch
    LINKS torch::torch_cpu
    HEADERS ${_standard} <nlohmann/json.hpp> <ATen/Functions.h> <ATen/TensorOperators.h> <torch/csrc/jit/api/module.h>
            <torch/csrc/jit/ir/constants.h> <torch/csrc/jit/ir/ir.h>)
  dubito_add_precompiled(cli LINKS CLI11::CLI11 HEADERS ${_standard} <nlohmann/json.hpp> <CLI/CLI.hpp>
                         OPTIONS ${dubito_cli_options})
  if(DUBITO_GUI)
    dubito_add_precompiled(qt LINKS Qt6::Widgets HEADERS ${_standard} <QtWidgets>)
    target_compile_definitions(dubito_precompiled_qt PRIVATE QT_NO_KEYWORDS)
  endif()
  if(DUBITO_TESTS)
    dubito_add_precompiled(tests LINKS GTest::gtest HEADERS ${_standard} <gtest/gtest.h> <gmock/gmock.h>
                           OPTIONS ${dubito_test_options})
    dubito_add_precompiled(
      torch_tests
      LINKS torch::torch_cpu GTest::gtest
      HEADERS ${_standard} <gtest/gtest.h> <gmock/gmock.h> <nlohmann/json.hpp> <ATen/Functions.h> <ATen/TensorOperators.h>
              <torch/csrc/jit/api/module.h>
      OPTIONS ${dubito_test_options})
    if(DUBITO_GUI)
      # Without QtTest, whose macros contain the folder of each test.
      dubito_add_precompiled(qt_tests LINKS Qt6::Widgets HEADERS ${_standard} <QtWidgets> OPTIONS ${dubito_test_options})
      target_compile_definitions(dubito_precompiled_qt_tests PRIVATE QT_NO_KEYWORDS)
    endif()
  endif()
endif()
