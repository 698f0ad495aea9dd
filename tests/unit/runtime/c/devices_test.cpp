// Cases and values in device memory, for C. The device is a fake (tests/support/fake_cuda.cpp): its
// kernels of lanes answer each case with its first word of codes and 1.
#include "runtime/c/mpf_c_device.h"
#include "tests/unit/runtime/c/handles_in_tests.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace mpf::c {

namespace {

uint64_t addressOf(const void *memory) { return reinterpret_cast<uint64_t>(memory); }

class CDevices : public testing::Test {
protected:
  void SetUp() override {
    if (std::getenv("MPF_FAKE_CUDA_ECHO") == nullptr)
      GTEST_SKIP() << "run by CTest, which names the driver";
    EXPECT_OK(mpf_options_new(options.out()));
    EXPECT_OK(mpf_options_set(options, "device", "gpu"));
    EXPECT_OK(mpf_options_set(options, "on-device", "true"));
  }

  OwnOptions options;
  OwnProgram program;
};

TEST_F(CDevices, AnswerCasesWhereTheyLie) {
  OwnCases cases;
  EXPECT_OK(mpf_compile_cases(rainNetwork(), "evidence", nullptr, program.out()));
  const mpf_status opened = mpf_cases_open(program, options, cases.out());
  if (opened == MPF_DEVICE)
    GTEST_SKIP() << "no compiler of kernels: " << mpf_last_error();
  EXPECT_OK(opened);
  uint32_t word = 9, shift = 0;
  EXPECT_EQ(mpf_cases_device_code(cases, "wet", &word, &shift), MPF_USAGE) << "no layout yet";
  mpf_device_rows rows = {};
  EXPECT_EQ(mpf_cases_device_rows(cases, &rows), MPF_USAGE) << "no size";
  rows.size = sizeof rows;
  EXPECT_OK(mpf_cases_device_rows(cases, &rows));
  EXPECT_EQ(rows.words, 1u);
  EXPECT_EQ(rows.results, 1u);
  EXPECT_EQ(rows.states, 0u);
  EXPECT_OK(mpf_cases_device_code(cases, "wet", &word, &shift));
  EXPECT_EQ(word, 0u);
  const char *name = nullptr;
  uint32_t kind = 9;
  uint64_t firstRow = 9, tableRows = 9;
  int64_t exponent = 9, exponentRow = 9;
  EXPECT_OK(mpf_cases_device_table(cases, 0, &name, &kind, &firstRow, &tableRows, &exponent,
                                   &exponentRow));
  EXPECT_STREQ(name, "evidence");
  EXPECT_EQ(tableRows, 1u);
  EXPECT_OK(mpf_cases_device_table(cases, 1, &name, &kind, &firstRow, &tableRows, &exponent,
                                   &exponentRow));
  EXPECT_EQ(name, nullptr);

  const std::vector<uint32_t> words = {0, 1u << shift, 2u << shift, 0};
  std::vector<double> results(4, -1);
  std::vector<int32_t> exponents(4 * rows.exponents);
  mpf_device_cases where = {sizeof where,
                            3,
                            4,
                            addressOf(words.data()),
                            0,
                            addressOf(results.data()),
                            addressOf(exponents.data()),
                            0};
  int stream = 0;
  EXPECT_OK(mpf_cases_run_device(cases, &where, &stream));
  EXPECT_EQ(results, std::vector<double>({1, 1.0 + words[1], 1.0 + words[2], -1}));
  where.count = 5;
  EXPECT_EQ(mpf_cases_run_device(cases, &where, nullptr), MPF_USAGE);
  where.count = 1;
  where.pitch = uint64_t{1} << 32;
  EXPECT_EQ(mpf_cases_run_device(cases, &where, nullptr), MPF_USAGE);
}

TEST_F(CDevices, RunWithValuesWhereTheyLie) {
  const OwnNetwork network = rainNetwork();
  const char *const rain[] = {"rain"}, *const f[] = {"f"};
  EXPECT_OK(mpf_network_add_input(network, "f", rain, 1, 0, nullptr, 0));
  OwnSession session;
  EXPECT_OK(mpf_compile(network, "marginals", options, program.out()));
  const mpf_status opened = mpf_session_open(program, options, session.out());
  if (opened == MPF_DEVICE)
    GTEST_SKIP() << "no compiler of kernels: " << mpf_last_error();
  EXPECT_OK(opened);
  const std::vector<double> values = {1, 2};
  const uint64_t address = addressOf(values.data());
  uint64_t entries = 0;
  int isDouble = 0;
  EXPECT_OK(mpf_session_device_layout(session, f, 1, &entries, &isDouble));
  EXPECT_EQ(entries, 5u);
  EXPECT_EQ(isDouble, 1);
  const char *name = nullptr;
  uint32_t kind = 0;
  uint64_t first = 0, size = 0;
  EXPECT_OK(mpf_session_device_table(session, 2, &name, &kind, &first, &size));
  EXPECT_STREQ(name, "wet");
  EXPECT_EQ(kind, MPF_TABLE_POSTERIOR);
  EXPECT_EQ(first, 3u);
  EXPECT_EQ(size, 2u);
  EXPECT_OK(mpf_session_device_table(session, 3, &name, &kind, &first, &size));
  EXPECT_EQ(name, nullptr);
  std::vector<double> results(entries);
  std::vector<int32_t> exponents(3);
  int stream = 0;
  EXPECT_OK(mpf_session_run_device(session, &address, 1, addressOf(results.data()),
                                   addressOf(exponents.data()), &stream));
  EXPECT_EQ(mpf_session_run_device(session, &address, 0, addressOf(results.data()),
                                   addressOf(exponents.data()), &stream),
            MPF_USAGE);
}

TEST_F(CDevices, AreNotThoseOfTheCpu) {
  const OwnOptions cpu = cpuOptions();
  OwnCases cases;
  OwnSession session;
  EXPECT_OK(mpf_compile_cases(rainNetwork(), "evidence", cpu, program.out()));
  EXPECT_OK(mpf_cases_open(program, cpu, cases.out()));
  EXPECT_OK(mpf_session_open(program, cpu, session.out()));
  mpf_device_rows rows = {};
  rows.size = sizeof rows;
  EXPECT_EQ(mpf_cases_device_rows(cases, &rows), MPF_UNSUPPORTED);
  uint64_t entries = 0;
  int isDouble = 0;
  EXPECT_EQ(mpf_session_device_layout(session, nullptr, 0, &entries, &isDouble), MPF_USAGE);
}

} // namespace

} // namespace mpf::c
