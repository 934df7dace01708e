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
