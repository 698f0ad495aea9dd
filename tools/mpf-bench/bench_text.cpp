// How fast table text is read on one core: .uai networks and blank-separated tables, beside what
// the C library's strtod alone needs for the same numbers.
//
// usage: bench_text [MEGABYTES]     (default 100; prints the best of three, processor time)
#include "dsl/formats/tables/text_table.h"
#include "dsl/formats/uai_reader.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>

using namespace mpf;

namespace {

/// Entries of one table of the generated networks: 10 variables of extent 4.
constexpr size_t kTableEntries = size_t{1} << 20;

struct NumberKind {
  const char *name;
  std::string (*next)(std::mt19937_64 &);
};

double uniform(std::mt19937_64 &random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

constexpr NumberKind kNumberKinds[] = {
    {"17-digits", [](std::mt19937_64 &random) { return fmt::format("{:.17g}", uniform(random)); }},
    {"6-digits", [](std::mt19937_64 &random) { return fmt::format("{:.6g}", uniform(random)); }},
    {"exponents",
     [](std::mt19937_64 &random) {
       return fmt::format("{:.9e}", std::ldexp(uniform(random), -static_cast<int>(random() % 900)));
     }},
    {"zeros-ones", [](std::mt19937_64 &random) { return fmt::format("{}", random() % 2); }},
};

/// Blank-separated numbers, one table's worth per element, 64 numbers to a line.
std::vector<std::string> makeTables(const NumberKind &kind, size_t bytes) {
  std::mt19937_64 random(1);
  std::vector<std::string> tables;
  for (size_t made = 0; made < bytes; made += tables.back().size()) {
    std::string &text = tables.emplace_back();
    for (size_t i = 0; i < kTableEntries; ++i)
      text += kind.next(random) + (i % 64 == 63 ? '\n' : ' ');
  }
  return tables;
}

std::string makeNetwork(const std::vector<std::string> &tables) {
  std::string text = "MARKOV\n10\n4 4 4 4 4 4 4 4 4 4\n";
  text += fmt::format("{}\n", tables.size());
  for (size_t i = 0; i < tables.size(); ++i)
    text += "10 0 1 2 3 4 5 6 7 8 9\n";
  for (const std::string &table : tables)
    text += fmt::format("{}\n", kTableEntries) + table;
  return text;
}

/// Best rate of `repeats` calls in MB per second of processor time (one thread, and machines that
/// measure are seldom idle); 0 when `read` says that it failed.
double measureRate(const std::string &text, unsigned repeats,
                   const std::function<bool(std::string)> &read) {
  double best = 0;
  for (unsigned i = 0; i < repeats; ++i) {
    std::string copy = text;
    const std::clock_t start = std::clock();
    if (!read(std::move(copy)))
      return 0;
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::max(best, static_cast<double>(text.size()) / seconds / 1e6);
  }
  return best;
}

bool readNetwork(std::string text) {
  Diagnostics diagnostics;
  return readUai(std::make_shared<const SourceBuffer>("bench.uai", std::move(text)), diagnostics)
      .has_value();
}

bool readTable(std::string text) {
  Diagnostics diagnostics;
  return readTextTable(std::make_shared<const SourceBuffer>("bench.txt", std::move(text)),
                       /*commas=*/false, UINT64_MAX, diagnostics)
      .has_value();
}

bool readByStrtod(std::string text) {
  std::vector<double> values;
  const char *at = text.c_str();
  for (char *after = nullptr; *at != '\0'; at = after) {
    const double value = std::strtod(at, &after);
    if (after == at)
      break; // blanks at the end
    values.push_back(value);
  }
  return !values.empty();
}

} // namespace

int main(int argc, char **argv) {
  const size_t bytes = 1000000 * (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100);
  constexpr unsigned kRepeats = 3;
  fmt::print("{:<12} {:<8} {:>8} {:>8} {:>10}\n", "numbers", "reader", "MB", "MB/s", "x_strtod");
  for (const NumberKind &kind : kNumberKinds) {
    const std::vector<std::string> tables = makeTables(kind, bytes);
    std::string joined;
    for (const std::string &table : tables)
      joined += table;
    const double strtodRate = measureRate(joined, kRepeats, readByStrtod);
    const auto report = [&](const char *reader, const std::string &text, double rate) {
      fmt::print("{:<12} {:<8} {:>8.1f} {:>8.0f} {:>10.2f}\n", kind.name, reader,
                 static_cast<double>(text.size()) / 1e6, rate, rate / strtodRate);
    };
    report("strtod", joined, strtodRate);
    report("text", joined, measureRate(joined, kRepeats, readTable));
    const std::string network = makeNetwork(tables);
    report("uai", network, measureRate(network, kRepeats, readNetwork));
  }
  return 0;
}
