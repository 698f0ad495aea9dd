// Reads a state of a variable as people write it: a label or a number (dsl/model/state_numbers.h).
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <span>
#include <string>

namespace mpf {

/// A place where a state stands: one of a variable, or an index of an array's axis.
struct StatePlace {
  const DomainInfo &domain;
  const std::string &name; ///< of the variable or the array, for messages
};
StatePlace placeOf(const BuildContext &context, VarId variable);

/// Returns the state called `label`; nothing after reporting that there is none. States without
/// labels are called "0", "1", ...
std::optional<uint32_t> stateWithLabel(BuildContext &context, const StatePlace &place,
                                       const std::string &label, SourceRange range);
/// Returns the state that a number means. Returns nothing after reporting a number without a state,
/// or with different states as a label and as a place. `hint` proposes another notation for the
/// latter.
std::optional<uint32_t> stateWithNumber(BuildContext &context, const StatePlace &place,
                                        const StateNumber &number, SourceRange range,
                                        const std::string &hint = {});

/// Returns false after reporting a number that no state has and that is spelled like a label of the
/// variable: inf.
bool checkNoLabel(BuildContext &context, const StatePlace &place, const StateNumber &number,
                  SourceRange range);

/// Says what gives a bare name a number in an expression over `scope`: "loop index", "param" or
/// "variable". Null: the name has no number.
const char *numberKindOf(const BuildContext &context, const std::string &name,
                         std::span<const VarId> scope = {});
/// False after reporting that `name`, a bare name in a place of states, is a label
/// there and has a number as well.
bool checkOneMeaning(BuildContext &context, const StatePlace &place, const ast::Expr &name,
                     std::span<const VarId> scope = {});

/// Returns the text of `expr` if it is a number with an optional minus: "-1", "01"; else empty.
std::string numberText(const ast::Expr &expr);

} // namespace mpf
