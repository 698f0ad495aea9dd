// The rules that queries have for tables that cases set.
#include "dsl/formats/cases/csv_cases.h"
#include "dsl/formats/cases/npy_cases.h"
#include "dsl/formats/cases/tables/input_cases.h"
#include "tests/unit/dsl/formats/cases/read_cases.h"
#include "tests/unit/dsl/formats/npy_text.h"
#include "tests/unit/temporary_folder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <thread>
#include <tuple>

namespace mpf {
namespace {

using test::readAll;
using test::ReadCases;

Model conditionalModel() {
  Model model;
  model.variables = {{"a", 2, {"no", "yes"}}, {"b", 2, {}}};
  model.factors = {{"f", "f", {VarId{0}}, nullptr},
                   {"P(b)", "P(b)", {VarId{0}, VarId{1}}, nullptr, true}};
  model.factors[1].defaults =
      std::make_shared<const std::vector<double>>(std::vector{0.5, 0.5, 0.5, 0.5});
  return model;
}

/// `text` must outlive the list.
std::shared_ptr<CaseSource> listOf(const std::string &text, const EntryNeeds &needs,
                                   const RowTreatment &rows = {}) {
  Diagnostics diagnostics;
  std::shared_ptr<CaseSource> list =
      openCsvCases(InputStream("c.csv", text), conditionalModel(), diagnostics);
  EXPECT_TRUE(list) << renderDiagnostics(diagnostics);
  return withInputChecks(list, conditionalModel(), needs, rows);
}

TEST(InputCases, RowsAreDividedWhateverTheirMagnitude) {
  const std::string text =
      "f[no],f[yes],\"P(b)[no, 0]\",\"P(b)[no, 1]\",\"P(b)[yes, 0]\",\"P(b)[yes, 1]\"\n"
      "1e-400,1,1e-211,1e220,1,3\n1e-400,1,3e-400,1e-400,0.25,0.75\n"
      "2,1,1.5e308,0.5e308,1e-310,0\n";
  const auto tally = std::make_shared<RowSumTally>();
  const auto list = listOf(text, {false}, {tally, true});
  CaseBlock block(list->schema(), 8);
  ASSERT_TRUE(list->next(block));
  ASSERT_EQ(block.count, 3u);
  const size_t first = list->schema().weightCount() - 4;
  EXPECT_NEAR(block.weight(first, 0).log10(), -431, 1e-12);
  EXPECT_EQ(block.weight(first + 1, 0).value(), 1);
  EXPECT_EQ(block.weight(first + 3, 0).value(), 0.75);
  EXPECT_EQ(block.weight(first, 1).value(), 0.75);
  EXPECT_EQ(block.weight(first, 2).value(), 0.75);
  EXPECT_EQ(block.weight(first + 2, 2).value(), 1);
  EXPECT_EQ(block.far.at(0).size(), 2u) << "f and one share";
  EXPECT_EQ(block.far.at(1).size(), 1u) << "f";
  EXPECT_FALSE(block.far.contains(2));
  EXPECT_EQ(tally->takenText(), "");
  EXPECT_EQ(
      tally->dividedText(),
      "5 rows of conditional tables do not sum to 1 and are divided by their sums; the worst, "
      "P(b)[no], sums to 2e308");
}

TEST(InputCases, NegativeEntriesAreBadWhereAQueryMaximises) {
  const std::string text = "f[no],f[yes]\n1,2\n3,-4\nx,1\n5,6\n";
  EXPECT_FALSE(listOf(text, {false})->schema().tables[0].nonNegative);
  const auto list = listOf(text, {true});
  EXPECT_TRUE(list->schema().tables[0].nonNegative);
  const ReadCases read = readAll(*list, 3, {OnBadRow::Skip, 1});
  EXPECT_EQ(read.skipped, (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(read.weights[1], (std::vector<double>{1, 1}));
  ASSERT_EQ(read.bad.messages.size(), 2u);
  EXPECT_EQ(read.bad.cases, (std::vector<uint64_t>{1, 2})) << "found by two readers, in order";
  EXPECT_NE(read.bad.messages[0].find("entry f[yes] is -4, it must be a finite number of at least"),
            std::string::npos)
      << read.bad.messages[0];
  const ReadCases stopped = readAll(*listOf(text, {true}));
  EXPECT_EQ(stopped.weights.size(), 1u);
  EXPECT_NE(stopped.error.find("entry f[yes] is -4"), std::string::npos) << stopped.error;
  EXPECT_EQ(readAll(*listOf(text, {false}), 3, {OnBadRow::Skip, 1}).skipped,
            std::vector<uint64_t>{2});
}

TEST(InputCases, ABadRowHasOneMessage) {
  const std::string text = "f[no],f[yes],P(b)[no][0],P(b)[no][1]\n"
                           "1,2,-1,0.5\n-3,-4,0.5,0.6\n-5,6,0.25,0.75\n7,8,0.25,0.75\n";
  const ReadCases read = readAll(*listOf(text, {true}), 8, {OnBadRow::Skip, 1});
  EXPECT_EQ(read.skipped, (std::vector<uint64_t>{0, 1, 2}));
  EXPECT_EQ(read.bad.cases, read.skipped) << "in order, whatever table is wrong";
  EXPECT_EQ(read.bad.messages.size(), 3u);
}

TEST(InputCases, RowsOfConditionalTablesSumToOne) {
  const std::string text = "P(b)[no][0],P(b)[no][1]\n0.25,0.75\n,\n0.5,0.6\n1.5,-0.5\n0,1\nx,1\n";
  const auto list = listOf(text, {false});
  EXPECT_TRUE(list->schema().tables[0].nonNegative);
  const ReadCases read = readAll(*list, 8, {OnBadRow::Skip, 1});
  EXPECT_EQ(read.skipped, (std::vector<uint64_t>{2, 3, 5}));
  EXPECT_EQ(read.weights[0], (std::vector<double>{0.25, 0.75, 0.5, 0.5}));
  EXPECT_EQ(read.weights[1], (std::vector<double>{0.5, 0.5, 0.5, 0.5}));
  ASSERT_EQ(read.bad.messages.size(), 3u) << "the row of x is none: nothing is said of its sum";
  bool saysSum = false;
  for (const std::string &message : read.bad.messages)
    saysSum |= message.find("row P(b)[no] sums to 1.1, it must be 1") != std::string::npos;
  EXPECT_TRUE(saysSum);
}

TEST(InputCases, EntriesAreWholeWhereAQueryCounts) {
  const std::string text =
      "f[no],f[yes],a=no,a=yes\n1,2,3,0\n1.5,2,1,1\n1,-4,1,1\n1,9007199254740991,,\n"
      "1,9007199254740992,1,1\n0,2,1,0.5\n-0,2,1,1\n";
  EntryNeeds needs;
  needs.wholeFactors = {1, 0};
  needs.wholeLikelihoods = {1, 0};
  const auto list = listOf(text, needs);
  EXPECT_EQ(list->schema().tables[0].wholeBits, 53);
  EXPECT_TRUE(list->schema().tables[0].nonNegative);
  const ReadCases read = readAll(*list, 3, {OnBadRow::Skip, 1});
  EXPECT_EQ(read.skipped, (std::vector<uint64_t>{1, 2, 4, 5}));
  ASSERT_EQ(read.bad.messages.size(), 4u);
  const auto says = [&](size_t i, const char *what) {
    return read.bad.messages[i].find(what) != std::string::npos;
  };
  EXPECT_TRUE(says(0, "c.csv:3:1: error: entry f[no] is 1.5, it must be a whole number from 0 to "
                      "2^53 - 1"))
      << read.bad.messages[0];
  EXPECT_TRUE(says(1, "c.csv:4:1: error: entry f[yes] is -4")) << read.bad.messages[1];
  EXPECT_TRUE(says(2, "c.csv:6:1: error: entry f[yes] is 9007199254740992"))
      << read.bad.messages[2];
  EXPECT_TRUE(says(3, "c.csv:7:1: error: entry a[yes] is 0.5")) << read.bad.messages[3];
  needs.wholeFactors = {0, 1}; // of a factor that the cases do not set
  needs.wholeLikelihoods = {};
  EXPECT_EQ(readAll(*listOf(text, needs), 3, {OnBadRow::Skip, 1}).skipped, std::vector<uint64_t>{});
}

/// g[no], g[yes] and f as NumPy records in a file, so that rows have places. In every hundred
/// rows, row 7 is no case and row 30 has a negative entry.
class PlacedList {
public:
  static constexpr uint64_t kRows = 1000;

  PlacedList() : path_(folder_.path() + "/c.npy") {
    std::string entries;
    for (uint64_t i = 0; i < kRows; ++i)
      for (const double entry :
           {i % 100 == 7 ? NAN : 1.0, i % 100 == 30 ? -2.0 : static_cast<double>(i)})
        entries.append(reinterpret_cast<const char *>(&entry), sizeof entry);
    std::ofstream(path_, std::ios::binary) << test::npy(
        "{'descr': [('f', '<f8', (2,))], 'fortran_order': False, 'shape': (1000,), }\n", entries);
  }
  std::shared_ptr<CaseSource> open(const CaseReading &reading) const {
    Diagnostics diagnostics;
    std::shared_ptr<CaseSource> list =
        openNpyCases(InputStream(path_), conditionalModel(), diagnostics);
    EXPECT_TRUE(list) << renderDiagnostics(diagnostics);
    list = withInputChecks(list, conditionalModel(), {true});
    list->begin(reading);
    return list;
  }

private:
  TemporaryFolder folder_;
  const std::string path_;
};

/// Several threads that read blocks in any order get the cases of a reading in order.
TEST(InputCases, CheckedRowsKeepTheirPlaces) {
  const PlacedList rows;
  constexpr uint32_t kPitch = 64;
  const std::shared_ptr<CaseSource> list = rows.open({OnBadRow::Skip, 4});
  ASSERT_TRUE(list->hasPlaces());
  EXPECT_EQ(list->caseCount(), PlacedList::kRows);
  const ReadCases inOrder = readAll(*rows.open({OnBadRow::Skip, 1}), kPitch, {OnBadRow::Skip, 1});
  const uint64_t blocks = (PlacedList::kRows + kPitch - 1) / kPitch;
  std::vector<BlockReport> reports(blocks);
  std::vector<std::vector<uint64_t>> skipped(blocks);
  std::atomic<uint64_t> next{0};
  const auto work = [&] {
    CaseBlock block(list->schema(), kPitch);
    for (uint64_t number = next++; number < blocks; number = next++) {
      list->readAt(number * kPitch, block, reports[number]);
      EXPECT_EQ(reports[number].end, nullptr);
      for (const uint32_t place : block.skipped)
        skipped[number].push_back(block.first + place);
      for (uint32_t i = 0; i < block.count; ++i)
        EXPECT_EQ(block.weights()[block.pitch() + i], inOrder.weights[block.first + i][1]);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  std::vector<uint64_t> all;
  for (uint64_t number = 0; number < blocks; ++number) {
    all.insert(all.end(), skipped[number].begin(), skipped[number].end());
    list->addSkipped(reports[number].skipped);
  }
  EXPECT_EQ(all, inOrder.skipped);
  EXPECT_EQ(all.size(), 20U);
  EXPECT_EQ(list->badRows().count, 20U);
  ASSERT_EQ(list->badRows().messages.size(), BadRows::kMostMessages);
  EXPECT_NE(list->badRows().messages[0].find("row 7: column 0: nan"), std::string::npos);
  EXPECT_NE(list->badRows().messages[1].find("row 30: entry f[yes] is -2"), std::string::npos)
      << list->badRows().messages[1];
  EXPECT_NE(list->badRows().messages[9].find("row 430: entry"), std::string::npos);
}

TEST(InputCases, AListStopsAtItsFirstBadRow) {
  const PlacedList rows;
  const std::shared_ptr<CaseSource> list = rows.open({OnBadRow::Stop, 4});
  CaseBlock block(list->schema(), 100);
  for (const auto &[first, count, message] :
       std::vector<std::tuple<uint64_t, uint32_t, std::string>>{
           {8, 22, "row 30: entry f[yes] is -2"}, {101, 6, "row 107: column 0"}}) {
    BlockReport report;
    list->readAt(first, block, report);
    EXPECT_EQ(block.count, count);
    ASSERT_TRUE(report.end);
    try {
      std::rethrow_exception(report.end);
    } catch (const Error &error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

} // namespace
} // namespace mpf
