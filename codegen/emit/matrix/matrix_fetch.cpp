#include "codegen/emit/matrix/matrix_fetch.h"

#include "codegen/emit/matrix/matrix_names.h"
#include "codegen/emit/nest/kernel_frame.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

MatrixFetch::MatrixFetch(const MatrixPlan &plan, const MatrixSide &side, CodeWriter &out,
                         SiteTable &sites)
    : plan_(plan), side_(side), name_(&side == &plan.rows ? "rows" : "columns"),
      base_(&side == &plan.rows ? "rowBase" : "columnBase"), type_(indexTypeText(plan)),
      ops_(plan, plan.form), out_(out), share_(matrixShare(plan, side, plan.launch.blockThreads)),
      counts_(matrixCounts(plan)) {
  MPF_CHECK(share_.count > 0 && share_.fast % share_.within == 0,
            "{}: {} threads share out {} x {} entries", name_, plan.launch.blockThreads, side.tile,
            plan.chunk);
  const auto &fast = side.alongTerms ? plan.terms : side.digits;
  const auto &slow = side.alongTerms ? side.digits : plan.terms;
  for (uint32_t operand : side.operands) {
    const DigitAccess &access = plan.form.operands[operand];
    Source source;
    source.operand = operand;
    source.name = operandName(operand);
    source.side = fusedParts(plan.form, side.digits, access);
    source.terms = fusedParts(plan.form, plan.terms, access);
    source.pair = side.fetchVector == 2 && pairContiguous(plan, side, operand);
    source.alongFast = variesOver(plan.form, operand, fast);
    source.alongSlow = variesOver(plan.form, operand, slow);
    source.everyPage = variesOver(plan.form, operand, plan.terms);
    source.site = sites.add(SiteKind::GlobalLoad, fmt::format("operand {}", source.name));
    sources_.push_back(std::move(source));
  }
  storeSite_ =
      sites.add(SiteKind::SharedStore, fmt::format("segment {}", name_), side.conflictFree);
}

void MatrixFetch::openShare() {
  if (share_.busyThreads < plan_.launch.blockThreads)
    out_.open(fmt::format("if (threadIdx.x < {})", share_.busyThreads));
  else
    out_.open("");
}

void MatrixFetch::closeShare() { out_.close(); }

void MatrixFetch::openCount() { openUnrolled(out_, "j", share_.count); }

std::string MatrixFetch::acrossIndex() const {
  return sumText({name_ + "Slow", share_.count == 1 ? "0" : timesText("j", share_.step)});
}

void MatrixFetch::declare() {
  out_.line("// {}", name_);
  // The text computes matrixPlace().
  const uint64_t groups = share_.fast / share_.within;
  const std::string within = fmt::format("threadIdx.x % {}", share_.within);
  const std::string vectors =
      groups == 1 ? within
                  : fmt::format("({} + threadIdx.x / {} % {} * {})", within,
                                share_.within * share_.block, groups, share_.within);
  out_.line("const {} {}Fast = {};", type_, name_,
            share_.fast == 1 ? "0" : timesText(vectors, side_.fetchVector));
  const uint64_t rest = share_.fast * share_.block;
  out_.line("const {} {}Slow = {};", type_, name_,
            share_.block == 1 ? fmt::format("threadIdx.x / {}", rest)
                              : fmt::format("threadIdx.x / {} % {} + threadIdx.x / {} * {}",
                                            share_.within, share_.block, rest, share_.block));
  const std::string fast = name_ + "Fast", slow = name_ + "Slow";
  const std::string at =
      side_.alongTerms ? sumText({timesText(slow, side_.sideStride),
                                  fmt::format("{0} % 4 + {0} / 4 * {1}", fast, side_.groupStride)})
                       : sumText({fast, timesText(slow, side_.termStride)});
  out_.line("{} *const {}To = shared + ({});", ops_.type, name_,
            sumText({std::to_string(side_.offsetElems), at}));
  for (const Source &source : sources_)
    declareSource(source);
}

void MatrixFetch::declareSource(const Source &source) {
  const DigitAccess &access = plan_.form.operands[source.operand];
  const std::string batch = fusedText(fusedParts(plan_.form, plan_.batch, access), "batch");
  std::string side = "0";
  if (!side_.alongTerms)
    side = fusedText(source.side, fmt::format("({} + {}Fast)", base_, name_));
  else if (isLinear(source.side))
    side = fusedText(source.side, fmt::format("({} + {}Slow)", base_, name_));
  out_.line(
      "const {} *const {}From = {};", ops_.type, source.name,
      sumText({source.name,
               sumText({batch, side}) == "0" ? "0" : fmt::format("({})", sumText({batch, side}))}));
  if (side_.alongTerms && !isLinear(source.side)) {
    out_.line("{} {}Side[{}];", type_, source.name, share_.count);
    openCount();
    out_.line("{}Side[j] = {};", source.name,
              fusedText(source.side, fmt::format("({})", sumText({base_, acrossIndex()}))));
    out_.close();
  }
  if (isFormed()) {
    out_.line("{} {}Next[{}];", ops_.type, source.name, heldElems(source));
    if (!source.everyPage) {
      loadSource(source, "0");
      splitOff(source);
    }
  }
}

/// Returns the pointer for a page: it includes the part of the page's offset that is the same for
/// all entries of the thread.
std::string MatrixFetch::pagePointer(const Source &source, const std::string &page) const {
  const std::string first = timesText(page, plan_.chunk);
  std::string terms = "0";
  if (side_.alongTerms)
    terms = fusedText(source.terms, fmt::format("({})", sumText({first, name_ + "Fast"})));
  else if (isLinear(source.terms))
    terms = fusedText(source.terms, fmt::format("({})", sumText({first, name_ + "Slow"})));
  return terms == "0" ? source.name + "From" : fmt::format("{}From + ({})", source.name, terms);
}

std::string MatrixFetch::entryIndex(const Source &source, const std::string &page) const {
  const auto &across = acrossParts(source);
  if (isLinear(across))
    return share_.count == 1 || across.empty()
               ? "0"
               : timesText(fmt::format("{}j",
                                       plan_.indexWidth == IndexWidth::Bits64 ? "(long long)" : ""),
                           share_.step * across.front().stride);
  if (side_.alongTerms)
    return fmt::format("{}Side[j]", source.name);
  const std::string first = timesText(page, plan_.chunk);
  return fusedText(across, fmt::format("({})", sumText({first, acrossIndex()})));
}

/// Returns the condition that an entry is inside the operation's extents: along the side with
/// `sideToo`, along the terms with `termsToo`. "" if all entries are.
std::string MatrixFetch::insideText(const std::string &page, bool sideToo, bool termsToo,
                                    uint32_t lane) const {
  const std::string fast = sumText({name_ + "Fast", std::to_string(lane)});
  const std::string first = timesText(page, plan_.chunk);
  std::string text;
  if (sideToo && isRagged(plan_, side_))
    text = fmt::format("{} < {}", sumText({base_, side_.alongTerms ? acrossIndex() : fast}),
                       fusedExtent(plan_.form, side_.digits));
  if (termsToo && counts_.termsGuarded)
    text += fmt::format("{}{} < {}", text.empty() ? "" : " && ",
                        sumText({first, side_.alongTerms ? fast : acrossIndex()}), counts_.terms);
  return text;
}

/// Declares a pointer for the stage. The thread's entries then differ by constants, which fit the
/// offset of an instruction. Without the pointer the compiler would have to compute each address,
/// because unsigned sums may wrap around.
void MatrixFetch::declareInto(const std::string &stageOffset) {
  out_.line("{0} *const {1}Into = {2};", ops_.type, name_, sumText({name_ + "To", stageOffset}));
}

std::string MatrixFetch::storedAt() const {
  const uint64_t step = share_.step * (side_.alongTerms ? side_.sideStride : side_.termStride);
  return fmt::format("{}Into[{}]", name_, share_.count == 1 ? "0" : timesText("j", step));
}

void MatrixFetch::copy(const std::string &page, const std::string &stageOffset) {
  MPF_CHECK(sources_.size() == 1 && !ops_.sumsMantissas, "{}: {} operands are copied as one", name_,
            sources_.size());
  const Source &source = sources_.front();
  openShare();
  out_.line("const {} *const {}Page = {};", ops_.type, source.name, pagePointer(source, page));
  declareInto(stageOffset);
  openCount();
  const std::string inside = insideText(page, true, true, 0);
  const std::string to = storedAt();
  const std::string from = fmt::format("{}Page[{}]", source.name, entryIndex(source, page));
  const bool pair = side_.fetchVector == 2;
  out_.line("MPF_COPY_ASYNC({}, {}, {}, {}, {});", storeSite_,
            pair ? fmt::format("MPF_VEC({}2, {})", ops_.type, to) : to, source.site,
            pair ? fmt::format("MPF_VEC(const {}2, {})", ops_.type, from) : from,
            inside.empty() ? "true" : inside);
  out_.close();
  closeShare();
}

uint64_t MatrixFetch::heldElems(const Source &source) const {
  return (source.alongFast ? side_.fetchVector : 1) * (source.alongSlow ? share_.count : 1);
}

std::string MatrixFetch::heldIndex(const Source &source, uint32_t lane) const {
  const uint64_t width = source.alongFast ? side_.fetchVector : 1;
  const bool many = source.alongSlow && share_.count > 1;
  return sumText(
      {many ? timesText("j", width) : "0", source.alongFast ? std::to_string(lane) : "0"});
}

/// Loads the entries of one operand that this thread needs; 0 where the operand has no entry.
void MatrixFetch::loadSource(const Source &source, const std::string &page) {
  openShare();
  out_.line("const {} *const {}Page = {};", ops_.type, source.name, pagePointer(source, page));
  const std::string absent = ops_.sumsMantissas ? ops_.absent() : "0";
  const bool counted = source.alongSlow;
  if (counted)
    openCount();
  else
    out_.open("");
  const std::string index = entryIndex(source, page);
  const bool sideToo = variesOver(plan_.form, source.operand, side_.digits);
  const bool termsToo = source.everyPage;
  if (source.pair) {
    const std::string inside = insideText(page, sideToo, termsToo, 0);
    const std::string held = heldIndex(source, 0);
    if (!inside.empty()) {
      out_.line("{0}Next[{1}] = {0}Next[{2}] = {3};", source.name, held, heldIndex(source, 1),
                absent);
      out_.open(fmt::format("if ({})", inside));
    }
    out_.line("mpfUnpack({}Next + {}, MPF_LD({}, MPF_VEC(const {}2, {}Page[{}])));", source.name,
              fmt::format("({})", held), source.site, ops_.type, source.name, index);
    if (!inside.empty())
      out_.close();
  } else {
    // The entries of a pair are not neighbours in this table. Their distance is constant, because
    // the extent of the fast digit is even.
    const auto &fastParts = side_.alongTerms ? source.terms : source.side;
    const uint64_t distance =
        fastParts.empty() || fastParts.front().divisor != 1 ? 0 : fastParts.front().stride;
    const uint32_t lanes = source.alongFast ? side_.fetchVector : 1;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const std::string inside = insideText(page, sideToo, termsToo, 0);
      const std::string entry = fmt::format("MPF_LD({}, {}Page[{}])", source.site, source.name,
                                            sumText({index, std::to_string(lane * distance)}));
      out_.line("{}Next[{}] = {};", source.name, heldIndex(source, lane),
                inside.empty() ? entry : fmt::format("{} ? {} : {}", inside, entry, absent));
    }
  }
  out_.close();
  closeShare();
}

/// Converts logarithms to mantissas, all at once, so that loads do not wait for conversions.
void MatrixFetch::splitOff(const Source &source) {
  if (ops_.sumsMantissas)
    out_.line("{}<{}>({}Next, {});", ops_.converter, heldElems(source), source.name,
              ops_.converterArgument(source.name));
}

void MatrixFetch::load(const std::string &page) {
  for (const Source &source : sources_)
    if (source.everyPage)
      loadSource(source, page);
}

void MatrixFetch::store(const std::string &page, const std::string &stageOffset) {
  openShare();
  declareInto(stageOffset);
  for (const Source &source : sources_)
    if (source.everyPage)
      splitOff(source);
  openCount();
  // Terms outside the extent must be 0. If no operand has terms, no load leaves them out.
  const bool anyTerms = std::any_of(sources_.begin(), sources_.end(),
                                    [](const Source &source) { return source.everyPage; });
  const std::string inside = anyTerms ? "" : insideText(page, false, true, 0);
  out_.line("{} entries[{}];", ops_.type, side_.fetchVector);
  for (uint32_t lane = 0; lane < side_.fetchVector; ++lane) {
    std::string product;
    for (const Source &source : sources_)
      product += fmt::format("{}{}Next[{}]", product.empty() ? "" : " * ", source.name,
                             heldIndex(source, lane));
    out_.line("entries[{}] = {};", lane,
              inside.empty() ? product : fmt::format("{} ? {} : 0", inside, product));
  }
  const std::string to = storedAt();
  if (side_.fetchVector == 2)
    out_.line("MPF_ST({}, MPF_VEC({}2, {}), mpfPack<{}2>(entries));", storeSite_, ops_.type, to,
              ops_.type);
  else
    out_.line("MPF_ST({}, {}, entries[0]);", storeSite_, to);
  out_.close();
  closeShare();
}

} // namespace mpf
