// What the name of a file says that mpfc writes. A name that says something else than what is
// written is refused, in large letters too: the file would be taken for what it is not.
#pragma once

#include <string>
#include <string_view>

namespace mpf::driver {

/// A NumPy array, by its ending: .npy.
bool isArrayName(std::string_view path);

/// Throws Error(Usage) for `path`, which `option` names, if it says that the file is packed,
/// whatever packs it: "-o x.csv.gz: what is written is not packed: ...".
void requirePlainName(std::string_view option, const std::string &path);

/// Throws Error(Usage) for a `path` whose ending says a format that mpfc does not write here, such
/// as .xlsx, or .json where `option` writes something else; `written` says what is written.
void requireNoOtherFormat(std::string_view option, const std::string &path,
                          std::string_view written);

/// Throws Error(Usage) for a `path` of an array: "-o x.npy: an array, which the name says, ..." and
/// `why` there is none.
void requireNoArrayName(std::string_view option, const std::string &path, std::string_view why);

} // namespace mpf::driver
