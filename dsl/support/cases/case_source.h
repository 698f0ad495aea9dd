// Where cases come from: a file, a pipe, a list in memory, arrays of a host program. All are read
// block after block, so that lists may be larger than memory.
#pragma once

#include "dsl/support/cases/byte_rows.h"
#include "dsl/support/cases/case_block.h"
#include "dsl/support/check.h"
#include "dsl/support/error.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

/// What becomes of a row that cannot be understood.
enum class OnBadRow {
  Stop, ///< the list ends there with an error; the rows before it are cases
  Skip, ///< it keeps its place, as a case without an answer (CaseBlock::skipped)
};

struct CaseReading {
  OnBadRow onBadRow = OnBadRow::Stop;
  unsigned threads = 1; ///< that may parse at the same time
};

/// Rows that were skipped so far.
struct BadRows {
  static constexpr size_t kMostMessages = 10;
  uint64_t count = 0;
  std::vector<std::string> messages; ///< of the first ones, with their places in the text
  std::vector<uint64_t> cases;       ///< by message: the number of its case; ascending
  bool isCut = false;                ///< some messages were left out

  /// Counts case `number`, which is behind those before. `textOf` makes its message, if that is
  /// kept.
  template <class TextOf> void add(uint64_t number, TextOf &&textOf) {
    ++count;
    isCut |= messages.size() == kMostMessages;
    if (isCut)
      return;
    std::string text = textOf();
    reserve(kMostMessages);
    messages.push_back(std::move(text));
    cases.push_back(number);
  }
  /// Adds those that another reader of the same list has skipped: the messages are those of the
  /// first cases of both.
  void add(const BadRows &others);

private:
  /// Then both have memory, or neither changes.
  void reserve(size_t most) {
    messages.reserve(most);
    cases.reserve(most);
  }
};

/// What a block that was read at its place says besides its cases.
struct BlockReport {
  BadRows skipped;
  std::exception_ptr end; ///< why the list ends behind the cases of the block; null: it goes on
};

/// What a case sets, for messages: all of it, one of its params, or one of its weights
/// (CaseSchema::firstWeight).
struct CaseField {
  enum class Of { Case, Param, Weight };
  Of of = Of::Case;
  size_t index = 0; ///< of the params, of the weights
};

/// Where a case stands, for messages.
struct CasePlace {
  std::string what;            ///< "case 6", "row 5": in a list that is no text
  uint64_t line = 0;           ///< in the text, from 1; 0: it is none, or that is not known
  std::string text;            ///< that line; empty: it cannot be read again
  uint32_t begin = 0, end = 0; ///< in `text`
};

/// Text that the cases of a block keep, about: no case is added to a block that has so much.
inline constexpr size_t kMostKeptBytes = size_t{1} << 20;

/// A list that is read once: block after block by next(), or, where its rows have known places, by
/// readAt(), which any number of threads may call. Else one thread at a time, but for cancel().
class CaseSource {
public:
  virtual ~CaseSource() = default;

  virtual const std::string &name() const = 0; ///< of the list, for messages
  virtual const CaseSchema &schema() const = 0;
  /// The number of cases, where that is known before they are read.
  virtual std::optional<uint64_t> caseCount() const { return std::nullopt; }
  /// About so many cases: their number, or what the size of a file says of it.
  virtual std::optional<uint64_t> likelyCount() const { return caseCount(); }

  /// How the rows are read; without it by one thread, up to the first bad row. Before next().
  virtual void begin(const CaseReading &) {}
  /// Fills `block`, which was made for schema(), or for one with more tables, with the next cases,
  /// block.pitch() at most; fewer at the end of the list, where they keep much text
  /// (kMostKeptBytes), and where a pipe pauses. False: the list has ended,
  /// and the block is empty. Throws Error for what cannot be read; what was returned before stays
  /// right.
  virtual bool next(CaseBlock &block) = 0;

  /// Whether rows have known places, and each makes one case: then caseCount() is known.
  virtual bool hasPlaces() const { return false; }
  /// Fills `block`, made as that of next(), with the cases from number `first` on: all that it has
  /// room for, fewer only at the end of the list, or where report.end says why it ends there.
  /// Thread-safe. Only where hasPlaces().
  virtual void readAt(uint64_t first, CaseBlock &block, BlockReport &report) const;
  /// The rows themselves, where a device can turn and check them; null: they are to be read.
  virtual const ByteRows *byteRows() const { return nullptr; }
  /// Counts the rows that were skipped in a block that readAt() has read; block after block.
  void addSkipped(const BadRows &skipped);

  virtual const BadRows &badRows() const { return badRows_; }

  /// Throws Error(kind) about param number `param` of the schema, with the place where the list
  /// names it if it is a text.
  [[noreturn]] virtual void failAtParam(size_t param, ErrorKind kind,
                                        const std::string &message) const {
    fail(kind, "{}: param {}: {}", name(), schema().params[param], message);
  }

  /// The place of case `number` of the list, which next() gave, and in it of what `field` is.
  /// Without hasPlaces() it is known for a while: of cases that are still on their way to an
  /// answer. Thread-safe, while another thread calls next().
  virtual CasePlace placeOf(uint64_t number, const CaseField & /*field*/) const {
    return {fmt::format("case {}", number + 1), 0, {}, 0, 0};
  }

  /// Makes a next() that waits for rows, and every later one, come to its end soon: the list ends,
  /// wherever it was. Any thread may call it.
  virtual void cancel() {}

protected:
  BadRows badRows_;
};

inline void CaseSource::readAt(uint64_t, CaseBlock &, BlockReport &) const {
  MPF_UNREACHABLE("the rows of {} have no places", name());
}

inline void BadRows::add(const BadRows &others) {
  count += others.count;
  isCut |= others.isCut || messages.size() + others.messages.size() > kMostMessages;
  reserve(messages.size() + others.messages.size());
  for (size_t i = 0; i < others.messages.size(); ++i) {
    std::string text = others.messages[i];
    const auto at = std::ranges::upper_bound(cases, others.cases[i]) - cases.begin();
    cases.insert(cases.begin() + at, others.cases[i]);
    messages.insert(messages.begin() + at, std::move(text));
  }
  cases.resize(std::min(cases.size(), kMostMessages));
  messages.resize(cases.size());
}

inline void CaseSource::addSkipped(const BadRows &skipped) { badRows_.add(skipped); }

} // namespace mpf
