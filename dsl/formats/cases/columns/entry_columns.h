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

/// Gathers them, column after column. The arguments of the constructor must outlive the object.
class EntryColumns {
public:
  EntryColumns(std::span<const ColumnName> names, const Model &model, StateNames &states,
               Diagnostics &diagnostics);

  /// Takes column `i` if it has no name and a table goes on there; false: it has, or none does.
  bool goesOn(size_t i, CaseHeader &header);
  /// Takes column `i` if it is named after a factor, and reports what is wrong then; false: it is
  /// not.
  bool add(size_t i, CaseHeader &header);
  /// When all columns were taken: numbers the rows of the weights, behind those of likelihoods, and
  /// gives entries without a column their defaults, or reports that they have none.
  void finish(CaseHeader &header);

private:
  static constexpr size_t kNone = SIZE_MAX;

  struct Table {
    FactorId factor;
    size_t firstColumn = 0;       ///< that sets an entry
    std::vector<size_t> columnOf; ///< by entry; kNone: none
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
  std::unordered_map<uint32_t, size_t> numberOf_; ///< by factor: in tables_; only looked up
  size_t open_ = kNone;                           ///< the table that goes on
  uint64_t nextEntry_ = 0;                        ///< of that
};

} // namespace mpf
