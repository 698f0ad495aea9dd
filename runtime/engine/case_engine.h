// What answers a query for one block of cases after another. Sessions of host programs
// (runtime/api/cases.h) and the pipeline of mpfc (tools/mpfc/cases/case_pipeline.h) know engines
// only through this.
#pragma once

#include "dsl/support/cases/byte_rows.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/execute/lanes/sent_block.h"
#include "runtime/result/case_answers.h"
#include "runtime/result/case_counts.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace mpf {

class DeviceLanes; // runtime/execute/lanes/lane_executor.h

struct CaseEngine {
  /// The tables of every block, with names and sizes, but no entries.
  CaseAnswers layout;
  /// Answers the cases of a block. The answers are those of an earlier block, or the layout. What
  /// stands at the places of skipped cases does not matter. A case that alone is at fault is one of
  /// CaseAnswers::refused. Otherwise throws as running a query does.
  /// `callers` threads at a time, each with answers of its own.
  std::function<void(const CaseBlock &, CaseAnswers &)> answer;
  /// The same in two halves: what is left is SentBlock::finish. Any number of threads, each with a
  /// block and answers of its own. Null: there is no room until another block is finished, or the
  /// block is not worth it: `answer` has to. Empty: the host does the work. `rows`: of a block that
  /// nobody has read, which has a first case and a count alone; null: it was read, as `answer`
  /// needs it.
  std::function<std::unique_ptr<SentBlock>(const CaseBlock &, const ByteRows *rows, CaseAnswers &)>
      send;
  unsigned callers = 1;        ///< with which it is the fastest
  uint32_t bestBlockCases = 1; ///< cases of a block that it is efficient for
  /// Smaller blocks leave it idle, however long their rows: lanes that no case fills.
  uint32_t leastBlockCases = 1;
  /// New values of a factor, row-major as declared, for the blocks to come. Throws as
  /// Session::bind.
  std::function<void(std::string_view, std::span<const double>)> bind;
  std::function<std::string()> deviceName; ///< for people; may be empty
  std::function<CaseCounts()> counts;      ///< how cases were answered so far; may be empty
  /// Why a GPU that was to answer, and was the machine's choice, did not come up, or was left in
  /// mid-stream; "": nothing failed. May be empty.
  std::function<std::string()> deviceFault;
  /// The lanes of a GPU, until the next call of bind; null: it is none. May be empty.
  std::function<DeviceLanes *()> onDevice;
};

/// The calls of an engine of one kind, which lives as long as they do; `blockCases` as
/// CaseEngine::bestBlockCases.
template <class Engine>
CaseEngine callsOf(const std::shared_ptr<Engine> &engine, uint32_t blockCases) {
  CaseEngine calls;
  calls.layout = engine->layout();
  calls.answer = [engine](const CaseBlock &block, CaseAnswers &answers) {
    engine->answer(block, answers);
  };
  calls.bestBlockCases = blockCases;
  calls.bind = [engine](std::string_view factor, std::span<const double> values) {
    engine->bind(factor, values);
  };
  calls.deviceName = [engine] { return engine->deviceName(); };
  calls.deviceFault = [engine] { return engine->deviceFault(); };
  return calls;
}

/// Gives `answers` room for `count` cases of `layout`; its entries are not set.
inline void makeRoom(const CaseAnswers &layout, uint32_t count, CaseAnswers &answers) {
  if (answers.tables.size() != layout.tables.size())
    answers = layout;
  answers.count = count;
  answers.refused.clear();
  for (CaseTable &table : answers.tables) {
    table.entries.resize(count * table.size);
    table.integerEntries.resize(table.isInteger ? count * table.size : 0);
    table.exponents.assign(count, 0);
    table.farApart.clear();
  }
  answers.states.resize(count * answers.variables);
}

} // namespace mpf
