#include "dsl/model/declare/outside_param.h"

#include "dsl/support/check.h"
#include "dsl/syntax/parser.h"

namespace mpf {

OutsideParam::OutsideParam(BuildContext &context, const ast::ParamItem &declared)
    : context_(context), before_(context.source), item_(&declared) {
  const auto found = context.options.params.values.find(declared.name.text);
  if (found == context.options.params.values.end())
    return;
  given_ = &found->second;
  item_ = given_->item();
  context.source = given_->source();
  if (item_ != nullptr)
    return;
  const auto item = parseGivenParam(given_->source(), context.diagnostics);
  MPF_CHECK(!item, "the text of param {} has no error", declared.name.text);
}

OutsideParam::~OutsideParam() { context_.source = before_; }

} // namespace mpf
