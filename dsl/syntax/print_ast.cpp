#include "dsl/syntax/print_ast.h"

#include "dsl/support/number_text.h"
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace mpf {

namespace {

/// Appends, so that deep expressions over long ones are not copied once per level.
void appendExpr(std::string &text, const ast::Expr &expr);

void appendIndices(std::string &text, const std::vector<ast::Expr> &indices) {
  for (const ast::Expr &index : indices) {
    text += '[';
    appendExpr(text, index);
    text += ']';
  }
}

std::string_view headOf(const ast::Expr &expr) {
  switch (expr.kind) {
  case ast::ExprKind::Conditional:
    return "?";
  case ast::ExprKind::Call:
  case ast::ExprKind::Fold:
    return expr.function == ast::Function::None ? expr.name : ast::functionName(expr.function);
  case ast::ExprKind::Range:
    return "in";
  case ast::ExprKind::Span:
    return "..";
  case ast::ExprKind::List:
    return "list";
  default:
    return ast::operatorSpelling(expr.op);
  }
}

void appendExpr(std::string &text, const ast::Expr &expr) {
  if (expr.kind == ast::ExprKind::Number) {
    const bool isSpelled = !expr.name.empty() && isSpelledOtherwise(expr.number, expr.name);
    text += isSpelled ? expr.name : formatDouble(expr.number);
    return;
  }
  if (expr.kind == ast::ExprKind::Ref) {
    text += spellName(expr.name);
    appendIndices(text, expr.children);
    return;
  }
  if (expr.kind == ast::ExprKind::String) {
    text += spellString(expr.name);
    return;
  }
  text += '(';
  text += headOf(expr);
  for (const ast::Expr &child : expr.children) {
    text += ' ';
    appendExpr(text, child);
  }
  text += ')';
}

std::string indicesText(const std::vector<ast::Expr> &indices) {
  std::string text;
  appendIndices(text, indices);
  return text;
}

std::string refText(const ast::VarRef &ref) {
  std::string text = spellName(ref.name.text);
  for (const ast::IndexItem &item : ref.indices) {
    text += '[';
    if (item.first)
      appendExpr(text, *item.first);
    if (item.isRange)
      text += "..";
    if (item.last)
      appendExpr(text, *item.last);
    text += ']';
  }
  return text;
}

std::string refsText(const std::vector<ast::VarRef> &refs, std::string_view separator) {
  std::string text;
  for (const ast::VarRef &ref : refs)
    text += (&ref == &refs.front() ? "" : std::string(separator)) + refText(ref);
  return text;
}

std::string exprsText(const std::vector<ast::Expr> &exprs) {
  std::string text;
  for (const ast::Expr &expr : exprs)
    text += ' ' + printExpr(expr);
  return text;
}

/// The first line of a range under `for`: "i in 0 .. n", "i in (list 0 n) if (> i 2)".
std::string rangeText(const ast::Expr &range) {
  const ast::Expr &list = range.children[1];
  std::string text = spellName(range.children[0].name) + " in ";
  text += list.kind == ast::ExprKind::Span
              ? fmt::format("{} .. {}", printExpr(list.children[0]), printExpr(list.children[1]))
              : printExpr(list);
  return range.children.size() > 2 ? text + " if " + printExpr(range.children[2]) : text;
}

class AstPrinter {
public:
  AstPrinter(const ast::File &file, const AstPrintOptions &options)
      : source_(*file.source), options_(options) {}

  void decls(const std::vector<ast::Decl> &list) {
    for (const ast::Decl &decl : list)
      std::visit([&](const auto &node) { print(decl.range, node); }, decl.node);
  }
  std::string take() { return std::move(text_); }

private:
  void line(SourceRange range, std::string_view what) {
    text_.append(2 * indent_, ' ');
    if (options_.positions) {
      const LineColumn at = source_.locate(range.begin);
      text_ += fmt::format("{}:{} ", at.line, at.column);
    }
    text_ += what;
    text_ += '\n';
  }

  void print(SourceRange range, const ast::ModelDecl &decl) {
    line(range, "model " + spellName(decl.name.text));
  }

  void print(SourceRange range, const ast::DomainDecl &decl) {
    line(range, "domain " + spellName(decl.name.text));
    nested([&] { domain(decl.spec); });
  }

  void print(SourceRange range, const ast::VarDecl &decl) {
    line(range, "var");
    nested([&] {
      for (const ast::VarGroup &group : decl.groups) {
        for (const ast::VarItem &item : group.items)
          line(item.range, spellName(item.name.text) + indicesText(item.dims));
        domain(group.domain);
      }
    });
  }

  void print(SourceRange range, const ast::ParamDecl &decl) {
    static constexpr std::array<std::string_view, 7> kKinds = {
        "", " =", " =", " in linspace", " in range", " in list", " in"};
    line(range, "param");
    nested([&] {
      for (const ast::ParamItem &item : decl.items) {
        std::string axes;
        for (const ast::ParamAxis &axis : item.axes)
          axes += fmt::format("[{}]", axis.length.empty() ? "" : printExpr(axis.length.front()));
        line(item.range, fmt::format("{}{}{}{}", spellName(item.name.text), axes,
                                     kKinds[static_cast<size_t>(item.kind)], exprsText(item.args)));
        if (!item.given.empty())
          nested([&] { value(item.given.front()); });
      }
    });
  }

  void print(SourceRange range, const ast::DefDecl &decl) {
    line(range, "def " + spellName(decl.name.text));
    nested([&] {
      for (const ast::Argument &argument : decl.arguments) {
        line(argument.name.range, spellName(argument.name.text));
        nested([&] {
          for (const ast::DomainSpec &spec : argument.domain)
            domain(spec);
        });
      }
      value(decl.body);
    });
  }

  void where(const std::vector<ast::Binding> &bindings) {
    for (const ast::Binding &binding : bindings)
      line(binding.name.range,
           fmt::format("where {} = {}", spellName(binding.name.text), printExpr(binding.value)));
  }

  void print(SourceRange range, const ast::FactorDecl &decl) {
    line(range,
         fmt::format("factor {}({})", spellName(decl.name.text), refsText(decl.scope, ", ")));
    nested([&] {
      value(decl.value);
      where(decl.where);
    });
  }

  void print(SourceRange range, const ast::ProbDecl &decl) {
    line(range, fmt::format("prob P({}{}{})", refText(decl.child),
                            decl.parents.empty() ? "" : " | ", refsText(decl.parents, ", ")));
    nested([&] {
      if (decl.noisy)
        noisy(*decl.noisy);
      else
        value(decl.value);
      where(decl.where);
    });
  }

  void noisy(const ast::NoisyValue &noisy) {
    line(noisy.range, std::string(ast::noisyName(noisy.kind)));
    nested([&] {
      for (const ast::Value &leak : noisy.leak) {
        line(leak.range, "leak");
        nested([&] { value(leak); });
      }
      for (const ast::Value &cause : noisy.causes)
        value(cause);
    });
  }

  void print(SourceRange range, const ast::ForDecl &decl) {
    line(range, "for");
    nested([&] {
      for (const ast::Expr &loop : decl.ranges)
        line(loop.range, rangeText(loop));
      decls(decl.body);
    });
  }

  void print(SourceRange range, const ast::ObserveDecl &decl) {
    line(range, "observe");
    nested([&] {
      for (const ast::ObserveItem &item : decl.items) {
        const std::string variable = refText(item.variable);
        switch (item.kind) {
        case ast::ObserveKind::State:
          line(item.range, fmt::format("{} = {}", variable, printExpr(item.state)));
          break;
        case ast::ObserveKind::States:
          line(item.range, variable + " =");
          nested([&] { value(item.weights); });
          break;
        case ast::ObserveKind::Do:
          line(item.range, fmt::format("do({} = {})", variable, printExpr(item.state)));
          break;
        case ast::ObserveKind::Likelihood:
        case ast::ObserveKind::Posterior:
          line(item.range,
               variable + (item.kind == ast::ObserveKind::Posterior ? " ~ posterior" : " ~"));
          nested([&] { value(item.weights); });
        }
      }
    });
  }

  void print(SourceRange range, const ast::ObserveCasesDecl &decl) {
    line(range, "observe cases file " + spellString(decl.path.text));
  }

  void print(SourceRange range, const ast::OrderDecl &decl) {
    line(range, "order");
    nested([&] {
      for (const auto &chain : decl.chains)
        line({chain.front().range.begin, chain.back().range.end}, refsText(chain, " > "));
    });
  }

  void print(SourceRange range, const ast::IncludeDecl &decl) {
    line(range,
         fmt::format("{} {}", decl.isImport ? "import" : "include", spellString(decl.path.text)));
  }

  void print(SourceRange range, const ast::QueryDecl &decl) {
    if (const QueryTraits &traits = traitsOf(decl.kind); !traits.isExpression()) {
      std::string text = fmt::format("query {}", traits.keyword);
      if (traits.arguments == QueryArguments::Count)
        text += ' ' + printExpr(decl.sampleCount);
      else if (!decl.output.empty())
        text += fmt::format("({}{}{})", refsText(decl.output, ", "), decl.rows.empty() ? "" : " | ",
                            refsText(decl.rows, ", "));
      line(range, text + typeText(decl));
      if (!decl.given.empty())
        nested([&] { print(range, ast::ObserveDecl{decl.given}); });
      return;
    }
    line(range, fmt::format("query {}({}){}", spellName(decl.name.text),
                            refsText(decl.output, ", "), typeText(decl)));
    nested([&] {
      for (const ast::ReductionClause &clause : decl.reductions)
        line(clause.range,
             fmt::format("{}({})", ast::reduceName(clause.op), refsText(clause.variables, ", ")));
      line({decl.product.front().range.begin, decl.product.back().range.end},
           fmt::format("product{}{}", decl.combine == ast::CombineOp::None ? "" : " ",
                       ast::combineSpelling(decl.combine)));
      nested([&] {
        for (const ast::FactorRef &ref : decl.product)
          line(ref.range, ref.isProb ? fmt::format("P({})", refText(ref.child))
                                     : spellName(ref.name.text) + indicesText(ref.indices));
      });
    });
  }

  static std::string typeText(const ast::QueryDecl &decl) {
    return decl.type ? fmt::format(" : {}", elementTypeName(*decl.type)) : std::string();
  }

  void domain(const ast::DomainSpec &spec) {
    std::string labels;
    for (const ast::Name &label : spec.labels)
      labels += (labels.empty() ? "" : ", ") + spellName(label.text);
    if (spec.file)
      return valueNode(spec.range, *spec.file);
    line(spec.range, spec.labelled() ? fmt::format("labels {{ {} }}", labels)
                                     : "domain " + printExpr(spec.size));
  }

  void value(const ast::Value &value) {
    std::visit([&](const auto &node) { valueNode(value.range, node); }, value.node);
  }
  void valueNode(SourceRange range, const ast::Expr &expr) { line(range, printExpr(expr)); }
  void valueNode(SourceRange range, const ast::InputValue &input) {
    line(range, "input");
    nested([&] {
      for (const ast::Value &defaults : input.defaults)
        value(defaults);
    });
  }
  void valueNode(SourceRange range, const ast::NormalisedValue &normalised) {
    line(range, "normalise");
    nested([&] { value(normalised.of.front()); });
  }
  void valueNode(SourceRange range, const ast::ExpValue &exp) {
    line(range, "exp");
    nested([&] { value(exp.logarithms.front()); });
  }
  void valueNode(SourceRange range, const ast::FileValue &file) {
    line(range, "file " + spellString(file.path.text) +
                    (file.member ? ' ' + spellString(file.member->text) : ""));
  }

  void valueNode(SourceRange range, const ast::ArrayLiteral &array) {
    std::string text = fmt::format("array {}", fmt::join(array.shape, " x "));
    const uint64_t shown = std::min<uint64_t>(array.values.size(), options_.maxArrayValues);
    auto computed = array.computed.begin();
    for (uint64_t i = 0; i < shown; ++i) {
      const bool here = computed != array.computed.end() && computed->index == i;
      text += (i == 0 ? ": " : " ") +
              (here ? printExpr(computed->expr) : formatDouble(array.values[i]));
      computed += here;
    }
    if (shown < array.values.size())
      text += fmt::format(" ... and {} more", array.values.size() - shown);
    line(range, text);
  }

  void valueNode(SourceRange range, const ast::MapLiteral &map) {
    line(range, "map");
    nested([&] {
      for (const ast::MapEntry &entry : map.entries) {
        std::string keys = entry.isDefault ? "default" : "";
        for (const ast::MapKey &key : entry.keys)
          keys += (keys.empty() ? "" : ", ") +
                  (key.isNumber ? key.label.text : spellName(key.label.text));
        line(entry.range, keys + ":");
        nested([&] { value(entry.value.front()); });
      }
    });
  }

  template <class Body> void nested(Body body) {
    ++indent_;
    body();
    --indent_;
  }

  const SourceBuffer &source_;
  const AstPrintOptions &options_;
  size_t indent_ = 0;
  std::string text_;
};

} // namespace

std::string printExpr(const ast::Expr &expr) {
  std::string text;
  appendExpr(text, expr);
  return text;
}

std::string printAst(const ast::File &file, const AstPrintOptions &options) {
  AstPrinter printer(file, options);
  printer.decls(file.decls);
  return printer.take();
}

} // namespace mpf
