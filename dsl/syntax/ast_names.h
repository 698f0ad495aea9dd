// Spellings of the enumerations of the AST: one table for the parser, the printer and messages.
#pragma once

#include "dsl/syntax/ast.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mpf::ast {

std::string_view operatorSpelling(Operator op); ///< "+", "&&"; "" for None
std::string_view functionName(Function function);
std::string_view reduceName(ReduceOp op);       ///< "logsum"
std::string_view noisyName(NoisyKind kind);     ///< "noisyor", "noisymax", "noisymin"
std::string_view combineSpelling(CombineOp op); ///< "*", "+", "and"; "" for None

/// Invert functionName and reduceName; return nothing for other words.
std::optional<Function> functionNamed(std::string_view name);
std::optional<ReduceOp> reduceNamed(std::string_view name);

/// Whether ranges may stand in the call: `sum(i in 0..3: i)`.
bool isFold(Function function);
/// Whether nothing but ranges may stand there: sum, prod, any, all, count.
inline bool isFoldOnly(Function function) { return function >= Function::Sum; }

/// How many arguments a call has, and in words. None: a function that the text declares.
struct ArgumentCount {
  size_t least = 1, most = 1;
  std::string_view text;
};
ArgumentCount argumentCount(Function function);

/// Returns a hint for the name of a function that does not exist: the mpf notation for functions
/// of other languages, or a similar name; else empty.
std::string functionHint(std::string_view name);

/// Return all spellings in the order of the enumerations, for suggestions.
std::span<const std::string_view> functionNames(); ///< without those of folds alone
std::span<const std::string_view> reduceNames();
std::span<const std::string_view> queryKeywords(); ///< keywords of the short forms of queries

/// Returns the keyword of a short form for a name that other programs use: "best" for "MAP", "mpe"
/// or "mode". Empty for other words.
std::string_view queryKeywordMeant(std::string_view word);

} // namespace mpf::ast
