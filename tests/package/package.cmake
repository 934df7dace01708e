# SPDX-License-Identifier: Apache-2.0
# Projects that use loops in the four ways there are, configured, built and run.
if(NOT LOOPS_INSTALL OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  return()
endif()
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/package/prefix)
add_test(NAME "package: install"
  COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix} --config $<CONFIG>)
set_tests_properties("package: install" PROPERTIES FIXTURES_SETUP installed LABELS package)

# loops_consumer(<folder> [AS <name>] [cache entries…])
function(loops_consumer folder)
  cmake_parse_arguments(PARSE_ARGV 1 consumer "" "AS" "")
  set(name ${folder}${consumer_AS})
  add_test(NAME "package: ${name}"
    COMMAND ${CMAKE_CTEST_COMMAND}
      --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/package/${folder} ${CMAKE_CURRENT_BINARY_DIR}/package/${name}
      --build-generator ${CMAKE_GENERATOR}  --build-target consumer
      --build-options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_BUILD_TYPE=None ${consumer_UNPARSED_ARGUMENTS}
      --test-command consumer)
  set_tests_properties("package: ${name}" PROPERTIES
    FIXTURES_REQUIRED installed LABELS package TIMEOUT 600 PROCESSORS 2)
endfunction()

loops_consumer(find_package -DCMAKE_PREFIX_PATH=${prefix})
set(bare -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON
  -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON -DCMAKE_DISABLE_FIND_PACKAGE_CURL=ON)
loops_consumer(threads_only ${bare})
loops_consumer(find_package AS _whole_but_bare ${bare})
loops_consumer(add_subdirectory -DLOOPS_TREE=${PROJECT_SOURCE_DIR})
loops_consumer(fetch_content -DFETCHCONTENT_SOURCE_DIR_LOOPS=${PROJECT_SOURCE_DIR} -DFETCHCONTENT_FULLY_DISCONNECTED=ON)

# A part that was asked for and cannot be linked is not found, and it is said why.
add_test(NAME "package: emulation without Boost"
  COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_SOURCE_DIR}/package/threads_only
    -B ${CMAKE_CURRENT_BINARY_DIR}/package/no_emulation -G ${CMAKE_GENERATOR}
    -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DALSO=emulation ${bare})
set_tests_properties("package: emulation without Boost" PROPERTIES FIXTURES_REQUIRED installed LABELS package
  PASS_REGULAR_EXPRESSION "given by package.*no Boost::context, so no loops::emulation")

# loops_without(<name> <what it says> <cache entries…>): the tree on a machine that lacks something.
function(loops_without name says)
  add_test(NAME "package: without ${name}"
    COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${CMAKE_CURRENT_BINARY_DIR}/package/without_${name}
      -G ${CMAKE_GENERATOR} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DLOOPS_BENCH=OFF ${ARGN})
  set_tests_properties("package: without ${name}" PROPERTIES
    PASS_REGULAR_EXPRESSION "${says}" LABELS package TIMEOUT 600)
endfunction()

loops_without(zlib "example_spmv_matrix is left out" -DLOOPS_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON)
loops_without(zlib_but_tests "The tests need zlib" -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON)
loops_without(curl "no CURL::libcurl, so no download of matrices" -DLOOPS_TESTS=OFF -DLOOPS_TOOLS=OFF
  -DCMAKE_DISABLE_FIND_PACKAGE_CURL=ON)
loops_without(known_test_folders "has 'io,core', which is no folder" -DLOOPS_TEST_FOLDERS=io,core)
loops_without(boost_but_tests "The tests need zlib and Boost.Context" -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON)
