// One case whose findings change: against single runs that are compiled for the same findings.
#include "runtime/api/single_case.h"
#include "tests/support/error_kind.h"

#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

constexpr const char *kLawn = R"(
  var rain, sprinkler, wet : { no, yes }
  prob P(rain) = { no: 0.8, yes: 0.2 }
  prob P(sprinkler | rain) = [[0.6, 0.4], [0.99, 0.01]]
  prob P(wet | sprinkler, rain) = [[[1, 0], [0.2, 0.8]], [[0.1, 0.9], [0.01, 0.99]]]
)";

TEST(SingleCase, AnswersAsRunsThatAreCompiledForTheSameFindings) {
  const Network network = Network::parse(kLawn);
  SingleCase marginals(compileCases(network, {}, {.query = "marginals"}));
  SingleCase best(compileCases(network, {}, {.query = "best"}));
  std::mt19937_64 random(48);
  const char *names[] = {"rain", "sprinkler", "wet"}, *labels[] = {"no", "yes"};
  for (int trial = 0; trial < 30; ++trial) {
    SCOPED_TRACE(trial);
    Network observed = network;
    for (const char *name : names) {
      const size_t state = random() % 3;
      if (state == 2) {
        marginals.unobserve(name);
        best.unobserve(name);
        continue;
      }
      observed.observe(name, labels[state]);
      marginals.observe(name, labels[state]);
      best.observe(name, static_cast<uint32_t>(state));
    }
    const Result &found = marginals.run();
    const Result wanted = Session(compile(observed, {.query = "marginals"})).run();
    ASSERT_EQ(found.zeroProbability, wanted.zeroProbability);
    EXPECT_NEAR(found.number().value().value(), wanted.number().value().value(), 1e-15);
    const Result wantedBest = Session(compile(observed, {.query = "best"})).run();
    for (const char *name : names) {
      if (wanted.zeroProbability)
        continue;
      EXPECT_NEAR(found.at(name, "yes").value().value(), wanted.at(name, "yes").value().value(),
                  1e-14);
      EXPECT_EQ(best.run().stateOf(name), wantedBest.stateOf(name));
    }
    EXPECT_EQ(found.evidence.findings.size(), wanted.evidence.findings.size());
  }
  marginals.unobserveAll();
  EXPECT_NEAR(marginals.run().at("rain", "yes").value().value(), 0.2, 1e-15);
}

TEST(SingleCase, WeighsAndSetsParams) {
  const Network network = Network::parse(
      "param p = 0.5\nvar x : {a, b}\nfactor f(x) = {a: p, b: 1}", {.caseParams = {"p"}});
  SingleCase one(compileCases(network, {.likelihoods = {"x"}, .params = {"p"}}, {.query = "P(x)"}));
  EXPECT_NEAR(one.run().at("x", "a").value().value(), 1. / 3, 1e-15);
  one.setParam("p", 3);
  one.weigh("x", std::vector{1.0, 2.0});
  EXPECT_NEAR(one.run().at("x", "a").value().value(), 0.6, 1e-15);
  EXPECT_EQ(errorKindOf([&] { one.weigh("y", std::vector{1.0, 2.0}); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { one.weigh("x", std::vector{1.0}); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { one.observe("y", "a"); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { one.unobserve("y"); }), ErrorKind::Usage);
}

TEST(SingleCase, KnowsFindingsThatHoldInEveryCase) {
  Network network = Network::parse(kLawn);
  network.observe("wet", "yes");
  SingleCase one(compileCases(network, {}, {.query = "P(rain)"}));
  EXPECT_NEAR(one.run().at("rain", "yes").value().value(), 0.357687675632, 1e-12);
  ASSERT_EQ(one.run().evidence.findings.size(), 1u);
  EXPECT_EQ(errorKindOf([&] { one.observe("wet", "no"); }), ErrorKind::Usage);
}

} // namespace
} // namespace mpf
