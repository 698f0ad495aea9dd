// Options by the names that other programs, and earlier versions of this one, give them.
#pragma once

#include <string>
#include <string_view>

namespace mpf::driver {

/// What `name` is called here: "--cases" for "--csv", "--evidence none" for "--no-evid". Empty:
/// nothing is known of it. The first word is the option.
std::string_view optionMeant(std::string_view name);

} // namespace mpf::driver
