#include "runtime/execute/own/own_text.h"

#include "dsl/support/check.h"
#include "dsl/support/code_writer.h"
#include "dsl/support/hash.h"

#include <map>
#include <tuple>

namespace mpf {

namespace {

/// Stands for the function's name, which is a hash of the rest.
constexpr std::string_view kNameHere = "@";

/// Lanes [first, first + count) of a block, one vector.
struct OwnVector {
  uint64_t first = 0, count = 0;
};

class OwnWriter {
public:
  explicit OwnWriter(const OwnPlan &plan)
      : plan_(plan), width_(kOwnVectorBytes / elementBytes(plan.type)),
        termCount_(addressCount(plan.terms)) {}

  std::string function() {
    const std::string_view type = plan_.type == ElementType::F32 ? "float" : "double";
    out_.line("extern \"C\" void {}(const {} *const *operands, {} *result,", kNameHere, type, type);
    out_.open(fmt::format("    {} factor, unsigned long begin, unsigned long end, {} *range)", type,
                          type));
    out_.line("typedef {} T;", type);
    for (uint64_t count = 2; count <= width_; count *= 2)
      out_.line("typedef MpfVector<T, {0}>::V V{0};", count);
    out_.line("MpfRange<T, {}> seen;", width_);
    out_.open("for (unsigned long piece = begin; piece < end; ++piece)");
    decodePiece();
    openDigits(plan_.outer, "o");
    declarePointers("At", [&](size_t s) { return offsetText(s); });
    blocks();
    for (size_t i = 0; i < plan_.outer.size() + 1; ++i)
      out_.close();
    out_.text("seen.store(range);");
    out_.close();
    return out_.finish();
  }

private:
  static std::string table(size_t slot) { return fmt::format("t{}", slot); }
  bool plus() const {
    return plan_.algebra == Algebra::MaxPlus || plan_.algebra == Algebra::MinPlus;
  }
  std::string combined(const std::string &a, const std::string &b) const {
    return a.empty() ? b : fmt::format("{} {} {}", a, plus() ? "+" : "*", b);
  }
  std::string reduced(const std::string &a, const std::string &b) const {
    switch (plan_.algebra) {
    case Algebra::SumTimes:
      return fmt::format("{} + {}", a, b);
    case Algebra::MaxTimes:
    case Algebra::MaxPlus:
      return fmt::format("mpfMax({}, {})", a, b);
    default:
      return fmt::format("mpfMin({}, {})", a, b);
    }
  }
  std::string identity() const {
    switch (plan_.algebra) {
    case Algebra::SumTimes:
    case Algebra::MaxTimes: // entries are not negative
      return "0";
    case Algebra::MaxPlus:
      return "-seen.kInfinity";
    default:
      return "seen.kInfinity";
    }
  }

  void decodePiece() {
    uint64_t divisor = plan_.lanePieces();
    if (divisor > 1)
      out_.line("const unsigned long first = piece % {} * {};", divisor, plan_.pieceLanes);
    for (size_t d = plan_.pieces.size(); d-- > 0;) {
      const uint64_t extent = plan_.pieces[d].extent;
      out_.line("const unsigned long p{} = piece / {} % {};", d, divisor, extent);
      divisor *= extent;
    }
  }

  void openDigits(std::span<const LoopDigit> digits, std::string_view letter) {
    for (size_t d = 0; d < digits.size(); ++d)
      out_.open(fmt::format("for (unsigned long {0}{1} = 0; {0}{1} < {2}; ++{0}{1})", letter, d,
                            digits[d].extent));
  }

  static void addDigits(std::span<const LoopDigit> digits, std::string_view letter, size_t slot,
                        std::string &text) {
    for (size_t d = 0; d < digits.size(); ++d)
      if (const uint64_t stride = digits[d].strides[slot]; stride != 0)
        text += fmt::format("{}{}{} * {}", text.empty() ? "" : " + ", letter, d, stride);
  }
  std::string offsetText(size_t slot) const {
    std::string text;
    addDigits(plan_.pieces, "p", slot, text);
    addDigits(plan_.outer, "o", slot, text);
    return text;
  }

  /// `tN` + suffix for all slots; the offset of an empty text is left out.
  template <class Offset> void declarePointers(std::string_view suffix, const Offset &offset) {
    for (size_t s = 0; s <= plan_.operandCount; ++s) {
      const bool result = s == plan_.resultSlot();
      const std::string from = result ? "result" : fmt::format("operands[{}]", s);
      const std::string text = offset(s);
      out_.line("{}T *const {}{} = {}{}{};", result ? "" : "const ", table(s), suffix, from,
                text.empty() ? "" : " + ", text);
    }
  }

  /// All blocks of the lanes of one piece.
  void blocks() {
    const uint64_t lanes = plan_.laneCount(), whole = lanes / plan_.blockLanes;
    const uint64_t rest = lanes % plan_.blockLanes;
    if (whole <= 1 && rest == 0)
      return block(lanes, "");
    MPF_CHECK(plan_.lanes.size() == 1, "{} blocks of {} digits", whole, plan_.lanes.size());
    const bool cut = plan_.lanePieces() > 1;
    const uint64_t wholeLanes = whole * plan_.blockLanes;
    std::string last = std::to_string(wholeLanes);
    if (cut) {
      out_.line("const unsigned long last = first + {0} < {1} ? first + {0} : {1};",
                plan_.pieceLanes, wholeLanes);
      last = "last";
    }
    out_.open(fmt::format("for (unsigned long v = {}; v < {}; v += {})", cut ? "first" : "0", last,
                          plan_.blockLanes));
    block(plan_.blockLanes, "v");
    out_.close();
    if (rest == 0)
      return;
    out_.open(cut ? fmt::format("if (first + {} >= {})", plan_.pieceLanes, lanes) : "");
    block(rest, std::to_string(wholeLanes));
    out_.close();
  }

  /// The results of `lanes` neighbours from `start` on, for all of the inner digit.
  void block(uint64_t lanes, const std::string &start) {
    vectors_.clear();
    for (uint64_t first = 0; first < lanes;) {
      uint64_t count = width_;
      while (first + count > lanes)
        count /= 2;
      vectors_.push_back({first, count});
      first += count;
    }
    scopes_.assign(1, {});
    pointers_.clear();
    for (size_t s = 0; s <= plan_.operandCount; ++s)
      pointers_.push_back(table(s) + "At");
    if (!start.empty())
      for (size_t s = 0; s <= plan_.operandCount; ++s)
        movePointer(s, "Lane", start, plan_.lanes.front().strides[s]);
    if (plan_.sums.empty())
      shortSums();
    else
      longSums();
  }

  void movePointer(size_t slot, std::string_view suffix, const std::string &index,
                   uint64_t stride) {
    if (stride == 0)
      return;
    const std::string name = fmt::format("{}{}", table(slot), suffix);
    out_.line("{}T *const {} = {} + {} * {};", slot == plan_.resultSlot() ? "" : "const ", name,
              pointers_[slot], index, stride);
    pointers_[slot] = name;
  }

  bool byTerm(size_t slot) const {
    return OwnPlan::moves(plan_.sums, slot) || OwnPlan::moves(plan_.terms, slot);
  }
  bool byInner(size_t slot) const { return plan_.inner.strides[slot] != 0; }
  bool byLane(size_t slot) const { return OwnPlan::moves(plan_.lanes, slot); }

  /// What is the same for all of the inner digit is loaded and multiplied before its loop.
  void shortSums() {
    const uint64_t turns = plan_.inner.extent / plan_.innerCopies;
    if (turns > 1) {
      for (size_t v = 0; v < vectors_.size(); ++v) {
        for (uint64_t term = 0; term < termCount_; ++term)
          product(v, term, 0, true, false);
        product(v, 0, 0, false, false);
      }
      openInner(turns);
    }
    for (uint64_t copy = 0; copy < plan_.innerCopies; ++copy)
      for (size_t v = 0; v < vectors_.size(); ++v) {
        const std::string sum = fmt::format("s{}_{}", copy, v);
        for (uint64_t term = 0; term < termCount_; ++term) {
          const std::string value = termValue(v, term, copy);
          if (term == 0)
            out_.line("{} {} = {};", vectorType(v), sum, value);
          else
            out_.line("{} = {};", sum, reduced(sum, value));
        }
        store(v, copy, sum);
      }
    if (turns > 1)
      closeInner();
  }

  /// Accumulators of all copies stay in registers over the loops of the sum.
  void longSums() {
    const uint64_t turns = plan_.inner.extent / plan_.innerCopies;
    if (turns > 1)
      openInner(turns);
    for (uint64_t copy = 0; copy < plan_.innerCopies; ++copy)
      for (size_t v = 0; v < vectors_.size(); ++v)
        out_.line("{0} s{1}_{2} = mpfAll<{0}, T>({3});", vectorType(v), copy, v, identity());
    openDigits(plan_.sums, "k");
    scopes_.emplace_back();
    const std::vector<std::string> outside = pointers_;
    for (size_t s = 0; s < plan_.operandCount; ++s) {
      std::string offset;
      addDigits(plan_.sums, "k", s, offset);
      if (offset.empty())
        continue;
      out_.line("const T *const {}Sum = {} + {};", table(s), pointers_[s], offset);
      pointers_[s] = table(s) + "Sum";
    }
    for (uint64_t term = 0; term < termCount_; ++term)
      for (size_t v = 0; v < vectors_.size(); ++v)
        for (uint64_t copy = 0; copy < plan_.innerCopies; ++copy) {
          const std::string sum = fmt::format("s{}_{}", copy, v);
          const std::string value = termValue(v, term, copy);
          out_.line("{} = {};", sum, reduced(sum, value));
        }
    for (size_t i = 0; i < plan_.sums.size(); ++i)
      out_.close();
    scopes_.pop_back();
    pointers_ = outside;
    for (uint64_t copy = 0; copy < plan_.innerCopies; ++copy)
      for (size_t v = 0; v < vectors_.size(); ++v)
        store(v, copy, fmt::format("s{}_{}", copy, v));
    if (turns > 1)
      closeInner();
  }

  void openInner(uint64_t turns) {
    out_.open(fmt::format("for (unsigned long n = 0; n < {}; ++n)", turns));
    scopes_.emplace_back();
    for (size_t s = 0; s <= plan_.operandCount; ++s)
      movePointer(s, "Inner", "n", plan_.inner.strides[s] * plan_.innerCopies);
  }
  void closeInner() {
    out_.close();
    scopes_.pop_back();
  }

  std::string vectorType(size_t v) const {
    return vectors_[v].count == 1 ? "T" : fmt::format("V{}", vectors_[v].count);
  }

  /// The product of all operands that vary with the sum: those without the inner digit first.
  std::string termValue(size_t v, uint64_t term, uint64_t copy) {
    const std::string fixed = product(v, term, copy, true, false);
    const std::string moving = product(v, term, copy, true, true);
    if (fixed.empty() && moving.empty())
      return fmt::format("mpfAll<{}, T>({})", vectorType(v), plus() ? "0" : "1");
    return fixed.empty() ? moving : moving.empty() ? fixed : combined(fixed, moving);
  }

  void store(size_t v, uint64_t copy, const std::string &sum) {
    std::string value = sum;
    for (const bool inner : {false, true})
      if (const std::string factor = product(v, 0, copy, false, inner); !factor.empty())
        value = combined(value, factor);
    const uint64_t offset = copy * plan_.inner.strides[plan_.resultSlot()] + vectors_[v].first;
    out_.line("mpfStore<T, {}>({} + {}, {}, factor, seen);", vectorType(v),
              pointers_[plan_.resultSlot()], offset, value);
  }

  /// Name of the product of the operands that vary with the sum, or do not (`terms`), and with the
  /// inner digit, or do not; empty when there are none. Written once in each scope.
  std::string product(size_t v, uint64_t term, uint64_t copy, bool terms, bool inner) {
    std::string value;
    size_t count = 0;
    std::string single;
    for (const bool lanes : {false, true}) // what all lanes share is multiplied first
      for (size_t s = 0; s < plan_.operandCount; ++s) {
        if (byTerm(s) != terms || byInner(s) != inner || byLane(s) != lanes)
          continue;
        single = entry(s, v, term, copy);
        value = combined(value, single);
        ++count;
      }
    if (count < 2)
      return single;
    return declare(value, vectorType(v), "m");
  }

  /// Lanes of one operand, loaded once in each scope.
  std::string entry(size_t slot, size_t v, uint64_t term, uint64_t copy) {
    const uint64_t base =
        OwnPlan::offsetOf(plan_.terms, slot, term) + copy * plan_.inner.strides[slot];
    const OwnVector &vector = vectors_[v];
    std::string offsets;
    bool same = true, dense = true;
    const uint64_t first = OwnPlan::offsetOf(plan_.lanes, slot, vector.first);
    for (uint64_t lane = 0; lane < vector.count; ++lane) {
      const uint64_t offset = OwnPlan::offsetOf(plan_.lanes, slot, vector.first + lane);
      same &= offset == first;
      dense &= offset == first + lane;
      offsets += fmt::format("{}{}[{}]", lane == 0 ? "" : ", ", pointers_[slot], base + offset);
    }
    const std::string type = vectorType(v);
    if (same)
      return declare(fmt::format("mpfAll<{}, T>({}[{}])", type, pointers_[slot], base + first),
                     type, "a");
    if (dense)
      return declare(fmt::format("mpfLoad<{}>({} + {})", type, pointers_[slot], base + first), type,
                     "a");
    return declare(fmt::format("{}{{{}}}", type, offsets), type, "a");
  }

  std::string declare(const std::string &value, const std::string &type, std::string_view letter) {
    for (const auto &scope : scopes_)
      if (const auto known = scope.find(value); known != scope.end())
        return known->second;
    const std::string name = fmt::format("{}{}", letter, names_++);
    out_.line("const {} {} = {};", type, name, value);
    scopes_.back().emplace(value, name);
    return name;
  }

  const OwnPlan &plan_;
  const uint64_t width_, termCount_;
  CodeWriter out_;
  std::vector<OwnVector> vectors_;                         ///< of the block that is written
  std::vector<std::string> pointers_;                      ///< of every slot, innermost
  std::vector<std::map<std::string, std::string>> scopes_; ///< value -> name
  size_t names_ = 0;
};

std::string lanesText(std::span<const LoopDigit> digits) {
  std::string text;
  for (const LoopDigit &digit : digits)
    text += fmt::format("{}{}", text.empty() ? "" : " x ", digit.extent);
  return text.empty() ? "1" : text;
}

} // namespace

OwnText writeOwnText(const OwnPlan &plan) {
  std::string function = OwnWriter(plan).function();
  OwnText text;
  text.name = "own_" + HashBuilder().add(function).finish().hex().substr(0, 16);
  function.replace(function.find(kNameHere), kNameHere.size(), text.name);
  text.function =
      fmt::format("// {} operands; pieces {} x {}, around {}, lanes {}, inner {}, sums {}, "
                  "terms {}\n",
                  plan.operandCount, lanesText(plan.pieces), plan.lanePieces(),
                  lanesText(plan.outer), lanesText(plan.lanes), plan.inner.extent,
                  lanesText(plan.sums), lanesText(plan.terms)) +
      function;
  return text;
}

std::string ownSource(const OwnText &text) {
  return std::string(kOwnPreamble) + '\n' + text.function;
}

} // namespace mpf
