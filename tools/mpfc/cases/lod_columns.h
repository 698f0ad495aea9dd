// Columns of log-odds: how much more probable the evidence is than with params of a reference.
#pragma once

#include "tools/mpfc/cases/answer_columns.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// The answer of a query with the params of the reference.
struct LodReference {
  std::string query;
  double ln = 0; ///< its natural logarithm
};

/// Appends a column "lod(NAME)" for each query of one number that has a reference: log10 of the
/// number over that of the reference (Morton 1955).
void addLodColumns(const std::vector<Query> &queries, const std::vector<LodReference> &references,
                   std::vector<AnswerGroup> &columns);

} // namespace mpf::driver
