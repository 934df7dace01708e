# SPDX-License-Identifier: Apache-2.0
# The house rules, and the rules' own test.
add_test(NAME "tree: rules" COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_tree)
add_test(NAME "tree: every rule can fail"
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_tree --self-test)
add_test(NAME "tree: every turn of a main loop can fail"
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_ping_pong --self-test)
add_test(NAME "tree: loads that wait can fail"
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check_loads --self-test)
set_tests_properties("tree: rules" "tree: every rule can fail" "tree: loads that wait can fail"
  "tree: every turn of a main loop can fail" PROPERTIES LABELS tree)
