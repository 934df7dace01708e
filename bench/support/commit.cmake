# SPDX-License-Identifier: Apache-2.0
# cmake -DTREE=… -DHEADER=… -P commit.cmake: writes which commit is being built, when that changed.
set(commit "unknown")
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${TREE} describe --always --dirty --abbrev=40 --exclude=*
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    set(commit ${found})
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT
"#pragma once
inline constexpr const char* built_from_commit = \"${commit}\";
" @ONLY)
