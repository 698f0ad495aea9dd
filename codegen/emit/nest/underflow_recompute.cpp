#include "codegen/emit/nest/underflow_recompute.h"

#include "codegen/emit/nest/address_emitter.h"
#include "codegen/emit/nest/kernel_frame.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

class UnderflowRecompute {
public:
  UnderflowRecompute(const Nest &nest, EntryEmitter &text, CodeWriter &out, SiteTable &sites)
      : nest_(nest), text_(text), out_(out), type_(text.ops().type),
        guard_(guardText(nest, nest.result, IndexNames(nest))) {
    lostSite_ = sites.add(SiteKind::GlobalStore, "result");
    for (const NestTable &table : nest.operands)
      operandSites_.push_back(
          sites.add(SiteKind::GlobalLoad, fmt::format("operand {}", table.name)));
    markSite_ = sites.add(SiteKind::GlobalLoad, "result");
    storeSite_ = sites.add(SiteKind::GlobalStore, "result");
  }

  void write(const std::string &condition) {
    sumsOfThread(both(condition, guard_));
    out_.text("const bool lost = sums.least < limit;");
    out_.open("if (lost)");
    mark(both(condition, guard_));
    out_.close();
    out_.text("range.add(sums, offset);");
    out_.line("// sums below the guard again, term by term");
    out_.open(fmt::format("if ({})",
                          both(condition, fmt::format("lost && mpfIsGuard<{}>(limit)", type_))));
    formAgain();
    out_.close();
  }

private:
  /// Declares `sums`, the leading words of the sums that are stored.
  void sumsOfThread(const std::string &stores) {
    if (stores.empty())
      return out_.text("MpfScaledLogSums sums = MpfScaledLogSums::of(acc);");
    out_.text("MpfScaledLogSums sums = MpfScaledLogSums::empty();");
    for (size_t axis : nest_.registerAxes)
      text_.openUnrolled(nest_.axes[axis].name, nest_.extents[axis]);
    out_.line("if ({})", stores);
    out_.line("  sums.add(acc[{}]);", flatText(nest_.result.fragment, IndexNames(nest_)));
    for (size_t i = 0; i < nest_.registerAxes.size(); ++i)
      out_.close();
  }

  /// Replaces stored sums that are below the limit by a mark. The recorded range is that of the
  /// other sums.
  void mark(const std::string &stores) {
    out_.text("sums = MpfScaledLogSums::empty();");
    LinearAddress place;
    for (size_t axis : nest_.registerAxes) {
      text_.openUnrolled(nest_.axes[axis].name, nest_.extents[axis]);
      place.add(nest_.axes[axis].name, nest_.result.globalStrides[axis]);
    }
    out_.open(stores.empty() ? "" : fmt::format("if ({})", stores));
    const std::string sum =
        fmt::format("acc[{}]", flatText(nest_.result.fragment, IndexNames(nest_)));
    out_.open(fmt::format("if (mpfLeadingWord({}) < limit)", sum));
    out_.line("MPF_ST({}, resultAt[{}], mpfMantissaMark<{}>(limit));", lostSite_, place.text(),
              type_);
    out_.close();
    out_.open("else");
    out_.line("sums.add({});", sum);
    out_.close();
    for (size_t i = 0; i <= nest_.registerAxes.size(); ++i)
      out_.close();
  }

  void formAgain() {
    LinearAddress place;
    for (size_t axis : nest_.registerAxes) {
      openRolled(nest_.axes[axis].name, nest_.extents[axis]);
      place.add(nest_.axes[axis].name, nest_.result.globalStrides[axis]);
    }
    out_.line("{} *const again = {};", type_, pointerText("resultAt", place));
    out_.open(fmt::format(
        "if ({})",
        both(guard_, fmt::format("MPF_LD({}, *again) == mpfInfinity<{}>()", markSite_, type_))));
    sumTerms();
    out_.close();
    for (size_t i = 0; i < nest_.registerAxes.size(); ++i)
      out_.close();
  }

  static std::string both(const std::string &a, const std::string &b) {
    return a.empty() || b.empty() ? a + b : fmt::format("{} && {}", a, b);
  }

  void openRolled(const std::string &index, uint64_t extent) {
    mpf::openRolled(out_, text_.loopType(), index, extent);
  }

  void sumTerms() {
    const DigitForm &form = nest_.plan->form;
    std::vector<std::string> logarithms;
    for (size_t i = 0; i < nest_.operands.size(); ++i)
      logarithms.push_back(logarithmText(i));
    writeTermsAgain(
        text_.ops(), logarithms, storeSite_,
        [&] {
          for (size_t digit = form.keptCount(); digit < form.digits.size(); ++digit)
            openRolled(digitName(digit), form.digits[digit].extent);
          return form.digits.size() - form.keptCount();
        },
        out_);
  }

  std::string logarithmText(size_t operand) const {
    const NestTable &table = nest_.operands[operand];
    const std::string offset = offsetText(operand);
    if (!table.packed)
      return againLogarithm(text_.ops(), operandSites_[operand], table.name, offset);
    const auto [zero, one] = text_.ops().logarithmsOfBits();
    return fmt::format("(mpfBit({0}.bits({1}, MPF_LD({2}, {0}.word({1}))), 0) ? {3} : {4})",
                       table.name, offset, operandSites_[operand], one, zero);
  }

  static std::string digitName(size_t digit) { return fmt::format("d{}", digit); }

  /// Returns the address of a term. Kept digits have their axes as indices, which all have a value
  /// here; reduced digits have the loops around.
  std::string offsetText(size_t operand) const {
    const DigitForm &form = nest_.plan->form;
    LinearAddress offset;
    for (size_t axis = 0; axis < nest_.axes.size(); ++axis)
      if (!form.digits[nest_.axes[axis].digit].reduced)
        offset.add(nest_.axes[axis].name, nest_.operands[operand].globalStrides[axis]);
    for (size_t digit = form.keptCount(); digit < form.digits.size(); ++digit)
      offset.add(digitName(digit), form.operands[operand].stridesElems[digit]);
    return offset.text();
  }

  const Nest &nest_;
  EntryEmitter &text_;
  CodeWriter &out_;
  const std::string type_;
  const std::string guard_; ///< holds for outputs inside their digits' extents
  std::vector<uint32_t> operandSites_;
  uint32_t lostSite_ = 0, markSite_ = 0, storeSite_ = 0;
};

} // namespace

std::string againLogarithm(const OpEmitter &ops, uint32_t site, const std::string &name,
                           const std::string &offset) {
  return fmt::format("mpfToLog(MPF_LD({}, {}[{}]), {}.form)", site, name, offset,
                     ops.converterArgument(name));
}

void writeTermsAgain(const OpEmitter &ops, std::span<const std::string> logarithms,
                     uint32_t storeSite, const std::function<size_t()> &openTerms,
                     CodeWriter &out) {
  MPF_CHECK(!logarithms.empty(), "terms of no operand, stored at site {}", storeSite);
  out.line("{0} greatest = mpfLogStart<{0}>(), total = 0;", ops.type);
  const size_t opened = openTerms();
  std::string term;
  for (const std::string &logarithm : logarithms)
    term += (term.empty() ? "" : " + ") + logarithm;
  out.line("mpfLogAdd<{}>(greatest, total, {});", ops.type, term);
  for (size_t i = 0; i < opened; ++i)
    out.close();
  out.line("const {0} entry = mpfLogTotal<{0}>(greatest, total) - static_cast<{0}>(shift);",
           ops.type);
  out.text("range.add(entry);");
  out.line("MPF_ST({}, *again, entry);", storeSite);
}

void writeUnderflowRecompute(const Nest &nest, EntryEmitter &text, const std::string &condition,
                             CodeWriter &out, SiteTable &sites) {
  MPF_CHECK(text.ops().sumsMantissas, "{} has no sums of mantissas to look at again",
            nest.plan->name);
  UnderflowRecompute(nest, text, out, sites).write(condition);
}

} // namespace mpf
