# `cpack` in a build folder makes a package for Debian: what `cmake --install` installs, below /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mpf)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "mpf") # Debian's packages name a maintainer: -D CPACK_PACKAGE_CONTACT="NAME <ADDRESS>"
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS g++) # it compiles kernels of the CPU
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# The packages of the libraries that are linked, and the call of ldconfig.
find_program(MPF_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(MPF_SHLIBDEPS)
if(MPF_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
endif()
# cpack packs what was built. It builds nothing itself.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

# The list of what is linked, in the format SPDX 2.3, with the versions of this build.
string(TIMESTAMP spdx_created "%Y-%m-%dT%H:%M:%SZ" UTC)
configure_file(tools/package/mpf.spdx.in ${PROJECT_BINARY_DIR}/mpf.spdx @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/mpf.spdx DESTINATION share/doc/mpf)
install(FILES LICENSE DESTINATION share/doc/mpf RENAME copyright)
include(CPack)
