# Compiles files in groups, with the standard headers precompiled. Reading headers is most of the cost
# of compiling a small file. So tools/test and tools/demo, which build everything, take half the
# processor time. Names in the anonymous namespaces of a target must then differ.
#
# Other builds compile each file alone (preset `cpu` of tools/test --all, every developer's build).
# Compiler caches then work, and a missing #include is found.
option(MPF_BUILD_IN_GROUPS "Compile files in groups, with the standard headers precompiled" OFF)
if(MPF_BUILD_IN_GROUPS)
  set(CMAKE_UNITY_BUILD ON)
  set(MPF_GROUP_FILES 40 CACHE STRING "Files in a group; 6 make a changed file cheap to compile again")
  set(CMAKE_UNITY_BUILD_BATCH_SIZE ${MPF_GROUP_FILES})
endif()
set(MPF_PRECOMPILED <algorithm> <cmath> <cstdint> <functional> <map> <memory> <numeric> <optional>
                    <set> <string> <string_view> <utility> <vector> <fmt/core.h>)

# mpf_precompile(name KIND [header...]): targets of one KIND (library, test, ...) have equal compiler
# options. The first precompiles headers for all: the given ones even if the option is off.
function(mpf_precompile name kind)
  set(headers ${ARGN})
  if(MPF_BUILD_IN_GROUPS)
    list(APPEND headers ${MPF_PRECOMPILED})
  endif()
  if(NOT headers)
    return()
  endif()
  if(TARGET mpf_first_${kind})
    get_target_property(first mpf_first_${kind} ALIASED_TARGET)
    target_precompile_headers(${name} REUSE_FROM ${first})
  else()
    get_target_property(type ${name} TYPE)
    if(type STREQUAL EXECUTABLE)
      add_executable(mpf_first_${kind} ALIAS ${name})
    else()
      add_library(mpf_first_${kind} ALIAS ${name})
    endif()
    target_precompile_headers(${name} PRIVATE ${headers})
  endif()
endfunction()
