// How a query would be answered for a list of cases: the engine that is chosen, and the costs of
// the others.
#pragma once

#include "runtime/choose/engine_facts.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// A table that varies by case.
struct VaryingFacts {
  std::string name; ///< name of its first factor
  uint64_t elems = 0;
  std::string by; ///< "columns f[no], f[yes]", "param theta"
};

struct CaseFacts {
  std::string source;             ///< name of the list
  std::optional<uint64_t> rows;   ///< none: unknown before it is read
  std::optional<uint64_t> likely; ///< approximate number of rows, by its size
  double expected = 0;            ///< cases over which engines are compared
  size_t observed = 0;            ///< variables that cases may observe
  size_t likelihoods = 0;         ///< variables whose states cases give weights
  size_t params = 0;              ///< params that cases set
  size_t tables = 0;              ///< tables that follow from these params
  size_t kept = 0;                ///< columns whose text is written beside the answers
  /// Bits of each code of a row that would go to a GPU unread (sent_rows.h); none: rows are read.
  std::optional<uint32_t> sentCodeBits;
  std::vector<VaryingFacts> varying; ///< tables that differ from case to case
  std::vector<EngineFacts> engines;  ///< in the order in which a run plans them; one is chosen

  const EngineFacts &chosen() const;
};

} // namespace mpf
