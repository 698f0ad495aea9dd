// The work, memory and speed of each way to answer a list of cases, separately for the work that is
// done once and for the work of each case.
#pragma once

#include "codegen/predict/engine_speed.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// A table that is computed once, for all findings on some variables (evidence digits,
/// codegen/bundle/lanes/lane_program.h). A case picks one of its rows.
struct FrontierTable {
  std::string name;
  std::vector<std::string> variables; ///< its evidence digits
  double rows = 0;                    ///< product of (states + 1) over them
  uint64_t rowElems = 0;

  double elems() const { return rows * static_cast<double>(rowElems); }
};

/// A lane program in numbers. Multiply-adds are those of its products: addresses, times the
/// operands beyond the first.
struct LaneFacts {
  // Work that is done once and kept for all cases:
  size_t commonOperations = 0;
  double commonMultiplyAdds = 0;
  size_t sharedTables = 0; ///< number of common tables that cases read
  uint64_t sharedElems = 0;
  // Tables of the frontier between both:
  std::vector<FrontierTable> frontier; ///< the largest first; empty: cases multiply messages only
  uint64_t tableElems = 0;             ///< the bound on such a table that made the cheapest lane
  size_t digits = 0;      ///< observable variables that are a digit of some of these tables
  size_t pickedAlone = 0; ///< those whose finding enters the products of a case by itself
  // Work of each case:
  size_t gathers = 0; ///< rows that it picks
  size_t products = 0;
  double multiplyAdds = 0;
  uint64_t laneElems = 0; ///< entries of messages that are alive at the same time
  double laneCost = 0;    ///< all of its work, in multiply-adds (codegen/lanes/lane_cost.h)
};

/// One way to answer the cases. Its predictions leave out reading and writing rows.
struct EngineFacts {
  std::string name;     ///< "lanes on the CPU", "tables", "single runs"
  std::string device;   ///< "cpu", "sm_90"; empty: it refuses on every device
  bool refused = false; ///< it cannot answer the query, or not within the memory bound
  bool chosen = false;  ///< a run takes it
  std::string why;      ///< why it is chosen, or why not; sentences with "; " between them
  // These are set unless it refuses:
  double rowsPerSecond = 0; ///< predicted speed
  double listSeconds = 0; ///< time of all expected cases, with the start of a device and compiling
  uint64_t casesAtOnce = 1; ///< cases computed side by side: v of PDP'11 (codegen/PAPERS.md)
  std::vector<PartRound> partRounds; ///< as EngineSpeed
  std::string atOnce;                ///< parts of `casesAtOnce`, as text
  uint64_t blockCases = 1;           ///< cases that it gets together if rows are short
  uint64_t caseBytes = 0;            ///< bytes of a case's messages during its computation
  uint64_t rowBytes = 0;             ///< bytes of a case's input and answers in a block
  /// Bytes of the codes of a case that are copied to a GPU; 0: none are copied.
  double sentCodeBytes = 0;
  uint64_t sharedBytes = 0;       ///< bytes that all cases share
  std::optional<LaneFacts> lanes; ///< none: it has no lanes

  void addReason(std::string_view reason) {
    if (!why.empty())
      why += "; ";
    why += reason;
  }
};

} // namespace mpf
