// Decodes the best assignment of one lane: the forward phase of bucket elimination, state by state
// (runtime/execute/host/decode_tables.h does it for one case with tables of any size).
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/wide_number.h"
#include "dsl/support/check.h"
#include "runtime/result/case_answers.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mpf {

class LaneDecoder {
public:
  explicit LaneDecoder(const LaneProgram &program) : program_(program) {
    const std::optional<Decoding> decoding = traitsOf(program.kind).decoding;
    MPF_CHECK(!decoding || *decoding == Decoding::Argmax, "lanes decode no {}",
              traitsOf(program.kind).name);
  }

  /// Writes one state for each variable of the model to `states`, or kNoState for all if every
  /// assignment has the value 0. `entry(table, address)` returns a WideNumber. Among states of
  /// equal values the first is taken.
  template <class Entry> void decode(const Entry &entry, uint32_t *states) const {
    for (size_t v = 0; v < program_.variables.size(); ++v)
      states[v] = program_.fixedStates[v] == LaneProgram::kNoState ? 0 : program_.fixedStates[v];
    for (const LaneTraceback &step : program_.traceback)
      if (!choose(step, entry, states)) {
        std::fill_n(states, program_.variables.size(), CaseAnswers::kNoState);
        return;
      }
  }

private:
  template <class Entry>
  bool choose(const LaneTraceback &step, const Entry &entry, uint32_t *states) const {
    WideNumber best;
    uint32_t bestState = 0;
    for (uint32_t state = 0; state < step.extent; ++state) {
      states[step.variable.index()] = state;
      WideNumber product = WideNumber::of(1);
      for (const LaneTraceback::Table &table : step.tables)
        product = product * entry(table.access.table, addressOf(table, states));
      if (best < product) {
        best = product;
        bestState = state;
      }
    }
    states[step.variable.index()] = bestState;
    return best.mantissa != 0;
  }

  static uint64_t addressOf(const LaneTraceback::Table &table, const uint32_t *states) {
    uint64_t address = table.access.baseElems;
    for (size_t i = 0; i < table.scope.size(); ++i)
      address += states[table.scope[i].index()] * table.access.stridesElems[i];
    return address;
  }

  const LaneProgram &program_;
};

} // namespace mpf
