// Rows of a NumPy array -> cases.
#pragma once

#include "dsl/formats/cases/case_chunk.h"
#include "dsl/formats/cases/case_header.h"
#include "dsl/formats/cases/case_rows.h"
#include "dsl/formats/tables/npy_header.h"
#include "dsl/support/cases/case_source.h"

#include <string>
#include <vector>

namespace mpf {

/// Where the numbers of one column are.
struct NpyColumn {
  NpyType type;
  uint64_t offset =
      0; ///< in a row, or, of columns that are stored one after the other, their number
};

/// Immutable: several threads may parse with one object.
class NpyRows {
public:
  /// `columns`: as those of the header. `rowBytes`: 0: the columns are stored one after the other.
  NpyRows(const CaseHeader &header, std::vector<NpyColumn> columns, uint64_t rowBytes,
          const Model &model);

  const CaseSchema &schema() const { return schema_; }
  /// Parses the bytes of `chunk`, `rows` whole rows.
  void parse(CaseChunk &chunk, uint32_t rows, OnBadRow onBadRow) const;

private:
  class Walk;

  struct Column {
    CaseCell cell;
    size_t index; ///< of the codes, the weights or the params
    uint32_t extent;
    std::string name; ///< of the variable, or the param
    NpyColumn stored;
  };

  CaseSchema schema_;
  std::vector<Column> columns_;
  uint64_t rowBytes_;
  std::vector<LikelihoodRows> likelihoods_;
};

} // namespace mpf
