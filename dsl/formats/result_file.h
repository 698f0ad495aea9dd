// Result files of the UAI competitions (2008 to 2022; uaicompetition.github.io, "result format").
//
//   PR                  MAR                          MPE             MMAP
//   -12.34              2 2 0.1 0.9 3 0.2 0.3 0.5    3 0 1 0         2 0 1 4 0
//
// PR is the decimal logarithm of the partition function or of the probability of evidence, "-inf"
// for zero. MAR gives every variable's extent and marginal, MPE every variable's state, MMAP the
// query variables with their states. An anytime solver writes several solutions with a line
// "-BEGIN-" before each but the first: the last one counts.
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
  std::vector<std::vector<double>> marginals; ///< Mar: per variable, one entry per state
  /// Mpe: states per variable, of one solution or more; the last one counts.
  std::vector<std::vector<uint32_t>> solutions;
  std::vector<Observation> assignment; ///< Mmap: query variables in the order of the query
};

/// The whole file; numbers print so that reading them back gives the same bits. Mpe needs a
/// solution.
std::string formatResult(const ResultFile &result);

/// Reads a result file, the last of its solutions alone; also the 2010 dialect with a number of
/// samples (1) after the task word, and the word MAP for MPE. Nothing when an error was reported.
std::optional<ResultFile> readResult(std::shared_ptr<const SourceBuffer> buffer,
                                     Diagnostics &diagnostics);

} // namespace mpf
