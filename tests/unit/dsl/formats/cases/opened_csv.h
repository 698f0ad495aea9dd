// An opened list of cases in CSV, with the messages about it.
#pragma once

#include "dsl/formats/cases/csv_cases.h"
#include "tests/unit/dsl/formats/three_variables.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace mpf::test {

struct OpenedCsv {
  std::unique_ptr<CaseSource> cases;
  std::string messages;
};

/// Opens a list. `text` must outlive the result.
inline OpenedCsv openCsv(const std::string &text, const Model &model = threeVariables(),
                         const ColumnChoice &choice = {}) {
  Diagnostics diagnostics;
  OpenedCsv opened;
  opened.cases = openCsvCases(InputStream("c.csv", text), model, diagnostics, choice);
  opened.messages = renderDiagnostics(diagnostics);
  EXPECT_EQ(opened.cases != nullptr, !diagnostics.hasErrors()) << opened.messages;
  return opened;
}

} // namespace mpf::test
