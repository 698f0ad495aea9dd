// A row of the table of options. Parser, help, man page and completions are made from these rows.
#pragma once

#include "tools/mpfc/options/command_table.h"
#include "tools/mpfc/options/effects.h"
#include "tools/mpfc/options/options.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace mpf::driver {

/// The heading of an option in the help, in the order of the help.
enum class OptionGroup {
  Question,
  Cases,
  Output,
  Limits,
  Numbers, ///< from here on: in --help, not in -h
  Planning,
  Gpu,
  Uai,
  Codes,
  Pedigrees,
  Developers ///< only in `mpfc help developers`
};

/// The words that a shell completes as the value of an option.
enum class Completion {
  Nothing,
  File,
  Folder,
  Choices,
  FileOrChoices,
  Evidence,  ///< variables of MODEL, behind `=` their labels
  Variables, ///< variables of MODEL
  Queries,   ///< queries of MODEL, forms of queries
  Params     ///< params of MODEL
};

struct OptionRow;

/// How the value of an option is read into Options. See value_readers.h.
struct OptionValue {
  /// Throws Error(Usage) for a text that is no value. The text of a flag is empty.
  void (*read)(Options &, const OptionRow &, const std::string &text) = nullptr;
  Completion completes = Completion::Nothing;
  /// The words that are values. Null: the values are no words from a list.
  std::vector<std::string_view> (*choices)() = nullptr;
};

enum class OptionCount { Once, Required, Any };

/// An option acts on one to five parts; it has an effect if the command runs any of them. Messages
/// name the first. An option whose text depends on the command has a row for each of them.
struct OptionRow {
  std::string_view name; ///< "--observe", "-o"; without dashes: a word of the command line, "MODEL"
  CommandSet commands;
  OptionGroup group;
  std::string_view metavar = {}; ///< "FILE"; empty: a flag
  std::string_view brief;        ///< at most 66 characters, without a full stop
  std::string_view text = {};    ///< sentences for --help, behind `brief`; may be empty
  std::string_view preset = {};  ///< the value without the option, for the help; may be empty
  OptionValue value;
  OptionCount count = OptionCount::Once;
  bool needsEquals = false; ///< the value may be left out, and stands behind `=` else
  std::array<const Effect *, 5> effects = {&effect::kAlways};

  bool isFlag() const { return metavar.empty(); }
  bool isWord() const { return !name.starts_with('-'); }
};

} // namespace mpf::driver
