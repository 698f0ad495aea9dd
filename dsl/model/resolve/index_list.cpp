#include "dsl/model/resolve/index_list.h"

#include "dsl/model/resolve/language_expression.h"
#include "dsl/syntax/spelling.h"

namespace mpf {

std::string dimsText(std::span<const uint64_t> dims) {
  std::string text;
  for (const uint64_t dim : dims)
    text += fmt::format("{}{}", text.empty() ? "" : " x ", dim);
  return text;
}

std::optional<IndexList> foldIndices(BuildContext &context, const ast::IndexItem &item,
                                     uint64_t length, const std::string &name,
                                     std::span<const uint64_t> dims) {
  const auto fold = [&](const std::optional<ast::Expr> &bound, const char *what,
                        int64_t otherwise) {
    return bound ? foldInteger(context, *bound, what, INT64_MIN, INT64_MAX)
                 : std::optional(otherwise);
  };
  const auto first = fold(item.first, item.isRange ? "the start of a range" : "an index", 0);
  const auto last =
      item.isRange ? fold(item.last, "the end of a range", static_cast<int64_t>(length)) : first;
  if (!first || !last)
    return std::nullopt;
  const int64_t end = item.isRange ? *last : *first + 1;
  if (item.isRange && end <= *first)
    return IndexList{};
  const bool isBelow = *first < 0;
  if (isBelow || static_cast<uint64_t>(end) > length) {
    const std::optional<ast::Expr> &bound = isBelow || !item.isRange ? item.first : item.last;
    context.error(bound ? bound->range : item.range,
                  "index {} of '{}' is outside 0..{} (the array is {})", isBelow ? *first : end - 1,
                  excerpt(name), length - 1, dimsText(dims));
    return std::nullopt;
  }
  return IndexList{*first, static_cast<uint64_t>(end - *first), {}};
}

} // namespace mpf
