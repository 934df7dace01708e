# SPDX-License-Identifier: Apache-2.0
# The library's own kernels under ThreadSanitizer: none may have a race. Minutes, so only where all is
# built for that.
foreach(kernels IN ITEMS tiles sparse spgemm graph gemm)
  add_executable(races_${kernels} races/${kernels}.cpp)
  target_include_directories(races_${kernels} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(races_${kernels} PRIVATE loops_loops loops_warnings)
  add_test(NAME "races: none in ${kernels}" COMMAND races_${kernels})
  set_tests_properties("races: none in ${kernels}" PROPERTIES LABELS "races;tsan" TIMEOUT 600
    FAIL_REGULAR_EXPRESSION "ThreadSanitizer")
endforeach()
