// The host program's view: compile, bind, observe, run, read; load and save.
#include "codegen/bundle/bundle.h"
#include "runtime/api/session.h"
#include "runtime/choose/answer/choose_answer.h"
#include "runtime/choose/jit_gpu.h"
#include "runtime/choose/jit_memory.h"
#include "runtime/choose/program_predictor.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/schedule/run_volume.h"
#include "tests/support/error_kind.h"
#include "tests/unit/runtime/library/rain_model.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpf {
namespace {

TEST(Session, TheExampleOfTheHeader) {
  Session session(compileText(kRain));
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.24), 1e-12);
  session.observe("wet", "no");
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.76), 1e-12);
  session.observe("wet", 1);
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.24), 1e-12);
}

TEST(Session, RebindsAFactor) {
  Session session(compileText(kRain));
  session.run();
  session.bind("P(rain)", std::vector<double>{0.5, 0.5});
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.45), 1e-12);
}

TEST(Session, RunsInTwoHalves) {
  Session session(compileText(kRain)), whole(compileText(kRain));
  for (const uint32_t state : {1, 0, 0, 1}) {
    session.observe("wet", state);
    whole.observe("wet", state);
    session.start();
    EXPECT_EQ(log10Of(session.finish()), log10Of(whole.run()));
  }
}

/// The host can work during a run: here it starts other runs.
TEST(Session, HalvesOfSeveralSessionsOverlap) {
  const Program program = compileText(kRain);
  std::vector<Session> sessions;
  for (int i = 0; i < 4; ++i)
    sessions.emplace_back(program, SessionOptions{.device = "cpu", .threads = 2});
  for (int round = 0; round < 20; ++round) {
    for (uint32_t i = 0; i < 4; ++i) {
      sessions[i].observe("wet", i % 2);
      sessions[i].start();
    }
    for (uint32_t i = 0; i < 4; ++i)
      EXPECT_NEAR(log10Of(sessions[i].finish()), std::log10(i % 2 == 0 ? 0.76 : 0.24), 1e-12);
  }
}

TEST(Session, TakesNoOtherCallBetweenTheHalves) {
  Session session(compileText(kRain));
  EXPECT_EQ(errorKindOf([&] { session.finish(); }), ErrorKind::Usage);
  session.start();
  EXPECT_EQ(errorKindOf([&] { session.start(); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { session.run(); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { session.observe("wet", "no"); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] {
              session.bind("P(rain)", std::vector<double>{0.5, 0.5});
            }),
            ErrorKind::Usage);
  EXPECT_NEAR(log10Of(session.finish()), std::log10(0.24), 1e-12);
  EXPECT_EQ(errorKindOf([&] { session.finish(); }), ErrorKind::Usage);
  session.observe("wet", "no");
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.76), 1e-12);
}

/// The test runs with a GPU and without one.
TEST(Session, RunsWhileAGpuComesUp) {
  startGpu();
  startGpu();
  Session session(compileText(kRain));
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.24), 1e-12);
  endGpu();
  endGpu();
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.24), 1e-12);
}

TEST(Session, MayGoWhileARunIsOnItsWay) {
  Session session(compileText(kRain));
  session.start();
}

constexpr const char *kPedigree = R"(
  var father, mother, child : {a, b, c}
  var seen, fur : {no, yes}
  prob P(father) = [0.5, 0.3, 0.2]
  prob P(mother) = [0.6, 0, 0.4]
  factor inherit(father, mother, child) = input
  prob P(seen | child) = [[1, 0], [0.5, 0.5], [0, 1]]
  prob P(fur | mother) = [[0.9, 0.1], [0.5, 0.5], [0.9, 0.1]]
  observe seen = yes, fur = no
  query marginals
)";

/// A program that is simplified, saved and loaded gives the answers of one without final tables.
TEST(Session, FinalValuesGiveTheSameAnswers) {
  CompileOptions options;
  options.finalTables = true;
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/final.mpfb";
  compileText(kPedigree, options).save(path);
  Session open(compileText(kPedigree)), final(loadProgram(path));
  std::vector<double> inherit(27);
  for (size_t i = 0; i < inherit.size(); ++i)
    inherit[i] = i % 3 == i / 9 ? 0.5 : i % 3 == i / 3 % 3 ? 0.4 : 0;
  for (Session *session : {&open, &final}) {
    session->bind("inherit", inherit);
    session->observe("fur", "yes");
  }
  const Result wanted = open.run(), found = final.run();
  ASSERT_EQ(found.tables.size(), wanted.tables.size());
  for (size_t t = 0; t < found.tables.size(); ++t) {
    EXPECT_EQ(found.tables[t].name, wanted.tables[t].name);
    ASSERT_EQ(found.tables[t].entries.size(), wanted.tables[t].entries.size());
    for (size_t i = 0; i < found.tables[t].entries.size(); ++i)
      EXPECT_NEAR(found.tables[t].at(i).value().value_or(-1),
                  wanted.tables[t].at(i).value().value_or(-2), 1e-12);
  }
  EXPECT_THROW(final.bind("P(father)", std::vector<double>{1, 1, 1}), Error);
  EXPECT_EQ(final.run().evidence.state(VarId(4)), 1u);
}

/// A copy of an observed variable leaves the problem; its posterior follows the observation.
TEST(Session, CopiesOfWhatIsObservedFollowIt) {
  CompileOptions options;
  options.finalTables = true;
  Session session(compileText(R"(
    var seen, copy, other : 3
    factor same(seen, copy) = seen == copy ? 2 : 0
    factor g(copy, other) = 1 + copy * other
    observe seen = 1
    query marginals
  )",
                              options));
  for (const uint32_t state : {1u, 2u, 0u}) {
    session.observe("seen", state);
    const Result result = session.run();
    ASSERT_EQ(result.tables.size(), 3u);
    for (uint32_t s = 0; s < 3; ++s) {
      EXPECT_EQ(result.tables[1].at(s).value(), s == state ? 1 : 0) << "copy, " << state;
      EXPECT_NEAR(result.tables[2].at(s).value().value_or(-1), (1.0 + state * s) / (3 + 3 * state),
                  1e-12);
    }
  }
}

TEST(Session, FinalEvidenceCannotBeChanged) {
  CompileOptions options;
  options.finalTables = options.finalEvidence = true;
  Session session(compileText(kRain, options));
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.24), 1e-12);
  EXPECT_THROW(session.observe("wet", "no"), Error);
  EXPECT_THROW(session.observe("rain", "no"), Error);
}

TEST(Session, RefusesWhatDoesNotExist) {
  Session session(compileText(kRain));
  EXPECT_THROW(session.observe("rain", 0), Error); // not observed
  EXPECT_THROW(session.observe("snow", 0), Error);
  EXPECT_THROW(session.observe("wet", 2), Error);
  EXPECT_THROW(session.observe("wet", "maybe"), Error);
  EXPECT_THROW(session.bind("P(rain)", std::vector<double>{1}), Error);
  EXPECT_THROW(session.bind("z", std::vector<double>{1}), Error);
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.24), 1e-12) << "still usable";
}

TEST(Session, RefusesValuesThatAreNotNumbersAndRecovers) {
  Session session(compileText(kRain));
  const auto failureOf = [&session](const char *factor, std::vector<double> values) {
    try {
      session.bind(factor, values);
    } catch (const Error &error) {
      return std::string(error.what());
    }
    return std::string("bound");
  };
  session.bind("P(rain)", std::vector<double>{0.5, 0.5});
  EXPECT_EQ(failureOf("P(rain)", {1, NAN}), "factor P(rain): entry 1 is nan, not a finite number");
  EXPECT_EQ(failureOf("P(wet)", {1, 1, INFINITY, 1}), // of a row that is not observed
            "factor P(wet): entry 2 is inf, not a finite number");
  EXPECT_EQ(failureOf("P(rain)", {-1, 1}), "factor P(rain): entry 0 is -1, but the program was "
                                           "built for values that are not negative");
  EXPECT_NEAR(log10Of(session.run()), std::log10(0.45), 1e-12) << "as it was";
}

TEST(Session, RefusesOptionsWithoutAMeaning) {
  const Program program = compileText(kRain);
  const auto opens = [&program](const SessionOptions &options) {
    EXPECT_THROW(Session(program, options), Error);
  };
  opens({.device = "tpu"});
  opens({.expectedRuns = -1});
  opens({.expectedRuns = NAN});
  opens({.dumpKernels = "/dev/null/kernels"});
  opens({.overrideKernels = "/nonexistent"});
  const auto compiles = [](const CompileOptions &options) {
    EXPECT_THROW(compileText(kRain, options), Error);
  };
  compiles({.device = "tpu"});
  compiles({.expectedRuns = NAN});
  compiles({.finalEvidence = true});
}

/// A forked child has no threads of the pool: it computes equal results alone, and ends.
TEST(Session, WorksInAForkedChild) {
  const Program program = compileText(R"(
    var x, y, z : 150
    factor f(x, y) = input
    factor g(y, z) = 1 + (y < z)
    factor h(x, z) = 1 + (x < z)
    query evidence
  )");
  std::vector<double> values(150 * 150, 1);
  auto session = std::make_unique<Session>(
      program, SessionOptions{.device = "cpu", .threads = 4, .expectedRuns = 0});
  session->bind("f", values);
  const double before = log10Of(session->run());
  values[0] = 2;
  session->bind("f", values);
  const double wanted = log10Of(session->run());
  ASSERT_NE(wanted, before);
  values[0] = 1;
  session->bind("f", values);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    bool right = log10Of(session->run()) == before;
    values[0] = 2;
    session->bind("f", values);
    right = right && log10Of(session->run()) == wanted;
    session.reset();
    Session another(program, SessionOptions{.device = "cpu", .threads = 4, .expectedRuns = 0});
    another.bind("f", values);
    right = right && log10Of(another.run()) == wanted;
    ::_exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(log10Of(session->run()), before);
}

/// A forked child lacks the thread of a run in progress: finish() throws, and it can run again.
TEST(Session, AStartedRunEndsInTheProcessThatStartedIt) {
  auto session = std::make_unique<Session>(compileText(kRain), SessionOptions{.device = "cpu"});
  session->start();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    const bool isTold = errorKindOf([&] { session->finish(); }) == ErrorKind::Usage;
    const bool runs = std::abs(log10Of(session->run()) - std::log10(0.24)) < 1e-12;
    session->start();
    session.reset();
    ::_exit(isTold && runs ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_NEAR(log10Of(session->finish()), std::log10(0.24), 1e-12);
}

TEST(Session, ImpossibleEvidenceIsAResult) {
  Session session(compileText(kRain));
  session.bind("P(wet)", std::vector<double>{1, 0, 1, 0});
  const Result result = session.run();
  EXPECT_TRUE(result.zeroProbability);
  EXPECT_EQ(result.tables.front().at(0).sign(), 0);
}

TEST(Session, MarginalsAndBest) {
  const std::string model = std::string(kRain) + "\nquery marginals\nquery best\n";
  CompileOptions options;
  options.query = "marginals";
  const Result marginals = Session(compileText(model, options)).run();
  bool found = false;
  for (const ResultTable &table : marginals.tables)
    if (table.variables == std::vector<std::string>{"rain"}) {
      EXPECT_NEAR(table.entries[1], 0.16 / 0.24, 1e-12);
      found = true;
    }
  EXPECT_TRUE(found);
  options.query = "best";
  const Result best = Session(compileText(model, options)).run();
  ASSERT_EQ(best.assignments.size(), 1u);
  EXPECT_EQ(best.assignments[0].states, (std::vector<uint32_t>{1, 1}));
}

TEST(Session, VerifiesAndProfiles) {
  SessionOptions options;
  options.verifySamples = 8;
  options.profile = true;
  const Result result = Session(compileText(kRain), options).run();
  EXPECT_FALSE(result.operations.empty());
}

TEST(Session, ASavedProgramGivesTheSameBits) {
  const Program program = compileText(kRain);
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/session_test.mpfb";
  program.save(path);
  const Program loaded = loadProgram(path);
  EXPECT_EQ(Session(loaded).run().tables.front().at(0).ln(),
            Session(program).run().tables.front().at(0).ln());
}

TEST(Session, AllErrorsOfATextAreInTheMessage) {
  try {
    compileText("var a : {0..1\nvar b : 2\nfactor f(c) = [1]\nquery evidence\n");
    FAIL() << "compiled";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_NE(std::string(error.what()).find("<text>:"), std::string::npos) << error.what();
  }
}

/// Pairs of variables of 128 states: with seven variables, more memory than machines have.
std::string clique(size_t variables) {
  const std::string count = std::to_string(variables);
  return "var x[" + count + "] : 128\nfor i in 0.." + count +
         ", j in 0..i: factor f(x[i], x[j]) = 1 + x[i] + 2 * x[j]\nquery evidence\n";
}

TEST(Compile, TablesAreHeldToTheMachineUnlessABoundIsGiven) {
  CompileOptions options;
  options.device = "cpu";
  const Program held = compileText(clique(7), options);
  EXPECT_GT(held.bundle().loops.count(), 0u);
  EXPECT_LE(tableBytes(held.bundle()), machineMemory(DeviceRequest::cpu(), "", {}).bytes * 9 / 8);
  options.maxMemoryBytes = UINT64_MAX;
  const Program whole = compileText(clique(7), options);
  EXPECT_EQ(whole.bundle().loops.count(), 0u);
  EXPECT_GT(tableBytes(whole.bundle()), uint64_t{1} << 43);
  options.maxMemoryBytes = uint64_t{1} << 20;
  EXPECT_LE(tableBytes(compileText(clique(4), options).bundle()), uint64_t{1} << 20);
}

TEST(Compile, AutoTakesTheGpuForWhatTheHostCannotHold) {
  const Program program = compileText(kRain);
  const uint64_t bytes = tableBytes(program.bundle());
  const auto takesGpu = [&](uint64_t hostBytes) {
    AnswerConditions conditions;
    conditions.costs = [] { return PlacementConditions(); };
    conditions.hostBytes = [hostBytes] { return hostBytes; };
    return chooseAnswer(program.bundle(), conditions).plan.usesGpu();
  };
  EXPECT_FALSE(takesGpu(bytes)) << "it does not pay";
  EXPECT_TRUE(takesGpu(bytes - 1));
}

TEST(Compile, BoundsOfTheMachine) {
  CompileSettings settings;
  setMachine(settings);
  EXPECT_FALSE(largerMemory(settings)) << "the user set the bound";
  settings.boundIsOfHost = true;
  EXPECT_EQ(largerMemory(settings).has_value(), gpuSearch(settings)());
  settings.devices = DeviceRequest::cpu();
  EXPECT_FALSE(largerMemory(settings));
  EXPECT_EQ(machineMemory({}, "", {}).source, machineMemory(DeviceRequest::cpu(), "", {}).source);
  if (!gpuBackendUnavailable().empty()) {
    EXPECT_FALSE(gpuBackendFreeBytes());
    const MemoryBound bound = machineMemory(DeviceRequest::gpu(), "sm_80", {});
    EXPECT_NE(bound.source.find("sm_80"), std::string::npos) << bound.source;
    EXPECT_LT(bound.bytes, machineMemory(DeviceRequest::gpu(), "", {}).bytes) << "that of sm_90";
  }
}

TEST(Compile, WhatAnAlmostFullGpuHasLeftIsUsed) {
  EXPECT_EQ(gpuTableBytes(0), 0);
  EXPECT_EQ(gpuTableBytes(uint64_t{30} << 20), 0);
  EXPECT_EQ(gpuTableBytes(uint64_t{100} << 20), uint64_t{68} << 20);
  EXPECT_EQ(gpuTableBytes(uint64_t{80} << 30), (uint64_t{80} << 30) - (uint64_t{512} << 20));
  for (uint64_t mib = 1; mib < 10000; mib += 7)
    ASSERT_LE(gpuTableBytes(mib << 20), gpuTableBytes((mib + 7) << 20));
}

} // namespace
} // namespace mpf
