// Names that other programs, or earlier versions of mpfc, use for options of mpfc.
#pragma once

#include <string>
#include <string_view>

namespace mpf::driver {

/// Returns the option of mpfc that `name` means: "--cases" for "--csv", "--evidence none" for
/// "--no-evid". The first word is the option. Empty if `name` is unknown.
std::string_view optionMeant(std::string_view name);

} // namespace mpf::driver
