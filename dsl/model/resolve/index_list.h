// Lists of whole numbers: those over which `for` and folds go, and indices of variables. `0..n`,
// `[0, n]`, `checks[j]`, `nonzero(w[j])`, and the items in `x[i]`, `x[0..3]`, `x[checks[j]]`.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// Whole numbers in the order written. A range takes no memory.
struct IndexList {
  int64_t first = 0;            ///< a range: its first number
  uint64_t count = 0;           ///< their number
  std::vector<int64_t> numbers; ///< not empty: they are these, and no range

  int64_t at(uint64_t place) const {
    return numbers.empty() ? first + static_cast<int64_t>(place) : numbers[place];
  }
};

/// Returns the indices that an item means for an axis of `length`; nothing after reporting an index
/// outside of the axis. An item may be a list. A range whose end is not behind its start has none.
/// `name` and `dims` are the array's, for messages.
std::optional<IndexList> foldIndices(BuildContext &context, const ast::IndexItem &item,
                                     uint64_t length, const std::string &name,
                                     std::span<const uint64_t> dims);

/// Returns the numbers of a list; nothing after reporting one that is not whole.
std::optional<IndexList> resolveList(BuildContext &context, const ast::Expr &list);

/// Returns false after reporting that the index of `range`, an ExprKind::Range, has the name of
/// something else here.
bool checkIndexName(BuildContext &context, const ast::Expr &range);

/// Gives the loop index `name` values, one after the other, while it lives.
class IndexScope {
public:
  IndexScope(BuildContext &context, const std::string &name) : context_(context) {
    context.loop.push_back({name, 0});
  }
  ~IndexScope() { context_.loop.pop_back(); }
  IndexScope(const IndexScope &) = delete;
  IndexScope &operator=(const IndexScope &) = delete;
  void set(int64_t value) { context_.loop.back().value = value; }

private:
  BuildContext &context_;
};

/// Returns "3 x 4" for the lengths of an array.
std::string dimsText(std::span<const uint64_t> dims);

} // namespace mpf
