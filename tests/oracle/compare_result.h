// Compares the answer of a session with the definition.
#pragma once

#include "runtime/result/result.h"
#include "tests/oracle/brute/model_brute_force.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf::oracle {

/// Returns the entries as values.
inline std::vector<double> valuesOf(const ResultTable &table) {
  std::vector<double> values;
  for (uint64_t i = 0; i < table.entries.size(); ++i)
    values.push_back(table.logValues ? table.at(i).ln() : table.at(i).value().value_or(0));
  return values;
}

/// Expects the answer by the definition. `tolerance`: relative, of every entry and of the product
/// at the assignment.
inline void expectAnswer(const Model &model, const Query &query, const Result &result,
                         double tolerance) {
  const BruteAnswer expected = bruteForce(model, query);
  for (const ResultTable &table : result.tables) {
    const BruteTable &want = expected.tables.at(table.name);
    const std::vector<double> values = valuesOf(table);
    if (values.empty()) { // a posterior that does not exist
      EXPECT_TRUE(result.zeroProbability);
      continue;
    }
    ASSERT_EQ(values.size(), want.values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const auto value = static_cast<double>(want.values[i]);
      ASSERT_NEAR(values[i], value, tolerance * std::abs(value)) << table.name << "[" << i << "]";
    }
  }
  for (const ResultAssignment &assignment : result.assignments) {
    const auto best = static_cast<double>(expected.best);
    EXPECT_NEAR(static_cast<double>(productAt(model, query, assignment.states)), best,
                tolerance * std::abs(best));
  }
}

} // namespace mpf::oracle
