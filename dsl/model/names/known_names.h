// The names that are known while a NameIndex is filled: those of the model, and those of the
// statement that is being read.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/names/name_index.h"
#include "dsl/syntax/ast.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mpf {

/// The labels of a place of states, by index into NameIndex::labels. Not set: no place of states.
using PlaceLabels = std::optional<uint32_t>;

/// The labels of the axes of a table.
struct StateAxes {
  std::vector<PlaceLabels> first;
  PlaceLabels others{}; ///< of all axes behind `first`
  PlaceLabels at(size_t axis) const { return axis < first.size() ? first[axis] : others; }
  StateAxes behind(size_t axes) const;
};

/// Declares and finds names; notes declarations and uses in the index, which must outlive it.
class KnownNames {
public:
  explicit KnownNames(NameIndex &index) : index_(index) {}

  void startText(NameIndex::Text &text) { text_ = &text; }
  NameIndex::Text &text() { return *text_; }
  /// Makes `statement` the current one. Returns the one before.
  SourceRange enter(SourceRange statement) { return std::exchange(statement_, statement); }
  SourceRange statement() const { return statement_; }

  /// Declares the variables of an imported network, at the path of its file.
  void declareImport(const SourcePlace &place, const Model &model);
  uint32_t declare(NameKind kind, const ast::Name &name, SourceRange whole,
                   PlaceLabels labels = {});
  uint32_t declareLocal(NameKind kind, const ast::Name &name, SourceRange whole, SourceRange scope,
                        PlaceLabels labels = {});
  /// Local names end in the reverse order: endLocals(n) leaves the first n.
  size_t locals() const { return locals_.size(); }
  void endLocals(size_t first) { locals_.resize(first); }

  /// Notes the labels of the axes of a param, or of the arguments of a function.
  void setPlaces(uint32_t entry, std::vector<PlaceLabels> places) {
    places_[entry] = std::move(places);
  }
  const std::vector<PlaceLabels> &placesOf(uint32_t entry) const;

  /// The entry of a name; null: it is unknown.
  const uint32_t *find(const std::string &name) const;
  /// The labels of a domain; declares those that it lists.
  PlaceLabels labelsOf(const ast::DomainSpec &spec);
  /// The labels of what is in a state: a variable, or an argument with a domain.
  PlaceLabels statedLabels(const ast::Expr &expr) const;
  PlaceLabels labelsOfVariable(const ast::VarRef &ref) const;
  StateAxes axesOf(const std::vector<ast::VarRef> &scope) const;
  /// Whether the expression is the name of an array of numbers, which comes before a label there.
  bool isArray(const ast::Expr &expr) const;

  void use(SourceRange range, uint32_t entry);
  void label(const ast::Name &name, PlaceLabels labels);
  void link(const ast::Name &path, bool isModel);

private:
  NameIndex &index_;
  NameIndex::Text *text_ = nullptr;
  SourceRange statement_{};
  std::vector<std::pair<std::string, uint32_t>> locals_; ///< the last is the innermost
  /// Labels of the axes of a param, and of the arguments of a function, by entry.
  std::unordered_map<uint32_t, std::vector<PlaceLabels>> places_;
  std::unordered_map<const ast::DomainSpec *, uint32_t> lists_; ///< labels of written domains
};

} // namespace mpf
