// The columns of a header that set entries of `input` tables.
#pragma once

#include "dsl/formats/cases/columns/case_columns.h"
#include "dsl/formats/cases/columns/entry_name.h"
#include "dsl/model/model.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mpf {

/// Collects such columns. goesOn or add is called for each column in order. The arguments of the
/// constructor must outlive the object.
class EntryColumns {
public:
  EntryColumns(std::span<const ColumnName> names, const Model &model, StateNames &states,
               Diagnostics &diagnostics);

  /// Takes column `i` if it has no name and continues a whole table; otherwise returns false.
  bool goesOn(size_t i, CaseHeader &header);
  /// Takes column `i` if its name begins with a factor's, and reports its faults; otherwise returns
  /// false.
  bool add(size_t i, CaseHeader &header);
  /// Ends the list of columns. Numbers the rows of the weights, behind those of likelihoods. Sets
  /// the defaults of entries without a column, or reports entries that have none.
  void finish(CaseHeader &header);

private:
  static constexpr size_t kNone = SIZE_MAX;

  struct Table {
    FactorId factor;
    size_t firstColumn = 0;       ///< first column that sets an entry
    std::vector<size_t> columnOf; ///< column of each entry; kNone: none
  };

  std::optional<FactorId> factorNamed(std::string_view name) const;
  bool isVarying(size_t i, FactorId id);
  Table &tableOf(size_t i, FactorId id);
  void addEntry(size_t i, Table &table, uint64_t entry, CaseHeader &header);
  bool isWhole(size_t i, const Factor &factor, uint64_t elems);
  void reportMissing(const Table &table);

  std::span<const ColumnName> names_;
  const Model &model_;
  StateNames &states_;
  Diagnostics &diagnostics_;
  std::unordered_map<std::string_view, FactorId> factors_; ///< only looked up
  std::vector<Table> tables_;
  std::unordered_map<uint32_t, size_t> numberOf_; ///< index in tables_ by factor; only looked up
  size_t open_ = kNone;                           ///< whole table that the next column may continue
  uint64_t nextEntry_ = 0;                        ///< next entry of that table
};

} // namespace mpf
