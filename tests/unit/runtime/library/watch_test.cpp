// Progress and cancellation of long calls: reading, compiling, a child process, sliced runs, cases.
#include "dsl/support/system/watched_call.h"
#include "runtime/api/mpf.h"
#include "runtime/compile/child_process.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace mpf {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The end of a call that was cancelled after some time.
struct Cancelled {
  bool isCancelled = false;    ///< the error was Error(Cancelled)
  double late = 0;             ///< seconds from the cancellation to the end of the call
  uint64_t reports = 0;        ///< calls of the callback
  bool onThread = true;        ///< all on the thread of the call
  std::optional<double> share; ///< last one reported
};

/// Makes a call, and cancels it by the callback's answer after `after` seconds.
Cancelled cancelled(double after, const std::function<void(const Watch &)> &call) {
  Cancelled seen;
  const auto start = Clock::now();
  const auto thread = std::this_thread::get_id();
  Clock::time_point asked = start;
  Watch watch;
  watch.progress = [&](const Progress &progress) {
    ++seen.reports;
    seen.onThread &= std::this_thread::get_id() == thread;
    seen.share = progress.share ? progress.share : seen.share;
    if (secondsSince(start) < after)
      return true;
    asked = asked == start ? Clock::now() : asked;
    return false;
  };
  try {
    call(watch);
  } catch (const Error &error) {
    seen.isCancelled = error.kind() == ErrorKind::Cancelled;
    EXPECT_TRUE(seen.isCancelled) << error.what();
  }
  seen.late = secondsSince(asked);
  return seen;
}

/// The promise is 0.3 s on a free machine; tests run beside others.
constexpr double kMostLate = 2;

void expectCancelled(const Cancelled &seen) {
  EXPECT_TRUE(seen.isCancelled);
  EXPECT_TRUE(seen.onThread);
  EXPECT_GE(seen.reports, 2u);
  EXPECT_LT(seen.late, kMostLate);
}

/// Binary variables on a grid.
std::string grid(size_t side) {
  return "param n = " + std::to_string(side) + R"(
    var x[n][n] : 2
    for i in 0..n, j in 0..n:
      factor here(x[i][j]) = [1, 1.1]
    for i in 0..n, j in 1..n:
      factor across(x[i][j-1], x[i][j]) = [[2, 1], [1, 2]]
    for i in 0..n, j in 1..n:
      factor down(x[j-1][i], x[j][i]) = [[2, 1], [1, 2]]
    query evidence
  )";
}

TEST(Watch, EndsReading) {
  std::string scope = "x[0]", sum = "x[0]";
  for (int i = 1; i < 24; ++i) {
    scope += ", x[" + std::to_string(i) + "]";
    sum += " * 2 + x[" + std::to_string(i) + "]";
  }
  const std::string text = "var x[24] : 2\nfactor f(" + scope + ") = 1 + " + sum + "\n";
  expectCancelled(
      cancelled(0.05, [&](const Watch &watch) { Network::parse(text, {.watch = watch}); }));
}

TEST(Watch, EndsPlanning) {
  const Network network = Network::parse(grid(60));
  expectCancelled(cancelled(0.1, [&](const Watch &watch) {
    compile(network, {.device = "cpu", .expectedRuns = 1e9, .watch = watch});
  }));
}

/// Pairs of six variables. The plan is found at once; the sum takes many seconds in slices.
constexpr const char *kClique = R"(
  var x[6] : 64
  for i in 0..6, j in 0..i:
    factor f(x[i], x[j]) = 1 + x[i] + 2 * x[j]
  query evidence
)";

TEST(Watch, EndsSlicedRunsAndTheSessionGoesOn) {
  const Program program = compileText(
      kClique, {.maxMemoryBytes = uint64_t{4} << 20, .device = "cpu", .expectedRuns = 1});
  SessionOptions options;
  options.device = "cpu";
  options.expectedRuns = 0;
  const CancelToken token;
  uint64_t reports = 0;
  std::optional<double> share;
  options.watch.token = token;
  options.watch.progress = [&](const Progress &progress) {
    ++reports;
    share = progress.share ? progress.share : share;
    if (progress.phase == "running" && progress.seconds > 0.1)
      token.cancel();
    return true;
  };
  Session session(program, options);
  for (int run = 0; run < 2; ++run) {
    token.reset();
    const auto start = Clock::now();
    try {
      session.run();
      ADD_FAILURE() << "the run took " << secondsSince(start) << " s and was not cancelled";
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::Cancelled) << error.what();
    }
    EXPECT_LT(secondsSince(start), 0.1 + kMostLate);
  }
  EXPECT_GE(reports, 2u);
  ASSERT_TRUE(share);
  EXPECT_GE(*share, 0);
  EXPECT_LT(*share, 1);
}

/// The shares of its work that a watched run of a grid reported.
struct Shares {
  std::vector<double> all;
  double seconds = 0, almostAllSeconds = 0; ///< the latter: before a share of 0.9 was said
};

Shares sharesOf(uint32_t side, uint64_t memoryBytes) {
  const Program program =
      compileText(grid(side), {.maxMemoryBytes = memoryBytes, .device = "cpu", .expectedRuns = 1});
  Shares shares;
  SessionOptions options;
  options.device = "cpu";
  options.watch.progress = [&](const Progress &progress) {
    if (progress.phase != "running" || !progress.share)
      return true;
    shares.seconds = progress.seconds;
    if (shares.all.empty() || shares.all.back() < 0.9)
      shares.almostAllSeconds = progress.seconds;
    shares.all.push_back(*progress.share);
    return true;
  };
  Session(program, options).run();
  return shares;
}

TEST(Watch, TellsTheShareOfTheWorkOfRunsWithAndWithoutSlices) {
  for (const uint64_t bytes : {uint64_t{8} << 30, uint64_t{1} << 20}) {
    Shares shares;
    // A fast machine needs a large grid until a run takes as long as several reports.
    for (uint32_t side = 18; side <= 24 && shares.all.size() < 6; ++side)
      shares = sharesOf(side, bytes);
    ASSERT_GE(shares.all.size(), 6u);
    EXPECT_TRUE(std::ranges::is_sorted(shares.all));
    EXPECT_LT(shares.all.front(), 0.5);
    EXPECT_GT(shares.all.back(), 0.5);
    EXPECT_LE(shares.all.back(), 1);
    EXPECT_GT(shares.almostAllSeconds, shares.seconds / 3) << shares.seconds;
  }
}

TEST(Watch, RunsGiveTheSameBitsWatchedAndAfterACancelledRun) {
  const Program program = compileText(grid(12), {.device = "cpu"});
  SessionOptions options;
  options.device = "cpu";
  options.expectedRuns = 0;
  const ScaledNumber wanted = Session(program, options).run().number();
  const CancelToken token;
  options.watch.token = token;
  Session session(program, options);
  token.cancel();
  EXPECT_THROW(session.run(), Error);
  token.reset();
  for (int run = 0; run < 3; ++run) { // the later ones on the calling thread
    const ScaledNumber found = session.run().number();
    EXPECT_EQ(found.mantissa, wanted.mantissa);
    EXPECT_EQ(found.exponent, wanted.exponent);
  }
}

TEST(Watch, EndsBlocksOfCases) {
  const CaseProgram program = compileCasesText(grid(14), {}, {.device = "cpu"});
  SessionOptions options;
  options.device = "cpu";
  const CancelToken token;
  options.watch.token = token;
  CaseSession session(program, options, {100});
  CaseBlock block = program.block(50'000), small = program.block(1);
  block.count = 50'000;
  small.count = 1;
  CaseAnswers answers;
  session.run(small, answers);
  const double wanted = answers.tables.front().at(0).ln();
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    token.cancel();
  });
  const auto start = Clock::now();
  try {
    session.run(block, answers);
    ADD_FAILURE() << "the block took " << secondsSince(start) << " s";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Cancelled) << error.what();
  }
  EXPECT_LT(secondsSince(start), kMostLate);
  canceller.join();
  token.reset();
  session.run(small, answers);
  EXPECT_EQ(answers.tables.front().at(0).ln(), wanted);
}

TEST(Watch, EndsChildProcesses) {
  expectCancelled(cancelled(0.1, [&](const Watch &watch) {
    watchedCall(watch, "compiling", [] {
      ChildProgram sleeper;
      sleeper.argv = {"/bin/sleep", "30"};
      sleeper.timeout = std::chrono::seconds(60);
      runChild(sleeper);
    });
  }));
}

TEST(Watch, ThrowsWhatTheCallbackThrows) {
  Watch watch;
  struct Mine {};
  watch.progress = [](const Progress &) -> bool { throw Mine(); };
  EXPECT_THROW(compileText(grid(60), {.device = "cpu", .expectedRuns = 1e9, .watch = watch}), Mine);
}

TEST(Watch, ErrorsOfTheWorkAreThrownAsTheyAre) {
  Watch watch;
  watch.progress = [](const Progress &) { return true; };
  try {
    Network::parse("var x : 2\nfactor f(y) = 1\n", {.watch = watch});
    ADD_FAILURE() << "no error";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
  }
}

} // namespace
} // namespace mpf
