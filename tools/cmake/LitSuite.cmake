# Adds the lit suite as one CTest entry `lit` and the target `check-lit`; lit finds the tests itself.
# The package llvm-19-tools has lit and FileCheck, but puts neither on PATH.
find_program(MPF_LIT NAMES lit lit.py
  HINTS /usr/lib/llvm-19/build/utils/lit /usr/lib/llvm-14/build/utils/lit)
find_program(MPF_FILECHECK NAMES FileCheck FileCheck-19
  HINTS /usr/lib/llvm-19/bin /usr/lib/llvm-14/bin)
if(NOT MPF_LIT OR NOT MPF_FILECHECK)
  message(FATAL_ERROR "lit and FileCheck are needed for the tests (Debian: llvm-19-tools); "
                      "set MPF_LIT and MPF_FILECHECK, or MPF_ENABLE_TESTS=OFF")
endif()
mark_as_advanced(MPF_LIT MPF_FILECHECK)
cmake_path(GET MPF_FILECHECK PARENT_PATH MPF_LLVM_TOOLS_DIR)

configure_file(${PROJECT_SOURCE_DIR}/tests/lit.site.cfg.py.in
               ${PROJECT_BINARY_DIR}/tests/lit.site.cfg.py @ONLY)

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/test-reports)
set(lit_command ${Python3_EXECUTABLE} ${MPF_LIT} ${PROJECT_BINARY_DIR}/tests)
# One test more than cores: some wait, for signals and limits of time.
cmake_host_system_information(RESULT lit_workers QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR lit_workers "${lit_workers} + 1")
add_test(NAME lit
  COMMAND ${lit_command} --workers ${lit_workers} --verbose --xunit-xml-output ${PROJECT_BINARY_DIR}/test-reports/lit.xml)
# lit runs its tests side by side itself.
set_tests_properties(lit PROPERTIES LABELS lit RUN_SERIAL ON)

add_custom_target(check-lit COMMAND ${lit_command} --verbose USES_TERMINAL VERBATIM)
add_dependencies(check-lit mpfc)
if(TARGET mpf-check-kernel)
  add_dependencies(check-lit mpf-check-kernel)
endif()
add_custom_target(check COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure USES_TERMINAL VERBATIM
                  WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
