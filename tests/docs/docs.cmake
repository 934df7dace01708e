# SPDX-License-Identifier: Apache-2.0
# The named C++ blocks of the documentation: all compile, and those with a main() run.
file(GLOB_RECURSE pages RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/*.md)
list(FILTER pages INCLUDE REGEX "^([A-Z]+\\.md|docs/.*|algorithms/.*|datasets/.*)$")
file(GLOB frames CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
set(extract ${PROJECT_SOURCE_DIR}/scripts/extract_snippets.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${extract} ${frames})
foreach(page IN LISTS pages)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${page})
endforeach()
execute_process(
  COMMAND ${Python3_EXECUTABLE} ${extract} ${CMAKE_CURRENT_BINARY_DIR}/snippets ${CMAKE_CURRENT_LIST_DIR} ${pages}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE snippets COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" snippets "${snippets}")

foreach(snippet IN LISTS snippets)
  if(NOT snippet)
    continue()
  endif()
  get_filename_component(name ${snippet} NAME_WE)
  file(STRINGS ${snippet} main REGEX "int main\\(")
  if(main)
    loops_program(snippet_${name} SOURCES ${snippet})
    add_test(NAME "docs: ${name}" COMMAND snippet_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties("docs: ${name}" PROPERTIES LABELS docs TIMEOUT 300)
  else()
    add_library(snippet_${name} OBJECT ${snippet})
    target_link_libraries(snippet_${name} PRIVATE loops_loops loops_warnings)
  endif()
endforeach()
