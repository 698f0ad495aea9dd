// Decodes the best assignment of one lane: the forward phase of bucket elimination, state by state
// (runtime/execute/host/decode_tables.h does it for one case with tables of any size).
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/wide_number.h"
#include "runtime/execute/host/pick_state.h"
#include "runtime/result/case_answers.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace mpf {

class LaneDecoder {
public:
  explicit LaneDecoder(const LaneProgram &program) : program_(program) {}

  /// Writes one state for each variable of the model to `states`, or kNoState for all if every
  /// assignment has the value 0. `entry(table, address)` returns a WideNumber.
  template <class Entry> void decode(const Entry &entry, uint32_t *states) const {
    const Evidence &fixed = program_.evidence;
    std::fill_n(states, program_.variables.size(), 0);
    for (size_t f = 0; f < fixed.findings.size(); ++f)
      states[fixed.findings[f].variable.index()] = fixed.states[f];
    for (const LaneTraceback &step : program_.traceback) {
      uint32_t &state = states[step.variable.index()];
      const std::optional<uint32_t> taken = pickState(
          *traitsOf(program_.kind).decoding, program_.variables[step.variable.index()].extent,
          [&](uint32_t number) {
            state = number;
            return productOf(step, entry, states);
          },
          LaneAlgebra());
      if (!taken) {
        std::fill_n(states, program_.variables.size(), CaseAnswers::kNoState);
        return;
      }
      state = *taken;
    }
  }

private:
  /// The order of products, which are not negative.
  struct LaneAlgebra {
    static bool isBetter(const WideNumber &a, const WideNumber &b) { return b < a; }
    static bool isZero(const WideNumber &value) { return value.mantissa == 0; }
  };

  /// Returns the product of the step's tables at the states chosen so far.
  template <class Entry>
  static WideNumber productOf(const LaneTraceback &step, const Entry &entry,
                              const uint32_t *states) {
    WideNumber product = WideNumber::of(1);
    for (const LaneTraceback::Table &table : step.tables)
      product = product * entry(table.access.table, addressOf(table, states));
    return product;
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
