// Programs, sessions and results of the interface for C.
#include "runtime/library/named_options.h"
#include "tests/unit/runtime/c/handles_in_tests.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <string>
#include <thread>
#include <vector>

namespace mpf::c {

namespace {

TEST(CSession, AnswersWithChangingFindings) {
  const OwnSession session = sessionOf(rainNetwork(), "P(rain)", true);
  OwnResult result;
  EXPECT_OK(mpf_session_observe_label(session, "wet", "yes"));
  EXPECT_OK(mpf_session_run(session, result.out()));
  EXPECT_NEAR(valueOf(result, "rain", "yes"), 0.16 / 0.24, 1e-12);
  EXPECT_OK(mpf_session_unobserve(session, "wet"));
  EXPECT_OK(mpf_session_run(session, result.out()));
  EXPECT_NEAR(valueOf(result, "rain", "yes"), 0.2, 1e-12);
}

TEST(CSession, BindsTables) {
  const OwnSession session = sessionOf(rainNetwork(), "evidence", true);
  const double values[] = {1, 0, 0, 1};
  EXPECT_OK(mpf_session_bind(session, "P(wet)", values, 4));
  EXPECT_OK(mpf_session_observe(session, "wet", 1));
  OwnResult result;
  EXPECT_OK(mpf_session_run(session, result.out()));
  double log = 0, mantissa = 0;
  int64_t exponent = 0;
  EXPECT_OK(mpf_result_log(result, &log));
  EXPECT_NEAR(log, std::log(0.2), 1e-12);
  EXPECT_OK(mpf_result_number(result, &mantissa, &exponent));
  EXPECT_NEAR(std::ldexp(mantissa, static_cast<int>(exponent)), 0.2, 1e-12);
  EXPECT_EQ(mpf_session_bind(session, "P(wet)", values, 3), MPF_USAGE);
}

TEST(CSession, RefusesRowsThatDoNotSumTo1) {
  for (const bool isFree : {true, false}) {
    const OwnSession session = sessionOf(rainNetwork(), "evidence", isFree);
    const double values[] = {1, 0, 0, 1.5};
    EXPECT_EQ(mpf_session_bind(session, "P(wet)", values, 4), MPF_BAD_INPUT);
    EXPECT_EQ(std::string(mpf_session_error(session)),
              "factor P(wet): row 1 sums to 1.5, it must be 1");
  }
}

TEST(CSession, RefusesCallsOfTheOtherKind) {
  const OwnNetwork network = rainNetwork();
  EXPECT_OK(mpf_network_observe(network, "wet", 1));
  const OwnSession fixed = sessionOf(network, "P(rain)", false);
  OwnResult result;
  EXPECT_EQ(mpf_session_unobserve(fixed, "wet"), MPF_USAGE);
  EXPECT_EQ(mpf_session_unobserve_all(fixed), MPF_USAGE);
  EXPECT_EQ(mpf_session_observe(fixed, "rain", 0), MPF_USAGE) << "it is not observed";
  EXPECT_EQ(mpf_session_finish(fixed, result.out()), MPF_USAGE) << "no run was started";
  EXPECT_OK(mpf_session_start(fixed));
  EXPECT_EQ(mpf_session_run(fixed, result.out()), MPF_USAGE) << "a run is on its way";
  EXPECT_OK(mpf_session_finish(fixed, result.out()));
  EXPECT_NEAR(valueOf(result, "rain", "yes"), 0.16 / 0.24, 1e-12);
  const OwnSession free = sessionOf(network, "P(rain)", true);
  EXPECT_EQ(mpf_session_start(free), MPF_USAGE);
  EXPECT_NE(std::string(mpf_session_error(free)).find("mpf_compile"), std::string::npos);
}

TEST(CSession, NeedsInputs) {
  const OwnNetwork network = rainNetwork();
  const char *const rain[] = {"rain"};
  EXPECT_OK(mpf_network_add_input(network, "f", rain, 1, 0, nullptr, 0));
  const OwnSession session = sessionOf(network, "evidence", false);
  OwnResult result;
  EXPECT_EQ(mpf_session_run(session, result.out()), MPF_USAGE);
  const double values[] = {2, 3};
  EXPECT_OK(mpf_session_bind(session, "f", values, 2));
  EXPECT_OK(mpf_session_run(session, result.out()));
  double value = 0;
  EXPECT_OK(mpf_result_values(result, 0, &value, 1));
  EXPECT_NEAR(value, 0.8 * 2 + 0.2 * 3, 1e-12);
}

TEST(CResult, ListsTablesAndStates) {
  const OwnSession session = sessionOf(rainNetwork(), "marginals", true);
  OwnResult result;
  EXPECT_OK(mpf_session_run(session, result.out()));
  size_t tables = 0, found = 0;
  EXPECT_OK(mpf_result_table_count(result, &tables));
  EXPECT_EQ(tables, 3u);
  const char *const wet[] = {"wet"};
  EXPECT_OK(mpf_result_find(result, wet, 1, &found));
  const char *name = nullptr;
  uint32_t kind = 0, states = 0;
  uint64_t entries = 0;
  EXPECT_OK(mpf_result_table(result, found, &name, &kind, &entries));
  EXPECT_STREQ(name, "wet");
  EXPECT_EQ(kind, MPF_TABLE_POSTERIOR);
  EXPECT_EQ(entries, 2u);
  EXPECT_OK(mpf_result_axis(result, found, 0, &name, &states));
  EXPECT_STREQ(name, "wet");
  EXPECT_EQ(states, 2u);
  EXPECT_OK(mpf_result_axis(result, found, 1, &name, &states));
  EXPECT_EQ(name, nullptr);
  double values[2] = {}, logs[2] = {};
  EXPECT_OK(mpf_result_values(result, found, values, 2));
  EXPECT_OK(mpf_result_logs(result, found, logs, 2));
  EXPECT_NEAR(values[1], 0.24, 1e-12);
  EXPECT_NEAR(logs[1], std::log(0.24), 1e-12);
  EXPECT_EQ(mpf_result_values(result, found, values, 3), MPF_USAGE);
  EXPECT_EQ(mpf_result_values(result, 3, values, 2), MPF_USAGE);
  uint64_t low = 0, high = 0;
  EXPECT_EQ(mpf_result_integers(result, 0, &low, &high, 1), MPF_USAGE);
  const char *text = nullptr;
  size_t bytes = 0;
  EXPECT_OK(mpf_result_json(result, &text, &bytes));
  EXPECT_NE(std::string(text, bytes).find("\"wet\""), std::string::npos);
}

TEST(CResult, NamesTheBestStates) {
  const OwnNetwork network = rainNetwork();
  EXPECT_OK(mpf_network_add_variable(network, "hours", 2, nullptr));
  const char *const hours[] = {"hours"};
  const double ofHours[] = {1, 3};
  EXPECT_OK(mpf_network_add_factor(network, "f", hours, 1, ofHours, 2));
  const OwnSession session = sessionOf(network, "best", true);
  EXPECT_OK(mpf_session_observe_label(session, "wet", "yes"));
  OwnResult result;
  EXPECT_OK(mpf_session_run(session, result.out()));
  size_t count = 0;
  EXPECT_OK(mpf_result_assignment_count(result, &count));
  EXPECT_EQ(count, 1u);
  uint32_t state = 9;
  const char *label = nullptr;
  EXPECT_OK(mpf_result_state(result, 0, "rain", &state, &label));
  EXPECT_STREQ(label, "yes");
  EXPECT_EQ(state, 1u);
  EXPECT_OK(mpf_result_state(result, 0, "hours", &state, &label));
  EXPECT_STREQ(label, "1");
  EXPECT_EQ(mpf_result_state(result, 1, "rain", &state, &label), MPF_USAGE);
  EXPECT_EQ(mpf_result_state(result, 0, "snow", &state, &label), MPF_USAGE);
}

TEST(CResult, SaysThatEvidenceIsImpossible) {
  const OwnNetwork network = rainNetwork();
  const double never[] = {1, 0};
  EXPECT_OK(mpf_network_set_values(network, "P(rain)", never, 2));
  const OwnSession session = sessionOf(network, "P(wet)", true);
  EXPECT_OK(mpf_session_observe_label(session, "rain", "yes"));
  OwnResult result;
  EXPECT_OK(mpf_session_run(session, result.out()));
  int isImpossible = 0;
  EXPECT_OK(mpf_result_is_impossible(result, &isImpossible));
  EXPECT_EQ(isImpossible, 1);
  const char *name = nullptr;
  uint32_t kind = 0;
  uint64_t entries = 9;
  EXPECT_OK(mpf_result_table(result, 0, &name, &kind, &entries));
  EXPECT_EQ(entries, 0u);
}

TEST(CResult, CountsInWholeNumbers) {
  const OwnNetwork network = rainNetwork();
  const double counts[] = {4503599627370496.0, 0, 0, 1}; // 2^52
  const char *const both[] = {"rain", "wet"};
  EXPECT_OK(mpf_network_add_factor(network, "a", both, 2, counts, 4));
  EXPECT_OK(mpf_network_add_factor(network, "b", both, 2, counts, 4));
  const OwnOptions options = cpuOptions();
  EXPECT_OK(mpf_options_set(options, "type", "u128"));
  OwnProgram program;
  OwnSession session;
  OwnResult result;
  EXPECT_OK(mpf_compile(network, "total() = sum() a * b", options, program.out()));
  EXPECT_OK(mpf_session_open(program, options, session.out()));
  EXPECT_OK(mpf_session_run(session, result.out()));
  uint64_t low = 0, high = 0;
  EXPECT_OK(mpf_result_integers(result, 0, &low, &high, 1));
  EXPECT_EQ(low, 1u);
  EXPECT_EQ(high, uint64_t{1} << 40);
}

class CProgram : public testing::TestWithParam<bool> {};

TEST_P(CProgram, IsSavedAndLoaded) {
  const OwnNetwork network = rainNetwork();
  EXPECT_OK(mpf_network_observe_label(network, "wet", "yes"));
  const OwnOptions options = cpuOptions();
  OwnProgram program, loaded, parsed;
  EXPECT_OK(
      (GetParam() ? mpf_compile_cases : mpf_compile)(network, "P(rain)", options, program.out()));
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/rain.mpfb";
  EXPECT_OK(mpf_program_save(program, path.c_str()));
  EXPECT_OK(mpf_program_load(path.c_str(), options, loaded.out()));
  const void *bytes = nullptr;
  size_t count = 0;
  EXPECT_OK(mpf_program_bytes(program, &bytes, &count));
  EXPECT_OK(mpf_program_parse(bytes, count, options, parsed.out()));
  for (const mpf_program *copy :
       {static_cast<mpf_program *>(loaded), static_cast<mpf_program *>(parsed)}) {
    const char *name = nullptr;
    size_t variables = 0;
    uint32_t states = 0;
    EXPECT_OK(mpf_program_query(copy, &name));
    EXPECT_STREQ(name, "P(rain)");
    EXPECT_OK(mpf_program_variable_count(copy, &variables));
    EXPECT_EQ(variables, 2u);
    EXPECT_OK(mpf_program_variable(copy, 1, &name, &states));
    EXPECT_STREQ(name, "wet");
    EXPECT_OK(mpf_program_label(copy, 1, 1, &name));
    EXPECT_STREQ(name, "yes");
    OwnSession session;
    OwnResult result;
    EXPECT_OK(mpf_session_open(copy, options, session.out()));
    EXPECT_OK(mpf_session_run(session, result.out()));
    EXPECT_NEAR(valueOf(result, "rain", "yes"), 0.16 / 0.24, 1e-12);
  }
  EXPECT_EQ(mpf_program_parse(bytes, count / 2, options, parsed.out()), MPF_BAD_INPUT);
  EXPECT_EQ(mpf_program_parse("", 0, options, parsed.out()), MPF_BAD_INPUT);
}

INSTANTIATE_TEST_SUITE_P(OfBothKinds, CProgram, testing::Bool());

TEST(COptions, SayWhatIsWrong) {
  OwnOptions options;
  EXPECT_OK(mpf_options_new(options.out()));
  const auto messageOf = [&](const char *name, const char *value) {
    EXPECT_EQ(mpf_options_set(options, name, value), MPF_USAGE);
    return std::string(mpf_options_error(options));
  };
  EXPECT_EQ(messageOf("thread", "2"), "there is no option 'thread'; did you mean 'threads'?");
  EXPECT_EQ(messageOf("threads", "two"), "option threads: 'two' is no whole number from 0 to 1024");
  EXPECT_EQ(messageOf("normalise", "yes"), "option normalise: 'yes' is neither true nor false");
  EXPECT_EQ(messageOf("max-memory", "much"),
            "option max-memory: 'much' is no size such as 512M or 4GiB, and not 'none'");
  for (const char *name : {"device", "type", "schedule", "resident", "states"})
    EXPECT_NE(messageOf(name, "other").find("other"), std::string::npos) << name;
  EXPECT_EQ(messageOf("runs", "-1"), "option runs: '-1' is no number from 0");
}

TEST(COptions, ReachAllCallsThatTakeThem) {
  HostOptions options;
  const auto set = [&](const char *name, const char *text) { setOption(options, name, text); };
  set("states", "numbers");
  EXPECT_EQ(options.reading.states, "numbers");
  set("case-param", "t");
  EXPECT_EQ(options.reading.caseParams, options.cases.params);
  EXPECT_EQ(options.cases.params, std::vector<std::string>{"t"});
  set("type", "f32");
  EXPECT_EQ(options.compiling.type, "f32");
  set("max-memory", "1KiB");
  EXPECT_EQ(options.compiling.maxMemoryBytes, 1024u);
  set("device", "cpu");
  EXPECT_EQ(options.compiling.device, "cpu");
  EXPECT_EQ(options.session.device, "cpu");
  set("schedule", "greedy");
  EXPECT_EQ(options.compiling.schedule, "greedy");
  EXPECT_EQ(options.session.schedule, "greedy");
  set("runs", "7");
  EXPECT_EQ(options.compiling.expectedRuns, 7);
  EXPECT_EQ(options.session.expectedRuns, 7);
  set("autotune", "5");
  EXPECT_EQ(options.compiling.autotune, 5u);
  set("rows", "9");
  EXPECT_EQ(options.expected.rows, 9u);
  set("resident", "off");
  EXPECT_EQ(options.session.resident, "off");
  set("slices-at-once", "3");
  EXPECT_EQ(options.session.slicesAtOnce, 3u);
  set("threads", "2");
  EXPECT_EQ(options.session.threads, 2u);
  set("verify-samples", "4");
  EXPECT_EQ(options.session.verifySamples, 4u);
}

TEST(COptions, AreListed) {
  const char *name = nullptr, *meaning = nullptr;
  size_t count = 0;
  for (; mpf_options_list(count, &name, &meaning) == MPF_OK && name != nullptr; ++count)
    EXPECT_GT(std::string(meaning).size(), 10u) << name;
  EXPECT_GT(count, 20u);
}

TEST(CThreads, ShareNetworksAndPrograms) {
  const OwnNetwork network = rainNetwork();
  const OwnOptions options = cpuOptions();
  OwnProgram program;
  EXPECT_OK(mpf_compile_cases(network, "P(rain)", options, program.out()));
  const auto ask = [&](uint32_t wet) {
    OwnSession session;
    OwnResult result;
    EXPECT_OK(mpf_session_open(program, options, session.out()));
    for (int round = 0; round < 50; ++round) {
      const char *name = nullptr;
      uint32_t states = 0;
      EXPECT_OK(mpf_network_variable(network, 1, &name, &states));
      EXPECT_STREQ(name, "wet");
      EXPECT_EQ(mpf_network_values(network, name, nullptr, nullptr), MPF_USAGE);
      EXPECT_EQ(mpf_program_label(program, 7, 0, &name), MPF_USAGE);
      EXPECT_OK(mpf_session_observe(session, "wet", wet));
      EXPECT_OK(mpf_session_run(session, result.out()));
      EXPECT_NEAR(valueOf(result, "rain", "yes"), wet == 1 ? 0.16 / 0.24 : 0.04 / 0.76, 1e-12);
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 4; ++i)
    threads.emplace_back(ask, i % 2);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(CError, BelongsToItsThread) {
  mpf_network *network = nullptr;
  EXPECT_EQ(mpf_network_read("/no/such/file.bif", nullptr, &network), MPF_BAD_INPUT);
  std::thread([] {
    EXPECT_STREQ(mpf_last_error(), "");
    mpf_result *result = nullptr;
    EXPECT_EQ(mpf_session_run(nullptr, &result), MPF_USAGE);
    EXPECT_STREQ(mpf_last_error(), "the handle is null");
  }).join();
  EXPECT_NE(std::string(mpf_last_error()).find("/no/such/file.bif"), std::string::npos);
}

} // namespace

} // namespace mpf::c
