#include "codegen/kernel/text/plan_head.h"

namespace mpf {

std::optional<PlanHead> readHead(LineReader &lines) {
  PlanHead head;
  head.keyword = head.family = lines.keyword().text;
  const auto name = lines.takeWord("the kernel's name");
  if (!name || !lines.expectEndOfLine())
    return std::nullopt;
  head.name = *name;
  if (head.keyword != "kernel")
    return head;
  if (!lines.next() || lines.keyword().text != "family") {
    lines.diagnostics().error(lines.here(), "expected the line 'family' behind the kernel's name");
    return std::nullopt;
  }
  const auto family = lines.takeWord("the kernel's family");
  if (!family || !lines.expectEndOfLine())
    return std::nullopt;
  head.family = *family;
  return head;
}

} // namespace mpf
