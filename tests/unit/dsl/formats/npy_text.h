// Texts of `.npy` files for the tests of their readers.
#pragma once

#include <string>

namespace mpf::test {

/// Returns a file with this header text and these entry bytes, as numpy writes it.
inline std::string npy(const std::string &header, const std::string &entries, char major = 1) {
  std::string file = "\x93NUMPY";
  file += major;
  file += '\0';
  for (size_t i = 0; i < (major == 1 ? 2u : 4u); ++i)
    file += static_cast<char>(header.size() >> 8 * i & 0xff);
  return file + header + entries;
}

/// Returns the header text of an array; `shape` is a tuple in Python's notation.
inline std::string npyDict(const std::string &descr, const std::string &shape,
                           bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }   \n";
}

} // namespace mpf::test
