// The statements by which a thread computes its case. Each entry of a message is a variable.
#pragma once

#include "codegen/bundle/lanes/lane_addresses.h"
#include "codegen/bundle/lanes/lane_image.h"
#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "codegen/emit/lanes/ordered_statements.h"
#include "codegen/emit/nest/site.h"

#include <set>
#include <string>
#include <vector>

namespace mpf {

/// The inputs of all parts of a kernel's text. `kernel` supplies the order of the codes.
struct LaneTextParts {
  const LaneProgram &program;
  const CommonTables &common;
  const LinearPlan &plan;
  ElementType type;
  const LaneImage &image;
  const LaneKernel &kernel;
};

class LaneStatements {
public:
  /// Adds the statements of the program's weights and steps.
  explicit LaneStatements(const LaneTextParts &parts);

  /// Adds a statement of one line that reads the statements `reads`. Returns its index.
  uint32_t add(std::string text, std::vector<uint32_t> reads);
  /// Returns either the statements that `roots` need, in the order of reads, or all statements as
  /// they were added: the order with fewer values alive.
  OrderedStatements ordered(std::span<const uint32_t> roots) const;

  /// The name of an entry of a message, and the index of the statement that computes it.
  static std::string nameOf(uint32_t table, uint64_t entry);
  uint32_t statementOf(uint32_t table, uint64_t entry) const { return entryAt_[table][entry]; }
  /// The statement that computes x{table}, the exponent of a message that has one.
  uint32_t exponentAt(uint32_t table) const { return exponentAt_[table]; }
  /// The statements that may set `left`, which marks a case that leaves linear arithmetic.
  const std::vector<uint32_t> &watching() const { return watching_; }
  /// Adds the array of a message's entries. Returns the index of the statement.
  uint32_t addArray(uint32_t message);
  /// Returns the text of an entry of a table that all cases share, scaled by LinearPlan::scales,
  /// and sets `value` to its value.
  std::string literal(uint32_t table, uint64_t entry, double &value) const;
  SiteTable &sites() { return sites_; }

private:
  bool isFloat() const { return parts_.type == ElementType::F32; }
  uint32_t add(Statement statement);
  void addWeights();
  void addStep(const LaneGather &gather);
  void addStep(const LaneOperation &operation);
  void addIndicator(const LaneGather &gather);
  uint64_t addLoad(uint32_t message, uint64_t entry, const LaneImageTable &placed, uint32_t row,
                   uint32_t site);
  void begin(uint32_t message);
  StatementLine term(const LaneOperation &operation, const LaneAddresses &addresses, size_t k,
                     size_t r) const;
  void addEntry(const LaneOperation &operation, const LaneAddresses &addresses, size_t k);
  void addMessage(const LaneOperation &operation, const LaneAddresses &addresses);
  void addZero(uint32_t message, uint64_t entry);
  StatementLine maximum(const std::string &name, StatementLine term) const;
  void addRescaling(uint32_t message, const std::vector<uint32_t> &operands);

  const LaneTextParts parts_;
  const std::string entry_; ///< the type of an entry
  std::vector<Statement> statements_;
  std::vector<std::vector<uint32_t>> entryAt_; ///< statement of an entry, by table and entry
  std::vector<std::vector<char>> isZero_;      ///< known to be 0 in every case
  std::vector<uint32_t> exponentAt_, watching_;
  SiteTable sites_;
};

} // namespace mpf
