#include "dsl/model/build/declare_names.h"

#include "dsl/model/declare/check_declarations.h"
#include "dsl/model/declare/declared_names.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mpf {

namespace {

class NameDeclarer {
public:
  NameDeclarer(BuildContext &context, const std::vector<PlacedDecl> &decls)
      : context_(context), decls_(decls), stages_(decls.size(), Stage::Waiting) {}

  void declareAll() {
    for (size_t i = 0; i < decls_.size(); ++i)
      declareWithNeeded(i);
  }

private:
  enum class Stage : uint8_t { Waiting, Open, Done };

  /// A declaration that waits for those that it needs.
  struct Open {
    size_t decl = 0;
    std::vector<size_t> needed; ///< the last comes next
  };

  /// A stack of its own: names may need each other in chains of any length.
  void declareWithNeeded(size_t first) {
    std::vector<Open> open;
    const auto enter = [&](size_t i) {
      if (stages_[i] == Stage::Waiting) {
        stages_[i] = Stage::Open;
        open.push_back({i, needed(i)});
      }
    };
    enter(first);
    while (!open.empty()) {
      Open &top = open.back();
      if (!top.needed.empty()) {
        const size_t next = top.needed.back();
        top.needed.pop_back();
        enter(next);
        continue;
      }
      const size_t i = top.decl;
      open.pop_back();
      declareNow(i);
      stages_[i] = Stage::Done;
    }
  }

  /// Returns the declarations that were not reached and have names that this one needs, the first
  /// needed last.
  std::vector<size_t> needed(size_t i) {
    std::vector<size_t> found;
    if (decls_[i].imported)
      return found;
    forEachNeeded(*decls_[i].decl, [&](const std::string &name) {
      if (context_.symbols.find(name) != nullptr)
        return;
      const auto declared = places().find(name);
      if (declared != places().end() && stages_[declared->second] == Stage::Waiting)
        found.push_back(declared->second);
    });
    std::ranges::reverse(found);
    return found;
  }

  /// The declaration of each name. Only a model that uses a name above its declaration needs it.
  const std::unordered_map<std::string, size_t> &places() {
    if (places_)
      return *places_;
    places_.emplace();
    for (size_t i = 0; i < decls_.size(); ++i)
      if (const Model *imported = decls_[i].imported.get())
        for (const Variable &variable : imported->variables)
          places_->try_emplace(variable.name, i);
      else
        forEachDeclared(*decls_[i].decl,
                        [&](const std::string &name) { places_->try_emplace(name, i); });
    return *places_;
  }

  void declareNow(size_t i) {
    const PlacedDecl &placed = decls_[i];
    context_.source = placed.source;
    const size_t errorsBefore = context_.diagnostics.errorCount();
    const auto &node = placed.decl->node;
    if (placed.imported)
      addImportedVariables(context_, *placed.decl, *placed.imported);
    else if (const auto *params = std::get_if<ast::ParamDecl>(&node))
      checkParams(context_, *params);
    else if (const auto *domain = std::get_if<ast::DomainDecl>(&node))
      checkDomain(context_, *domain);
    else if (const auto *variables = std::get_if<ast::VarDecl>(&node))
      checkVariables(context_, *variables);
    else if (const auto *function = std::get_if<ast::DefDecl>(&node))
      checkFunction(context_, *function);
    if (context_.diagnostics.errorCount() > errorsBefore && !placed.imported)
      noteCircle(i);
  }

  /// Says which name could not be declared before this one, which it needs.
  void noteCircle(size_t i) {
    std::string name;
    size_t circle = i;
    forEachNeeded(*decls_[i].decl, [&](const std::string &needed) {
      const auto declared = places().find(needed);
      if (circle == i && declared != places().end() && stages_[declared->second] == Stage::Open &&
          context_.symbols.find(needed) == nullptr) {
        name = needed;
        circle = declared->second;
      }
    });
    if (circle != i)
      context_.diagnostics.note({decls_[circle].source, decls_[circle].decl->range},
                                "'{}' is declared here, and needs what is declared by it",
                                excerpt(name));
  }

  BuildContext &context_;
  const std::vector<PlacedDecl> &decls_;
  std::vector<Stage> stages_;
  std::optional<std::unordered_map<std::string, size_t>> places_;
};

} // namespace

void declareNames(BuildContext &context, const std::vector<PlacedDecl> &decls) {
  NameDeclarer(context, decls).declareAll();
  checkElementNames(context);
  checkOverrides(context);
}

} // namespace mpf
