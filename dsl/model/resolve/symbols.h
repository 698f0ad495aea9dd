// What names mean while a Model is built. Variables, params and domains share one namespace.
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

/// The states of a variable, shared by all variables that were declared with it.
struct DomainInfo {
  uint32_t extent = 0;
  std::vector<std::string> labels;                   ///< empty: states are numbers
  std::unordered_map<std::string, uint32_t> stateOf; ///< by label
  StateNumbers numbers;                              ///< of the labels
};
using DomainPtr = std::shared_ptr<const DomainInfo>;

struct VariableSymbol {
  std::vector<uint64_t> dims; ///< lengths of an index array; empty for a scalar
  VarId first;                ///< the first element; the others follow, row-major
  uint64_t count = 1;
};

struct ParamSymbol {
  double value = 0;
  /// In Model::params, where cases set it or a param that it is computed from: no size or index may
  /// depend on it. None: a constant.
  std::optional<uint32_t> slot;
  bool isSwept = false; ///< for messages: by the model itself
};

/// A name whose declaration had an error, which was reported. Its uses are not reported.
struct BrokenSymbol {};

struct Symbol {
  SourcePlace place;
  std::variant<VariableSymbol, ParamSymbol, DomainPtr, BrokenSymbol> what;
  bool isBroken() const { return std::holds_alternative<BrokenSymbol>(what); }
  const char *kindName() const; ///< "a variable", "a param", "a domain"
};

/// Not thread-safe; one per model being built.
class Symbols {
public:
  /// False when the name is taken, after reporting this place and that of the first declaration.
  bool declare(const std::string &name, Symbol symbol, Diagnostics &diagnostics);
  /// Null: no such name. Likewise for findAs, if the name is of another kind.
  const Symbol *find(const std::string &name) const;
  template <class What> const What *findAs(const std::string &name) const {
    const Symbol *symbol = find(name);
    return symbol ? std::get_if<What>(&symbol->what) : nullptr;
  }
  /// "did you mean 'rain'?", from names of one kind or of all kinds; empty: no similar name.
  template <class What> std::string hintFor(const std::string &name) const;
  std::string hintFor(const std::string &name) const;

private:
  std::unordered_map<std::string, Symbol> byName_; ///< walked only for suggestions
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
  /// the family's name as well. False after reporting that the name is taken, or that the family
  /// has members with another number of indices.
  bool declare(const std::string &family, size_t indexCount, const std::string &key, FactorId id,
               const SourcePlace &place, Diagnostics &diagnostics);
  /// Marks a family with a member that had an error: queries over it report nothing.
  void declareBroken(const std::string &family) { broken_.insert(family); }
  bool isBroken(const std::string &family) const { return broken_.contains(family); }
  /// Null: no such family. A factor without indices is a member only and has no family here.
  const Family *family(const std::string &name) const;
  std::optional<FactorId> member(const std::string &key) const;
  /// Where the member was declared; a place without a text if it does not exist.
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
