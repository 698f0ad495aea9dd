#include "codegen/emit/nest/address_emitter.h"

#include "dsl/support/check.h"

#include <fmt/core.h>

namespace mpf {

LinearAddress &LinearAddress::add(const std::string &index, uint64_t coefficient) {
  if (coefficient == 0 || index == "0")
    return *this;
  if (!text_.empty())
    text_ += " + ";
  text_ += coefficient == 1 ? index : fmt::format("{} * {}", index, coefficient);
  return *this;
}

IndexNames::IndexNames(const Nest &nest) {
  for (const NestAxis &axis : nest.axes)
    names_.push_back(axis.name);
}

std::string pointerText(const std::string &base, const LinearAddress &offset) {
  return offset.empty() ? base : fmt::format("{} + ({})", base, offset.text());
}

std::string guardText(const Nest &nest, const NestTable &table, const IndexNames &names) {
  std::string text;
  for (size_t digit : table.guards) {
    MPF_CHECK(nest.isGuarded(digit), "{} is guarded by digit {}, which its axes cover exactly",
              table.name, digit);
    LinearAddress value;
    for (const DigitPart &part : nest.guards[digit].parts)
      value.add(names[part.axis], part.step);
    text += fmt::format("{}{} < {}", text.empty() ? "" : " && ", value.text(),
                        nest.guards[digit].extent);
  }
  return text;
}

std::string flatText(const Fragment &fragment, const IndexNames &names) {
  LinearAddress flat;
  for (size_t i = fragment.axes.size(); i-- > 0;)
    flat.add(names[fragment.axes[i].axis], fragment.axes[i].flatStride);
  return flat.text();
}

} // namespace mpf
