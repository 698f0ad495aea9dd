// Lists of cases in memory, for measurements. The cases are the values of a model's swept params.
// Without swept params, every variable of the model is a column, and cells are observed at random.
// Equal arguments give equal lists for any number of threads.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <string>
#include <string_view>

namespace mpf::bench {

/// The source of the states of observed cells.
enum class RowSource {
  Network, ///< each row is one draw from the network: its evidence is possible
  Uniform, ///< states with equal probability, if factors are no conditional tables; most rows may
           ///< have probability 0
  Sweep,   ///< values of the params that the model sweeps; nothing is drawn
};

/// Returns "drawn from the network", "of uniform states" or "of swept params".
std::string_view rowSourceText(RowSource source);

struct MeasuredCases {
  Model model; ///< model of one case: without sweeps, and in random cases without evidence
  CaseSchema schema;
  CaseBlock block;
  RowSource source = RowSource::Network;
};

/// Returns `rows` random cases, with the share `observed` of their cells observed. If the model
/// sweeps params, returns at most `rows` of their values. `threads`: 0: one per core. Throws
/// Error(BadInput) if the model cannot be read.
MeasuredCases measuredCases(const std::string &path, uint64_t rows, double observed,
                            unsigned threads = 0);

/// Fills all rows of the block, whose columns are all variables of the model.
RowSource drawRows(const Model &model, double observed, unsigned threads, CaseBlock &block);

/// Returns the kind of a task of the UAI competitions: "PR", "MAR", "MPE".
QueryKind kindOfTask(const std::string &task);

} // namespace mpf::bench
