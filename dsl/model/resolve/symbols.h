// What names mean while a Model is built: variables, params and domains share one namespace,
// factors have their own (queries write `f * g`, never `x * f`).
#pragma once

#include "dsl/model/model.h"
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
};
using DomainPtr = std::shared_ptr<const DomainInfo>;

struct VariableSymbol {
  std::vector<uint64_t> dims; ///< lengths of an index array; empty for a scalar
  VarId first;                ///< elements are consecutive, row-major
  uint64_t count = 1;
};

struct ParamSymbol {
  double value = 0;
  bool swept = false; ///< `value` is the first of several: no size or index may depend on it
};

/// Its declaration had an error, which has been reported: uses are passed over in silence.
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
  /// False, after reporting both places, when the name is taken.
  bool declare(const std::string &name, Symbol symbol, Diagnostics &diagnostics);
  const Symbol *find(const std::string &name) const;
  template <class What> const What *findAs(const std::string &name) const {
    const Symbol *symbol = find(name);
    return symbol ? std::get_if<What>(&symbol->what) : nullptr;
  }
  /// "did you mean 'rain'?" among names of one kind (or of all kinds), or empty.
  template <class What> std::string hintFor(const std::string &name) const;
  std::string hintFor(const std::string &name) const;

private:
  std::unordered_map<std::string, Symbol> byName_; ///< looked up; walked only for suggestions
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

  /// `key` is the member's name in queries; with no indices it is the family's as well. False,
  /// after reporting, when it is taken or the family has members with another number of indices.
  bool declare(const std::string &family, size_t indexCount, const std::string &key, FactorId id,
               const SourcePlace &place, Diagnostics &diagnostics);
  /// A family with a member that had an error: queries over it are passed over in silence.
  void declareBroken(const std::string &family) { broken_.insert(family); }
  bool isBroken(const std::string &family) const { return broken_.contains(family); }
  /// Null for factors without indices: they are members only.
  const Family *family(const std::string &name) const;
  std::optional<FactorId> member(const std::string &key) const;
  /// Where the member was declared.
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
