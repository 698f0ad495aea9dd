// Rows of a NumPy array -> cases.
#pragma once

#include "dsl/formats/cases/case_rows.h"
#include "dsl/formats/cases/columns/case_header.h"
#include "dsl/formats/cases/number_codes.h"
#include "dsl/formats/cases/row_problems.h"
#include "dsl/formats/tables/npy_header.h"
#include "dsl/support/cases/byte_rows.h"

#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// Where the numbers of one column are.
struct NpyColumn {
  NpyType type;
  uint64_t offset =
      0; ///< in a row, or, of columns that are stored one after the other, their number
};

/// Immutable: several threads may take rows with one object.
class NpyRows {
public:
  /// Bytes behind those of the rows that may be read, though they say nothing.
  static constexpr size_t kPaddingBytes = 16;

  /// `columns`: as those of the header. `rowBytes`: 0: the columns are stored one after the other.
  NpyRows(const CaseHeader &header, std::vector<NpyColumn> columns, uint64_t rowBytes,
          const Model &model, NumberReading numbers);

  const CaseSchema &schema() const { return schema_; }
  /// Makes the `count` rows at `bytes` the cases of `block` from place `first` on. Gives what is
  /// wrong with some of them, by row of `bytes`; the cases of these mean nothing.
  RowProblems take(const char *bytes, uint32_t count, CaseBlock &block, uint32_t first) const;

  /// By observed variable of the schema; empty: there is more than a byte for each in a row.
  std::vector<RowByte> rowBytes() const;

private:
  class Walk;

  struct Column {
    CaseCell cell;
    size_t index; ///< of the codes, the weights or the params
    uint32_t extent;
    std::string name; ///< of the variable, the param or the entry
    NpyColumn stored;
    double missing; ///< of an entry: what holds for NaN; NaN: nothing does
    /// Of a state whose numbers are not just places. Null: they are.
    std::shared_ptr<const NumberCodes> numbers;
  };
  /// Neighbouring columns of one byte each, which loops would pick byte by byte.
  struct ByteColumns {
    size_t first = 0, count = 0;
  };

  std::vector<ByteColumns> byteColumns() const;

  CaseSchema schema_;
  std::vector<Column> columns_;
  uint64_t rowBytes_;
  std::vector<ByteColumns> turned_;
  std::vector<LikelihoodRows> likelihoods_;
  std::vector<ConstantWeight> constant_;
};

} // namespace mpf
