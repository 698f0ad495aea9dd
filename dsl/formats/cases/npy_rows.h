// Converts rows of a NumPy array to cases.
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

/// The place of the numbers of one column.
struct NpyColumn {
  NpyType type;
  uint64_t offset =
      0; ///< bytes in a row; if columns are stored one after the other: number of the column
};

/// A converter of rows. Immutable: several threads may use one object.
class NpyRows {
public:
  /// Bytes behind the rows that must be readable; their values do not matter.
  static constexpr size_t kPaddingBytes = 16;

  /// `columns` are parallel to those of the header. `rowBytes` is 0 if the columns are stored one
  /// after the other.
  NpyRows(const CaseHeader &header, std::vector<NpyColumn> columns, uint64_t rowBytes,
          const Model &model, NumberReading numbers);

  const CaseSchema &schema() const { return schema_; }
  /// Converts the `count` rows at `bytes` to cases of `block` from place `first` on. Returns the
  /// problems by row of `bytes`; the cases of these rows are undefined.
  RowProblems take(const char *bytes, uint32_t count, CaseBlock &block, uint32_t first) const;

  /// Returns the byte of each observed variable in a row. Empty: rows have other or larger columns.
  std::vector<RowByte> rowBytes() const;

private:
  class Walk;

  struct Column {
    CaseCell cell;
    size_t index; ///< into the codes, the weights or the params
    uint32_t extent;
    std::string name; ///< name of the variable, param or entry
    NpyColumn stored;
    double missing; ///< value of an entry that is NaN in the row; NaN: it must not be
    /// The codes of states whose labels look like numbers. Null: numbers are places.
    std::shared_ptr<const NumberCodes> numbers;
  };
  /// Neighbouring columns of one byte each. They are transposed in pieces (byte_columns.h).
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
