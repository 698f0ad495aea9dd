// A long run that reports its progress and is cancelled by it.
#include <mpf/mpf.h>

#include <cstdio>

// The sum over a square of variables, of which each likes to agree with its neighbours.
static const char *const kSquare = R"(
  param n = 24
  var x[n][n] : 2
  for i in 0..n, j in 1..n:
    factor across(x[i][j-1], x[i][j]) = [[2, 1], [1, 2]]
  for i in 0..n, j in 1..n:
    factor down(x[j-1][i], x[j][i]) = [[2, 1], [1, 2]]
  query evidence
)";

int main() {
  // With 1 MiB for tables, the sum is computed in 1024 slices, which take seconds.
  const mpf::Program program =
      mpf::compileText(kSquare, {.maxMemoryBytes = 1 << 20, .device = "cpu"});
  mpf::SessionOptions options;
  options.device = "cpu";
  options.watch.progress = [](const mpf::Progress &progress) {
    return progress.phase != "running" || progress.seconds < 0.2; // false ends the call
  };
  mpf::Session session(program, options);
  for (int run = 0; run < 2; ++run) // the session is as it was before
    try {
      std::printf("log10 %.6f\n", session.run().number().log10());
    } catch (const mpf::Error &error) {
      if (error.kind() != mpf::ErrorKind::Cancelled)
        throw;
      std::printf("run %d: %s\n", run, error.what());
    }
}
