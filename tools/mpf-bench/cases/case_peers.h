// Other programs on lists of cases: each in a process of its own (case_peers.py), which reads the
// network as .uai and the rows as states, answers rows for some seconds and writes what it found.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/result/case_answers.h"
#include "tools/mpf-bench/cases/case_rates.h"
#include "tools/mpf-bench/measure/case_bench_options.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf::bench {

/// "pyagrum", "pgmpy", "jax"
std::vector<std::string> casePeerNames();

/// Rows that a peer is given, at most: all of the block, but no more cells than this.
inline constexpr uint64_t kPeerCells = 20'000'000;

/// The first rows as text: states by column, -1 for what is not observed, one line for each.
std::string peerRows(const CaseSchema &schema, const CaseBlock &block, uint64_t rows);

/// Answers of the first rows, as case_peers.py writes them: for PR the natural logarithm of the
/// evidence alone, for MAR the posteriors of all variables in the model's order.
using PeerAnswers = std::vector<std::vector<double>>;

/// The answers of `answers`, in that form.
PeerAnswers peerAnswersOf(const CaseAnswers &answers, uint32_t rows);

/// What is wrong with the peer's, for people; empty: nothing. Both may lack rows at the end.
std::string peerDifference(const PeerAnswers &right, const PeerAnswers &found);

/// Reads what the process wrote. Throws Error(BadInput) for a text that is none.
CaseRate parsePeerRate(std::string_view text, PeerAnswers &answers);

/// A network and its rows on disk for several peers.
class CasePeers {
public:
  /// Throws Error(Unsupported) for a model that .uai does not hold.
  CasePeers(const Model &model, const CaseSchema &schema, const CaseBlock &block,
            const CaseBenchOptions &options, const std::string &folder);

  CaseRate run(const std::string &peer, const std::string &task, const PeerAnswers &right) const;

private:
  const CaseBenchOptions &options_;
  const std::string uai_, rows_;
};

} // namespace mpf::bench
