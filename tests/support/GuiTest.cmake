# dubito_add_gui_test(NAME SOURCES a_test.cpp ... LINKS target ... [LABELS label ...])
# One QTest program on Qt's offscreen platform; its main is DUBITO_GUI_TEST_MAIN.
function(dubito_add_gui_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_link_libraries(${name} PRIVATE dubito_warnings dubito::test_support Qt6::Test
                                        ${ARG_LINKS})
  dubito_use_precompiled(${name} qt_tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(
    ${name} PROPERTIES LABELS "gui;${ARG_LABELS}" TIMEOUT 300 ENVIRONMENT QT_QPA_PLATFORM=offscreen)
endfunction()

# dubito_add_window_tests(UNIT...)
# For each unit, app_UNIT_test of UNIT_test.cpp, which needs the complete window.
function(dubito_add_window_tests)
  foreach(unit IN LISTS ARGN)
    dubito_add_gui_test(
      app_${unit}_test
      SOURCES ${unit}_test.cpp
      LINKS dubito::app_shell dubito_app_test_support
      LABELS app)
  endforeach()
endfunction()
