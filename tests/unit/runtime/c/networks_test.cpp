// Networks of the interface for C: built, listed, changed, written, read.
#include "tests/unit/runtime/c/handles_in_tests.h"
#include "tests/unit/temporary_folder.h"

#include <string>
#include <vector>

namespace mpf::c {

namespace {

std::string labelOf(const mpf_network *network, size_t index, uint32_t state) {
  const char *label = nullptr;
  EXPECT_OK(mpf_network_label(network, index, state, &label));
  return label == nullptr ? "(none)" : label;
}

TEST(CNetwork, ListsWhatWasAdded) {
  const OwnNetwork network = rainNetwork();
  const double defaults[] = {1, 2};
  const char *const rain[] = {"rain"};
  EXPECT_OK(mpf_network_add_variable(network, "hours", 3, nullptr));
  EXPECT_OK(mpf_network_add_input(network, "f", rain, 1, 0, defaults, 2));
  size_t variables = 0, factors = 0;
  EXPECT_OK(mpf_network_variable_count(network, &variables));
  EXPECT_OK(mpf_network_factor_count(network, &factors));
  EXPECT_EQ(variables, 3u);
  EXPECT_EQ(factors, 3u);
  const char *name = nullptr;
  uint32_t states = 0, kind = 0;
  uint64_t entries = 0;
  EXPECT_OK(mpf_network_variable(network, 2, &name, &states));
  EXPECT_STREQ(name, "hours");
  EXPECT_EQ(states, 3u);
  EXPECT_EQ(labelOf(network, 0, 1), "yes");
  EXPECT_EQ(labelOf(network, 0, 2), "(none)");
  EXPECT_EQ(labelOf(network, 2, 0), "(none)");
  EXPECT_OK(mpf_network_factor(network, 1, &name, &kind, &entries));
  EXPECT_STREQ(name, "P(wet)");
  EXPECT_EQ(kind, MPF_FACTOR_CONDITIONAL);
  EXPECT_EQ(entries, 4u);
  EXPECT_OK(mpf_network_factor(network, 2, &name, &kind, &entries));
  EXPECT_EQ(kind, MPF_FACTOR_INPUT);
  EXPECT_OK(mpf_network_axis(network, 1, 1, &name));
  EXPECT_STREQ(name, "wet");
  EXPECT_OK(mpf_network_axis(network, 1, 2, &name));
  EXPECT_EQ(name, nullptr);
  const double *values = nullptr;
  EXPECT_OK(mpf_network_values(network, "f", &values, &entries));
  EXPECT_EQ(std::vector<double>(values, values + entries), std::vector<double>({1, 2}));
}

TEST(CNetwork, ListsEndWithNull) {
  const OwnNetwork network = rainNetwork();
  const char *name = "";
  uint32_t states = 1, kind = 1;
  uint64_t entries = 1;
  double value = 1;
  EXPECT_OK(mpf_network_variable(network, 2, &name, &states));
  EXPECT_EQ(name, nullptr);
  EXPECT_OK(mpf_network_factor(network, 2, &name, &kind, &entries));
  EXPECT_EQ(name, nullptr);
  EXPECT_OK(mpf_network_param(network, 0, &name, &value));
  EXPECT_EQ(name, nullptr);
  EXPECT_OK(mpf_network_query(network, 0, &name));
  EXPECT_EQ(name, nullptr);
  EXPECT_OK(mpf_network_warning(network, 0, &name));
  EXPECT_EQ(name, nullptr);
  EXPECT_OK(mpf_network_observation(network, 0, &name, &states));
  EXPECT_EQ(name, nullptr);
  EXPECT_OK(mpf_network_left_out(network, 0, &name));
  EXPECT_EQ(name, nullptr);
  EXPECT_EQ(mpf_network_axis(network, 2, 0, &name), MPF_USAGE);
  EXPECT_EQ(mpf_network_label(network, 2, 0, &name), MPF_USAGE);
}

TEST(CNetwork, KeepsObservationsAndForgetsThem) {
  const OwnNetwork network = rainNetwork();
  EXPECT_OK(mpf_network_observe_label(network, "wet", "yes"));
  const char *name = nullptr;
  uint32_t state = 0;
  EXPECT_OK(mpf_network_observation(network, 0, &name, &state));
  EXPECT_STREQ(name, "wet");
  EXPECT_EQ(state, 1u);
  EXPECT_OK(mpf_network_unobserve(network, "wet"));
  EXPECT_OK(mpf_network_observation(network, 0, &name, &state));
  EXPECT_EQ(name, nullptr);
}

TEST(CNetwork, TakesTextsThatItReturned) {
  const OwnNetwork network = rainNetwork();
  for (size_t index = 0;; ++index) {
    const char *name = nullptr;
    uint32_t states = 0;
    EXPECT_OK(mpf_network_variable(network, index, &name, &states));
    if (name == nullptr)
      break;
    const std::string copy = name;
    EXPECT_OK(mpf_network_observe(network, name, 1));
    EXPECT_OK(mpf_network_observation(network, index, &name, &states));
    EXPECT_EQ(name, copy);
    EXPECT_OK(mpf_network_unobserve(network, name));
    EXPECT_OK(mpf_network_observe(network, copy.c_str(), 1));
  }
}

TEST(CNetwork, TellsNoDefaultsFromNone) {
  const OwnNetwork network = rainNetwork();
  const char *const rain[] = {"rain"};
  const double defaults[] = {1, 2};
  EXPECT_EQ(mpf_network_add_input(network, "f", rain, 1, 0, defaults, 0), MPF_USAGE);
  EXPECT_OK(mpf_network_add_input(network, "f", rain, 1, 0, nullptr, 0));
}

TEST(CNetwork, FailsWithoutAChange) {
  const OwnNetwork network = rainNetwork();
  const double wrong[] = {0.5, 0.1};
  EXPECT_EQ(mpf_network_set_values(network, "P(rain)", wrong, 2), MPF_BAD_INPUT);
  const std::string message = mpf_last_error();
  EXPECT_NE(message.find("0.6"), std::string::npos) << message;
  EXPECT_EQ(mpf_network_error(network), message);
  EXPECT_EQ(mpf_network_observe(network, "wet", 2), MPF_BAD_INPUT);
  EXPECT_EQ(mpf_network_add_variable(network, "wet", 2, nullptr), MPF_BAD_INPUT);
  size_t variables = 0;
  EXPECT_OK(mpf_network_variable_count(network, &variables));
  EXPECT_EQ(variables, 2u);
  EXPECT_STREQ(mpf_last_error(), "") << "the last call succeeded";
  EXPECT_STRNE(mpf_network_error(network), "") << "a handle keeps its last message";
}

TEST(CNetwork, IsWrittenAndReadAgain) {
  const OwnNetwork network = rainNetwork();
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/garden.bif";
  EXPECT_OK(mpf_network_write(network, path.c_str()));
  OwnNetwork read;
  EXPECT_OK(mpf_network_read(path.c_str(), nullptr, read.out()));
  EXPECT_EQ(labelOf(read, 1, 1), "yes");
  const char *text = nullptr;
  size_t bytes = 0;
  EXPECT_OK(mpf_network_text(network, ".mpf", &text, &bytes));
  EXPECT_EQ(std::string(text).size(), bytes);
  OwnNetwork parsed;
  EXPECT_OK(mpf_network_parse(text, bytes, nullptr, parsed.out()));
  EXPECT_EQ(labelOf(parsed, 0, 1), "yes");
}

TEST(CNetwork, IsNullWhenItCannotBeMade) {
  OwnNetwork network;
  EXPECT_EQ(mpf_network_read("/no/such/file.bif", nullptr, network.out()), MPF_BAD_INPUT);
  EXPECT_EQ(static_cast<mpf_network *>(network), nullptr);
  mpf_network *copy = reinterpret_cast<mpf_network *>(&network);
  EXPECT_EQ(mpf_network_copy(nullptr, &copy), MPF_USAGE);
  EXPECT_EQ(copy, nullptr);
}

TEST(CNetwork, WarnsOfRowsThatDoNotSumToOne) {
  const std::string text = "var a : {no, yes}\nprob P(a) = [0.5, 0.4999]\n";
  OwnNetwork network;
  EXPECT_OK(mpf_network_parse(text.data(), text.size(), nullptr, network.out()));
  const char *warning = nullptr;
  EXPECT_OK(mpf_network_warning(network, 0, &warning));
  ASSERT_NE(warning, nullptr);
  EXPECT_NE(std::string(warning).find("0.9999"), std::string::npos) << warning;
}

TEST(CNetwork, TakesParamsOfOptions) {
  const std::string text = "param p = 0.5\nvar a : {no, yes}\nprob P(a) = [1 - p, p]\n";
  const OwnOptions options = cpuOptions();
  const double p = 0.25;
  EXPECT_OK(mpf_options_set_param(options, "p", &p, 1, nullptr, 0));
  OwnNetwork network;
  EXPECT_OK(mpf_network_parse(text.data(), text.size(), options, network.out()));
  const double *values = nullptr;
  uint64_t count = 0;
  EXPECT_OK(mpf_network_values(network, "P(a)", &values, &count));
  EXPECT_EQ(std::vector<double>(values, values + count), std::vector<double>({0.75, 0.25}));
}

} // namespace

} // namespace mpf::c
