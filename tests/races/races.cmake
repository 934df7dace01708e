# SPDX-License-Identifier: Apache-2.0
# Emulated lanes under ThreadSanitizer: it must see every planted race, and none elsewhere.
include(CheckCXXSourceCompiles)
include(CMakePushCheckState)

if(NOT TARGET loops_emulation OR CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
  return()
endif()
cmake_push_check_state()
set(CMAKE_REQUIRED_FLAGS "-fsanitize=thread")
check_cxx_source_compiles("int main() { return 0; }" loops_has_thread_sanitizer)
cmake_pop_check_state()
if(NOT loops_has_thread_sanitizer)
  message(STATUS "loops: no ThreadSanitizer, so no race tests")
  return()
endif()

add_executable(races_lanes races/lanes.cpp)
target_compile_options(races_lanes PRIVATE -fsanitize=thread -O1 -g)
target_link_options(races_lanes PRIVATE -fsanitize=thread)
target_link_libraries(races_lanes PRIVATE loops_emulation loops_warnings)

foreach(kernel IN ITEMS sync wave_sync exchanges atomic acquire)
  add_test(NAME "races: silent on ${kernel}" COMMAND races_lanes ${kernel})
  set_tests_properties("races: silent on ${kernel}" PROPERTIES LABELS "races;tsan" TIMEOUT 120
    FAIL_REGULAR_EXPRESSION "ThreadSanitizer")
endforeach()
foreach(kernel IN ITEMS missing_sync missing_sync_across_waves shuffle_for_a_barrier missing_atomic
                        missing_acquire)
  add_test(NAME "races: reports ${kernel}" COMMAND races_lanes ${kernel})
  set_tests_properties("races: reports ${kernel}" PROPERTIES LABELS "races;tsan" TIMEOUT 120
    PASS_REGULAR_EXPRESSION "WARNING: ThreadSanitizer: data race")
endforeach()
