// A state of a variable as people write it: a label, or a number (dsl/model/state_numbers.h).
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <span>
#include <string>

namespace mpf {

/// The state called `label`, where a variable without labels calls its states "0", "1", ...;
/// nothing after reporting that there is none.
std::optional<uint32_t> stateWithLabel(BuildContext &context, VarId variable,
                                       const std::string &label, SourceRange range);
/// The state that a number is; nothing after reporting that it is none, or that its readings as a
/// label and as a place differ; `hint` says what else can be written then.
std::optional<uint32_t> stateWithNumber(BuildContext &context, VarId variable,
                                        const StateNumber &number, SourceRange range,
                                        const std::string &hint = {});

/// Says what gives a bare name a number in an expression over `scope`: "loop index", "param" or
/// "variable". Null: the name has no number.
const char *numberKindOf(const BuildContext &context, const std::string &name,
                         std::span<const VarId> scope = {});
/// False after reporting that `name`, a bare name where a state of `variable` stands, is a label of
/// it and has a number as well.
bool checkOneMeaning(BuildContext &context, VarId variable, const ast::Expr &name,
                     std::span<const VarId> scope = {});

/// The text of `expr` where it is a number with a sign or without: "-1", "01"; empty: it is more.
std::string numberText(const ast::Expr &expr);

} // namespace mpf
