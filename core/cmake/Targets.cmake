# Functions to declare targets: one library per folder or layer, explicit sources, strict warnings.

# Options for our own code only; third-party headers are SYSTEM.
add_library(dubito_warnings INTERFACE)
target_compile_options(
  dubito_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow>
                            $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${DUBITO_WERROR}>>:-Werror>
                            # false positives of GCC 12 in std::string concatenation (GCC bug 105651)
                            $<$<AND:$<CXX_COMPILER_ID:GNU>,$<COMPILE_LANGUAGE:CXX>>:-Wno-restrict>)

# For targets in which GCC 12 wrongly reports uninitialised members in sanitizer builds (std::regex, torch headers);
# other builds compile the same code with the warning on.
add_library(dubito_instrumented INTERFACE)
if(DUBITO_SANITIZE)
  target_compile_options(dubito_instrumented INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# dubito_add_sources(NAME a.cpp ...)
# Sources of this folder in a library that is declared after it, in another folder: the concept decides the folder, the
# layer decides the library.
function(dubito_add_sources name)
  if(TARGET dubito_${name})
    message(FATAL_ERROR "dubito_add_sources: the library ${name} is declared already")
  endif()
  foreach(source IN LISTS ARGN)
    set_property(GLOBAL APPEND PROPERTY DUBITO_SOURCES_OF_${name} ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  endforeach()
endfunction()

# dubito_add_library(NAME [SOURCES a.cpp ...] [PUBLIC target ...] [PRIVATE target ...] [PRECOMPILED kind | APART] [HOT])
# Headers are included from the root of the repository: #include "core/base/expected.h". In a folder whose sources are in
# several libraries, a header without a source is listed with the sources of its library.
# Fast builds are unity builds of eight sources each, so names in anonymous namespaces must differ within a library.
# PRECOMPILED: separate sources with a precompiled header (Precompiled.cmake). APART: separate sources without one.
# HOT: contains loops over whole datasets. Libraries that link LibTorch share a precompiled header of it.
function(dubito_add_library name)
  cmake_parse_arguments(ARG "APART;HOT" "PRECOMPILED" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  get_property(added_sources GLOBAL PROPERTY DUBITO_SOURCES_OF_${name})
  add_library(dubito_${name} STATIC ${ARG_SOURCES} ${added_sources})
  add_library(dubito::${name} ALIAS dubito_${name})
  target_include_directories(dubito_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(dubito_${name} PUBLIC ${ARG_PUBLIC} PRIVATE dubito_warnings ${ARG_PRIVATE})
  if(ARG_HOT)
    target_compile_options(dubito_${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  endif()
  if(ARG_PRECOMPILED)
    dubito_use_precompiled(dubito_${name} ${ARG_PRECOMPILED})
  elseif(NOT ARG_APART)
    set_target_properties(dubito_${name} PROPERTIES UNITY_BUILD ${DUBITO_FAST_BUILD} UNITY_BUILD_BATCH_SIZE 8)
    if(DUBITO_FAST_BUILD)
      # In unity builds, types of anonymous namespaces look as if they came from a header.
      target_compile_options(dubito_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
  endif()
  # Headers of LibTorch take ten seconds to read. Libraries with options of their own cannot share them.
  if("torch::torch_cpu" IN_LIST ARG_PRIVATE AND NOT "torch::openmp" IN_LIST ARG_PRIVATE AND NOT ARG_HOT)
    dubito_use_precompiled(dubito_${name} torch)
  endif()
endfunction()

# dubito_add_test(NAME SOURCES a_test.cpp ... LINKS target ... [LABELS label ...])
# One GoogleTest program; ctest runs the tests of each source in a separate process, as NAME/a_test.
function(dubito_add_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE dubito_warnings dubito::test_support ${ARG_LINKS})
  if("torch" IN_LIST ARG_LABELS)
    dubito_use_precompiled(${name} torch_tests)
  else()
    dubito_use_precompiled(${name} tests)
  endif()
  # Deferred until all sources are known.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL dubito_register_tests ${name} \"core;${ARG_LABELS}\")")
endfunction()

function(dubito_register_tests name labels)
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources INCLUDE REGEX "_test\\.cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(source ${source} NAME_WE)
    add_test(NAME ${name}/${source} COMMAND ${name} --source=${source})
    set_tests_properties(${name}/${source} PROPERTIES LABELS "${labels}" TIMEOUT 1200)
  endforeach()
endfunction()
