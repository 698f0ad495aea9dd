# mpf_embed(output symbol file...): writes `output`, a source that defines
# `extern const std::string_view mpf::symbol` with the contents of the files. So the files are edited,
# formatted and reviewed as ordinary sources, and no copy can drift from them.
function(mpf_embed output symbol)
  set(contents "")
  foreach(file ${ARGN})
    cmake_path(ABSOLUTE_PATH file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} more)
    string(APPEND contents "${more}")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include <string_view>
namespace mpf {
extern const std::string_view @symbol@;
const std::string_view @symbol@ = R\"MPF_EMBED(@contents@)MPF_EMBED\";
} // namespace mpf
")
endfunction()
