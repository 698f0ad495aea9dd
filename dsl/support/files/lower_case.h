// Compares endings of file names in upper and lower case.
#pragma once

#include <string>
#include <string_view>

namespace mpf {

/// Returns `text` with A to Z as a to z and other bytes unchanged, in every locale.
inline std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char &c : lower)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// Whether `path` ends with `ending`, which is in lower case, in upper or lower case.
inline bool hasEnding(std::string_view path, std::string_view ending) {
  return path.size() >= ending.size() &&
         lowerCase(path.substr(path.size() - ending.size())) == ending;
}

} // namespace mpf
