// The scheme of the papers (ICS'08 sections 5 and 6, Gems chapter section 3.2). The cache tag is a
// suffix of the bucket address. Every thread computes one output per page. A block visits
// subsequent pages. Segments are unpadded and in operand order.
#include "codegen/kernel/build/candidates.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
/// The bucket address from its least significant digit up. DigitForm keeps reduced digits last,
/// which is the global order of ICS'08 section 3 restricted to this bucket.
std::vector<DigitId> tagDigits(const DigitForm &form, uint32_t count) {
  std::vector<DigitId> digits;
  for (size_t d = form.digits.size(); d-- > 0 && digits.size() < count;)
    digits.push_back(DigitId(d));
  return digits;
}
} // namespace

NestCandidate tagCandidate(const DigitForm &form, const KernelOptions &options) {
  MPF_CHECK(options.tagDigits, "a cache tag of no number of digits for {}", options.target.name);
  AxisDivider divider(form);
  uint64_t threads = 1;
  const auto tag = tagDigits(form, *options.tagDigits);
  for (DigitId digit : tag) {
    const Digit &d = form.digits[digit.index()];
    if (!d.reduced)
      threads *= std::min<uint64_t>(d.extent, UINT32_MAX);
    if (threads > options.target.maxThreadsPerBlock)
      fail(ErrorKind::Usage,
           "a cache tag of {} digits has at least {} outputs, a block at most {} "
           "threads",
           tag.size(), threads, options.target.maxThreadsPerBlock);
    divider.takeRest(digit, d.reduced ? AxisRole::Sum : AxisRole::Thread);
  }
  for (size_t d = form.digits.size(); d-- > form.keptCount();)
    divider.takeRest(DigitId(d), AxisRole::Page);
  uint64_t pages = options.pagesPerBlock.value_or(UINT64_MAX);
  for (size_t d = form.keptCount(); d-- > 0;) {
    const uint64_t part = partOf(divider.left(DigitId(d)), std::max<uint64_t>(1, pages));
    divider.take(DigitId(d), AxisRole::Page, part);
    pages /= part;
    if (divider.left(DigitId(d)) > 1)
      pages = 1;
    divider.takeRest(DigitId(d), AxisRole::Block);
  }
  return {NestKind::Tile, divider.axes(),
          std::vector<Placement>(form.operands.size(), Placement::Shared)};
}

} // namespace mpf
