// The sources of cases: a file, a pipe, a list in memory, arrays of a host program. All are read
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

/// The treatment of a row that cannot be understood.
enum class OnBadRow {
  Stop, ///< the list ends before it with an error
  Skip, ///< it becomes a case without an answer (CaseBlock::skipped)
};

struct CaseReading {
  OnBadRow onBadRow = OnBadRow::Stop;
  unsigned threads = 1; ///< number of threads that may parse at the same time
};

/// The rows that were skipped so far.
struct BadRows {
  static constexpr size_t kMostMessages = 10;
  uint64_t count = 0;
  std::vector<std::string> messages; ///< about the first ones, with their places in the text
  std::vector<uint64_t> cases;       ///< number of the case of each message; ascending
  bool isCut = false;                ///< some messages were left out

  /// Counts case `number`, which comes after those before. `textOf` makes its message, if it is
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
  /// Adds the rows that another reader of the same list has skipped. Keeps the messages of the
  /// first cases of both.
  void add(const BadRows &others);

private:
  /// Reserves memory first, so that either both vectors grow or neither does.
  void reserve(size_t most) {
    messages.reserve(most);
    cases.reserve(most);
  }
};

/// The result of reading a block at its place, besides its cases.
struct BlockReport {
  BadRows skipped;
  std::exception_ptr end; ///< why the list ends after the cases of the block; null: it goes on
};

/// A part of a case, for messages: all of it, one of its params, or one of its weights
/// (CaseSchema::firstWeight).
struct CaseField {
  enum class Of { Case, Param, Weight };
  Of of = Of::Case;
  size_t index = 0; ///< index of the param or of the weight
};

/// The place of a case in its source, for messages.
struct CasePlace {
  std::string what;            ///< "case 6", "row 5" of a list that is no text
  uint64_t line = 0;           ///< line of the text, from 1; 0: no text, or unknown
  std::string text;            ///< that line; empty: it cannot be read again
  uint32_t begin = 0, end = 0; ///< in `text`
};

/// Approximate bytes of text that the cases of a block keep: a block with so much gets no more
/// cases.
inline constexpr size_t kMostKeptBytes = size_t{1} << 20;

/// A list that is read once. next() reads block after block. If rows have known places, readAt()
/// may be called from any number of threads. Otherwise one thread at a time may use it, except for
/// cancel().
class CaseSource {
public:
  virtual ~CaseSource() = default;

  virtual const std::string &name() const = 0; ///< name of the list, for messages
  virtual const CaseSchema &schema() const = 0;
  /// Returns the number of cases, if it is known before they are read.
  virtual std::optional<uint64_t> caseCount() const { return std::nullopt; }
  /// Returns the approximate number of cases: exact, or estimated from the size of a file.
  virtual std::optional<uint64_t> likelyCount() const { return caseCount(); }

  /// Sets how rows are read; call it before next(). Without it one thread reads them, up to the
  /// first bad row.
  virtual void begin(const CaseReading &) {}
  /// Fills `block` with the next cases, at most block.pitch(). It was made for schema(), or for one
  /// with more tables. It gets fewer cases at the end of the list, if they keep much text
  /// (kMostKeptBytes), and when a pipe pauses. Returns false, with an empty block, when the list
  /// has ended. Throws Error for a list that cannot be read; blocks returned before stay valid.
  virtual bool next(CaseBlock &block) = 0;

  /// Whether rows have known places, and each makes one case; caseCount() is then known.
  virtual bool hasPlaces() const { return false; }
  /// Fills `block`, made as for next(), with the cases from number `first` on. It gets fewer than
  /// fit only at the end of the list, or if report.end explains why the list ends there.
  /// Thread-safe. Requires hasPlaces().
  virtual void readAt(uint64_t first, CaseBlock &block, BlockReport &report) const;
  /// Returns the rows if a device can transpose and check them; null: the host must read them.
  virtual const ByteRows *byteRows() const { return nullptr; }
  /// Counts the skipped rows of a block that readAt() has read; call it in the order of blocks.
  void addSkipped(const BadRows &skipped);

  virtual const BadRows &badRows() const { return badRows_; }

  /// Throws Error(kind) about param number `param` of the schema, with the place where the list
  /// names it if the list is a text.
  [[noreturn]] virtual void failAtParam(size_t param, ErrorKind kind,
                                        const std::string &message) const {
    fail(kind, "{}: param {}: {}", name(), schema().params[param], message);
  }

  /// Returns the place of case `number`, which next() gave, and of `field` in it. Without
  /// hasPlaces(), places of cases are known only until they are answered. Thread-safe, while
  /// another thread calls next().
  virtual CasePlace placeOf(uint64_t number, const CaseField & /*field*/) const {
    return {fmt::format("case {}", number + 1), 0, {}, 0, 0};
  }

  /// Ends the list: a next() that waits for rows, and every later one, soon returns false. Any
  /// thread may call it.
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
