#include "runtime/c/case_arrays.h"

#include "runtime/c/call.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace mpf::c {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Returns the numbers of a row of an array.
template <class Item> Item *rowOf(const mpf_answer &array, uint64_t row) {
  return reinterpret_cast<Item *>(static_cast<char *>(array.data) +
                                  static_cast<int64_t>(row) * array.stride_bytes);
}

const CaseTable &tableOf(const CaseAnswers &answers, const mpf_answer &array) {
  if (array.table == nullptr)
    return answers.tables.front();
  const CaseTable *found = nullptr;
  for (const CaseTable &table : answers.tables) { // a variable may be called "evidence" too
    if (table.name != array.table)
      continue;
    if (found != nullptr && found->size == table.size)
      fail(ErrorKind::Usage, "the answers have two tables {} of {} entries", table.name,
           table.size);
    if (found == nullptr || table.size == array.entries)
      found = &table;
  }
  if (found == nullptr)
    fail(ErrorKind::Usage, "the answers have no table {}", array.table);
  return *found;
}

void requireEntries(const mpf_answer &array, size_t entries, std::string_view what) {
  if (array.entries != entries)
    fail(ErrorKind::Usage, "{} has {} numbers in a row, the array has {}", what, entries,
         array.entries);
}

/// Whether the evidence of a case is impossible, so that the table is no posterior.
bool isImpossible(const CaseTable &table, uint32_t i) {
  const double *const entries = table.entries.data() + i * table.size;
  return table.normalised &&
         std::all_of(entries, entries + table.size, [](double entry) { return entry == 0; });
}

void writeTable(const CaseAnswers &answers, uint64_t first, const mpf_answer &array) {
  const CaseTable &table = tableOf(answers, array);
  requireEntries(array, table.size, table.name);
  for (uint32_t i = 0; i < answers.count; ++i) {
    double *const to = rowOf<double>(array, first + i);
    if (isImpossible(table, i))
      std::fill_n(to, table.size, kNone);
    else
      for (size_t e = 0; e < table.size; ++e)
        to[e] = table.isUndefined(i, e)  ? kNone
                : array.kind == MPF_LOGS ? table.lnAt(i, e)
                                         : table.at(i, e).nearest();
  }
}

void writeStates(const CaseAnswers &answers, uint64_t first, size_t variables,
                 const mpf_answer &array) {
  if (answers.variables == 0)
    fail(ErrorKind::Usage, "the query decodes no states");
  requireEntries(array, variables, "an assignment");
  for (uint32_t i = 0; i < answers.count; ++i) {
    const uint32_t *const from = answers.states.data() + i * answers.variables;
    static_assert(static_cast<int32_t>(CaseAnswers::kNoState) == -1);
    std::transform(from, from + variables, rowOf<int32_t>(array, first + i),
                   [](uint32_t state) { return static_cast<int32_t>(state); });
  }
}

} // namespace

void requireArrays(std::span<const mpf_answer> arrays, bool hasRows) {
  for (const mpf_answer &array : arrays) {
    if (array.kind != MPF_VALUES && array.kind != MPF_LOGS && array.kind != MPF_STATES)
      fail(ErrorKind::Usage, "there is no kind of answers {}", array.kind);
    const int64_t alignment = array.kind == MPF_STATES ? alignof(int32_t) : alignof(double);
    if (array.stride_bytes % alignment != 0 ||
        reinterpret_cast<intptr_t>(array.data) % alignment != 0)
      fail(ErrorKind::Usage, "rows of answers at {}, {} bytes apart: multiples of {} are needed",
           array.data, array.stride_bytes, alignment);
    if (hasRows)
      required(array.data, "the data of an array of answers");
  }
}

void writeAnswers(const CaseAnswers &answers, uint64_t first, size_t variables,
                  std::span<const mpf_answer> arrays) {
  for (const mpf_answer &array : arrays)
    if (array.kind == MPF_STATES)
      writeStates(answers, first, variables, array);
    else
      writeTable(answers, first, array);
}

} // namespace mpf::c
