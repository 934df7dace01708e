# SPDX-License-Identifier: Apache-2.0
# The few shapes that targets of this tree have.

# Warnings of the tree's own sources; never a usage requirement of the library.
add_library(loops_warnings INTERFACE)
set(loops_gnu_warnings -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${LOOPS_WERROR}>:-Werror>)
# nvcc hands its own generated code to the host compiler, which -Wconversion and -Wshadow would blame.
set(loops_nvcc_host_warnings -Wall,-Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC bug 105651: std::string's operator+ at -O3
  list(APPEND loops_gnu_warnings -Wno-restrict)
  string(APPEND loops_nvcc_host_warnings ",-Wno-restrict")
endif()
set(loops_nvcc_warnings -Xcompiler=${loops_nvcc_host_warnings}
  $<$<BOOL:${LOOPS_WERROR}>:-Werror=all-warnings> -Xcudafe=--display_error_number)
target_compile_options(loops_warnings INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:${loops_gnu_warnings}>"
  "$<$<COMPILE_LANG_AND_ID:HIP,Clang>:-Wall;-Wextra;$<$<BOOL:${LOOPS_WERROR}>:-Werror>>"
  "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:${loops_nvcc_warnings}>")

# The vendor's libraries and the device-wide primitives, for what includes loops/interop/ and for
# benchmarks that compare. The linker keeps only those that a program uses.
add_library(loops_vendor INTERFACE)
target_link_options(loops_vendor INTERFACE "LINKER:--as-needed")
foreach(vendor IN ITEMS CUDA::cusparse roc::rocsparse)
  if(TARGET ${vendor})
    target_link_libraries(loops_vendor INTERFACE ${vendor})
  endif()
endforeach()
# rocThrust is headers. Linking it would turn all C++ into HIP: hip::device, on which it depends, has
# compile options to that end, for builds that do not know HIP as a language.
if(TARGET roc::rocthrust)
  target_include_directories(loops_vendor SYSTEM INTERFACE
    $<TARGET_PROPERTY:roc::rocthrust,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(loops_vendor INTERFACE
    $<TARGET_PROPERTY:roc::rocthrust,INTERFACE_COMPILE_DEFINITIONS>)
endif()

# loops_kernels(<sources…>): these hold kernels, so the backend's compiler reads them.
function(loops_kernels)
  if(NOT LOOPS_LANGUAGE STREQUAL "CXX")
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE ${LOOPS_LANGUAGE})
  endif()
endfunction()

# loops_drop_rocprim(<list of sources>): takes those out that reach rocPRIM or rocThrust, when
# LOOPS_ROCPRIM is off. Says which.
function(loops_drop_rocprim list)
  if(LOOPS_ROCPRIM)
    return()
  endif()
  foreach(source IN LISTS ${list})
    get_filename_component(source ${source} ABSOLUTE)
    set(open ${source})
    set(seen "")
    while(open)
      list(POP_FRONT open file)
      list(APPEND seen ${file})
      file(STRINGS ${file} includes REGEX "^ *# *include")
      if(includes MATCHES "<(thrust|rocprim|hipcub)/")
        list(FILTER ${list} EXCLUDE REGEX "${source}$")
        message(STATUS "loops: without rocPRIM, ${source} is left out")
        break()
      endif()
      get_filename_component(folder ${file} DIRECTORY)
      foreach(include IN LISTS includes)
        string(REGEX REPLACE "^[^\"<]*[\"<]([^\">]*)[\">].*" "\\1" name "${include}")
        foreach(root ${folder} ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
          if(EXISTS ${root}/${name} AND NOT ${root}/${name} IN_LIST seen)
            list(APPEND open ${root}/${name})
            list(APPEND seen ${root}/${name})
            break()
          endif()
        endforeach()
      endforeach()
    endwhile()
  endforeach()
  set(${list} "${${list}}" PARENT_SCOPE)
endfunction()

# loops_library(<name> FOLDER <folder> [PUBLIC <targets…>] [PRIVATE <targets…>])
# A compiled part: every source of the folder. None when the folder is empty or a target is missing.
function(loops_library name)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "FOLDER" "PUBLIC;PRIVATE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${part_FOLDER}/*.cpp)
  if(NOT sources)
    return()
  endif()
  foreach(needed IN LISTS part_PUBLIC part_PRIVATE)
    if(NOT TARGET ${needed})
      message(STATUS "loops: loops::${name} is left out, it needs ${needed}")
      return()
    endif()
  endforeach()
  add_library(loops_${name} STATIC ${sources})
  add_library(loops::${name} ALIAS loops_${name})
  set_target_properties(loops_${name} PROPERTIES
    EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(loops_${name}
    PUBLIC loops_core ${part_PUBLIC} PRIVATE ${part_PRIVATE} $<BUILD_INTERFACE:loops_warnings>)
  target_link_libraries(loops_loops INTERFACE loops_${name})
  set_property(GLOBAL APPEND PROPERTY loops_libraries loops_${name})
endfunction()

# Under GCC, -Og takes a third less time than -O1, and what it makes is about as fast.
add_library(loops_quick INTERFACE)
target_compile_options(loops_quick INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Og>)

# loops_program(<name> SOURCES <files…> [LINK <targets…>]): an executable over the whole library.
function(loops_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "" "" "SOURCES;LINK")
  add_executable(${name} ${program_SOURCES})
  target_link_libraries(${name} PRIVATE loops_loops loops_warnings ${program_LINK}
    $<$<BOOL:${LOOPS_QUICK}>:loops_quick>)
endfunction()
