// How fast .mpf text parses: tables of long and short numbers, and many small factors.
//
// usage: bench_syntax [MEGABYTES]     (default 100; prints the best of five, processor time)
#include "dsl/syntax/parser.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <random>

using namespace mpf;

namespace {

/// One factor over `rows` rows of `width` numbers, about `bytes` long.
std::string tableText(size_t bytes, size_t width, const char *numberFormat) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::string text = "factor f(x, y) = [\n";
  while (text.size() < bytes) {
    text += text.back() == ']' ? ",\n  [" : "  [";
    for (size_t i = 0; i < width; ++i)
      text += (i == 0 ? "" : ", ") + fmt::format(fmt::runtime(numberFormat), uniform(random));
    text += ']';
  }
  return text + "\n]\n";
}

std::string manyFactors(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += fmt::format("factor f{}(x{}, x{}) = [[0.1, 0.9], [0.6, 0.4]]\n", i, i, i + 1);
  return text;
}

double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void measure(const char *what, const std::string &text) {
  double best = 1e9;
  size_t errors = 0;
  for (int round = 0; round < 5; ++round) {
    std::string copy = text;
    const double begin = processorSeconds();
    Diagnostics diagnostics;
    const auto source = std::make_shared<const SourceBuffer>("bench.mpf", std::move(copy));
    const auto file = parseFile(source, diagnostics);
    best = std::min(best, processorSeconds() - begin);
    errors += diagnostics.errorCount();
  }
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  fmt::print("{:<32} {:8.1f} MB {:8.3f} s {:8.0f} MB/s {} errors\n", what, megabytes, best,
             megabytes / best, errors);
}

} // namespace

int main(int argc, char **argv) {
  const size_t bytes = (argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100) * 1'000'000;
  measure("table, 17 digits, rows of 10", tableText(bytes, 10, "{}"));
  measure("table, 6 digits, rows of 4", tableText(bytes, 4, "{:.6g}"));
  measure("table, 1 digit, rows of 2", tableText(bytes, 2, "{:.1f}"));
  measure("100000 factors of 4 numbers", manyFactors(100'000));
}
