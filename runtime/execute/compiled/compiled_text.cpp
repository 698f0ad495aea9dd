#include "runtime/execute/compiled/compiled_text.h"

#include "dsl/support/check.h"
#include "dsl/support/hash.h"
#include "runtime/execute/compiled/compiled_values.h"

namespace mpf {

namespace {

/// The placeholder of the function's name, which is a hash of the rest.
constexpr std::string_view kNameHere = "@";

class CompiledWriter {
public:
  explicit CompiledWriter(const CompiledKernelPlan &plan)
      : plan_(plan), width_(kCompiledVectorBytes / elementBytes(plan.type)),
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

  /// Declares the pointers `tN` + suffix of all slots. No offset is added if its text is empty.
  template <class Offset> void declarePointers(std::string_view suffix, const Offset &offset) {
    for (size_t s = 0; s <= plan_.operandCount; ++s) {
      const bool result = s == plan_.resultSlot();
      const std::string from = result ? "result" : fmt::format("operands[{}]", s);
      const std::string text = offset(s);
      out_.line("{}T *const {}{} = {}{}{};", result ? "" : "const ", table(s), suffix, from,
                text.empty() ? "" : " + ", text);
    }
  }

  /// Writes all blocks of the lanes of one piece.
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

  /// Writes the results of `lanes` neighbours from `start` on, for all values of the inner digit.
  void block(uint64_t lanes, const std::string &start) {
    values_.vectors.clear();
    for (uint64_t first = 0; first < lanes;) {
      uint64_t count = width_;
      while (first + count > lanes)
        count /= 2;
      values_.vectors.push_back({first, count});
      first += count;
    }
    values_.openScope();
    values_.pointers.clear();
    for (size_t s = 0; s <= plan_.operandCount; ++s)
      values_.pointers.push_back(table(s) + "At");
    if (!start.empty())
      for (size_t s = 0; s <= plan_.operandCount; ++s)
        movePointer(s, "Lane", start, plan_.lanes.front().strides[s]);
    if (plan_.sums.empty())
      shortSums();
    else
      longSums();
    values_.closeScope();
  }

  void movePointer(size_t slot, std::string_view suffix, const std::string &index,
                   uint64_t stride) {
    if (stride == 0)
      return;
    const std::string name = fmt::format("{}{}", table(slot), suffix);
    out_.line("{}T *const {} = {} + {} * {};", slot == plan_.resultSlot() ? "" : "const ", name,
              values_.pointers[slot], index, stride);
    values_.pointers[slot] = name;
  }

  /// Writes fully unrolled sums. Operands without the inner digit are loaded and multiplied before
  /// its loop.
  void shortSums() {
    const uint64_t turns = plan_.inner.extent / plan_.innerCopies;
    if (turns > 1) {
      for (size_t v = 0; v < values_.vectors.size(); ++v) {
        for (uint64_t term = 0; term < termCount_; ++term)
          values_.product(v, term, 0, {true, false});
        values_.product(v, 0, 0, {false, false});
      }
      openInner(turns);
    }
    for (uint64_t copy = 0; copy < plan_.innerCopies; ++copy)
      for (size_t v = 0; v < values_.vectors.size(); ++v) {
        const std::string sum = fmt::format("s{}_{}", copy, v);
        for (uint64_t term = 0; term < termCount_; ++term) {
          const std::string value = values_.termValue(v, term, copy);
          if (term == 0)
            out_.line("{} {} = {};", values_.vectorType(v), sum, value);
          else
            out_.line("{} = {};", sum, values_.reduced(sum, value));
        }
        store(v, copy, sum);
      }
    if (turns > 1)
      closeInner();
  }

  /// Writes sums with loops. The accumulators of all copies stay in registers.
  void longSums() {
    const uint64_t turns = plan_.inner.extent / plan_.innerCopies;
    if (turns > 1)
      openInner(turns);
    for (uint64_t copy = 0; copy < plan_.innerCopies; ++copy)
      for (size_t v = 0; v < values_.vectors.size(); ++v)
        out_.line("{0} s{1}_{2} = mpfAll<{0}, T>({3});", values_.vectorType(v), copy, v,
                  values_.identity());
    openDigits(plan_.sums, "k");
    values_.openScope();
    const std::vector<std::string> outside = values_.pointers;
    for (size_t s = 0; s < plan_.operandCount; ++s) {
      std::string offset;
      addDigits(plan_.sums, "k", s, offset);
      if (offset.empty())
        continue;
      out_.line("const T *const {}Sum = {} + {};", table(s), values_.pointers[s], offset);
      values_.pointers[s] = table(s) + "Sum";
    }
    for (uint64_t term = 0; term < termCount_; ++term)
      for (size_t v = 0; v < values_.vectors.size(); ++v)
        for (uint64_t copy = 0; copy < plan_.innerCopies; ++copy) {
          const std::string sum = fmt::format("s{}_{}", copy, v);
          const std::string value = values_.termValue(v, term, copy);
          out_.line("{} = {};", sum, values_.reduced(sum, value));
        }
    for (size_t i = 0; i < plan_.sums.size(); ++i)
      out_.close();
    values_.closeScope();
    values_.pointers = outside;
    for (uint64_t copy = 0; copy < plan_.innerCopies; ++copy)
      for (size_t v = 0; v < values_.vectors.size(); ++v)
        store(v, copy, fmt::format("s{}_{}", copy, v));
    if (turns > 1)
      closeInner();
  }

  void openInner(uint64_t turns) {
    out_.open(fmt::format("for (unsigned long n = 0; n < {}; ++n)", turns));
    values_.openScope();
    for (size_t s = 0; s <= plan_.operandCount; ++s)
      movePointer(s, "Inner", "n", plan_.inner.strides[s] * plan_.innerCopies);
  }
  void closeInner() {
    out_.close();
    values_.closeScope();
  }

  void store(size_t v, uint64_t copy, const std::string &sum) {
    std::string value = sum;
    for (const bool inner : {false, true})
      if (const std::string factor = values_.product(v, 0, copy, {false, inner}); !factor.empty())
        value = values_.combined(value, factor);
    const uint64_t offset =
        copy * plan_.inner.strides[plan_.resultSlot()] + values_.vectors[v].first;
    out_.line("mpfStore<T, {}>({} + {}, {}, factor, seen);", values_.vectorType(v),
              values_.pointers[plan_.resultSlot()], offset, value);
  }

  const CompiledKernelPlan &plan_;
  const uint64_t width_, termCount_;
  CodeWriter out_;
  CompiledValues values_{plan_, out_};
};

std::string lanesText(std::span<const LoopDigit> digits) {
  std::string text;
  for (const LoopDigit &digit : digits)
    text += fmt::format("{}{}", text.empty() ? "" : " x ", digit.extent);
  return text.empty() ? "1" : text;
}

} // namespace

CompiledText writeCompiledText(const CompiledKernelPlan &plan) {
  std::string function = CompiledWriter(plan).function();
  CompiledText text;
  text.name = "compiled_" + HashBuilder().add(function).finish().hex().substr(0, 16);
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

std::string compiledSource(const CompiledText &text) {
  return std::string(kCompiledPreamble) + '\n' + text.function;
}

} // namespace mpf
