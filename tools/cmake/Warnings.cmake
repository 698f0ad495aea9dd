# One interface target that every mpf target links privately: language level and warnings.
add_library(mpf_options INTERFACE)
target_compile_features(mpf_options INTERFACE cxx_std_20)
target_compile_options(mpf_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                             -Wno-sign-conversion -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # std::stable_sort of libstdc++ 12 calls a deprecated function.
  target_compile_options(mpf_options INTERFACE -Wno-deprecated-declarations)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of overlaps, bounds and sizes inside std::string's operator+ (GCC bugs 105651, 105329; fixed
  # in 13).
  target_compile_options(mpf_options INTERFACE -Wno-array-bounds -Wno-restrict
                                               -Wno-stringop-overflow)
endif()
if(MPF_BUILD_IN_GROUPS AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # A fixture in an anonymous namespace is fine in a .cpp file, even if a group includes the file.
  target_compile_options(mpf_options INTERFACE -Wno-subobject-linkage)
endif()
if(MPF_SANITIZE)
  set(sanitize -fsanitize=${MPF_SANITIZE})
  if(MPF_SANITIZE_WITHOUT)
    list(APPEND sanitize -fno-sanitize=${MPF_SANITIZE_WITHOUT})
  endif()
  # Every target links this one: the whole program is instrumented, or nothing is.
  target_compile_options(mpf_options INTERFACE ${sanitize} -fno-omit-frame-pointer
                                               -fno-sanitize-recover=all)
  target_compile_definitions(mpf_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(mpf_options INTERFACE ${sanitize})
endif()

# Readers, emitters and tools are most of the code, and run for milliseconds in a test. At -O1 they take
# 0.6 to 0.8 of the compiler's time. The planner, the executors and the tests' libraries run longer, so
# they are optimised. GCC warns of Clang's headers at -O1, so files that include them are too.
option(MPF_QUICK_FRONT_ENDS "Release: readers, emitters and tools with -O1" OFF)

# mpf_add_library(name SOURCES... [PUBLIC libs...] [PRIVATE libs...])
function(mpf_add_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  add_library(mpf::${name} ALIAS ${name})
  set_property(GLOBAL APPEND PROPERTY mpf_archives ${name})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:mpf_options>)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  # Coverage hooks in the readers and what they call; only the harnesses link libFuzzer's main.
  if(MPF_ENABLE_FUZZ AND CMAKE_CURRENT_SOURCE_DIR MATCHES "/(dsl|codegen|runtime/schedule|tools/mpfc/lsp)(/|$)")
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
    mpf_precompile(${name} fuzzed_library)
  elseif(MPF_QUICK_FRONT_ENDS AND folder MATCHES "^(dsl|codegen|tools)(/|$)"
         AND NOT folder MATCHES "^codegen/plan" AND NOT name STREQUAL "mpf_tooling")
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    mpf_precompile(${name} front_library)
  else()
    mpf_precompile(${name} library)
  endif()
endfunction()
