# SPDX-License-Identifier: Apache-2.0
# cmake -Dfolder=TREE -Dsource=FILE -P commit.cmake: writes FILE, which knows the commit of TREE.
cmake_minimum_required(VERSION 3.24...3.30)
execute_process(COMMAND git -C ${folder} describe --always --dirty --abbrev=12
  OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed OR NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${source} CONTENT "// SPDX-License-Identifier: Apache-2.0
/// The commit that the command was built from.
#include \"cli/machine_facts.hpp\"

const char* loops::cli::commit() {
  return \"@commit@\";
}
" @ONLY)
