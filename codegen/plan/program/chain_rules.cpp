#include "codegen/plan/program/chain_rules.h"

#include "codegen/plan/program/split_k.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf {

ChainRules::ChainRules(const TableProgram &program)
    : program_(program), levels_(program), readers_(program.tables.size(), 0) {
  const auto read = [this](TableId id) { ++readers_[id.index()]; };
  for (const Operation &operation : program.operations)
    std::for_each(operation.operands.begin(), operation.operands.end(), read);
  for (const ProgramTable &table : program.tables)
    if (table.sameAs.valid())
      read(table.sameAs);
  for (const ProgramOutput &output : program.outputs)
    read(output.table);
  for (const TracebackStep &step : program.traceback)
    std::for_each(step.tables.begin(), step.tables.end(), read);
}

ChainLink ChainRules::linkOf(OpId id, TableId message) const {
  const Operation &operation = program_.operation(id);
  const auto &operands = operation.operands;
  // A table that shares the message's memory is another use of it, but does not replace it.
  const auto uses = std::count_if(operands.begin(), operands.end(), [&](TableId operand) {
    return program_.stored(operand) == program_.stored(message);
  });
  const bool named = std::find(operands.begin(), operands.end(), message) != operands.end();
  return {operation.semiring, levels_.ofOperation(operation), levels_.accumulates(operation),
          named ? static_cast<size_t>(uses) : 0, readers_[operation.result.index()]};
}

std::string ChainRules::stepFault(OpId operation, TableId message) const {
  const Operation &step = program_.operation(operation);
  if (!program_.runs(step))
    return fmt::format("operation {} is not run", operation);
  if (const auto fault = chainStepFault(linkOf(operation, message)); !fault.empty())
    return fmt::format("operation {} {} (message {})", operation, fault, message);
  if (program_.table(step.result).splits > 1 || splitsRead(program_, step) > 1)
    return fmt::format("operation {} does part of a sum", operation);
  const std::vector<VarId> &scope = program_.table(message).scope;
  for (const VarId id : step.reduced)
    if (std::find(scope.begin(), scope.end(), id) == scope.end())
      return fmt::format("operation {} reduces {}, which message {} does not have", operation,
                         program_.variables[id.index()].name, message);
  return {};
}

std::string ChainRules::linkFault(OpId operation, OpId next) const {
  const TableId result = program_.operation(operation).result;
  if (program_.table(result).kept)
    return fmt::format("the result of operation {} is kept", operation);
  const ChainLink step = linkOf(operation, result), after = linkOf(next, result);
  if (const auto fault = chainLinkFault(step, after); !fault.empty())
    return fmt::format("operation {} {}", next, fault);
  return {};
}

std::string ChainRules::chainFault(const ProgramChain &chain) const {
  const size_t count = program_.operations.size();
  if (std::string fault = chainStepsFault(chain.count, 2); !fault.empty())
    return fault;
  if (chain.first.index() >= count || chain.count > count - chain.first.index())
    return fmt::format("operations {} to {} of {}", chain.first,
                       chain.first.index() + chain.count - 1, count);
  if (chain.message.index() >= program_.tables.size())
    return fmt::format("message {} of {} tables", chain.message, program_.tables.size());
  size_t factors = 0;
  TableId message = chain.message;
  for (uint32_t step = 0; step < chain.count; ++step) {
    const OpId id = chain.operation(step);
    if (std::string fault = stepFault(id, message); !fault.empty())
      return fault;
    if (step + 1 < chain.count)
      if (std::string fault = linkFault(id, chain.operation(step + 1)); !fault.empty())
        return fault;
    factors += program_.operation(id).operands.size() - 1;
    message = program_.operation(id).result;
  }
  return chainFactorsFault(factors);
}

std::string findChainFault(const TableProgram &program) {
  if (program.chains.empty())
    return {};
  const ChainRules rules(program);
  size_t next = 0; // operations before it are in earlier chains
  for (size_t i = 0; i < program.chains.size(); ++i) {
    const ProgramChain &chain = program.chains[i];
    if (std::string fault = rules.chainFault(chain); !fault.empty())
      return fmt::format("chain {}: {}", i, fault);
    if (chain.first.index() < next)
      return fmt::format("chain {}: operation {} is in another chain", i, chain.first);
    next = chain.first.index() + chain.count;
  }
  return {};
}

} // namespace mpf
