// The texts of `mpfc help TOPIC`.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mpf::driver {

struct HelpTopic {
  std::string_view name;  ///< "cases"
  std::string_view brief; ///< one line
  std::string (*text)();  ///< the whole text, with a newline at the end
  bool isPage = false;    ///< a page of its own, which the man page leaves out
};

std::span<const HelpTopic> helpTopics();

inline constexpr std::string_view kExitCodesLine =
    "0 ok, 1 bad input, 2 usage, 3 memory bound, 4 time limit, 5 device, 6 verification, 70 "
    "internal error; 129, 130, 141, 143 signals (mpfc help exit-codes)";

} // namespace mpf::driver
