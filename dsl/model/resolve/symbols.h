// The meaning of names while a Model is built. Variables, params and domains share one namespace.
// Factors have another, because no place in the language takes both a factor and a variable.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/state_numbers.h"
#include "dsl/source/diagnostic.h"
#include "dsl/source/suggest.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace mpf {

namespace ast {
struct DefDecl;
}

/// The states of a variable, shared by all variables that were declared with it.
struct DomainInfo {
  uint32_t extent = 0;
  std::vector<std::string> labels;                   ///< empty: states are numbers
  std::unordered_map<std::string, uint32_t> stateOf; ///< state of each label
  StateNumbers numbers;                              ///< numbers of the labels
};
using DomainPtr = std::shared_ptr<const DomainInfo>;

struct VariableSymbol {
  std::vector<uint64_t> dims; ///< lengths of an index array; empty for a scalar
  VarId first;                ///< the first element; the others follow, row-major
  uint64_t count = 1;
};

struct ParamSymbol {
  double value = 0;
  /// Index in Model::params, if cases set it or a param from which it is computed. Sizes and
  /// indices must not depend on such a param. Not set: a constant.
  std::optional<uint32_t> slot;
  bool isSwept = false; ///< the model itself sweeps it; for messages
};

/// A param with axes. Its numbers are equal in all cases.
struct NumberArray {
  std::vector<uint64_t> shape;    ///< a ragged array: its last length is that of the longest row
  std::vector<DomainPtr> domains; ///< of each axis; null: its indices are numbers
  TableValues values;             ///< row-major, not null; a missing number is NaN
  std::vector<uint64_t> rowEnds;  ///< ragged: ends of the rows over the last axis, in `values`
  bool isRagged = false;
};
using ArrayPtr = std::shared_ptr<const NumberArray>;

/// A function that the text declares with `def`.
struct FunctionSymbol {
  const ast::DefDecl *decl = nullptr;
  std::shared_ptr<const SourceBuffer> source; ///< of `decl`
  std::vector<DomainPtr> domains;             ///< of the arguments; null: a number
  size_t order = 0;                           ///< among the functions of the model
};
using FunctionPtr = std::shared_ptr<const FunctionSymbol>;

/// A name whose declaration had an error, which was reported. Its uses are not reported.
struct BrokenSymbol {};

struct Symbol {
  SourcePlace place;
  std::variant<VariableSymbol, ParamSymbol, ArrayPtr, FunctionPtr, DomainPtr, BrokenSymbol> what;
  bool isBroken() const { return std::holds_alternative<BrokenSymbol>(what); }
  const char *kindName() const; ///< "a variable", "a param", "a function"
};

/// The symbols of one model that is being built. Not thread-safe.
class Symbols {
public:
  /// Declares a name. If it is taken, reports both places and returns false.
  bool declare(const std::string &name, Symbol symbol, Diagnostics &diagnostics);
  /// Returns the symbol of this name; null: none. findAs also returns null for another kind of
  /// symbol.
  const Symbol *find(const std::string &name) const;
  template <class What> const What *findAs(const std::string &name) const {
    const Symbol *symbol = find(name);
    return symbol ? std::get_if<What>(&symbol->what) : nullptr;
  }
  /// "did you mean 'rain'?", from names of some kinds or of all kinds; empty: no similar name.
  template <class... What> std::string hintFor(const std::string &name) const;
  std::string hintFor(const std::string &name) const;

private:
  std::unordered_map<std::string, Symbol> byName_; ///< iterated only for suggestions
};

/// Factor names as queries use them: members "h[0][1]", "P(x[3])", "f"; families "h", "P(x)".
class FactorNames {
public:
  struct Family {
    std::vector<FactorId> members; ///< in the order declared
    size_t indexCount = 0;
    SourcePlace place;
  };

  void reserve(size_t count) { members_.reserve(count); }

  /// Adds the factor `id`. `key` is its name in queries, such as "h[0][1]"; without indices it is
  /// the family's name as well. Returns false after reporting a name that is taken, or a family
  /// whose members have another number of indices.
  bool declare(const std::string &family, size_t indexCount, const std::string &key, FactorId id,
               const SourcePlace &place, Diagnostics &diagnostics);
  /// Marks a family with a member that had an error: queries over it report nothing.
  void declareBroken(const std::string &family) { broken_.insert(family); }
  bool isBroken(const std::string &family) const { return broken_.contains(family); }
  /// Returns the family; null: none. A factor without indices is only a member and has no family
  /// here.
  const Family *family(const std::string &name) const;
  std::optional<FactorId> member(const std::string &key) const;
  /// Returns the place of the member's declaration; an empty place if it does not exist.
  SourcePlace placeOf(const std::string &key) const;
  std::string hintFor(const std::string &name) const;

private:
  struct Member {
    FactorId id;
    SourcePlace place;
  };
  std::unordered_map<std::string, Member> members_;
  std::unordered_map<std::string, Family> families_;
  std::unordered_set<std::string> broken_;
};

} // namespace mpf
