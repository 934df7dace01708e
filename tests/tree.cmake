# SPDX-License-Identifier: Apache-2.0
# The house rules, and the rules' own test.
add_test(NAME "tree: rules" COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_tree)
add_test(NAME "tree: every rule can fail"
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_tree --self-test)
add_test(NAME "tree: every turn of a main loop can fail"
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_ping_pong --self-test)
add_test(NAME "tree: loads that wait can fail"
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_loads --self-test)
add_test(NAME "tree: headers that are not what was measured can fail"
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_generated --self-test)
# From any folder, and without doing it.
file(GLOB scripts ${PROJECT_SOURCE_DIR}/.ci/run ${PROJECT_SOURCE_DIR}/scripts/*)
list(FILTER scripts EXCLUDE REGEX "/lib[.]sh$")
foreach(script IN LISTS scripts)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${script})
  set(runs bash)
  if(NOT name MATCHES "^(.ci/run|scripts/(demo|rocm_root|test))$")
    set(runs ${Python3_EXECUTABLE})
  endif()
  add_test(NAME "tree: ${name} says what it does" COMMAND ${runs} ${script} --help
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  set_tests_properties("tree: ${name} says what it does" PROPERTIES
    PASS_REGULAR_EXPRESSION "${name}" FAIL_REGULAR_EXPRESSION "Traceback" LABELS tree)
endforeach()
add_test(NAME "tree: .ci/run has stages by name" COMMAND ${CMAKE_COMMAND} -E env LOOPS_CI_STAGES=hots
  bash ${PROJECT_SOURCE_DIR}/.ci/run)
set_tests_properties("tree: .ci/run has stages by name" PROPERTIES
  PASS_REGULAR_EXPRESSION "'hots', which is no stage" LABELS tree)
# Tables of costs that take no time.
if(TARGET loops)
  file(GLOB selectors ${PROJECT_SOURCE_DIR}/include/loops/select/*.hpp)
  file(GLOB costs ${PROJECT_SOURCE_DIR}/algorithms/gemm/select/tables/*_f32*.hpp)
  add_test(NAME "tree: selectors are what was measured"
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_generated $<TARGET_FILE:loops>
            ${selectors} ${costs})
  set_tests_properties("tree: selectors are what was measured" PROPERTIES LABELS tree)
endif()
set_tests_properties("tree: headers that are not what was measured can fail" "tree: rules" "tree: every rule can fail" "tree: loads that wait can fail"
  "tree: every turn of a main loop can fail" PROPERTIES LABELS tree)
