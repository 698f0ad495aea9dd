# mpf_find_library(name header): finds a C library without a CMake package, as mpf_dep::name.
function(mpf_find_library name header)
  find_path(MPF_${name}_INCLUDE_DIR ${header} REQUIRED)
  find_library(MPF_${name}_LIBRARY ${name} REQUIRED)
  mark_as_advanced(MPF_${name}_INCLUDE_DIR MPF_${name}_LIBRARY)
  add_library(mpf_dep::${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(mpf_dep::${name} PROPERTIES
    IMPORTED_LOCATION ${MPF_${name}_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${MPF_${name}_INCLUDE_DIR})
endfunction()
