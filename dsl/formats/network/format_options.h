// The options that only some formats read, as a table with one row for each. The row of a format
// lists those that its reader uses (model_formats.h).
#pragma once

#include "dsl/formats/network/model_read_options.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct FormatOption {
  std::string_view name;    ///< on the command line; for host programs without the dashes
  std::string_view meaning; ///< for host programs, without a full stop
  /// Throws Error(Usage) for a text that is no value.
  void (*set)(ModelReadOptions &options, const std::string &text);
  bool (*isSet)(const ModelReadOptions &options);
};

/// A word that is a value of an option.
template <class Value> struct OptionWord {
  std::string_view word;
  Value value;
};

inline constexpr OptionWord<MapFunction> kMapFunctions[] = {{"haldane", MapFunction::Haldane},
                                                            {"kosambi", MapFunction::Kosambi}};
inline constexpr OptionWord<UaiTableOrder> kTableOrders[] = {{"format", UaiTableOrder::Format},
                                                             {"agrum", UaiTableOrder::Agrum},
                                                             {"pgmpy", UaiTableOrder::Pgmpy}};

std::span<const FormatOption> formatOptions();
/// The option of a name on the command line. Null: there is none.
const FormatOption *formatOptionNamed(std::string_view name);
/// The name of an option for host programs, which a zero follows.
std::string_view hostName(const FormatOption &option);
/// Returns the names of the options that are set.
std::vector<std::string_view> formatOptionsOf(const ModelReadOptions &options);

} // namespace mpf
