# Installs the package for host programs: one shared library, the public headers, and
# find_package(mpf) -> mpf::mpf; for C another library with its header.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Libraries with public functions are included whole, the others as far as these need them.
add_library(mpf SHARED
  $<TARGET_OBJECTS:mpf_jit> $<TARGET_OBJECTS:mpf_runtime> $<TARGET_OBJECTS:mpf_result>
  $<TARGET_OBJECTS:mpf_support>)
set_target_properties(mpf PROPERTIES
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(mpf PRIVATE mpf_jit mpf_options)
target_compile_features(mpf INTERFACE cxx_std_20)
target_include_directories(mpf INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
add_library(mpf::mpf ALIAS mpf)

set(public_headers
  dsl/support/cases/case_block.h
  dsl/support/cases/case_schema.h
  dsl/support/cases/device_arrays.h
  dsl/support/cases/device_cases.h
  dsl/support/error.h
  dsl/support/evidence.h
  dsl/support/expression/given_param.h
  dsl/support/ids.h
  dsl/support/query_traits.h
  dsl/support/scaled_number.h
  dsl/support/semiring.h
  dsl/support/system/watch.h
  dsl/support/wide_table.h
  dsl/support/zeroed_memory.h
  dsl/support/integer_value.h
  runtime/api/cases.h
  runtime/api/mpf.h
  runtime/api/network.h
  runtime/api/session.h
  runtime/api/device_buffer.h
  runtime/api/single_case.h
  runtime/result/case_answers.h
  runtime/result/case_counts.h
  runtime/result/compare.h
  runtime/result/device_run.h
  runtime/result/print_result.h
  runtime/result/result.h
  runtime/result/result_json.h)
# They are installed side by side in mpf/ and include each other by these names.
foreach(header ${public_headers})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(READ ${header} text)
  string(REGEX REPLACE "#include \"[a-z_/]+/([a-z_]+\\.h)\"" "#include <mpf/\\1>" text "${text}")
  cmake_path(GET header FILENAME name)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/include/mpf/${name} CONTENT "${text}" @ONLY)
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/mpf DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mpf)
install(TARGETS mpf EXPORT mpfTargets)
install(EXPORT mpfTargets NAMESPACE mpf:: DESTINATION ${package_dir})
configure_package_config_file(tools/cmake/mpfConfig.cmake.in
  ${PROJECT_BINARY_DIR}/mpfConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mpfConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mpfConfig.cmake ${PROJECT_BINARY_DIR}/mpfConfigVersion.cmake
  DESTINATION ${package_dir})

# The interface for C is a library of its own, which programs find by pkg-config. Paths in mpf_c.pc begin at its folder.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY ${pkgconfig_dir} OUTPUT_VARIABLE from_pkgconfig_to_include)
configure_file(runtime/c/mpf_c.pc.in ${PROJECT_BINARY_DIR}/mpf_c.pc @ONLY)
install(TARGETS mpf_c)
install(FILES runtime/c/mpf_c.h runtime/c/mpf_c_device.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/mpf_c.pc DESTINATION ${pkgconfig_dir})
