// The interface of the engines that answer a query, one block of cases after another. Sessions of
// host programs (runtime/api/cases.h) and the pipeline of mpfc (tools/mpfc/cases/case_pipeline.h)
// use engines only through it.
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
  /// The tables of every block, with names and sizes, but without entries.
  CaseAnswers layout;
  /// Answers the cases of a block. The caller passes the answers of an earlier block, or the
  /// layout. The entries of skipped cases are undefined. A case that is refused alone is one of
  /// CaseAnswers::refused. Other errors are thrown as by running a query. At most `callers` threads
  /// call it at a time, each with its own answers.
  std::function<void(const CaseBlock &, CaseAnswers &)> answer;
  /// Sends a block to a device and returns the rest of the work, SentBlock::finish. Any number of
  /// threads may call it, each with its own block and answers. Returns null if the device has no
  /// room until another block is finished, if it was given up, or if sending the block does not
  /// pay; then call `answer`. Empty: the host does the work. `rows`: the rows of an unread block,
  /// which then has only a first case and a count; null: the block was read, as `answer` needs it.
  std::function<std::unique_ptr<SentBlock>(const CaseBlock &, const ByteRows *rows, CaseAnswers &)>
      send;
  unsigned callers = 1;        ///< number of calling threads at which it is fastest
  uint32_t bestBlockCases = 1; ///< number of cases in a block at which it is efficient
  /// Smaller blocks leave part of it idle, even if rows are long, because lanes stay empty.
  uint32_t leastBlockCases = 1;
  /// Sets new values of a factor for later blocks, row-major as declared. Throws like
  /// Session::bind.
  std::function<void(std::string_view, std::span<const double>)> bind;
  std::function<std::string()> deviceName; ///< device as text for users; may be empty
  std::function<CaseCounts()> counts;      ///< how cases were answered until now; may be empty
  /// Returns why the GPU that mpf chose did not start, or failed in mid-stream; "" if nothing
  /// failed. May be empty.
  std::function<std::string()> deviceFault;
  /// Returns the lanes of a GPU, valid until the next call of bind; null if there are none. May be
  /// empty.
  std::function<DeviceLanes *()> onDevice;
};

/// Returns the calls of an engine of one kind. They share its ownership. `blockCases` as
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
