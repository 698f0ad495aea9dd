// The item of a `param` that counts: the one in the text, or what takes its place from outside.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <memory>

namespace mpf {

/// While it lives, the context reads the text that has the item's value.
class OutsideParam {
public:
  /// Reports an error in a text from outside.
  OutsideParam(BuildContext &context, const ast::ParamItem &declared);
  OutsideParam(const OutsideParam &) = delete;
  OutsideParam &operator=(const OutsideParam &) = delete;
  ~OutsideParam();

  bool isGiven() const { return given_ != nullptr; }
  /// Null: the text from outside has an error, which was reported.
  const ast::ParamItem *item() const { return item_; }

private:
  BuildContext &context_;
  const std::shared_ptr<const SourceBuffer> before_;
  const OutsideValue *given_ = nullptr;
  const ast::ParamItem *item_;
};

} // namespace mpf
