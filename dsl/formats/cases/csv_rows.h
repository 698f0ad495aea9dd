// Parses rows of CSV into cases. The fast path takes a usual row in one walk over its commas and
// looks up cells in place. A slower path takes all other rows: those with commas, quotes or line
// ends inside of quotes, another number of cells, or an unknown label. It also writes the messages
// about bad rows.
#pragma once

#include "dsl/formats/cases/case_chunk.h"
#include "dsl/formats/cases/case_rows.h"
#include "dsl/formats/cases/cell_states.h"
#include "dsl/formats/cases/columns/case_header.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"
#include "dsl/support/numbers/table_number.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// A parser of rows. Immutable: several threads may use one object.
class CsvRows {
public:
  CsvRows(const CaseHeader &header, const Model &model, const ColumnChoice &choice);

  const CaseSchema &schema() const { return schema_; }
  /// The most rows of a chunk. They bound the memory of its block, however short the lines are.
  size_t mostRows() const;
  /// Returns the number of the cell that sets the field; SIZE_MAX: no single cell does.
  size_t columnOf(const CaseField &field) const;
  /// Parses the bytes of `chunk`, which are whole lines, into its block. The block's pitch fits
  /// their number. Lines without any character are no rows. OnBadRow::Stop ends at the first bad
  /// row.
  void parse(CaseChunk &chunk, OnBadRow onBadRow) const;

private:
  template <class Code> class Walk;

  struct Column {
    CaseCell cell;
    size_t index;     ///< into the codes, the weights or the params
    std::string name; ///< name of the variable, param or entry; empty: the column is ignored
    size_t states;    ///< index in states_ of a column of states
    double missing;   ///< value of an entry if its cell is empty; NaN: no cell may be empty
    size_t kept;      ///< place among the kept columns; kNotKept: it is not kept
  };
  static constexpr size_t kNotKept = SIZE_MAX;

  /// Returns the number in a cell, and Column::missing for an empty entry. The kind is None or
  /// Beyond if the column does not allow the text.
  TableNumber numberIn(const Column &column, std::string_view text) const;
  CellProblem problemOf(const Column &column, std::string_view text) const;
  bool isMissing(std::string_view text) const;

  CaseSchema schema_;
  std::vector<Column> columns_;
  std::vector<CellStates> states_;   ///< shared by variables with the same states
  std::vector<std::string> missing_; ///< marks that mean the same as an empty cell
  std::vector<LikelihoodRows> likelihoods_;
  std::vector<ConstantWeight> constant_;
  size_t keptCount_;
};

} // namespace mpf
