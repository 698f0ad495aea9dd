// Reads the lines of a printed model with its queries (print_model.h).
#pragma once

#include "dsl/model/model_limits.h"
#include "dsl/model/read/read_names.h"

namespace mpf {

/// Adds queries to a model. It reports the faults of its lines. All arguments must outlive the
/// object.
class QueryLines {
public:
  QueryLines(LineReader &lines, const ModelLimits &limits, NamesSoFar &names, Model &model)
      : lines_(lines), limits_(limits), names_(names), model_(model) {}

  /// Reads the current line if it is one of a query.
  bool readLine();

private:
  void readQuery();
  /// Returns the query of an indented line; null after reporting that there is none.
  Query *query();
  void readOutput();
  void readAsked();
  void readGiven();
  void readReduce();
  void readFactors();

  LineReader &lines_;
  const ModelLimits &limits_;
  NamesSoFar &names_;
  Model &model_;
  uint64_t queryEntries_ = 0; ///< factors of the queries that are about all factors
};

} // namespace mpf
