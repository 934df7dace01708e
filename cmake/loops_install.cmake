# SPDX-License-Identifier: Apache-2.0
# Installs headers, compiled parts, the command and the package that find_package(loops) reads.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY loops_libraries)
install(TARGETS loops_core EXPORT loops-targets FILE_SET HEADERS FILE_SET special_headers)
# The algorithms are included as "algorithms/…": a folder of their own keeps that name out of others' way.
install(TARGETS loops_algorithms EXPORT loops-targets
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/loops-algorithms
  FILE_SET special_headers DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/loops-algorithms)
install(TARGETS loops_loops ${libraries} EXPORT loops-targets)
if(TARGET loops)
  install(TARGETS loops)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/loops)
install(EXPORT loops-targets NAMESPACE loops:: DESTINATION ${package_folder})
configure_package_config_file(cmake/loops-config.cmake.in loops-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(loops-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/loops-config.cmake ${PROJECT_BINARY_DIR}/loops-config-version.cmake
  DESTINATION ${package_folder})
