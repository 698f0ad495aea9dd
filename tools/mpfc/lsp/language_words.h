// The words of the language with one line about each, for hovers and completions.
#pragma once

#include <span>
#include <string_view>

namespace mpf::lsp {

/// The place of a word.
enum class WordPlace {
  Declaration, ///< starts a declaration
  Expression,  ///< a function or a fold
  Value,       ///< begins or ends the value of a table
  Query,       ///< a short form, a reduction or a type of queries
  Other        ///< in one construct only: `in`, `do`
};

struct LanguageWord {
  std::string_view word;
  WordPlace place;
  std::string_view form; ///< how it is written
  std::string_view meaning;
};

/// Returns all words, as the grammar in dsl/LANGUAGE.md has them. Some have two rows, for two
/// places. tests/driver/Inputs/editor_words.py compares.
std::span<const LanguageWord> languageWords();

} // namespace mpf::lsp
