#include "runtime/simt/check_kernel.h"

#include "runtime/simt/form_reference.h"
#include "runtime/simt/random_tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace mpf::simt {

namespace {

/// The number of wrong entries that are reported: a wrong kernel is wrong in many.
constexpr size_t kMostWrongEntries = 3;
/// An exponent so large that no type holds products of such numbers.
constexpr int32_t kWideExponent = 1'000'000;

class Judge {
public:
  Judge(const TestKernel &kernel, const KernelRun &run, KernelCheck &check)
      : kernel_(kernel), plan_(kernel.header()), semiring_(kernel.operation.semiring), run_(run),
        check_(check) {}

  void judgeAccesses() {
    for (const Fault &fault : run_.report.faults)
      check_.faults.push_back(problemOf(fault));
    for (const Site &site : kernel_.kernel.sites) {
      const auto found = run_.report.sites.find(site.number);
      if (site.conflictFree && found != run_.report.sites.end() &&
          found->second.conflictRatio() != 1)
        check_.conflicts.push_back(
            {site.number, fmt::format("bank conflicts at {}: {:.2f} wavefronts where one would do",
                                      site.object, found->second.conflictRatio())});
    }
  }

  /// Compares the result. `required`: the entries that must have been written; empty: all.
  void judgeEntries(const std::vector<long double> &expected, const std::vector<bool> &required) {
    const bool single = plan_.type == ElementType::F32;
    // 2^x and log2 of doubles are polynomials good to some 1e-13 (preamble/mpf_mantissa.cuh).
    const bool log = plan_.valueForm == ValueForm::Log || semiring_.reduce == Reduce::LogSum;
    const double tolerance = isIntegerType(plan_.type) ? 0 : single ? 3e-5 : log ? 5e-13 : 1e-13;
    const std::vector<long double> values = run_.result.values();
    size_t wrong = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      const bool isWritten = run_.written[i];
      const bool isRight =
          values[i] == expected[i] ||
          std::abs(values[i] - expected[i]) <= tolerance * std::max(1.0L, std::abs(expected[i]));
      const bool isRequired = required.empty() || required[i];
      if (isRight || (!isWritten && !isRequired) || ++wrong > kMostWrongEntries)
        continue;
      check_.faults.push_back(
          {0, isWritten
                  ? fmt::format("entry {} of the result is {}, it should be {}", i,
                                static_cast<double>(values[i]), static_cast<double>(expected[i]))
                  : fmt::format("entry {} of the result is not written", i)});
    }
    if (wrong > kMostWrongEntries)
      check_.faults.push_back(
          {0, fmt::format("{} entries in all are wrong, of {}", wrong, values.size())});
  }

  /// Compares the exponents that the kernel recorded with those of the stored entries.
  void judgeState() {
    const TableState &state = run_.result.state;
    if (!isIntegerType(plan_.type) && semiring_.combine != Combine::Times &&
        semiring_.reduce != Reduce::LogSum) {
      if (state.scale != 0)
        check_.faults.push_back({0, fmt::format("scale {} of a table of sums", state.scale)});
      return;
    }
    int32_t least = INT32_MAX, greatest = INT32_MIN;
    for (size_t i = 0; i < run_.result.entries.size(); ++i) {
      const double entry = run_.result.entries[i];
      if (!run_.written[i] || (plan_.valueForm == ValueForm::Log ? std::isinf(entry) : entry == 0))
        continue;
      const int32_t exponent = plan_.valueForm == ValueForm::Log
                                   ? static_cast<int32_t>(std::floor(entry))
                                   : std::ilogb(entry);
      least = std::min(least, exponent);
      greatest = std::max(greatest, exponent);
    }
    // Recorded exponents may be lower by one. Kernels that sum mantissas record a sum before its
    // logarithm is rounded, and lost sums too. Kernels of type f64 read the upper word of a
    // logarithm, which takes -1 for less than -1.
    const bool words = plan_.valueForm == ValueForm::Log && plan_.type == ElementType::F64;
    const bool allZero = least > greatest;
    const int32_t slack = !allZero && (plan_.logSum != LogSum::Running || words) ? 1 : 0;
    const bool isRight = state.minExponent <= least && state.minExponent >= least - slack &&
                         state.maxExponent <= greatest && state.maxExponent >= greatest - slack;
    if (!isRight)
      check_.faults.push_back(
          {0, fmt::format("recorded exponents {} to {}, those of the result are {} to {}",
                          state.minExponent, state.maxExponent, least, greatest)});
    if (state.form != (plan_.valueForm == ValueForm::Log ? 1 : 0))
      check_.faults.push_back({0, fmt::format("recorded form {}", state.form)});
  }

private:
  const TestKernel &kernel_;
  const KernelHeader &plan_;
  const Semiring semiring_;
  const KernelRun &run_;
  KernelCheck &check_;
};

/// True if the kernel wrote no entry and recorded no exponents.
bool isUntouched(const KernelRun &run) {
  return std::ranges::find(run.written, true) == run.written.end() && run.result.state.allZero();
}

/// Returns the blocks to run: the first, the last, and a random one of each of equal parts of the
/// grid. Empty: all.
std::vector<uint32_t> blocksOf(const TestKernel &kernel, uint64_t mostTerms,
                               std::mt19937_64 &random) {
  const uint64_t blocks = kernel.header().launch.gridBlocks;
  const DigitForm &form = kernel.operation;
  const double terms =
      static_cast<double>(form.keptAddresses()) * static_cast<double>(form.reducedAddresses());
  const double affordable = std::max(3.0, static_cast<double>(mostTerms) / std::max(1.0, terms) *
                                              static_cast<double>(blocks));
  if (affordable >= static_cast<double>(blocks))
    return {};
  const auto parts = static_cast<uint64_t>(affordable);
  std::vector<uint32_t> chosen = {0};
  for (uint64_t part = 1; part + 1 < parts; ++part) {
    const uint64_t begin = blocks / parts * part;
    chosen.push_back(static_cast<uint32_t>(begin + random() % (blocks / parts)));
  }
  chosen.push_back(static_cast<uint32_t>(blocks - 1));
  return chosen;
}

} // namespace

KernelCheck checkKernel(KernelSuite &suite, size_t number, const KernelCheckOptions &options) {
  const TestKernel &kernel = suite.kernel(number);
  std::mt19937_64 random(options.seed);
  const RandomOperands operands = randomOperands(kernel, random);
  const std::vector<uint32_t> blocks = blocksOf(kernel, options.mostTerms, random);
  // One seed in three waits at the kernel's end, which shows threads that end too early.
  const WaitPoint wait = !startsByWaiting(kernel.kernel.text) ? WaitPoint::Begin
                         : options.seed % 3 == 2              ? WaitPoint::End
                                                              : WaitPoint::Stores;
  KernelCheck check;
  check.blocksRun = blocks.empty() ? kernel.header().launch.gridBlocks : blocks.size();
  const KernelRun run = suite.run(number, operands.tables, kRunAlways, wait, blocks);
  DigitForm form = kernel.operation;
  form.semiring = semiringOfNumbers(form.semiring);
  std::vector<bool> required; // all
  if (!blocks.empty())
    required = options.emitted != nullptr
                   ? options.emitted->run(number, operands.tables, kRunAlways, wait, blocks).written
                   : run.written;
  std::vector<bool> wanted = required;
  for (size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = wanted[i] || run.written[i];
  Judge judge(kernel, run, check);
  judge.judgeAccesses();
  check.report = run.report;
  if (run.report.has(FaultKind::EndlessLoop))
    return check; // a stopped kernel cannot have written all
  judge.judgeEntries(evaluateForm(form, operands.values, wanted), required);
  judge.judgeState();
  return check;
}

KernelCheck checkRefusals(KernelSuite &suite, size_t number, const KernelCheckOptions &options) {
  const TestKernel &kernel = suite.kernel(number);
  std::mt19937_64 random(options.seed);
  const RandomOperands operands = randomOperands(kernel, random);
  const std::vector<uint32_t> blocks = blocksOf(kernel, options.mostTerms, random);
  KernelCheck check;
  check.blocksRun = blocks.empty() ? kernel.header().launch.gridBlocks : blocks.size();
  std::vector<KernelTable> wide = operands.tables, linear;
  for (KernelTable &table : wide) {
    table.state.minExponent = -kWideExponent;
    table.state.maxExponent = kWideExponent;
  }
  for (const std::vector<double> &values : operands.values)
    linear.push_back(KernelTable::linear(values, kernel.header().type));
  for (const std::vector<KernelTable> &tables : {wide, linear}) {
    const auto run = [&](KernelSuite &kernels) {
      return kernels.run(number, tables, kRunIfExact, WaitPoint::Begin, blocks);
    };
    if (!isUntouched(run(*options.emitted)))
      continue;
    const KernelRun found = run(suite);
    Judge(kernel, found, check).judgeAccesses();
    if (!isUntouched(found) && !found.report.has(FaultKind::EndlessLoop))
      check.faults.push_back({0, "it writes although its operands' ranges leave the operation to "
                                 "another kernel (mode & MPF_IF_EXACT)"});
    check.report = found.report;
  }
  return check;
}

} // namespace mpf::simt
