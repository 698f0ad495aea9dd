// Motokubota, Ino, Hagihara: Accelerating Parameter Sweep Applications Using CUDA, PDP 2011.
#include "tools/mpf-bench/papers/paper.h"
#include "tools/mpf-bench/papers/paper_bench.h"

#include <fmt/core.h>

namespace mpf::bench {

namespace {

std::string nameOf(const CaseSweep &sweep, const SweepPoint &point) {
  return sweep.model + ", " + point.way;
}

void fillOverview(PaperBench &bench, PaperItem &item) {
  item.table.columns = {"network",         "query",          "columns",
                        "steps",           "T: row bytes",   "T: message bytes",
                        "D: shared bytes", "O: answer bytes"};
  for (const CaseSweep &sweep : bench.sweeps())
    item.table.rows.push_back(
        {sweep.model, sweep.query, fmt::format("{}", sweep.columns), fmt::format("{}", sweep.steps),
         fmt::format("{}", sweep.rowBytes), fmt::format("{}", sweep.messageBytes),
         fmt::format("{}", sweep.sharedBytes), fmt::format("{}", sweep.answerBytes)});
}

void fillCaseParts(PaperBench &bench, PaperItem &item) {
  item.table.columns = {"network", "way", "v", "us in", "us to answer", "us out", "naive / this"};
  for (const CaseSweep &sweep : bench.sweeps())
    for (const SweepPoint &point : sweep.points) {
      item.table.rows.push_back(
          {sweep.model, point.way, fmt::format("{}", point.v),
           fmt::format("{:.4g}", point.inUs / point.v),
           fmt::format("{:.4g}", point.runUs / point.v),
           fmt::format("{:.4g}", point.outUs / point.v),
           fmt::format("{:.2f}", point.rowsPerSecond() / sweep.points.front().rowsPerSecond())});
      item.dots.push_back(
          {nameOf(sweep, point), static_cast<double>(point.v), point.totalUs() / point.v, ""});
    }
}

void fillBandwidth(PaperBench &bench, PaperItem &item) {
  for (const CaseSweep &sweep : bench.sweeps())
    for (const SweepPoint &point : sweep.points)
      if (point.way != "single runs" && point.way != "tables") // these move other bytes
        item.dots.push_back(
            {nameOf(sweep, point), static_cast<double>(point.v),
             point.answeredPerSecond() * static_cast<double>(sweep.movedBytes) * 1e-9, ""});
}

void fillKernels(PaperBench &bench, PaperItem &item) {
  for (const CaseSweep &sweep : bench.sweeps())
    for (const SweepPoint &point : sweep.points)
      item.dots.push_back(
          {nameOf(sweep, point), static_cast<double>(point.v), point.runUs / point.v, ""});
}

} // namespace

const Paper &pdp11Paper() {
  static const Paper kPaper{
      "pdp11",
      "Motokubota, Ino, Hagihara: Accelerating Parameter Sweep Applications Using CUDA (PDP 2011)",
      {
          {"table 1",
           "what the applications read and write for one parameter: own data T, common data D, "
           "output O",
           "the same of one case of each network. The paper's applications are no sums of "
           "products.",
           {},
           fillOverview},
          {"figure 6",
           "time of the parts of v parameters at once beside the naive loop, one by one",
           "microseconds a case: interleaving and copying its row, answering, fetching the answer. "
           "'single runs' is the naive loop; v is the number of cases at a time.",
           {"v: cases at a time", "us a case, with all copies"},
           fillCaseParts},
          {"figure 7",
           "effective bandwidth of the kernels",
           "bytes that the steps of all cases read and write, entry by entry, over the time of "
           "answering. Caches serve most of them, so this may exceed the memory's bandwidth.",
           {"v: cases at a time", "10^9 bytes / s"},
           fillBandwidth},
          {"figure 8",
           "kernel time of the naive scheme, of the same in the smaller blocks of the proposed "
           "scheme, and of that",
           "the time of answering alone, by way. On a GPU 'threads' has a thread for each case, "
           "'teams' warps for 32 cases; on a CPU there are no blocks to be made smaller.",
           {"v: cases at a time", "us a case, answering alone"},
           fillKernels},
      }};
  return kPaper;
}

} // namespace mpf::bench
