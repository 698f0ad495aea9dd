// Lists of cases of the interface for C.
#include "tests/unit/runtime/c/handles_in_tests.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace mpf::c {

namespace {

OwnCases casesOf(const mpf_network *network, const char *query) {
  const OwnOptions options = cpuOptions();
  OwnProgram program;
  OwnCases cases;
  EXPECT_OK(mpf_compile_cases(network, query, options, program.out()));
  EXPECT_OK(mpf_cases_open(program, options, cases.out()));
  return cases;
}

template <class Item> mpf_column columnOf(mpf_type type, const char *variable, const Item *data) {
  return {sizeof(mpf_column), type, variable, data, sizeof(Item)};
}

mpf_answer arrayOf(mpf_answer_kind kind, const char *table, uint64_t entries, void *data,
                   int64_t strideBytes) {
  return {sizeof(mpf_answer), kind, table, entries, data, strideBytes};
}

/// P(rain = yes | wet) for wet = no, wet = yes, and nothing observed.
constexpr double kNo = 0.04 / 0.76, kYes = 0.16 / 0.24, kNothing = 0.2;

template <class Item> class CColumn : public testing::Test {};
template <mpf_type kType, class Item> struct Typed {
  using Value = Item;
  static constexpr mpf_type kName = kType;
};
using Types =
    testing::Types<Typed<MPF_INT8, int8_t>, Typed<MPF_UINT8, uint8_t>, Typed<MPF_INT16, int16_t>,
                   Typed<MPF_UINT16, uint16_t>, Typed<MPF_INT32, int32_t>,
                   Typed<MPF_UINT32, uint32_t>, Typed<MPF_INT64, int64_t>,
                   Typed<MPF_UINT64, uint64_t>, Typed<MPF_FLOAT, float>, Typed<MPF_DOUBLE, double>>;
TYPED_TEST_SUITE(CColumn, Types);

TYPED_TEST(CColumn, IsRead) {
  using Item = typename TypeParam::Value;
  const auto nothing =
      static_cast<Item>(std::is_signed_v<Item> ? Item(-1) : std::numeric_limits<Item>::max());
  const Item cells[] = {1, nothing, 0};
  const OwnCases cases = casesOf(rainNetwork(), "P(rain)");
  const mpf_column column = columnOf(TypeParam::kName, "wet", cells);
  double posteriors[3][2] = {};
  const mpf_answer answer = arrayOf(MPF_VALUES, nullptr, 2, posteriors, sizeof posteriors[0]);
  EXPECT_OK(mpf_cases_run(cases, &column, 1, 3, &answer, 1));
  EXPECT_NEAR(posteriors[0][1], kYes, 1e-12);
  EXPECT_NEAR(posteriors[1][1], kNothing, 1e-12);
  EXPECT_NEAR(posteriors[2][1], kNo, 1e-12);
  const Item wrong[] = {0, 2, 0};
  const mpf_column bad = columnOf(TypeParam::kName, "wet", wrong);
  EXPECT_EQ(mpf_cases_run(cases, &bad, 1, 3, &answer, 1), MPF_BAD_INPUT);
  EXPECT_EQ(std::string(mpf_cases_error(cases)).find("row 1, column 'wet': 2 "), 0u)
      << mpf_cases_error(cases);
}

TEST(CCases, ReadLabelsWithAnyStride) {
  const char *cells[] = {"no", nullptr, "", "yes"};
  const OwnCases cases = casesOf(rainNetwork(), "P(rain)");
  mpf_column column = columnOf(MPF_TEXT, "wet", &cells[3]);
  column.stride_bytes = -static_cast<int64_t>(sizeof(char *));
  double posteriors[4] = {}, logs[4] = {};
  const mpf_answer answers[] = {
      arrayOf(MPF_VALUES, "P(rain)", 2, posteriors, 0), // the last row remains
      arrayOf(MPF_LOGS, "P(rain)", 2, logs + 2, -static_cast<int64_t>(2 * sizeof(double)))};
  EXPECT_OK(mpf_cases_run(cases, &column, 1, 2, answers, 2));
  EXPECT_NEAR(posteriors[1], kNothing, 1e-12);
  EXPECT_NEAR(std::exp(logs[1]), kNothing, 1e-12);
  EXPECT_NEAR(std::exp(logs[3]), kYes, 1e-12);
  const char *wrong = "yess";
  column.data = &wrong;
  EXPECT_EQ(mpf_cases_run(cases, &column, 1, 1, answers, 1), MPF_BAD_INPUT);
  EXPECT_NE(std::string(mpf_last_error()).find("did you mean 'yes'?"), std::string::npos)
      << mpf_last_error();
}

TEST(CCases, ForgetTheColumnsOfEarlierCalls) {
  const OwnCases cases = casesOf(rainNetwork(), "P(rain)");
  const std::vector<int8_t> cells(100, 1);
  const mpf_column column = columnOf(MPF_INT8, "wet", cells.data());
  std::vector<double> posteriors(200);
  const mpf_answer answer = arrayOf(MPF_VALUES, nullptr, 2, posteriors.data(), 2 * sizeof(double));
  EXPECT_OK(mpf_cases_run(cases, &column, 1, 100, &answer, 1));
  EXPECT_OK(mpf_cases_run(cases, nullptr, 0, 3, &answer, 1));
  EXPECT_NEAR(posteriors[1], kNothing, 1e-12);
  EXPECT_NEAR(posteriors[7], kYes, 1e-12) << "row 3 was not asked for again";
  EXPECT_OK(mpf_cases_run(cases, nullptr, 0, 100, &answer, 1));
  EXPECT_NEAR(posteriors[199], kNothing, 1e-12);
}

TEST(CCases, ForgetTheColumnsBehindAWrongCell) {
  const OwnNetwork network = rainNetwork();
  const char *const rain[] = {"rain"};
  const double values[] = {0.7, 0.3, 0.4, 0.6};
  EXPECT_OK(mpf_network_add_variable(network, "slow", 2, nullptr));
  EXPECT_OK(mpf_network_add_conditional(network, "slow", rain, 1, values, 4));
  const OwnCases cases = casesOf(network, "P(rain)");
  const int8_t slow[] = {1, 1}, wet[] = {1, 1}, nothing[] = {-1, -1}, wrong[] = {1, 5};
  const mpf_column wetColumn = columnOf(MPF_INT8, "wet", wet);
  double posteriors[2][2] = {};
  const mpf_answer answer = arrayOf(MPF_VALUES, nullptr, 2, posteriors, sizeof posteriors[0]);
  const mpf_column good[] = {columnOf(MPF_INT8, "slow", slow), wetColumn};
  const mpf_column bad[] = {columnOf(MPF_INT8, "slow", wrong), wetColumn};
  const mpf_column rest = columnOf(MPF_INT8, "slow", nothing);
  EXPECT_OK(mpf_cases_run(cases, good, 2, 2, &answer, 1));
  EXPECT_EQ(mpf_cases_run(cases, bad, 2, 2, &answer, 1), MPF_BAD_INPUT);
  EXPECT_OK(mpf_cases_run(cases, &rest, 1, 2, &answer, 1));
  EXPECT_NEAR(posteriors[0][1], kNothing, 1e-12) << "wet is not observed any more";
  EXPECT_NEAR(posteriors[1][1], kNothing, 1e-12);
}

TEST(CCases, RefuseProgramsWhoseWeightsRowsDoNotSet) {
  const OwnOptions options = cpuOptions();
  EXPECT_OK(mpf_options_set(options, "likelihood", "wet"));
  OwnProgram program;
  OwnCases cases;
  EXPECT_OK(mpf_compile_cases(rainNetwork(), "P(rain)", options, program.out()));
  EXPECT_OK(mpf_cases_open(program, options, cases.out()));
  double posterior[2] = {};
  const mpf_answer answer = arrayOf(MPF_VALUES, nullptr, 2, posterior, sizeof posterior);
  EXPECT_EQ(mpf_cases_run(cases, nullptr, 0, 1, &answer, 1), MPF_USAGE);
  OwnSession session;
  OwnResult result;
  const double weights[] = {1, 0};
  EXPECT_OK(mpf_session_open(program, options, session.out()));
  EXPECT_OK(mpf_session_weigh(session, "wet", weights, 2));
  EXPECT_OK(mpf_session_run(session, result.out()));
  EXPECT_NEAR(valueOf(result, "rain", "yes"), kNo, 1e-12);
}

TEST(CCases, GiveStatesAndTablesOfMoreThanOneBlock) {
  constexpr uint64_t kRows = 70000;
  std::vector<int32_t> cells(kRows), states(2 * kRows);
  for (uint64_t i = 0; i < kRows; ++i)
    cells[i] = i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : -1;
  const OwnCases cases = casesOf(rainNetwork(), "best");
  const mpf_column column = columnOf(MPF_INT32, "wet", cells.data());
  const mpf_answer answer = arrayOf(MPF_STATES, nullptr, 2, states.data(), 2 * sizeof(int32_t));
  EXPECT_OK(mpf_cases_run(cases, &column, 1, kRows, &answer, 1));
  for (uint64_t i = 0; i < kRows; ++i) {
    ASSERT_EQ(states[2 * i], i % 3 == 0 ? 1 : 0) << i;
    ASSERT_EQ(states[2 * i + 1], i % 3 == 0 ? 1 : 0) << i;
  }
}

TEST(CCases, GiveNothingWhereEvidenceIsImpossible) {
  const OwnNetwork network = rainNetwork();
  const double never[] = {1, 0};
  EXPECT_OK(mpf_network_set_values(network, "P(rain)", never, 2));
  const OwnCases cases = casesOf(network, "P(wet)");
  const uint8_t cells[] = {1, 0};
  const mpf_column column = columnOf(MPF_BOOL, "rain", cells);
  double posteriors[2][2] = {};
  const mpf_answer answer = arrayOf(MPF_VALUES, nullptr, 2, posteriors, sizeof posteriors[0]);
  EXPECT_OK(mpf_cases_run(cases, &column, 1, 2, &answer, 1));
  EXPECT_TRUE(std::isnan(posteriors[0][0]));
  EXPECT_NEAR(posteriors[1][1], 0.1, 1e-12);
}

TEST(CCases, TakeStructsOfLaterHeaders) {
  struct {
    mpf_column column;
    uint64_t later;
  } columns[2] = {};
  const OwnCases cases = casesOf(rainNetwork(), "evidence");
  const int8_t yes[] = {1};
  columns[0].column = columnOf(MPF_INT8, "rain", yes);
  columns[1].column = columnOf(MPF_INT8, "wet", yes);
  columns[0].column.size = columns[1].column.size = sizeof columns[0];
  double value = 0;
  const mpf_answer answer = arrayOf(MPF_VALUES, nullptr, 1, &value, sizeof value);
  EXPECT_OK(mpf_cases_run(cases, &columns[0].column, 2, 1, &answer, 1));
  EXPECT_NEAR(value, 0.16, 1e-12);
  columns[1].column.size = sizeof(mpf_column);
  EXPECT_EQ(mpf_cases_run(cases, &columns[0].column, 2, 1, &answer, 1), MPF_USAGE);
}

TEST(CCases, RefuseWrongShapes) {
  const OwnCases cases = casesOf(rainNetwork(), "P(rain)");
  const int8_t cells[] = {1};
  const mpf_column column = columnOf(MPF_INT8, "wet", cells);
  alignas(double) double values[2] = {};
  const mpf_answer answer = arrayOf(MPF_VALUES, nullptr, 2, values, sizeof values);
  const auto statusOfColumn = [&](const auto &change) {
    mpf_column wrong = column;
    change(wrong);
    return mpf_cases_run(cases, &wrong, 1, 1, &answer, 1);
  };
  const auto statusOfArray = [&](const auto &change) {
    mpf_answer wrong = answer;
    change(wrong);
    return mpf_cases_run(cases, &column, 1, 1, &wrong, 1);
  };
  EXPECT_OK(statusOfColumn([](mpf_column &) {}));
  EXPECT_OK(statusOfArray([](mpf_answer &) {}));
  EXPECT_EQ(statusOfColumn([](mpf_column &wrong) { wrong.size = 8; }), MPF_USAGE);
  EXPECT_EQ(statusOfColumn([](mpf_column &wrong) { wrong.type = 99; }), MPF_USAGE);
  EXPECT_EQ(statusOfColumn([](mpf_column &wrong) { wrong.variable = "snow"; }), MPF_USAGE);
  EXPECT_EQ(statusOfColumn([](mpf_column &wrong) { wrong.variable = nullptr; }), MPF_USAGE);
  EXPECT_EQ(statusOfColumn([](mpf_column &wrong) { wrong.data = nullptr; }), MPF_USAGE);
  EXPECT_EQ(statusOfArray([](mpf_answer &wrong) { wrong.size = 8; }), MPF_USAGE);
  EXPECT_EQ(statusOfArray([](mpf_answer &wrong) { wrong.kind = 0; }), MPF_USAGE);
  EXPECT_EQ(statusOfArray([](mpf_answer &wrong) { wrong.kind = MPF_STATES; }), MPF_USAGE);
  EXPECT_EQ(statusOfArray([](mpf_answer &wrong) { wrong.table = "snow"; }), MPF_USAGE);
  EXPECT_EQ(statusOfArray([](mpf_answer &wrong) { wrong.entries = 3; }), MPF_USAGE);
  EXPECT_EQ(statusOfArray([](mpf_answer &wrong) { wrong.data = nullptr; }), MPF_USAGE);
  EXPECT_EQ(statusOfArray([](mpf_answer &wrong) { wrong.stride_bytes = 12; }), MPF_USAGE);
  const mpf_column twice[] = {column, column};
  EXPECT_EQ(mpf_cases_run(cases, twice, 2, 1, &answer, 1), MPF_USAGE);
}

TEST(CCases, NameTheRowWhoseCountDoesNotFit) {
  const std::string text = "var a : 2\nvar b : 2\n"
                           "factor f(a, b) = [[4294967296, 1], [4294967296, 1]]\n"
                           "factor g(b) = [4294967296, 1]\nquery total() = sum() f * g\n";
  OwnNetwork network;
  const OwnOptions options = cpuOptions();
  OwnProgram program;
  OwnCases cases;
  EXPECT_OK(mpf_network_parse(text.data(), text.size(), nullptr, network.out()));
  EXPECT_OK(mpf_options_set(options, "type", "u64"));
  EXPECT_OK(mpf_compile_cases(network, nullptr, options, program.out()));
  EXPECT_OK(mpf_cases_open(program, options, cases.out()));
  const int8_t cells[] = {1, 0, 1};
  const mpf_column column = columnOf(MPF_INT8, "b", cells);
  double totals[3] = {};
  const mpf_answer answer = arrayOf(MPF_VALUES, nullptr, 1, totals, sizeof(double));
  EXPECT_EQ(mpf_cases_run(cases, &column, 1, 3, &answer, 1), MPF_OVERFLOW);
  EXPECT_EQ(std::string(mpf_last_error()).find("case 1: "), 0u) << mpf_last_error();
  EXPECT_OK(mpf_cases_run(cases, &column, 1, 1, &answer, 1));
  EXPECT_EQ(totals[0], 2);
}

TEST(CCases, EndWhereTheCallbackSaysSo) {
  const OwnOptions options = cpuOptions();
  OwnProgram program;
  OwnCases cases;
  EXPECT_OK(mpf_compile_cases(rainNetwork(), "P(rain)", options, program.out()));
  EXPECT_OK(mpf_options_set_progress(
      options, [](void *, const char *, double, double share) { return share > 0.4 ? 1 : 0; },
      nullptr));
  EXPECT_OK(mpf_cases_open(program, options, cases.out()));
  const std::vector<int8_t> cells(300000, 1);
  std::vector<double> posteriors(2 * cells.size());
  const mpf_column column = columnOf(MPF_INT8, "wet", cells.data());
  const mpf_answer answer = arrayOf(MPF_VALUES, nullptr, 2, posteriors.data(), 2 * sizeof(double));
  EXPECT_EQ(mpf_cases_run(cases, &column, 1, cells.size(), &answer, 1), MPF_CANCELLED);
  EXPECT_NEAR(posteriors[1], kYes, 1e-12);
  EXPECT_EQ(posteriors.back(), 0);
  EXPECT_OK(mpf_cases_run(cases, &column, 1, 10, &answer, 1));
}

TEST(CCases, ServeOneCallAtATime) {
  struct Seen {
    mpf_cases *cases = nullptr;
    mpf_status status = MPF_OK;
  } seen;
  const auto runAgain = [](void *user, const char *, double, double share) {
    auto &own = *static_cast<Seen *>(user);
    if (share > 0)
      own.status = mpf_cases_run(own.cases, nullptr, 0, 1, nullptr, 0);
    return 0;
  };
  const OwnOptions options = cpuOptions();
  OwnProgram program;
  OwnCases cases;
  EXPECT_OK(mpf_compile_cases(rainNetwork(), "evidence", options, program.out()));
  EXPECT_OK(mpf_options_set_progress(options, runAgain, &seen));
  EXPECT_OK(mpf_cases_open(program, options, cases.out()));
  seen.cases = cases;
  EXPECT_OK(mpf_cases_run(cases, nullptr, 0, 100000, nullptr, 0));
  EXPECT_EQ(seen.status, MPF_USAGE) << "the callback asked the handle that was in use";
  EXPECT_OK(mpf_cases_run(cases, nullptr, 0, 1, nullptr, 0));
}

TEST(CCases, NeedAProgramForCases) {
  OwnProgram program;
  OwnCases cases;
  EXPECT_OK(mpf_compile(rainNetwork(), "P(rain)", nullptr, program.out()));
  EXPECT_EQ(mpf_cases_open(program, nullptr, cases.out()), MPF_USAGE);
  EXPECT_STREQ(mpf_program_error(program), "this call needs a program of mpf_compile_cases");
}

} // namespace

} // namespace mpf::c
