# Finds the libraries that mpf links. One error names the Debian packages of all that are missing.
set(mpf_missing "")

# mpf_find_package(PACKAGE DEBIAN [version]): a library with a module or a package of CMake.
macro(mpf_find_package package debian)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    list(APPEND mpf_missing ${debian})
  endif()
endmacro()

# mpf_find_library(NAME HEADER DEBIAN): a C library without a CMake package, as mpf_dep::NAME.
macro(mpf_find_library name header debian)
  find_path(MPF_${name}_INCLUDE_DIR ${header})
  find_library(MPF_${name}_LIBRARY ${name})
  mark_as_advanced(MPF_${name}_INCLUDE_DIR MPF_${name}_LIBRARY)
  if(MPF_${name}_INCLUDE_DIR AND MPF_${name}_LIBRARY)
    add_library(mpf_dep::${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(mpf_dep::${name} PROPERTIES
      IMPORTED_LOCATION ${MPF_${name}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${MPF_${name}_INCLUDE_DIR})
  else()
    list(APPEND mpf_missing ${debian})
  endif()
endmacro()

find_package(Threads REQUIRED)
mpf_find_package(fmt libfmt-dev 9)
# Debian has no static libfmt. Its headers alone make a binary that needs no libfmt where it runs.
option(MPF_FMT_HEADER_ONLY "Compile libfmt's headers in, in place of linking it" OFF)
if(MPF_FMT_HEADER_ONLY)
  set(MPF_FMT fmt::fmt-header-only)
else()
  set(MPF_FMT fmt::fmt)
endif()
mpf_find_package(nlohmann_json nlohmann-json3-dev 3.11)
mpf_find_package(ZLIB zlib1g-dev)
mpf_find_package(LibLZMA liblzma-dev)
mpf_find_package(EXPAT libexpat1-dev)
mpf_find_library(zstd zstd.h libzstd-dev)
mpf_find_library(xxhash xxhash.h libxxhash-dev)
if(mpf_missing)
  list(JOIN mpf_missing " " mpf_missing)
  message(FATAL_ERROR "mpf needs libraries that are missing. On Debian and Ubuntu:\n"
                      "  sudo apt-get install ${mpf_missing}\n")
endif()
