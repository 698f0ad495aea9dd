// Checks the names of files that mpfc writes. A name whose ending contradicts the content is
// refused, also in capital letters: the file would be taken for something else.
#pragma once

#include "tools/mpfc/options/options.h"

#include <optional>
#include <string>
#include <string_view>

namespace mpf::driver {

/// Whether the ending is that of NumPy arrays: .npy, .npz.
bool isArrayName(std::string_view path);

/// The format that the ending of a file of answers or of a report names. None: any format.
std::optional<OutputFormat> formatByEnding(std::string_view path);
/// The name of a format for --format: "json".
std::string_view formatName(OutputFormat format);

/// Takes the format of `run` and `explain` from the ending of -o if --format does not say it. A
/// file of -o with JSON or HTML becomes that of --json or --html. Throws Error(Usage) if two
/// options say different things.
void chooseOutputFormat(Options &options);

/// Throws Error(Usage) if `path`, which `option` names, has the ending of any packed file:
/// "-o x.csv.gz: what is written is not packed: ...".
void requirePlainName(std::string_view option, const std::string &path);

/// Throws Error(Usage) if the ending of `path` names a format that `option` does not write, such as
/// .xlsx, or .json for -o. `written` says what is written.
void requireNoOtherFormat(std::string_view option, const std::string &path,
                          std::string_view written);

/// Throws Error(Usage) if `path` has the name of an array: "-o x.npy: an array, which the name
/// says,
/// ...". `why` is the reason that no array is written.
void requireNoArrayName(std::string_view option, const std::string &path, std::string_view why);

} // namespace mpf::driver
