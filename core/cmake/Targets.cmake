# How this project declares its own targets: one library a folder, explicit sources, strict warnings.

# Options that only our own code gets; third-party headers are SYSTEM.
add_library(dubito_warnings INTERFACE)
target_compile_options(
  dubito_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow>
                            $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${DUBITO_WERROR}>>:-Werror>
                            # GCC 12 sees overlaps in std::string concatenation that are not there (its bug 105651).
                            $<$<AND:$<CXX_COMPILER_ID:GNU>,$<COMPILE_LANGUAGE:CXX>>:-Wno-restrict>)

# For targets with members that GCC 12 takes for uninitialised where a sanitizer watches (inside std::regex, and
# torch's headers); other builds see the same code without a warning.
add_library(dubito_instrumented INTERFACE)
if(DUBITO_SANITIZE)
  target_compile_options(dubito_instrumented INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# dubito_add_library(NAME SOURCES a.cpp ... [PUBLIC target ...] [PRIVATE target ...])
# Headers are included from the root of the repository: #include "core/base/expected.h".
function(dubito_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(dubito_${name} STATIC ${ARG_SOURCES})
  add_library(dubito::${name} ALIAS dubito_${name})
  target_include_directories(dubito_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(dubito_${name} PUBLIC ${ARG_PUBLIC} PRIVATE dubito_warnings ${ARG_PRIVATE})
endfunction()

# dubito_add_test(NAME SOURCES a_test.cpp ... LINKS target ... [LABELS label ...])
# One GoogleTest program; every TEST becomes a ctest entry NAME/Suite.Case.
function(dubito_add_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE dubito_warnings dubito::test_support ${ARG_LINKS})
  gtest_discover_tests(
    ${name}
    TEST_PREFIX "${name}/"
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS "core;${ARG_LABELS}" TIMEOUT 600)
endfunction()
