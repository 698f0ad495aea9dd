// Other programs on lists of cases. Each runs in a separate process (case_peers.py). The process
// reads the network as .uai and the rows as states, answers rows for some seconds, and writes the
// answers.
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

/// Greatest number of cells for a peer; it gets the first rows of the block within this limit.
inline constexpr uint64_t kPeerCells = 20'000'000;

/// Returns the first rows as text, a line for each: states by column, -1 if not observed.
std::string peerRows(const CaseSchema &schema, const CaseBlock &block, uint64_t rows);

/// Answers of the first rows, as case_peers.py writes them. PR: the natural logarithm of the
/// evidence. MAR: the posteriors of all variables in the model's order.
using PeerAnswers = std::vector<std::vector<double>>;

/// Converts answers of mpf to this form.
PeerAnswers peerAnswersOf(const CaseAnswers &answers, uint32_t rows);

/// Returns how the peer's answers `found` differ, for people; empty if they agree. Both may lack
/// rows at the end.
std::string peerDifference(const PeerAnswers &right, const PeerAnswers &found);

/// Reads the text that the process wrote. Throws Error(BadInput) for other texts.
CaseRate parsePeerRate(std::string_view text, PeerAnswers &answers);

/// A network and its rows on disk, for several peers.
class CasePeers {
public:
  /// Writes the files. Throws Error(Unsupported) for a model that .uai cannot represent.
  CasePeers(const Model &model, const CaseSchema &schema, const CaseBlock &block,
            const CaseBenchOptions &options, const std::string &folder);

  CaseRate run(const std::string &peer, const std::string &task, const PeerAnswers &right) const;

private:
  const CaseBenchOptions &options_;
  const std::string uai_, rows_;
};

} // namespace mpf::bench
