// Networks from arrays and texts, through the public header.
#include "runtime/api/cases.h"
#include "runtime/api/network.h"
#include "runtime/api/session.h"
#include "tests/support/trials.h"
#include "tests/unit/message_of_error.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

Network weather() {
  Network network("weather");
  network.addVariable("rain", {"no", "yes"});
  network.addVariable("wet lawn", {"dry", "wet"});
  network.addConditional("rain", {}, std::vector{0.8, 0.2});
  network.addConditional("wet lawn", {"rain"}, std::vector{0.9, 0.1, 0.2, 0.8});
  return network;
}

TEST(Network, AnswersByName) {
  Network network = weather();
  network.observe("wet lawn", "wet");
  const Result posterior = Session(compile(network, {.query = "P(rain)"})).run();
  EXPECT_NEAR(posterior.at("rain", "yes").value().value(), 0.16 / 0.24, 1e-15);
  const Result best = Session(compile(network, {.query = "best"})).run();
  EXPECT_EQ(best.stateOf("rain"), "yes");
  EXPECT_EQ(best.stateOf("wet lawn"), "wet");
  const Result all = Session(compile(network, {.query = "marginals"})).run();
  EXPECT_NEAR(all.number().value().value(), 0.24, 1e-15);
  EXPECT_EQ(all.at("wet lawn", "wet").value().value(), 1);
  EXPECT_EQ(all.at("wet lawn", "dry").value().value(), 0);
  network.unobserve("wet lawn");
  const Result joint = Session(compile(network, {.query = "P(rain, `wet lawn`)"})).run();
  EXPECT_NEAR(joint.at({{"wet lawn", "dry"}, {"rain", "yes"}}).value().value(), 0.04, 1e-15);
  messageOfError(ErrorKind::Usage, [&] { joint.at("rain", "yes"); });
  messageOfError(ErrorKind::Usage, [&] { posterior.at("rain", "maybe"); });
  messageOfError(ErrorKind::Usage, [&] { posterior.stateOf("rain"); });
}

TEST(Network, ListsWhatItHas) {
  Network network = weather();
  network.addInput("sensor", {"wet lawn"}, true);
  network.observe("rain", 1);
  network.addLikelihood("wet lawn", std::vector{0.25, 0.75});
  network.setQueries({"evidence", "P(`wet lawn`)"});
  ASSERT_EQ(network.variables().size(), 2u);
  EXPECT_EQ(network.variables()[1].labels, (std::vector<std::string>{"dry", "wet"}));
  EXPECT_TRUE(network.variables()[0].isObserved);
  ASSERT_EQ(network.factors().size(), 4u);
  EXPECT_EQ(network.factors()[1].name, "P(wet lawn)");
  EXPECT_EQ(network.factors()[1].variables, (std::vector<std::string>{"rain", "wet lawn"}));
  EXPECT_TRUE(network.factors()[1].isConditional);
  EXPECT_TRUE(network.factors()[2].isInput);
  EXPECT_TRUE(network.factors()[3].isLikelihood);
  EXPECT_EQ(network.values("P(rain)").value()[1], 0.2);
  EXPECT_FALSE(network.values("sensor").has_value());
  EXPECT_EQ(network.queries(), (std::vector<std::string>{"evidence", "P(wet lawn)"}));
  EXPECT_EQ(network.observations(), (std::vector<std::pair<std::string, uint32_t>>{{"rain", 1}}));
  EXPECT_EQ(spelled("wet lawn"), "`wet lawn`");
  Session session(compile(network, {.query = "evidence"}));
  session.bind("sensor", std::vector{-1.0, 2.0});
  EXPECT_NEAR(session.run().number().value().value(), 0.2 * (0.2 * 0.25 * -1 + 0.8 * 0.75 * 2),
              1e-15);
}

TEST(Network, RefusesWhatReadersRefuseAndStaysAsItWas) {
  Network network = weather();
  const std::string before = network.text(".mpf");
  const auto refuses = [&](ErrorKind kind, const std::string &part,
                           const std::function<void()> &call) {
    const std::string message = messageOfError(kind, call);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(network.text(".mpf"), before) << message;
  };
  using Values = std::vector<double>;
  const ErrorKind bad = ErrorKind::BadInput;
  refuses(bad, "'rain' is declared twice", [&] { network.addVariable("rain", 2); });
  refuses(bad, "'x' has no states", [&] { network.addVariable("x", 0); });
  refuses(bad, "'x' has the state 'a' twice", [&] { network.addVariable("x", {"a", "a"}); });
  refuses(bad, "is empty", [&] { network.addVariable("", 2); });
  refuses(bad, "is empty", [&] { network.addVariable("x", {"a", ""}); });
  refuses(bad, "is no UTF-8", [&] { network.addVariable("\xff", 2); });
  refuses(bad, "no variable is called 'rein' (did you mean 'rain'?)", [&] {
    network.addFactor("f", {"rein"}, Values{1, 2});
  });
  refuses(bad, "3 values were given for 'f', its scope (rain:2) needs 2", [&] {
    network.addFactor("f", {"rain"}, Values{1, 2, 3});
  });
  refuses(bad, "'rain' stands twice", [&] {
    network.addFactor("f", {"rain", "rain"}, Values{1, 2, 3, 4});
  });
  refuses(bad, "value 1 of 'f' is not a number", [&] {
    network.addFactor("f", {"rain"}, Values{1, NAN});
  });
  refuses(bad, "'rain' has a conditional table already", [&] {
    network.addConditional("rain", {}, Values{0.5, 0.5});
  });
  refuses(bad, "a factor is called 'P(rain)' already", [&] {
    network.addFactor("P(rain)", {"rain"}, Values{1, 2});
  });
  refuses(bad, "sums to 1.5, it must be 1", [&] { network.setValues("P(rain)", Values{0.5, 1}); });
  refuses(bad, "row (yes) of P(wet lawn | ...) sums to 0.5", [&] {
    network.setValues("P(wet lawn)", Values{0.9, 0.1, 0.2, 0.3});
  });
  refuses(bad, "no factor is called 'g'", [&] { network.setValues("g", Values{0.5, 1}); });
  refuses(bad, "'nope' is no state of 'rain'", [&] { network.observe("rain", "nope"); });
  refuses(bad, "there is no state 2", [&] { network.observe("rain", 2); });
  refuses(bad, "error", [&] { network.addLikelihood("rain", Values{-1, 1}); });
  refuses(bad, "error", [&] { network.addLikelihood("rain", Values{0, 0}); });
  refuses(bad, "error", [&] { network.setQueries({"P(snow)"}); });
  refuses(ErrorKind::Usage, "no format with this ending is written", [&] { network.text(".xyz"); });
  refuses(ErrorKind::Usage, "no format has the ending '.xyz'",
          [&] { Network::parse("", {.format = ".xyz"}); });
  refuses(ErrorKind::Usage, "the model has no query", [&] { compile(network); });
  network.addVariable("snow", {"no", "yes"});
  EXPECT_THROW(network.addConditional("snow", {}, Values{1, 3}), Error);
  network.addConditional("snow", {}, Values{1, 3}, true);
  EXPECT_EQ(network.values("P(snow)").value()[1], 0.75);
  EXPECT_EQ(network.warnings().size(), 1u); // the division
}

TEST(Network, WarnsOfWhatIsNoBayesianNetwork) {
  Network network;
  network.addVariable("a", 2);
  network.addVariable("b", 2);
  network.addConditional("a", {"b"}, std::vector{0.5, 0.5, 0.5, 0.5});
  std::vector<std::string> warnings;
  compile(network, {.query = "evidence", .warnings = &warnings});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings.front().find("b"), std::string::npos) << warnings.front();
}

TEST(Network, ParamsAreSetWhenATextIsRead) {
  constexpr const char *kText = "param n = 2\nparam p = 0.5\nparam w[2] = [1, 2]\nvar x : n\n"
                                "factor f(x) = p * w[x]\nquery Z = sum() f\n";
  ReadOptions reading;
  reading.params.emplace("p", 3.0);
  reading.params.emplace("w", GivenParam({2}, {10, 20}));
  const Network network = Network::parse(kText, reading);
  EXPECT_EQ(network.params()[1].value, 3);
  EXPECT_EQ(Session(compile(network)).run().number().value().value(), 90);
  messageOfError(ErrorKind::BadInput, [] { Network::parse(kText, {.params = {{"q", 1.0}}}); });
  messageOfError(ErrorKind::Usage, [] {
    Network::parse("MARKOV\n1\n2\n1\n1 0\n2 1 1\n", {.format = ".uai", .params = {{"q", 1.0}}});
  });
  const CaseProgram cases =
      compileCases(Network::parse(kText, {.caseParams = {"p"}}), {.params = {"p"}});
  CaseSession session(cases);
  CaseBlock block = cases.block(1);
  block.count = 1;
  cases.setParam(block, 0, "p", 2);
  CaseAnswers answers;
  session.run(block, answers);
  EXPECT_EQ(answers.tables.front().at(0).value().value(), 6);
  messageOfError(ErrorKind::Usage, [] { compileCases(Network::parse(kText), {.params = {"p"}}); });
}

TEST(Network, BitsOfACodeAreObservedOverAChannel) {
  constexpr const char *kCode = "2 1\n1 2\n1 1\n2\n1\n1\n1 2\n"; // both bits are equal
  ReadOptions reading{.format = ".alist", .formatOptions = {{"channel", "bsc:0.25"}}};
  reading.params.emplace("y0", 1.0);
  const Network network = Network::parse(kCode, reading);
  const auto posterior = [](const Network &asked) {
    return Session(compile(asked, {.query = "P(x1)"})).run().tables.front().at(1).value().value();
  };
  EXPECT_DOUBLE_EQ(posterior(network), 0.75);
  reading.params.emplace("y1", 0.0);
  EXPECT_DOUBLE_EQ(posterior(Network::parse(kCode, reading)), 0.5);
  EXPECT_EQ(network.queries(), (std::vector<std::string>{"marginals(x0, x1)", "best"}));

  const CaseProgram cases =
      compileCasesText(kCode, {.params = {"y0", "y1"}}, {.query = "P(x1)"},
                       {.format = ".alist", .formatOptions = {{"channel", "llr"}}});
  CaseSession session(cases);
  CaseBlock block = cases.block(1);
  block.count = 1;
  cases.setParam(block, 0, "y0", std::log(3));
  CaseAnswers answers;
  session.run(block, answers);
  EXPECT_NEAR(answers.tables.back().at(0).value().value(), 0.75, 1e-15);
  messageOfError(ErrorKind::Usage, [] {
    Network::parse("", {.formatOptions = {{"channel", "bsc:2"}}});
  });
}

TEST(Network, WarningsOfReadingAreKept) {
  const Network network = Network::parse("MARKOV\n1\n2\n1\n1 0\n2 1 1\n7 8", {.format = ".uai"});
  ASSERT_EQ(network.warnings().size(), 1u);
  EXPECT_NE(network.warnings().front().find("are ignored"), std::string::npos);
  std::vector<std::string> warnings;
  compile(network, {.query = "evidence", .warnings = &warnings});
  EXPECT_EQ(warnings.size(), 1u);
}

/// A network whose tables are drawn at random, and its joint distribution by the definition.
struct RandomNetwork {
  explicit RandomNetwork(std::mt19937_64 &random) {
    const auto below = [&](size_t end) { return static_cast<size_t>(random() % end); };
    const size_t count = 2 + below(4);
    const bool isArray = below(2) != 0; // texts have one where all have the same states
    for (size_t v = 0; v < count; ++v) {
      names.push_back(fmt::format("{}{}{}", isArray ? "v[" : "v ", v, isArray ? "]" : ""));
      states.push_back(static_cast<uint32_t>(1 + below(3)));
      network.addVariable(names[v], states[v]);
    }
    size_t size = 1;
    for (const uint32_t extent : states)
      size *= extent;
    joint.assign(size, 1);
    for (size_t f = 0; f < count + 2; ++f) {
      std::vector<size_t> scope;
      for (size_t v = 0; v < count; ++v)
        if (below(2) != 0)
          scope.insert(scope.begin() + static_cast<ptrdiff_t>(below(scope.size() + 1)), v);
      add(scope, f, random);
    }
  }

  uint32_t stateOf(size_t entry, size_t v) const {
    for (size_t later = states.size(); --later > v;)
      entry /= states[later];
    return static_cast<uint32_t>(entry % states[v]);
  }

  void add(const std::vector<size_t> &scope, size_t number, std::mt19937_64 &random) {
    std::vector<std::string> axes;
    size_t elems = 1;
    for (const size_t v : scope) {
      axes.push_back(names[v]);
      elems *= states[v];
    }
    std::vector<double> values(elems);
    for (double &value : values)
      value = std::uniform_real_distribution(0.1, 1.0)(random);
    network.addFactor("f" + std::to_string(number), axes, values);
    for (size_t entry = 0; entry < joint.size(); ++entry) {
      size_t at = 0;
      for (const size_t v : scope)
        at = at * states[v] + stateOf(entry, v);
      joint[entry] *= values[at];
    }
  }

  double sumWhere(size_t v, uint32_t state) const {
    double sum = 0;
    for (size_t entry = 0; entry < joint.size(); ++entry)
      sum += stateOf(entry, v) == state ? joint[entry] : 0;
    return sum;
  }

  Network network;
  std::vector<std::string> names;
  std::vector<uint32_t> states;
  std::vector<double> joint;
};

TEST(Network, RandomArraysAgainstTheDefinition) {
  std::mt19937_64 random(48);
  const TemporaryFolder folder;
  for (int trial = 0; trial < trials(60); ++trial) {
    SCOPED_TRACE(trial);
    const RandomNetwork drawn(random);
    const size_t v = random() % drawn.names.size();
    const std::string query = "P(" + spelled(drawn.names[v]) + ")";
    double total = 0;
    for (const double value : drawn.joint)
      total += value;
    const std::string path = folder.path() + "/drawn.mpf";
    drawn.network.write(path);
    for (const Network &network :
         {drawn.network, Network::parse(drawn.network.text(".mpf")), Network::read(path)}) {
      const Result result = Session(compile(network, {.query = query})).run();
      for (uint32_t state = 0; state < drawn.states[v]; ++state)
        EXPECT_NEAR(result.at(drawn.names[v], std::to_string(state)).value().value(),
                    drawn.sumWhere(v, state) / total, 1e-12);
      Network observed = network;
      observed.observe(drawn.names[v], 0);
      EXPECT_NEAR(Session(compile(observed, {.query = "evidence"})).run().number().ln(),
                  std::log(drawn.sumWhere(v, 0)), 1e-12);
    }
  }
}

/// Matrices f0(x0, x1), f1(x1, x2), ... that sessions bind.
Network matrices(uint32_t count) {
  Network network("chain");
  for (uint32_t i = 0; i <= count; ++i)
    network.addVariable(fmt::format("x{}", i), 2 + i % 2);
  for (uint32_t i = 0; i < count; ++i)
    network.addInput(fmt::format("f{}", i), {fmt::format("x{}", i), fmt::format("x{}", i + 1)});
  return network;
}

TEST(Network, AnOrderDecidesWhatIsMultiplied) {
  using Products = std::vector<std::vector<uint32_t>>;
  const CompileOptions options = {.query = "z = sum(x0, x1, x2, x3) f0 * f1 * f2", .device = "cpu"};
  Network network = matrices(3);
  network.setOrder({"x0", "x1", "x2", "x3"});
  EXPECT_EQ(compile(network, options).products(), (Products{{0, 1}, {2, 3}}));
  network.setOrder({"x3", "x2", "x1", "x0"});
  EXPECT_EQ(compile(network, options).products(), (Products{{1, 2}, {0, 3}}));
  EXPECT_NE(messageOfError(ErrorKind::BadInput,
                           [&] {
                             network.setOrder({"x0", "x0"});
                           })
                .find("'x0' stands twice"),
            std::string::npos);
  messageOfError(ErrorKind::BadInput, [&] { network.setOrder({"y"}); });
  network.setOrder({});
  EXPECT_EQ(compile(network, options).products().size(), 2u);
}

} // namespace
} // namespace mpf
