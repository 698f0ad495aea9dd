#include "dsl/model/judge_rows.h"

#include "dsl/model/divided_table.h"
#include "dsl/support/numbers/scaled_text.h"
#include "dsl/support/numbers/table_number.h"

namespace mpf {

namespace {

/// The most rows reported per table: a systematic error would hide all other messages.
constexpr int kMostRowsReported = 5;

} // namespace

void RowJudge::Kind::add(const RowFault &fault, const RowTable &table) {
  if (count++ != 0 && !isFartherFromOne(fault.sum, worst.sum))
    return;
  worst = fault;
  described = table.describeRow(fault.row);
}

bool RowJudge::isUndivided(const RowFault &fault, const RowTable &table) const {
  return rule_.divides && table.isFormula && fault.isDivisible();
}

void RowJudge::take(const RowFault &fault, const RowTable &table, JudgedRows &judged) {
  if (fault.isWithin(kRowSumTolerance)) // a division was tried
    return;
  (fault.negative ? negative_ : taken_).add(fault, table);
  judged.areTaken &= fault.isRounding();
  judged.farRows += fault.isRounding() || fault.negative ? 0 : 1;
}

void RowJudge::refuse(const RowFault &fault, const RowTable &table) {
  const DescribedRow row = table.describeRow(fault.row);
  Diagnostic error{Severity::Error, row.place, {}, {}};
  if (fault.negative) {
    const StoredValues values(table.stored, table.elems);
    error.message =
        fmt::format("{} has the negative probability {}", row.text,
                    formatScaled(values.at(fault.row * table.childExtent + *fault.negative)));
  } else if (isUndivided(fault, table)) {
    error.message = fmt::format("{} sums to {}, and follows from params that cases set: it cannot "
                                "be divided once for all cases",
                                row.text, fault.sumText());
    error.hint = "write the division into the expression";
  } else if (rule_.divides && fault.isDivisible()) {
    error.message = fmt::format("{} sums to {}, and a share of that is beyond what tables hold: {}",
                                row.text, fault.sumText(), tableRangeText());
  } else {
    error.message = fmt::format("{} sums to {}, it must be 1", row.text, fault.sumText());
    error.hint = fault.isDivisible()
                     ? rule_.hintForRefused
                     : "write a distribution there, a uniform one where nothing is known";
  }
  diagnostics_.report(std::move(error));
}

JudgedRows RowJudge::judge(const RowTable &table) {
  JudgedRows judged;
  const StoredValues values(table.stored, table.elems);
  const bool divides = rule_.divides && !table.isFormula;
  const double tolerance = divides ? 0 : kRowSumTolerance;
  DividedTable divided(table.stored, table.elems, table.childExtent);
  int reported = 0;
  for (auto fault = findRowFault(values, table.childExtent, 0, tolerance); fault;
       fault = findRowFault(values, table.childExtent, fault->row + 1, tolerance)) {
    const bool isCounts =
        rule_.dividesBeyond && !table.isFormula && !fault->isWithin(*rule_.dividesBeyond);
    if ((divides || isCounts) && fault->isDivisible() && divided.divide(fault->row)) {
      if (!fault->isWithin(kRowSumTolerance))
        divided_.add(*fault, table);
    } else if ((fault->isRounding() || !rule_.hintForFar.empty()) && !isUndivided(*fault, table)) {
      take(*fault, table, judged);
    } else if (reported++ < kMostRowsReported) {
      refuse(*fault, table);
    } else {
      const DescribedRow whole = table.describe();
      diagnostics_.note(whole.place, "further rows of {} are wrong too", whole.text);
      break;
    }
  }
  if (divided.isDivided())
    judged.divided = divided.take();
  return judged;
}

void RowJudge::report() {
  const auto text = [](const Kind &kind, const char *one, const char *several) {
    return kind.count == 1
               ? fmt::format("{} sums to {}, not to 1, and {}", kind.described.text,
                             kind.worst.sumText(), one)
               : fmt::format("{} rows of conditional tables do not sum to 1 and {}; the worst, {}, "
                             "sums to {}",
                             kind.count, several, kind.described.text, kind.worst.sumText());
  };
  if (taken_.count != 0) {
    std::string hint(taken_.worst.isRounding() ? "" : rule_.hintForFar);
    if (!rule_.divides) // a row that is still taken cannot be divided
      hint += std::string(hint.empty() ? "" : "; ") + std::string(rule_.hintForTaken);
    diagnostics_.report({Severity::Warning, taken_.described.place,
                         text(taken_, "is taken as it is", "are taken as they are"),
                         std::move(hint)});
  }
  if (negative_.count == 1)
    diagnostics_.warning(negative_.described.place,
                         "{} has an entry below 0, and is taken as it is",
                         negative_.described.text);
  if (negative_.count > 1)
    diagnostics_.warning(negative_.described.place,
                         "{} rows of conditional tables have an entry below 0 and are taken as "
                         "they are; one is {}",
                         negative_.count, negative_.described.text);
  if (divided_.count != 0)
    diagnostics_.note(divided_.described.place, "{}",
                      text(divided_, "is divided by its sum", "are divided by their sums"));
  taken_ = negative_ = divided_ = {};
}

} // namespace mpf
