// Measures how fast lists of cases are read, and how fast answers are written, without answering.
//
// usage: bench_case_rows [ROWS] [THREADS]     (default 1000000 rows, 2 threads)
//
// The rows are those of a network like alarm: 37 variables of 2 to 4 states with labels such as
// TRUE and NORMAL, all observed or 20 % of them. Each line has the wall-clock rate, and the rate
// that the processor time of all threads allows on two cores that nothing else uses.
#include "dsl/formats/cases/csv_cases.h"
#include "dsl/formats/cases/npy_cases.h"
#include "dsl/formats/tables/npy_header.h"
#include "tools/mpf-bench/measure/clock_seconds.h"
#include "tools/mpfc/cases/row_format.h"

#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>

using namespace mpf;

namespace {

constexpr uint32_t kBlockCases = 4096;
constexpr size_t kVariables = 37;
constexpr int kRepeats = 3;

Model likeAlarm() {
  const std::vector<std::vector<std::string>> labels = {{"TRUE", "FALSE"},
                                                        {"LOW", "NORMAL", "HIGH"},
                                                        {"ZERO", "LOW", "NORMAL", "HIGH"},
                                                        {"NORMAL", "ESOPHAGEAL", "ONESIDED"}};
  Model model;
  for (size_t i = 0; i < kVariables; ++i) {
    const std::vector<std::string> &own = labels[i * 7 % labels.size()];
    model.variables.push_back(
        {fmt::format("VARIABLE{}", i), static_cast<uint32_t>(own.size()), own});
  }
  return model;
}

struct Lists {
  std::string csv, quoted, npy;
};

Lists makeLists(const Model &model, uint64_t rows, unsigned percent) {
  std::mt19937_64 random(1);
  Lists lists;
  for (const Variable &variable : model.variables)
    lists.csv += (lists.csv.empty() ? "" : ",") + variable.name;
  lists.csv += '\n';
  lists.quoted = lists.csv;
  lists.npy = formatNpyHeader({rows, kVariables});
  lists.npy.replace(lists.npy.find("'<f8'"), 5, "'|u1'");
  for (uint64_t row = 0; row < rows; ++row)
    for (size_t i = 0; i < kVariables; ++i) {
      const Variable &variable = model.variables[i];
      const auto state = static_cast<uint32_t>(random() % variable.extent);
      const bool seen = random() % 100 < percent;
      const char end = i + 1 == kVariables ? '\n' : ',';
      lists.npy += seen ? static_cast<char>(state) : '\xff';
      if (seen) {
        lists.csv += variable.labels[state];
        lists.quoted += '"' + variable.labels[state] + '"';
      }
      lists.csv += end;
      lists.quoted += end;
    }
  return lists;
}

void measure(const std::string &what, uint64_t rows, uint64_t bytes,
             const std::function<void()> &work) {
  double wall = 1e300, processor = 1e300;
  for (int i = 0; i < kRepeats; ++i) {
    const double start = bench::clockSeconds(false);
    const std::clock_t startTime = std::clock(); // of all threads
    work();
    wall = std::min(wall, bench::clockSeconds(false) - start);
    processor = std::min(processor, static_cast<double>(std::clock() - startTime) / CLOCKS_PER_SEC);
  }
  const auto count = static_cast<double>(rows);
  fmt::print("{:<36} {:>9.3g} rows/s, {:>7.0f} MB/s; two idle cores: {:>9.3g} rows/s\n", what,
             count / wall, static_cast<double>(bytes) / wall / 1e6, 2 * count / processor);
}

void readAll(CaseSource &source, uint64_t rows, unsigned threads) {
  source.begin({OnBadRow::Stop, threads});
  CaseBlock block(source.schema(), kBlockCases);
  uint64_t read = 0;
  while (source.next(block))
    read += block.count;
  if (read != rows)
    throw Error(ErrorKind::Internal, fmt::format("{} rows of {}", read, rows));
}

void benchReading(uint64_t rows, unsigned percent, unsigned threads) {
  const Model model = likeAlarm();
  const Lists lists = makeLists(model, rows, percent);
  Diagnostics diagnostics;
  const auto name = [&](const char *format) {
    return fmt::format("read {}, {} % observed", format, percent);
  };
  measure(name("CSV"), rows, lists.csv.size(), [&] {
    readAll(*openCsvCases(InputStream("csv", lists.csv), model, diagnostics), rows, threads);
  });
  measure(name("CSV in quotes"), rows, lists.quoted.size(), [&] {
    readAll(*openCsvCases(InputStream("csv", lists.quoted), model, diagnostics), rows, threads);
  });
  measure(name(".npy of bytes"), rows, lists.npy.size(), [&] {
    readAll(*openNpyCases(InputStream("npy", lists.npy), model, diagnostics), rows, threads);
  });
}

/// Returns a job whose answers have one table of `size` entries for each case.
driver::CaseJob makeJob(size_t size) {
  std::mt19937_64 random(2);
  driver::CaseJob job;
  job.block.count = kBlockCases;
  CaseTable table;
  table.size = size;
  table.exponents.assign(kBlockCases, 0);
  for (size_t i = 0; i < kBlockCases * size; ++i)
    table.entries.push_back(static_cast<double>(random() >> 11) * 0x1p-53);
  CaseAnswers answers;
  answers.count = kBlockCases;
  answers.tables = {table};
  job.answers = {answers};
  return job;
}

/// Measures writing on one thread; the pipeline uses one thread per core.
void benchWriting(const char *what, size_t columns, bool isLogarithm, uint64_t rows) {
  using namespace driver;
  const CaseJob job = makeJob(columns);
  AnswerGroup group;
  group.content = isLogarithm ? AnswerContent::Logarithm : AnswerContent::Entries;
  group.names.assign(columns, "P(x=y)");
  const uint64_t blocks = std::max<uint64_t>(rows / kBlockCases / columns, 1);
  for (const bool isNpy : {false, true}) {
    const auto format = isNpy ? npyFormat({group}) : csvFormat({group});
    std::string text;
    format->appendRows(job, text);
    measure(fmt::format("write {}, {}", isNpy ? ".npy" : "CSV", what), blocks * kBlockCases,
            blocks * text.size(), [&] {
              for (uint64_t i = 0; i < blocks; ++i) {
                text.clear();
                format->appendRows(job, text);
              }
            });
  }
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t rows = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const auto threads = static_cast<unsigned>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 2);
  fmt::print("{} rows of {} columns, {} threads, best of {}\n", rows, kVariables, threads,
             kRepeats);
  benchReading(rows, 100, threads);
  benchReading(rows, 20, threads);
  benchWriting("1 logarithm (1 thread)", 1, true, rows);
  benchWriting("105 posteriors (1 thread)", 105, false, rows);
}
