#include "dsl/model/read/read_model.h"

#include "dsl/model/print/print_model.h"
#include "dsl/model/read/read_evidence.h"
#include "dsl/model/read/read_formulas.h"
#include "dsl/model/read/read_names.h"
#include "dsl/model/read/read_queries.h"
#include "dsl/model/read/read_table_key.h"
#include "dsl/model/verify_model.h"
#include "dsl/source/line_reader.h"
#include "dsl/support/text/call_for_word.h"

#include <string_view>
#include <utility>

namespace mpf {

namespace {

class Reader {
public:
  Reader(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
         const ModelLimits &limits, const ModelFiles &files)
      : lines_(std::move(buffer), diagnostics), limits_(limits), names_(lines_),
        formulas_(lines_, limits), queries_(lines_, limits, names_, model_),
        evidence_(lines_, limits, files, names_, model_) {}

  std::optional<Model> run() {
    const size_t errorsBefore = errors();
    bool empty = true;
    while (!lines_.diagnostics().full() && lines_.next()) {
      empty = false;
      const size_t errorsAtLine = errors();
      if (!readLine())
        continue;
      if (errors() == errorsAtLine)
        lines_.expectEndOfLine();
    }
    if (empty && errors() == errorsBefore)
      lines_.report("the text is empty, a printed model starts with 'model'");
    if (tableMissing_ != 0)
      lines_.report("the last table lacks {} values", tableMissing_);
    evidence_.finish();
    if (errors() != errorsBefore)
      return std::nullopt;
    markSwept(model_);
    SourcePlace place;
    if (const std::string fault = findModelFault(model_, &place); !fault.empty()) {
      lines_.diagnostics().error(place.buffer ? place : lines_.here(), "{}", fault);
      return std::nullopt;
    }
    return std::move(model_);
  }

private:
  using Handler = void (Reader::*)();

  size_t errors() { return lines_.diagnostics().errorCount(); }

  /// Returns false if the keyword is unknown here.
  bool readLine() {
    static constexpr std::pair<std::string_view, Handler> kHandlers[] = {
        {"values", &Reader::readValues},   {"factor", &Reader::readFactor},
        {"follows", &Reader::readFollows}, {"part", &Reader::readPart},
        {"formula", &Reader::readFormula}, {"param", &Reader::readParam},
        {"table", &Reader::readTable},     {"var", &Reader::readVar},
        {"auxiliary", &Reader::readVar},   {"order", &Reader::readOrder},
        {"sweep", &Reader::readSweep},     {"model", &Reader::readName},
        {"uncut", &Reader::readUncut},
    };
    const std::string &keyword = lines_.keyword().text;
    if (tableMissing_ != 0 && keyword != "values") {
      lines_.report("table {} lacks {} values before '{}'", tables_.size() - 1, tableMissing_,
                    keyword);
      tableMissing_ = 0;
    }
    if (callForWord(kHandlers, keyword, *this) || evidence_.readLine() || queries_.readLine())
      return true;
    lines_.diagnostics().error({lines_.here().buffer, lines_.keyword().range},
                               "'{}' does not start a line of a model",
                               std::string_view(keyword).substr(0, 60));
    return false;
  }

  void readName() { model_.name = lines_.takeWord("a model name").value_or(""); }

  void readVar() {
    Variable variable;
    variable.name = lines_.takeWord("a variable name").value_or("");
    const auto extent = lines_.takeUnsignedKey("extent", limits_.maxExtent);
    if (!extent)
      return;
    variable.extent = static_cast<uint32_t>(*extent);
    variable.auxiliary = lines_.keyword().text == "auxiliary";
    while (!lines_.atEndOfLine())
      variable.labels.push_back(*lines_.takeWord("a label"));
    names_.addVariable(variable.name);
    model_.variables.push_back(std::move(variable));
  }

  void readTable() {
    const auto number = lines_.takeUnsigned("a table number", UINT32_MAX);
    const auto elems = lines_.takeUnsignedKey("elems", limits_.maxTableElems);
    if (!number || !elems)
      return;
    if (*number != tables_.size())
      lines_.report("table {} stands where table {} is due", *number, tables_.size());
    tables_.push_back(std::make_shared<std::vector<double>>());
    tableMissing_ = *elems;
  }

  void readValues() {
    if (tableMissing_ == 0)
      lines_.report("values without a table that needs them");
    for (; tableMissing_ != 0 && !lines_.atEndOfLine(); --tableMissing_) {
      const auto value = lines_.takeDouble("a number");
      if (!value)
        return;
      tables_.back()->push_back(*value);
    }
  }

  void readFactor() {
    Factor factor;
    factor.name = lines_.takeWord("a factor name").value_or("");
    const auto family = lines_.takeKey("family");
    const auto kind = family ? lines_.takeKey("kind") : std::nullopt;
    const auto table = kind ? lines_.takeKey("table") : std::nullopt;
    if (!table || !lines_.takeLiteral("scope"))
      return;
    factor.family = *family;
    factor.conditional = *kind == "conditional";
    const bool isTarget = *kind == "posterior";
    if (*kind == "soft" || isTarget)
      model_.evidence.likelihoods.emplace_back(model_.factors.size());
    else if (*kind != "conditional" && *kind != "plain")
      lines_.report("kind= is one of plain, conditional, soft, posterior; found '{}'", *kind);
    setTable(factor, *table);
    if (isTarget && !makeTarget(factor))
      return lines_.report("kind=posterior without the table of the posterior");
    factor.scope = names_.takeVariables();
    names_.addFactor(factor.name);
    model_.factors.push_back(std::move(factor));
    uncut_ = nullptr;
  }

  void setTable(Factor &factor, const std::string &table) {
    if (!readTableKey(table, tables_, factor))
      lines_.report("table={} of {} tables so far", table, tables_.size());
  }

  /// Reads the last factor as it was before do() cut it off.
  void readUncut() {
    const auto table = lines_.takeKey("table");
    if (!table || !lines_.takeLiteral("scope"))
      return;
    if (model_.factors.empty() || model_.factors.back().uncut)
      return lines_.report("'uncut' without a factor before it");
    Factor &factor = model_.factors.back();
    uncut_ = std::make_shared<Factor>(
        Factor{factor.name, factor.family, {}, nullptr, factor.conditional});
    setTable(*uncut_, *table);
    uncut_->place = {lines_.here().buffer, lines_.keyword().range};
    uncut_->scope = names_.takeVariables();
    factor.uncut = uncut_;
  }

  void readParam() {
    Param param;
    param.name = lines_.takeWord("a param name").value_or("");
    param.value = lines_.takeDoubleKey("value").value_or(0);
    param.varies = true;
    if (lines_.acceptLiteral("follows")) {
      if (!formulas_.takeExpression(model_, param.derivation))
        return;
      if (param.derivation.code.empty())
        lines_.report("the expression of param '{}' is due", param.name);
    }
    model_.params.push_back(std::move(param));
  }

  void readFormula() { formulas_.readFormula(); }
  void readPart() { formulas_.readPart(model_); }
  void readFollows() {
    Factor *const last = model_.factors.empty() ? nullptr : &model_.factors.back();
    formulas_.readFollows(model_, uncut_ ? uncut_.get() : last);
  }

  void readSweep() {
    SweptParam sweep;
    sweep.place = lines_.here();
    sweep.name = lines_.takeWord("a param name").value_or("");
    while (!lines_.atEndOfLine()) {
      const auto value = lines_.takeDouble("a number");
      if (!value)
        return;
      sweep.values.push_back(*value);
    }
    model_.sweeps.push_back(std::move(sweep));
  }

  void readOrder() { model_.orders.push_back(names_.takeVariables()); }

  LineReader lines_;
  const ModelLimits &limits_;
  Model model_;
  NamesSoFar names_;
  TablesSoFar tables_;
  FormulaLines formulas_;
  QueryLines queries_;
  EvidenceLines evidence_;
  std::shared_ptr<Factor> uncut_; ///< of the last factor, while its lines are read
  uint64_t tableMissing_ = 0;     ///< values still due for the last table
};

} // namespace

std::optional<Model> readModel(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                               const ModelLimits &limits, const ModelFiles &files) {
  return Reader(std::move(buffer), diagnostics, limits, files).run();
}

} // namespace mpf
