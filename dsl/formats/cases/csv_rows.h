// Rows of CSV -> cases. A usual row is taken in one walk over its commas, cells are looked up where
// they stand; whatever is unusual about a row (quotes, blanks, another number of cells, an unknown
// label) sends it to a slower path, which also says what is wrong with it.
#pragma once

#include "dsl/formats/cases/case_chunk.h"
#include "dsl/formats/cases/case_rows.h"
#include "dsl/formats/cases/cell_states.h"
#include "dsl/formats/cases/columns/case_header.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_source.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Immutable: several threads may parse with one object.
class CsvRows {
public:
  CsvRows(const CaseHeader &header, const Model &model, const ColumnChoice &choice);

  const CaseSchema &schema() const { return schema_; }
  /// Rows of a chunk that bound the memory of its block, however short the lines are.
  size_t mostRows() const;
  /// Which cell of a row sets that; SIZE_MAX: none alone.
  size_t columnOf(const CaseField &field) const;
  /// Parses the bytes of `chunk`, whole lines, into its block, whose pitch is what their rows need.
  /// Lines without any character are no rows. With OnBadRow::Stop it ends at the first bad row.
  void parse(CaseChunk &chunk, OnBadRow onBadRow) const;

private:
  template <class Code> class Walk;

  struct Column {
    CaseCell cell;
    size_t index;     ///< of the codes, the weights or the params
    std::string name; ///< of the variable, the param or the entry; of an ignored one empty
    size_t states;    ///< in states_, of a column of states
    double missing;   ///< of an entry: what holds where the cell is empty; NaN: none may be
    size_t kept;      ///< its place among those that are kept; kNotKept: it is not
  };
  static constexpr size_t kNotKept = SIZE_MAX;

  /// The number in a cell, of an empty one Column::missing; nothing: no number that may stand
  /// there.
  std::optional<double> numberIn(const Column &column, std::string_view text) const;
  /// The number in a cell of weights or entries that no normal double holds; nothing: it has none.
  static std::optional<ScaledNumber> farNumberIn(const Column &column, std::string_view text);
  CellProblem problemOf(const Column &column, std::string_view text) const;
  bool isMissing(std::string_view text) const;

  CaseSchema schema_;
  std::vector<Column> columns_;
  std::vector<CellStates> states_;   ///< shared by variables with the same states
  std::vector<std::string> missing_; ///< marks that say what the empty cell says
  std::vector<LikelihoodRows> likelihoods_;
  std::vector<ConstantWeight> constant_;
  size_t keptCount_;
};

} // namespace mpf
