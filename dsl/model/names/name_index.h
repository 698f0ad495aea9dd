// The names of a model's texts: where each is declared, and every place that uses it. Editors need
// it for definitions, references, renaming and colours.
//
// The index follows the rules of names (dsl/LANGUAGE.md) alone and reports nothing. It covers texts
// that the checker does not reach: functions without a call, unused sides of choices, loops of no
// rounds, models with errors.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/syntax/ast_expr.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mpf {

enum class NameKind : uint8_t {
  Model,
  Domain,
  Label,
  Variable,
  Param,
  Function,
  Argument,
  Index,   ///< of `for` or of a fold
  Binding, ///< behind `where`
  Factor,
  Query
};
std::string_view nameKindWord(NameKind kind); ///< "variable", "name behind 'where'"

struct NameEntry {
  NameKind kind = NameKind::Variable;
  std::string name;
  SourcePlace place;     ///< the name where it is first declared; an import: the path of its file
  SourceRange whole;     ///< the item that declares it, in the text of `place`
  SourceRange statement; ///< the declaration around the item
  /// The text in which a local name is seen; empty: everywhere.
  SourceRange scope{};
  /// The labels of a domain, a variable or an argument, and of the domain of a label: an index into
  /// NameIndex::labels. Not set: none are written in a text.
  std::optional<uint32_t> labels{};
  bool isImported = false; ///< no text of the language declares it

  bool isLocal() const { return scope.end != 0; }
};

struct NameUse {
  SourceRange range; ///< with quotes or backquotes
  uint32_t entry = 0;
  bool isDeclaration = false;
};

/// The path of another file in a text.
struct FileLink {
  SourceRange range;    ///< with its quotes
  std::string path;     ///< as written
  bool isModel = false; ///< of `include` or `import`
};

struct NameIndex {
  struct Text {
    std::shared_ptr<const SourceBuffer> source;
    std::vector<NameUse> uses; ///< ascending, apart from each other
    std::vector<FileLink> links;
    /// Words in places of states or numbers that mean nothing the index knows: labels of domains
    /// that it cannot tell, or mistakes.
    std::vector<ast::Name> unknown;
  };
  std::vector<NameEntry> entries;
  std::vector<Text> texts; ///< in the order of the files
  /// Lists of labels: their entries by name.
  std::vector<std::unordered_map<std::string, uint32_t>> labels;
  /// Entries of variables, params, domains and functions, and those of factors.
  std::unordered_map<std::string, uint32_t> globals, factors;

  /// Returns the text with this name; null: none.
  const Text *text(std::string_view name) const;
  /// Returns the use that covers or ends at `offset`; null: none.
  static const NameUse *useAt(const Text &text, uint32_t offset);
};

/// Returns the range of the name that begins at `begin`, with its backquotes.
SourceRange nameAt(std::string_view text, uint32_t begin);

} // namespace mpf
