#include "dsl/model/resolve/outside_value.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/parser.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace mpf {

OutsideValue::OutsideValue(GivenParam value) {
  MPF_CHECK(!value.values.empty(), "a param without a value");
  source_ = std::make_shared<const SourceBuffer>("the value from outside",
                                                 formatDouble(value.values.front()));
  ast::ParamItem item;
  item.range = {0, static_cast<uint32_t>(source_->text().size())};
  if (!value.isSwept && value.shape.empty()) {
    ast::Expr number;
    number.number = value.values.front();
    number.range = item.range;
    item.args.push_back(std::move(number));
  } else {
    item.kind = ast::ParamKind::Given;
    ast::ArrayLiteral array;
    array.range = item.range;
    array.shape = value.isSwept ? std::vector<uint64_t>{value.values.size()} : value.shape;
    array.values = std::move(value.values);
    item.given.push_back({item.range, std::move(array)});
  }
  item_ = std::make_shared<const ast::ParamItem>(std::move(item));
}

OutsideValue::OutsideValue(std::shared_ptr<const SourceBuffer> text) : source_(std::move(text)) {
  Diagnostics ignored;
  if (auto item = parseGivenParam(source_, ignored))
    item_ = std::make_shared<const ast::ParamItem>(std::move(*item));
}

bool OutsideValue::isSwept() const {
  if (item_ == nullptr)
    return false;
  if (item_->kind == ast::ParamKind::Given) {
    const auto *const array = std::get_if<ast::ArrayLiteral>(&item_->given.front().node);
    return array != nullptr && array->shape.size() == 1;
  }
  return item_->kind != ast::ParamKind::Constant && item_->kind != ast::ParamKind::None;
}

} // namespace mpf
