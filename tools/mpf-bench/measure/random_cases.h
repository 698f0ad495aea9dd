// Lists of cases in memory, for measurements: those of a model's swept params; else every variable
// of the model is a column, and cells are observed at random. The same arguments give the same
// list, however many threads draw it.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <string>
#include <string_view>

namespace mpf::bench {

/// Where the states of observed cells come from.
enum class RowSource {
  Network, ///< each row is one draw from the network: its evidence is possible
  Uniform, ///< the factors are no conditional tables: each state alike, so that rows of probability
           ///< 0 may be most of them
  Sweep,   ///< values of the params that the model sweeps; nothing is drawn
};

/// "drawn from the network", "of uniform states", "of swept params".
std::string_view rowSourceText(RowSource source);

struct MeasuredCases {
  Model model; ///< for one case: without sweeps; random cases take its evidence away
  CaseSchema schema;
  CaseBlock block;
  RowSource source = RowSource::Network;
};

/// `rows` random cases, of whose cells the share `observed` is observed; or at most so many values
/// of the params that the model sweeps. On `threads` threads, 0: one per core. Throws
/// Error(BadInput) when it cannot be read.
MeasuredCases measuredCases(const std::string &path, uint64_t rows, double observed,
                            unsigned threads = 0);

/// Fills all rows of the block, whose columns are all variables of the model.
RowSource drawRows(const Model &model, double observed, unsigned threads, CaseBlock &block);

/// "PR", "MAR", "MPE" of the UAI competitions.
QueryKind kindOfTask(const std::string &task);

} // namespace mpf::bench
