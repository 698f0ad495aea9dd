// Result files of the UAI competitions (2008 to 2022; uaicompetition.github.io, "result format").
//
//   PR                  MAR                          MPE             MMAP
//   -12.34              2 2 0.1 0.9 3 0.2 0.3 0.5    3 0 1 0         2 0 1 4 0
//
// PR is the decimal logarithm of the partition function or of the probability of evidence, "-inf"
// for zero. MAR starts with the number of variables and gives the extent and the marginal of each.
// MPE starts with the number of variables and gives the state of each. MMAP starts with the number
// of query variables and gives each of them with its state. An anytime solver may write several
// solutions, with a line "-BEGIN-" before each but the first; the last one is its answer.
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

struct ResultFile {
  UaiTask task = UaiTask::Pr;
  double log10Value = 0;                      ///< Pr
  std::vector<std::vector<double>> marginals; ///< Mar: by variable and state
  /// Mpe: solutions, each with a state for each variable; the last one is the answer.
  std::vector<std::vector<uint32_t>> solutions;
  std::vector<Observation> assignment; ///< Mmap: query variables in the order of the query
};

/// Returns the text of the file. Reading the printed numbers gives the same bits. A result of Mpe
/// must have a solution.
std::string formatResult(const ResultFile &result);

/// Reads a result file; only the last of its solutions is kept. Also reads the dialect of 2010,
/// with a number of samples (1) after the task word, and the word MAP for MPE. Nothing when an
/// error was reported.
std::optional<ResultFile> readResult(std::shared_ptr<const SourceBuffer> buffer,
                                     Diagnostics &diagnostics);

} // namespace mpf
