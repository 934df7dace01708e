# SPDX-License-Identifier: Apache-2.0
# The library's own kernels, emulated, under a sanitizer: ThreadSanitizer finds what barriers leave
# open, AddressSanitizer what lies beyond an array. Minutes, so only where all is built for that.
foreach(kernels IN ITEMS tiles sparse spgemm graph gemm)
  add_executable(races_${kernels} races/${kernels}.cpp)
  target_include_directories(races_${kernels} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(races_${kernels} PRIVATE loops_loops loops_warnings)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
    set(test "races: none in ${kernels}")
    set(label "races;tsan")
  else()
    # Compiled four times as fast, and what nobody looks at is read all the same; but dense products
    # would run for minutes.
    if(NOT kernels STREQUAL "gemm")
      target_compile_options(races_${kernels} PRIVATE -O0)
    endif()
    set(test "bounds: kept in ${kernels}")
    set(label "bounds;asan")
  endif()
  add_test(NAME "${test}" COMMAND races_${kernels})
  set_tests_properties("${test}" PROPERTIES LABELS "${label}" TIMEOUT 600
    FAIL_REGULAR_EXPRESSION "Sanitizer")
endforeach()
