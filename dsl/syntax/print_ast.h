// Prints an AST for users (--emit=ast): one node a line, children indented, "line:column" first.
//
//   1:1 var
//     1:5 x
//     1:8 s[n][(+ n 1)]
//     1:20 labels { no, yes }
//
// Expressions are written with the operator first, which shows the precedence.
#pragma once

#include "dsl/syntax/ast.h"

#include <string>

namespace mpf {

struct AstPrintOptions {
  bool positions = true;        ///< "line:column" before every node
  uint64_t maxArrayValues = 64; ///< longer arrays end in "... and N more"
};

std::string printAst(const ast::File &file, const AstPrintOptions &options = {});

/// Returns one expression as text, operator first: "(+ 1 (exp (- x)))", "s[i][(+ j 1)]".
std::string printExpr(const ast::Expr &expr);

} // namespace mpf
