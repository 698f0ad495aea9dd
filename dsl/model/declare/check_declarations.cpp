#include "dsl/model/declare/check_declarations.h"

#include "dsl/model/mpf_names.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/read_array.h"
#include "dsl/support/counts.h"
#include "dsl/syntax/spelling.h"

namespace mpf {

namespace {

/// Returns the domain if its name is in the place of a size: `var x : yesno`.
std::optional<DomainPtr> namedDomain(BuildContext &context, const ast::DomainSpec &spec) {
  if (spec.size.kind != ast::ExprKind::Ref || !spec.size.children.empty())
    return std::nullopt;
  const DomainPtr *domain = context.symbols.findAs<DomainPtr>(spec.size.name);
  return domain ? std::optional(*domain) : std::nullopt;
}

/// Returns a domain of these labels; `rangeOf(i)` is the place of label i.
template <class RangeOf>
std::optional<DomainPtr> labelledDomain(BuildContext &context, std::vector<std::string> labels,
                                        SourceRange range, const std::string &owner,
                                        const RangeOf &rangeOf) {
  if (labels.size() > context.options.limits.maxExtent) {
    context.error(range, "{} has {} labels, the limit is {}", owner, labels.size(),
                  context.options.limits.maxExtent);
    return std::nullopt;
  }
  auto domain = std::make_shared<DomainInfo>();
  domain->extent = static_cast<uint32_t>(labels.size());
  for (uint32_t i = 0; i < domain->extent; ++i)
    if (!domain->stateOf.try_emplace(labels[i], i).second) {
      context.error(rangeOf(i), "label '{}' occurs twice in {}", excerpt(labels[i]), owner);
      return std::nullopt;
    }
  domain->labels = std::move(labels);
  domain->numbers = StateNumbers(domain->labels);
  return domain;
}

/// Returns a domain whose labels are the words of a file.
std::optional<DomainPtr> domainOfFile(BuildContext &context, const ast::FileValue &file,
                                      SourceRange range, const std::string &owner) {
  ArrayRequest request;
  request.maxEntries = context.options.limits.maxExtent;
  const auto read = readWords(context, file, request);
  if (!read)
    return std::nullopt;
  std::vector<std::string> labels;
  for (const FileWord &word : read->words) {
    if (word.text.empty()) {
      context.error(range, "word {} of the file is empty, a label has at least one character",
                    labels.size());
      return std::nullopt;
    }
    labels.push_back(word.text);
  }
  if (labels.empty()) {
    context.error(range, "the file of {} has no words: a domain has at least one label", owner);
    return std::nullopt;
  }
  return labelledDomain(context, std::move(labels), range, owner,
                        [range](uint32_t) { return range; });
}

} // namespace

std::optional<DomainPtr> resolveDomain(BuildContext &context, const ast::DomainSpec &spec,
                                       const std::string &owner) {
  if (spec.file)
    return domainOfFile(context, *spec.file, spec.range, owner);
  if (spec.labelled()) {
    std::vector<std::string> labels;
    for (const ast::Name &label : spec.labels)
      labels.push_back(label.text);
    return labelledDomain(context, std::move(labels), spec.range, owner,
                          [&spec](uint32_t i) { return spec.labels[i].range; });
  }
  if (auto named = namedDomain(context, spec))
    return named;
  if (spec.size.kind == ast::ExprKind::Ref && !context.symbols.find(spec.size.name)) {
    const std::string similar = context.symbols.hintFor<DomainPtr>(spec.size.name);
    reportUnknown(context, spec.range,
                  fmt::format("no domain or param is called '{}'", excerpt(spec.size.name)),
                  similar.empty() ? "states are written here, { no, yes }, or by a declaration: "
                                    "domain answer = { no, yes }"
                                  : similar);
    return std::nullopt;
  }
  const auto extent =
      foldInteger(context, spec.size, fmt::format("the number of states of {}", owner), 1,
                  static_cast<int64_t>(context.options.limits.maxExtent));
  if (!extent)
    return std::nullopt;
  return makeDomain(context, static_cast<uint32_t>(*extent), {}, spec.range);
}

namespace {

std::optional<std::vector<uint64_t>> arrayDims(BuildContext &context, const ast::VarItem &item) {
  std::vector<uint64_t> dims;
  for (const ast::Expr &dim : item.dims) {
    const auto length =
        foldInteger(context, dim, fmt::format("a length of array '{}'", excerpt(item.name.text)), 1,
                    static_cast<int64_t>(context.options.limits.maxVariables));
    if (!length)
      return std::nullopt;
    dims.push_back(static_cast<uint64_t>(*length));
  }
  return dims;
}

/// Checks that `count` more variables of this domain stay inside the limits.
bool roomFor(BuildContext &context, uint64_t count, const DomainInfo &domain, SourceRange range) {
  const ModelLimits &limits = context.options.limits;
  const uint64_t variables = saturatingAdd(context.model.variables.size(), count);
  if (variables > limits.maxVariables) {
    context.error(range, "the model would have {} variables, the limit is {}", variables,
                  limits.maxVariables);
    return false;
  }
  const uint64_t labels =
      saturatingAdd(context.totals.labelCount, saturatingMul(count, domain.labels.size()));
  if (labels > limits.maxLabels) {
    context.error(range, "the variables would have {} labels in all, the limit is {}", labels,
                  limits.maxLabels);
    return false;
  }
  context.totals.labelCount = labels;
  return true;
}

std::string elementName(const std::string &base, const std::vector<uint64_t> &dims, uint64_t at) {
  std::string indices;
  for (size_t axis = dims.size(); axis-- > 0; at /= dims[axis])
    indices = '[' + std::to_string(at % dims[axis]) + ']' + indices;
  return base + indices;
}

void declareItem(BuildContext &context, const ast::VarItem &item, const DomainPtr &domain) {
  const auto dims = arrayDims(context, item);
  uint64_t count = 1;
  for (const uint64_t dim : dims.value_or(std::vector<uint64_t>()))
    count = saturatingMul(count, dim);
  if (!domain || !dims || !roomFor(context, count, *domain, item.range)) {
    context.symbols.declare(item.name.text, {context.at(item.name.range), BrokenSymbol{}},
                            context.diagnostics);
    return;
  }
  Model &model = context.model;
  const VariableSymbol symbol{*dims, VarId(model.variables.size()), count};
  if (!context.symbols.declare(item.name.text, {context.at(item.name.range), symbol},
                               context.diagnostics))
    return;
  for (uint64_t i = 0; i < count; ++i) {
    model.variables.push_back(
        {elementName(item.name.text, *dims, i), domain->extent, domain->labels});
    context.domains.push_back(domain);
  }
}

} // namespace

std::optional<DomainPtr> makeDomain(BuildContext &context, uint32_t extent,
                                    std::vector<std::string> labels, SourceRange range) {
  auto domain = std::make_shared<DomainInfo>();
  domain->extent = extent;
  for (uint32_t i = 0; i < labels.size(); ++i)
    if (!domain->stateOf.try_emplace(labels[i], i).second) {
      context.error(range, "label '{}' occurs twice", excerpt(labels[i]));
      return std::nullopt;
    }
  domain->labels = std::move(labels);
  domain->numbers = StateNumbers(domain->labels);
  return domain;
}

void checkDomain(BuildContext &context, const ast::DomainDecl &decl) {
  const std::string &name = decl.name.text;
  const auto domain = resolveDomain(context, decl.spec, fmt::format("domain '{}'", excerpt(name)));
  Symbol symbol{context.at(decl.name.range), BrokenSymbol{}};
  if (domain)
    symbol.what = *domain;
  context.symbols.declare(name, std::move(symbol), context.diagnostics);
}

bool declareVariable(BuildContext &context, const std::string &name, DomainPtr domain,
                     SourceRange range) {
  if (!roomFor(context, 1, *domain, range))
    return false;
  Model &model = context.model;
  const VariableSymbol symbol{{}, VarId(model.variables.size()), 1};
  if (!context.symbols.declare(name, {context.at(range), symbol}, context.diagnostics))
    return false;
  model.variables.push_back({name, domain->extent, domain->labels});
  context.domains.push_back(std::move(domain));
  return true;
}

void checkVariables(BuildContext &context, const ast::VarDecl &decl) {
  for (const ast::VarGroup &group : decl.groups) {
    const std::string owner = fmt::format("'{}'", excerpt(group.items.front().name.text));
    const auto domain = resolveDomain(context, group.domain, owner);
    for (const ast::VarItem &item : group.items)
      declareItem(context, item, domain.value_or(nullptr));
  }
}

void checkFunction(BuildContext &context, const ast::DefDecl &decl) {
  FunctionSymbol function{&decl, context.source, {}, context.functionCount++};
  bool isOk = true;
  for (const ast::Argument &argument : decl.arguments) {
    if (const Symbol *symbol = context.symbols.find(argument.name.text)) {
      context.error(argument.name.range, "argument '{}' is already declared as {}",
                    excerpt(argument.name.text), symbol->kindName());
      context.diagnostics.note(symbol->place, "first declared here");
      isOk = false;
    }
    std::optional<DomainPtr> domain = nullptr;
    if (!argument.domain.empty())
      domain = resolveDomain(context, argument.domain.front(),
                             fmt::format("'{}'", excerpt(argument.name.text)));
    isOk &= domain.has_value();
    function.domains.push_back(domain.value_or(nullptr));
  }
  Symbol symbol{context.at(decl.name.range), BrokenSymbol{}};
  if (isOk)
    symbol.what = std::make_shared<const FunctionSymbol>(std::move(function));
  context.symbols.declare(decl.name.text, std::move(symbol), context.diagnostics);
}

void checkElementNames(BuildContext &context) {
  for (size_t i = 0; i < context.model.variables.size(); ++i) {
    const std::string &name = context.model.variables[i].name;
    const auto *scalar = context.symbols.findAs<VariableSymbol>(name);
    if (!scalar || scalar->first.index() != i || name.back() != ']')
      continue; // an array's element, or a name that no element can have
    const IndexedName element = splitIndexedName(name);
    const auto *array = context.symbols.findAs<VariableSymbol>(element.base);
    if (element.indices.empty() || !array || array->dims.size() != element.indices.size())
      continue;
    bool inside = true;
    for (size_t axis = 0; axis < array->dims.size(); ++axis)
      inside &= element.indices[axis] < array->dims[axis];
    if (inside)
      context.diagnostics.error(context.symbols.find(name)->place,
                                "'{}' is also an element of the array '{}'", excerpt(name),
                                excerpt(element.base));
  }
}

} // namespace mpf
