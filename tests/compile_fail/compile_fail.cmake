# SPDX-License-Identifier: Apache-2.0
# Every source of this folder must be refused, with the words of its lines `// expect: REGEX`.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  set(standard c++20)
  if(name STREQUAL "older_standard")
    set(standard c++17)
  endif()
  add_test(NAME "compile_fail: ${name}"
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/expect_failure.py ${source} --
      ${CMAKE_CXX_COMPILER} -std=${standard} -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR})
  set_tests_properties("compile_fail: ${name}" PROPERTIES LABELS compile_fail)
endforeach()
