#include "codegen/emit/lanes/ordered_statements.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

class StatementOrder {
public:
  explicit StatementOrder(const std::vector<Statement> &statements)
      : statements_(statements), lives_(statements.size()) {}

  /// Adds the lines that `root` needs, depth first. The path is a list instead of a recursion,
  /// because chains of statements are long.
  void add(uint32_t root) {
    if (!begin(root))
      return;
    while (!path_.empty()) {
      const size_t top = path_.size() - 1;
      const Statement &statement = statements_[path_[top].statement];
      const StatementLine &line = statement.lines[path_[top].line];
      if (path_[top].read < line.reads.size()) {
        const uint32_t read = line.reads[path_[top].read++];
        MPF_CHECK(read < path_[top].statement, "statement {} reads {}", path_[top].statement, read);
        begin(read);
        continue;
      }
      write(path_[top].statement, line);
      path_[top].read = 0;
      if (++path_[top].line == statement.lines.size())
        path_.pop_back();
    }
  }

  OrderedStatements finish() {
    std::vector<int64_t> changes(result_.lines.size() + 1, 0);
    for (size_t s = 0; s < statements_.size(); ++s)
      if (lives_[s].isWritten) {
        changes[lives_[s].first] += statements_[s].values;
        changes[lives_[s].end] -= statements_[s].values;
      }
    int64_t alive = 0, most = 0;
    for (const int64_t change : changes)
      most = std::max(most, alive += change);
    result_.mostAlive = static_cast<uint64_t>(most);
    return std::move(result_);
  }

private:
  struct Life {
    bool isBegun = false, isWritten = false;
    size_t first = 0, end = 0; ///< lines; `end` is behind the last line that reads it
  };
  struct Step {
    uint32_t statement = 0;
    size_t line = 0, read = 0;
  };

  /// Begins a statement. Returns false if it was begun before.
  bool begin(uint32_t statement) {
    if (lives_[statement].isBegun)
      return false;
    lives_[statement].isBegun = true;
    path_.push_back({statement});
    return true;
  }

  void write(uint32_t statement, const StatementLine &line) {
    Life &life = lives_[statement];
    const size_t place = result_.lines.size();
    if (!life.isWritten)
      life.first = place;
    life.isWritten = true;
    life.end = place + 1;
    for (const uint32_t read : line.reads)
      lives_[read].end = place + 1;
    result_.lines.push_back(line.text);
  }

  const std::vector<Statement> &statements_;
  std::vector<Life> lives_;
  std::vector<Step> path_;
  OrderedStatements result_;
};

} // namespace

OrderedStatements orderStatements(const std::vector<Statement> &statements,
                                  std::span<const uint32_t> roots) {
  StatementOrder order(statements);
  for (const uint32_t root : roots)
    order.add(root);
  return order.finish();
}

} // namespace mpf
