#include "dsl/formats/fg/fg_reader.h"

#include "dsl/formats/network/network_builder.h"
#include "dsl/formats/numbers/token_scanner.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <map>
#include <vector>

namespace mpf {

namespace {

/// A factor as the file lists it.
struct FgFactor {
  std::vector<uint64_t> labels; ///< of its variables, the first one fastest
  std::vector<double> values;   ///< as StoredValues reads them
  SourcePlace place, negative;
};

/// A variable, by its label.
struct FgVariable {
  uint32_t extent = 0;
  SourceRange place; ///< where its number of states stands first
};

class FgReader {
public:
  FgReader(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : scan_(buffer, diagnostics), network_(buffer, diagnostics), diagnostics_(diagnostics) {}

  std::optional<Model> read(const ModelReadOptions &options) {
    if (readFactors())
      build();
    return network_.finish(QueryKind::Evidence, options.check);
  }

private:
  template <class... Args>
  bool error(SourcePlace at, fmt::format_string<Args...> format, Args &&...args) {
    diagnostics_.error(std::move(at), format, std::forward<Args>(args)...);
    return false;
  }

  template <class What> bool takeUnsigned(uint64_t &value, What what) {
    switch (scan_.scanUnsigned(value)) {
    case Scan::Ok:
      return true;
    case Scan::End:
      return error(scan_.endPlace(), "the file ends where {} is expected", what());
    default:
      return error(scan_.lastPlace(), "expected {}, found '{}'", what(), scan_.lastText());
    }
  }

  /// Takes a count of things that need `tokens` tokens each.
  template <class What>
  bool takeCount(uint64_t &value, uint64_t limit, uint64_t tokens, What what) {
    if (!takeUnsigned(value, what))
      return false;
    const uint64_t room = std::min(limit, scan_.tokensPossible() / tokens);
    return value <= room ||
           error(scan_.lastPlace(), "{} is {}, there is room for {}", what(), value, room);
  }

  bool readFactors() {
    uint64_t count = 0;
    if (!takeCount(count, network_.limits().maxFactors, 2, [] { return "the number of factors"; }))
      return false;
    factors_.reserve(count);
    for (uint64_t i = 0; i < count; ++i)
      if (!readFactor(i))
        return false;
    return scan_.atEnd() || (scan_.scanWord(), error(scan_.lastPlace(),
                                                     "expected the end of the file after {} "
                                                     "factors, found '{}'",
                                                     count, scan_.lastText()));
  }

  bool readFactor(uint64_t index) {
    FgFactor factor;
    if (!readScope(index, factor))
      return false;
    uint64_t elems = 1;
    for (const uint64_t label : factor.labels)
      elems = saturatingMul(elems, variables_[label].extent);
    uint64_t listed = 0;
    if (!takeCount(listed, UINT64_MAX, 2,
                   [&] { return fmt::format("the number of entries of factor {}", index); }))
      return false;
    factor.place = scan_.lastPlace();
    if (listed > elems)
      return error(factor.place, "factor {} lists {} entries, its table has {}", index, listed,
                   elems);
    const uint64_t room = std::min({network_.limits().maxTableElems, network_.elemsLeft(),
                                    saturatingAdd(listed, network_.unlistedElemsLeft())});
    if (elems > room)
      return error(factor.place, "the table of factor {} needs {} entries, there is room for {}",
                   index, elems == UINT64_MAX ? "more than 2^64" : fmt::format("{}", elems), room);
    network_.useElems(elems, elems - listed);
    factor.values.assign(elems, 0);
    if (!readEntries(index, listed, factor))
      return false;
    factors_.push_back(std::move(factor));
    return true;
  }

  bool readScope(uint64_t index, FgFactor &factor) {
    uint64_t count = 0;
    if (!takeCount(count, network_.limits().maxScope, 2,
                   [&] { return fmt::format("the number of variables of factor {}", index); }))
      return false;
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t label = 0;
      if (!takeUnsigned(label, [&] {
            return fmt::format("variable {} of the {} of factor {}", i + 1, count, index);
          }))
        return false;
      if (std::ranges::count(factor.labels, label) != 0)
        return error(scan_.lastPlace(), "factor {} names variable {} twice", index, label);
      factor.labels.push_back(label);
    }
    for (const uint64_t label : factor.labels)
      if (!readExtent(index, label))
        return false;
    return true;
  }

  bool readExtent(uint64_t index, uint64_t label) {
    uint64_t extent = 0;
    if (!takeUnsigned(extent, [&] {
          return fmt::format("the number of states of variable {} in factor {}", label, index);
        }))
      return false;
    if (extent == 0 || extent > network_.limits().maxExtent)
      return error(scan_.lastPlace(),
                   "variable {} has {} states, the number must be between 1 and {}", label, extent,
                   network_.limits().maxExtent);
    const auto [found, isNew] = variables_.try_emplace(
        label, FgVariable{static_cast<uint32_t>(extent), scan_.lastPlace().range});
    if (isNew && variables_.size() > network_.limits().maxVariables)
      return error(scan_.lastPlace(), "the file has more than {} variables, the limit",
                   network_.limits().maxVariables);
    if (found->second.extent == extent)
      return true;
    error(scan_.lastPlace(), "variable {} has {} states here, {} before", label, extent,
          found->second.extent);
    diagnostics_.note(network_.placeOf(found->second.place), "the first number is here");
    return false;
  }

  bool readEntries(uint64_t index, uint64_t listed, FgFactor &factor) {
    isListed_.assign(factor.values.size(), false);
    far_.clear();
    for (uint64_t i = 0; i < listed; ++i) {
      uint64_t entry = 0;
      if (!takeUnsigned(entry, [&] {
            return fmt::format("the index of entry {} of the {} of factor {}", i + 1, listed,
                               index);
          }))
        return false;
      if (entry >= factor.values.size())
        return error(scan_.lastPlace(), "factor {} has {} entries, numbered from 0: there is no {}",
                     index, factor.values.size(), entry);
      if (isListed_[entry])
        return error(scan_.lastPlace(), "factor {} lists entry {} twice", index, entry);
      isListed_[entry] = true;
      if (!readValue(index, entry, factor))
        return false;
    }
    if (!far_.empty()) {
      std::ranges::sort(far_, {}, &FarValue::index);
      factor.values = widened(factor.values, far_);
    }
    return true;
  }

  bool readValue(uint64_t index, uint64_t entry, FgFactor &factor) {
    double value = 0;
    switch (scan_.scanDouble(value)) {
    case Scan::Ok:
      break;
    case Scan::Far:
      far_.push_back({entry, scan_.lastFar()});
      break;
    case Scan::End:
      return error(scan_.endPlace(), "the file ends where entry {} of factor {} is expected", entry,
                   index);
    case Scan::Bad:
      return error(scan_.lastPlace(), "expected entry {} of factor {}, found '{}'", entry, index,
                   scan_.lastText());
    case Scan::NotFinite:
      return error(scan_.lastPlace(), "entry {} of factor {} is {}, it must be finite", entry,
                   index, scan_.lastText());
    default:
      return error(scan_.lastPlace(), "entry {} of factor {} is {}, {}", entry, index,
                   scan_.lastText(), tableRangeText());
    }
    if (value < 0 && !factor.negative.buffer)
      factor.negative = scan_.lastPlace();
    factor.values[entry] = value;
    return true;
  }

  void build() {
    std::map<uint64_t, VarId> ids;
    network_.reserveVariables(variables_.size());
    network_.reserveFactors(factors_.size());
    for (const auto &[label, variable] : variables_) {
      ids.emplace(label, VarId(ids.size()));
      network_.addNumberedVariable(variable.extent, variable.place, label);
    }
    for (size_t i = 0; i < factors_.size(); ++i) {
      FgFactor &factor = factors_[i];
      std::vector<VarId> scope;
      for (auto label = factor.labels.rbegin(); label != factor.labels.rend(); ++label)
        scope.push_back(ids.at(*label));
      const FactorId id = network_.addFactor(fmt::format("f{}", i), std::move(scope));
      network_.setValues(id, factor.values, std::move(factor.place), std::move(factor.negative));
      factor.values = {};
    }
  }

  TokenScanner scan_;
  NetworkBuilder network_;
  Diagnostics &diagnostics_;
  std::map<uint64_t, FgVariable> variables_; ///< by label
  std::vector<FgFactor> factors_;
  std::vector<bool> isListed_; ///< entries of the factor that is being read
  std::vector<FarValue> far_;  ///< its entries that no normal double holds
};

} // namespace

std::optional<Model> readFg(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                            const ModelReadOptions &options) {
  return FgReader(buffer, diagnostics).read(options);
}

bool startsAsFg(std::string_view text) {
  constexpr std::string_view kLineBlanks = " \t\r\v\f";
  skipHashComments(text);
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(digits);
  text.remove_prefix(std::min(text.find_first_not_of(kLineBlanks), text.size()));
  return digits != 0 && (text.empty() || text.front() == '\n');
}

} // namespace mpf
