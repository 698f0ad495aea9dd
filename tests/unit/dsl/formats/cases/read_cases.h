// Reads a whole list of cases in tests.
#pragma once

#include "dsl/source/text_error.h"
#include "dsl/support/cases/case_source.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace mpf::test {

struct ReadCases {
  std::vector<std::vector<uint32_t>> codes; ///< codes of each case
  std::vector<std::vector<double>> weights, params;
  std::vector<std::string> kept; ///< text of each case
  std::vector<uint64_t> skipped; ///< numbers of cases
  std::vector<uint64_t> blocks;  ///< number of cases in each block
  std::string error;             ///< error that ended the list
  BadRows bad;
};

/// Reads all cases in blocks of `pitch` cases.
inline ReadCases readAll(CaseSource &source, uint32_t pitch = 3, CaseReading reading = {}) {
  ReadCases all;
  source.begin(reading);
  CaseBlock block(source.schema(), pitch);
  try {
    while (source.next(block)) {
      EXPECT_EQ(block.first, all.codes.size());
      for (const uint32_t place : block.skipped)
        all.skipped.push_back(block.first + place);
      for (uint32_t i = 0; i < block.count; ++i) {
        std::vector<uint32_t> &codes = all.codes.emplace_back();
        for (size_t c = 0; c < block.columns(); ++c)
          codes.push_back(block.code(c, i));
        std::vector<double> &weights = all.weights.emplace_back();
        for (size_t w = 0; w < source.schema().weightCount(); ++w)
          weights.push_back(block.weights()[w * block.pitch() + i]);
        all.kept.emplace_back(block.kept(i));
        std::vector<double> &params = all.params.emplace_back();
        for (size_t p = 0; p < source.schema().params.size(); ++p)
          params.push_back(block.params()[p * block.pitch() + i]);
      }
      all.blocks.push_back(block.count);
    }
    EXPECT_EQ(block.count, 0u);
  } catch (const Error &error) {
    all.error = error.what();
  }
  all.bad = source.badRows();
  return all;
}

} // namespace mpf::test
