#include "codegen/emit/lanes/lane_text.h"

#include "codegen/bundle/lanes/lane_addresses.h"
#include "codegen/emit/lanes/lane_code_text.h"
#include "codegen/emit/lanes/rescale_text.h"
#include "codegen/emit/nest/op_emitter.h"
#include "codegen/emit/nest/site.h"
#include "dsl/support/check.h"
#include "dsl/support/code_writer.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace mpf {

namespace {

/// Terms of one line of a long sum.
constexpr size_t kTermsPerLine = 6;

class LaneText {
public:
  LaneText(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
           ElementType type, const LaneImage &image, const LaneKernel &kernel)
      : program_(program), common_(common), plan_(plan), type_(type), image_(image),
        kernel_(kernel), entry_(entryTypeText(type)), isZero_(program.tables.size()) {
    for (const LaneTraceback &step : program.traceback)
      for (const LaneTraceback::Table &table : step.tables)
        if (program.tables[table.access.table].perCase())
          inArrays_.insert(table.access.table);
  }

  std::string write() {
    open();
    loadCodes();
    loadWeights();
    for (const LaneStep &step : program_.steps)
      std::visit([this](const auto &one) { writeStep(one); }, step);
    writeResults();
    if (traitsOf(program_.kind).decoding)
      writeTraceback();
    out_.close(); // cases
    out_.close();
    return out_.finish();
  }

private:
  bool isFloat() const { return type_ == ElementType::F32; }

  void open() {
    out_.line("// {}: {} cases side by side, one in each thread", program_.name,
              kernel_.blockThreads);
    out_.line("extern \"C\" __global__ void __launch_bounds__({})", kernel_.blockThreads);
    out_.line("MPF_LANES(const unsigned *codes, const {} *weights, int casePitch, int count,",
              entry_);
    out_.line("          const {0} *image, {0} *results, int *exponents, unsigned *states,",
              entry_);
    out_.open(fmt::format("          {} *)", entry_));
    out_.line("const unsigned long long pitch = static_cast<unsigned>(casePitch);");
    if (image_.sharedElems != 0) {
      out_.line("MPF_DYN_SHARED({}, tables);", entry_);
      const uint32_t from = sites_.add(SiteKind::GlobalLoad, "image");
      const uint32_t to = sites_.add(SiteKind::SharedStore, "tables");
      out_.line("for (unsigned e = threadIdx.x; e < {}; e += {})", image_.sharedElems,
                kernel_.blockThreads);
      out_.line("  MPF_ST({}, tables[e], MPF_LD({}, image[e]));", to, from);
      out_.line("__syncthreads();");
    }
    out_.directive("#pragma unroll 1");
    out_.open(fmt::format("for (unsigned long long i = blockIdx.x * {0}ull + threadIdx.x; "
                          "i < static_cast<unsigned>(count); i += gridDim.x * {0}ull)",
                          kernel_.blockThreads));
  }

  void loadCodes() {
    const uint32_t site = sites_.add(SiteKind::GlobalLoad, "codes");
    for (uint64_t word = 0; word < kernel_.wordCount(); ++word)
      out_.line("const unsigned w{0} = MPF_LD({1}, codes[{0} * pitch + i]);", word, site);
  }

  void loadWeights() {
    const uint32_t site = sites_.add(SiteKind::GlobalLoad, "weights");
    for (uint32_t t = 0; t < program_.tables.size(); ++t) {
      const LaneTable &table = program_.tables[t];
      if (table.kind != LaneTableKind::Weights)
        continue;
      const uint64_t row = program_.schema.firstWeight(table.source);
      isZero_[t].assign(table.sizeElems, 0);
      for (uint64_t e = 0; e < table.sizeElems; ++e)
        out_.line("{} {} = MPF_LD({}, weights[{} * pitch + i]);", entry_, entryName(t, e), site,
                  row + e);
      finishMessage(t, {});
    }
  }

  static std::string entryName(uint32_t table, uint64_t entry) {
    return fmt::format("t{}_{}", table, entry);
  }

  void writeStep(const LaneGather &gather) {
    if (program_.tables[gather.table].kind == LaneTableKind::Indicator)
      return writeIndicator(gather);
    const LaneImageTable &placed = image_.of(gather.table);
    const uint64_t row = program_.tables[gather.message].sizeElems;
    const bool shared = image_.isShared(placed);
    out_.line("const {} *const r{} = {} + {};", entry_, gather.message, shared ? "tables" : "image",
              laneRowText(kernel_, gather, placed));
    const uint32_t site = sites_.add(shared ? SiteKind::SharedLoad : SiteKind::GlobalLoad,
                                     program_.tables[gather.table].name);
    isZero_[gather.message].assign(row, 0);
    for (uint64_t e = 0; e < row;)
      e += loadEntries(gather.message, e, placed, row, site);
    finishMessage(gather.message, {});
  }

  void writeIndicator(const LaneGather &gather) {
    const uint64_t states = program_.tables[gather.message].sizeElems;
    out_.line("const unsigned c{} = {};", gather.message,
              laneCodeText(kernel_, gather.codes[0].column));
    for (uint64_t e = 0; e < states; ++e)
      out_.line("{0} {1} = c{2} == {3} || c{2} == {4} ? 1 : 0;", entry_,
                entryName(gather.message, e), gather.message, e, states);
    isZero_[gather.message].assign(states, 0);
    finishMessage(gather.message, {});
  }

  /// Loads entries from `e` on, by the widest load that the padding allows.
  uint64_t loadEntries(uint32_t message, uint64_t e, const LaneImageTable &placed, uint64_t row,
                       uint32_t site) {
    const uint64_t widest = isFloat() ? 4 : 2;
    for (uint64_t width = widest; width > 1; width /= 2) {
      if (placed.pitchElems % width != 0 || e + width > placed.pitchElems)
        continue;
      const std::string name = fmt::format("v{}_{}", message, e);
      out_.line("const {0}{1} {2} = MPF_LD({3}, MPF_VEC(const {0}{1}, r{4}[{5}]));", entry_, width,
                name, site, message, e);
      constexpr char kParts[] = "xyzw";
      for (uint64_t part = 0; part < width && e + part < row; ++part)
        out_.line("{} {} = {}.{};", entry_, entryName(message, e + part), name, kParts[part]);
      return width;
    }
    out_.line("{} {} = MPF_LD({}, r{}[{}]);", entry_, entryName(message, e), site, message, e);
    return 1;
  }

  /// An entry of a shared table, scaled as the plan says.
  std::string literal(uint32_t table, uint64_t entry, double &value) const {
    const WideNumber &wide = common_.table(table)[entry];
    value = wide.mantissa == 0
                ? 0
                : std::ldexp(wide.mantissa, static_cast<int>(wide.exponent - plan_.scales[table]));
    if (isFloat())
      value = static_cast<double>(static_cast<float>(value));
    return fmt::format("{:a}{}", value, isFloat() ? "f" : "");
  }

  /// One product; empty when it is known to be 0.
  std::string term(const LaneOperation &operation, const LaneAddresses &addresses, size_t k,
                   size_t r) const {
    std::string text;
    double factor = 1;
    size_t literals = 0;
    std::string only;
    for (size_t s = 0; s < operation.operands.size(); ++s) {
      const uint32_t table = operation.operands[s].table;
      const uint64_t entry = addresses.slots[s].kept[k] + addresses.slots[s].reduced[r];
      if (program_.tables[table].perCase()) {
        if (isZero_[table][entry])
          return "";
        text += (text.empty() ? "" : " * ") + entryName(table, entry);
        continue;
      }
      double value = 0;
      only = literal(table, entry, value);
      if (value == 0)
        return "";
      factor *= value;
      ++literals;
    }
    if (literals == 0 || (factor == 1 && !text.empty()))
      return text;
    const std::string number =
        literals == 1 ? only : fmt::format("{:a}{}", factor, isFloat() ? "f" : "");
    return text.empty() ? number : text + " * " + number;
  }

  void writeStep(const LaneOperation &operation) {
    const LaneAddresses addresses = laneAddresses(operation);
    const uint32_t result = operation.result.table;
    const bool isMax = operation.semiring.reduce == Reduce::Max;
    isZero_[result].assign(program_.tables[result].sizeElems, 0);
    for (size_t k = 0; k < addresses.keptCount; ++k) {
      std::vector<std::string> terms;
      for (size_t r = 0; r < addresses.reducedCount; ++r)
        if (std::string text = term(operation, addresses, k, r); !text.empty())
          terms.push_back(std::move(text));
      const uint64_t entry = addresses.slots.back().kept[k];
      const std::string name = entryName(result, entry);
      if (terms.empty()) {
        isZero_[result][entry] = 1;
        out_.line("const {} {} = 0;", entry_, name);
      } else if (isMax) {
        writeMaximum(name, terms);
      } else {
        writeSum(name, terms);
      }
    }
    std::vector<uint32_t> operands;
    for (const LaneAccess &operand : operation.operands)
      operands.push_back(operand.table);
    finishMessage(result, operands);
  }

  void writeSum(const std::string &name, const std::vector<std::string> &terms) {
    std::string line = fmt::format("{} {} = {}", entry_, name, terms[0]);
    for (size_t i = 1; i < terms.size(); ++i) {
      if (i % kTermsPerLine == 0) {
        out_.text(line + ";");
        line = fmt::format("{0} = {0}", name);
      }
      line += " + " + terms[i];
    }
    out_.text(line + ";");
  }

  void writeMaximum(const std::string &name, const std::vector<std::string> &terms) {
    out_.line("{} {} = {};", entry_, name, terms[0]);
    for (size_t i = 1; i < terms.size(); ++i)
      out_.line("{0} = mpfMax<{1}>({0}, {2});", name, entry_, terms[i]);
  }

  void finishMessage(uint32_t message, const std::vector<uint32_t> &operands) {
    rescale(message, operands);
    if (!inArrays_.contains(message))
      return;
    const uint64_t size = program_.tables[message].sizeElems;
    std::string entries;
    for (uint64_t e = 0; e < size; ++e)
      entries += (e == 0 ? "" : ", ") + entryName(message, e);
    out_.line("const {} a{}[{}] = {{{}}};", entry_, message, size, entries);
  }

  /// The exponent of a lane's message, and its entries without it.
  void rescale(uint32_t message, const std::vector<uint32_t> &operands) {
    if (plan_.hasExponent[message] == 0)
      return;
    std::string exponent;
    for (const uint32_t operand : operands)
      if (plan_.hasExponent[operand] != 0)
        exponent += fmt::format("{}x{}", exponent.empty() ? "" : " + ", operand);
    if (plan_.rescaled[message] == 0)
      return out_.line("const int x{} = {};", message, exponent);
    std::vector<std::string> names;
    for (uint64_t e = 0; e < program_.tables[message].sizeElems; ++e)
      if (!isZero_[message][e])
        names.push_back(entryName(message, e));
    if (names.empty())
      return out_.line("const int x{} = 0;", message);
    if (!std::exchange(watches_, true))
      out_.line("bool left = false;");
    writeRescaling(out_, plan_, entry_, message, names);
    if (!exponent.empty())
      out_.line("x{} += {};", message, exponent);
  }

  void writeResults() {
    const uint32_t site = sites_.add(SiteKind::GlobalStore, "results");
    const uint32_t exponentSite = sites_.add(SiteKind::GlobalStore, "exponents");
    uint64_t place = 0, exponents = 0;
    for (size_t o = 0; o < program_.outputs.size(); ++o) {
      const LaneOutput &output = program_.outputs[o];
      const std::vector<uint64_t> addresses = outputAddresses(output);
      std::string sum;
      for (const uint64_t address : addresses)
        sum += (sum.empty() ? "" : " + ") + entryName(output.access.table, address);
      if (!output.normalised && plan_.hasExponent[output.access.table] != 0)
        out_.line("MPF_ST({}, exponents[{} * pitch + i], x{});", exponentSite, exponents++,
                  output.access.table);
      if (output.normalised) {
        out_.line("const {} sum{} = {};", entry_, o, sum);
        out_.line("const {0} share{1} = mpfShare<{0}>(sum{1});", entry_, o);
      }
      for (const uint64_t address : addresses) {
        std::string value = entryName(output.access.table, address);
        if (output.normalised)
          value += fmt::format(" * share{}", o);
        if (place == 0 && watches_)
          value = fmt::format("left ? mpfNotANumber<{}>() : {}", entry_, value);
        out_.line("MPF_ST({}, results[{} * pitch + i], {});", site, place++, value);
      }
    }
  }

  /// The forward phase: for each variable the first of its best states.
  void writeTraceback() {
    const uint32_t site = sites_.add(SiteKind::GlobalStore, "states");
    std::set<uint32_t> declared;
    for (const LaneTraceback &step : program_.traceback)
      for (const LaneTraceback::Table &table : step.tables)
        declareConstants(table.access.table, declared);
    for (const LaneTraceback &step : program_.traceback) {
      const uint32_t v = step.variable.value;
      out_.line("unsigned s{} = 0;", v);
      out_.open("");
      out_.line("{} best = 0;", entry_);
      out_.directive("#pragma unroll 1");
      out_.open(fmt::format("for (unsigned state = 0; state < {}; ++state)", step.extent));
      std::string product;
      for (const LaneTraceback::Table &table : step.tables)
        product += fmt::format("{}a{}[{}]", product.empty() ? "" : " * ", table.access.table,
                               placeText(table, step.variable));
      out_.line("const {} value = {};", entry_, product.empty() ? "1" : product);
      out_.line("s{} = value > best ? state : s{};", v, v);
      out_.line("best = mpfMax<{}>(best, value);", entry_);
      out_.close();
      out_.close();
      out_.line("MPF_ST({0}, states[{1} * pitch + i], s{1});", site, v);
    }
  }

  void declareConstants(uint32_t table, std::set<uint32_t> &declared) {
    if (program_.tables[table].perCase() || !declared.insert(table).second)
      return;
    std::string entries;
    for (uint64_t e = 0; e < program_.tables[table].sizeElems; ++e) {
      double value = 0;
      entries += (e == 0 ? "" : ", ") + literal(table, e, value);
    }
    out_.line("const {} a{}[{}] = {{{}}};", entry_, table, program_.tables[table].sizeElems,
              entries);
  }

  std::string placeText(const LaneTraceback::Table &table, VarId chosen) const {
    std::string text = table.access.baseElems == 0 ? "" : fmt::format("{}", table.access.baseElems);
    for (size_t i = 0; i < table.scope.size(); ++i)
      text += fmt::format("{}{} * {}", text.empty() ? "" : " + ",
                          table.scope[i] == chosen ? std::string("state")
                                                   : fmt::format("s{}", table.scope[i].value),
                          table.access.stridesElems[i]);
    return text.empty() ? "0" : text;
  }

  const LaneProgram &program_;
  const CommonTables &common_;
  const LinearPlan &plan_;
  const ElementType type_;
  const LaneImage &image_;
  const LaneKernel &kernel_;
  const std::string entry_;
  std::vector<std::vector<char>> isZero_; ///< by table and entry: known to be 0 in every case
  std::set<uint32_t> inArrays_;           ///< messages that the traceback indexes
  bool watches_ = false;                  ///< `left` is declared
  SiteTable sites_;
  CodeWriter out_;
};

} // namespace

std::string laneText(const LaneProgram &program, const CommonTables &common, const LinearPlan &plan,
                     ElementType type, const LaneImage &image, const LaneKernel &kernel) {
  return LaneText(program, common, plan, type, image, kernel).write();
}

} // namespace mpf
