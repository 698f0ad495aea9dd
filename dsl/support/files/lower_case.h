// Endings of file names mean the same in any letters.
#pragma once

#include <string>
#include <string_view>

namespace mpf {

/// A to Z as a to z, other bytes as they are, whatever the locale.
inline std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char &c : lower)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// Whether `path` ends so, which is in small letters, in any letters.
inline bool hasEnding(std::string_view path, std::string_view ending) {
  return path.size() >= ending.size() &&
         lowerCase(path.substr(path.size() - ending.size())) == ending;
}

} // namespace mpf
