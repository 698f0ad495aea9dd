#include "dsl/model/build/build_model.h"

#include "dsl/model/build/build_evidence.h"
#include "dsl/model/build/build_factor.h"
#include "dsl/model/build/build_order.h"
#include "dsl/model/build/build_query.h"
#include "dsl/model/build/check_network.h"
#include "dsl/model/build/declare_names.h"
#include "dsl/model/build/expand_templates.h"
#include "dsl/model/build/include_files.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/check.h"
#include "dsl/syntax/parser.h"

#include <algorithm>
#include <iterator>

namespace mpf {

namespace {

/// Gives the model the name that its main file has.
void nameModel(Model &model, const ast::File &mainFile) {
  for (const ast::Decl &decl : mainFile.decls)
    if (const auto *named = std::get_if<ast::ModelDecl>(&decl.node))
      model.name = named->name.text;
}

/// Opens lists of cases. All names that their columns may use are declared before.
void openLists(BuildContext &context, const std::vector<PlacedDecl> &decls) {
  for (const PlacedDecl &placed : decls)
    if (const auto *cases = std::get_if<ast::ObserveCasesDecl>(&placed.decl->node)) {
      context.source = placed.source;
      addCases(context, *cases);
    }
}

/// Builds factors, evidence and orders, in the order written; loops are expanded in place.
void buildFactors(BuildContext &context, const std::vector<PlacedDecl> &decls) {
  context.factors.reserve(decls.size());
  FactorBuilder factors(context);
  OrderBuilder orders(context);
  const auto build = [&](const ast::Decl &decl) {
    if (const auto *factor = std::get_if<ast::FactorDecl>(&decl.node))
      factors.addFactor(*factor);
    else if (const auto *prob = std::get_if<ast::ProbDecl>(&decl.node))
      prob->noisy ? factors.addNoisy(*prob, *prob->noisy) : factors.addProb(*prob);
    else if (const auto *observe = std::get_if<ast::ObserveDecl>(&decl.node))
      addObservations(context, factors, *observe);
    else if (const auto *order = std::get_if<ast::OrderDecl>(&decl.node))
      orders.add(*order);
  };
  TemplateExpander templates(context, build);
  for (const PlacedDecl &placed : decls) {
    if (context.diagnostics.full())
      return;
    context.source = placed.source;
    if (placed.imported)
      addImportedFactors(context, *placed.decl, *placed.imported);
    else if (const auto *loop = std::get_if<ast::ForDecl>(&placed.decl->node))
      templates.expand(*loop);
    else
      build(*placed.decl);
  }
  orders.finish();
  cutTables(context); // no list of cases gives entries of these
}

/// Whether a query stands under the loop, at any depth.
bool hasQuery(const ast::ForDecl &loop) {
  return std::ranges::any_of(loop.body, [](const ast::Decl &decl) {
    const auto *inner = std::get_if<ast::ForDecl>(&decl.node);
    return inner ? hasQuery(*inner) : std::holds_alternative<ast::QueryDecl>(decl.node);
  });
}

void buildQueries(BuildContext &context, const std::vector<PlacedDecl> &decls) {
  QueryBuilder queries(context);
  const auto build = [&](const ast::Decl &decl) {
    if (const auto *query = std::get_if<ast::QueryDecl>(&decl.node))
      queries.add(*query);
  };
  TemplateExpander templates(context, build);
  for (const PlacedDecl &placed : decls) {
    if (context.diagnostics.full())
      return;
    context.source = placed.source;
    if (const auto *loop = std::get_if<ast::ForDecl>(&placed.decl->node); loop && hasQuery(*loop))
      templates.expand(*loop);
    else
      build(*placed.decl);
  }
}

SourcePlace placeOfVariable(const BuildContext &context, const std::string &name) {
  const Symbol *symbol = context.symbols.find(name);
  if (symbol == nullptr) // an element of an index array
    symbol = context.symbols.find(name.substr(0, name.find('[')));
  return symbol == nullptr ? SourcePlace{} : symbol->place;
}

void checkNetwork(BuildContext &context) {
  std::vector<VarId> children;
  for (const Factor &factor : context.model.factors)
    children.push_back(factor.conditional ? factor.scope.back() : VarId());
  const NetworkPlaces places{
      [&](FactorId id) { return context.factors.placeOf(context.model.factor(id).name); },
      [&](VarId id) { return placeOfVariable(context, context.model.variable(id).name); }};
  warnOfNetwork(context.model, children, places, context.diagnostics);
}

/// Whether columns of a list of cases set params that context.params.varying lacks.
bool setsMoreParams(const BuildContext &context) {
  return context.model.cases &&
         std::ranges::any_of(context.model.cases->schema().params, [&](const std::string &name) {
           return !context.params.varying.contains(name);
         });
}

/// Completes the model after factors were built and the list of cases was opened. Returns false
/// after reporting.
bool buildRest(BuildContext &context, const std::vector<PlacedDecl> &decls) {
  finishEvidence(context);
  buildQueries(context, decls);
  if (context.diagnostics.hasErrors())
    return false;
  context.rows.report();
  checkNetwork(context);
  verifyModel(context.model);
  return true;
}

/// Hands the names of a build over when it ends, also by an exception.
class KeptNames {
public:
  KeptNames(BuiltNames *names, BuildContext &context, FileCollector &files,
            std::vector<PlacedDecl> &decls)
      : names_(names), context_(context), files_(files), decls_(decls) {}
  ~KeptNames() {
    if (names_ != nullptr)
      *names_ = {files_.takeFiles(), std::move(decls_), std::move(context_.symbols),
                 std::move(context_.domains), std::move(context_.limitErrors)};
  }
  KeptNames(const KeptNames &) = delete;
  KeptNames &operator=(const KeptNames &) = delete;

private:
  BuiltNames *names_;
  BuildContext &context_;
  FileCollector &files_;
  std::vector<PlacedDecl> &decls_;
};

} // namespace

std::optional<Model> buildModel(const ast::File &file, Diagnostics &diagnostics,
                                const BuildOptions &options, BuiltNames *names) {
  Model model;
  BuildContext context(model, diagnostics, options);
  context.source = file.source;
  context.incomplete = diagnostics.hasErrors();
  FileCollector files(context);
  std::vector<PlacedDecl> decls = files.collect(file);
  const KeptNames kept(names, context, files, decls);
  nameModel(model, file);
  declareNames(context, decls);
  buildFactors(context, decls);
  openLists(context, decls);
  if (diagnostics.hasErrors() || !setsMoreParams(context))
    return buildRest(context, decls) ? std::optional(std::move(model)) : std::nullopt;
  // Only now the params that cases set are known. The model is built again for them.
  Model again;
  BuildContext knowing(again, diagnostics, options);
  knowing.arrays = context.arrays;
  knowing.params.varying.insert(model.cases->schema().params.begin(),
                                model.cases->schema().params.end());
  nameModel(again, file);
  declareNames(knowing, decls);
  buildFactors(knowing, decls);
  again.cases = model.cases;
  again.listedCases = model.listedCases;
  const bool isBuilt = buildRest(knowing, decls);
  std::ranges::copy(knowing.limitErrors, std::back_inserter(context.limitErrors));
  return isBuilt ? std::optional(std::move(again)) : std::nullopt;
}

std::optional<Model> readMpf(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics,
                             const BuildOptions &options) {
  const std::unique_ptr<ast::File> file = parseFile(std::move(source), diagnostics);
  return buildModel(*file, diagnostics, options);
}

} // namespace mpf
