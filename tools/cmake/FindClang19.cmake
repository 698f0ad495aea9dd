# Finds Clang 19's libraries, which check edited kernels. MPF_ENABLE_TOOLING is ON, OFF, or AUTO: on
# if the libraries are installed. Sets MPF_HAS_TOOLING.
set(MPF_HAS_TOOLING OFF)
if(MPF_ENABLE_TOOLING)
  set(required QUIET)
  if(NOT MPF_ENABLE_TOOLING STREQUAL AUTO)
    set(required REQUIRED)
  endif()
  # The version files accept equal major.minor only, hence 19.1 and not 19.
  find_package(LLVM 19.1 ${required} CONFIG)
  if(LLVM_FOUND)
    find_package(Clang ${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR} ${required} CONFIG)
  endif()
  if(Clang_FOUND AND TARGET clang-cpp)
    set(MPF_HAS_TOOLING ON)
  endif()
endif()
