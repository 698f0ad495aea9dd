#include "codegen/emit/lanes/lane_text.h"

#include "codegen/bundle/entry_type_text.h"
#include "codegen/emit/lanes/lane_code_text.h"
#include "codegen/emit/lanes/lane_kernel_parts.h"
#include "dsl/support/code_writer.h"

#include <set>
#include <utility>

namespace mpf {

namespace {

class LaneText {
public:
  explicit LaneText(const LaneTextParts &parts)
      : program_(parts.program), plan_(parts.plan), image_(parts.image), kernel_(parts.kernel),
        type_(parts.type), entry_(entryTypeText(parts.type)), statements_(parts) {
    addResults();
    addArrays();
    ordered_ = statements_.ordered(roots_);
  }

  uint64_t mostAlive() const { return ordered_.mostAlive; }

  std::string write(const LaneBlockShape &shape) {
    open(shape);
    loadCodes();
    if (!statements_.watching().empty())
      out_.line("bool left = false;");
    for (const std::string &line : ordered_.lines)
      out_.text(line);
    if (traitsOf(program_.kind).decoding)
      writeTraceback();
    out_.close(); // cases
    out_.close();
    return out_.finish();
  }

private:
  void open(const LaneBlockShape &shape) {
    const uint32_t blockThreads = shape.threads;
    out_.line("// {}: {} cases side by side, one in each thread", program_.name, blockThreads);
    out_.line("extern \"C\" __global__ void __launch_bounds__({}, MPF_LANE_BLOCKS({}))",
              blockThreads, shape.blocks);
    out_.line("MPF_LANES(MPF_LANE_SOURCE, const {} *weights, int casePitch, int count,", entry_);
    out_.line("          const {0} *image, {0} *results, int *exponents, unsigned *states,",
              entry_);
    out_.open(fmt::format("          {} *)", entry_));
    out_.line("const unsigned long long pitch = static_cast<unsigned>(casePitch);");
    if (image_.sharedElems != 0) {
      out_.line("MPF_DYN_SHARED({}, tables);", entry_);
      const uint32_t from = statements_.sites().add(SiteKind::GlobalLoad, "image");
      const uint32_t to = statements_.sites().add(SiteKind::SharedStore, "tables");
      out_.line("for (unsigned e = threadIdx.x; e < {}; e += {})", image_.sharedElems,
                blockThreads);
      out_.line("  MPF_ST({}, tables[e], MPF_LD({}, image[e]));", to, from);
      out_.line("__syncthreads();");
    }
    out_.line("MPF_LANE_OPEN({}, {}, {});", kernel_.wordCount(), blockThreads,
              laneTilesOffset(kernel_));
    out_.directive("#pragma unroll 1");
    out_.open(fmt::format("for (unsigned long long i = blockIdx.x * {0}ull + threadIdx.x; "
                          "MPF_LANE_NEXT(i, gridDim.x * {0}u); i += gridDim.x * {0}ull)",
                          blockThreads));
  }

  void loadCodes() {
    const uint32_t site = statements_.sites().add(SiteKind::GlobalLoad, "codes");
    out_.line("MPF_LANE_WORDS({});", kernel_.wordCount());
    for (uint64_t word = 0; word < kernel_.wordCount(); ++word)
      out_.line("const unsigned w{0} = MPF_LANE_WORD({1}, {0});", word, site);
  }

  /// Adds the stores of results. The first result is stored last, when it is known whether the case
  /// leaves linear arithmetic.
  void addResults() {
    const uint32_t site = statements_.sites().add(SiteKind::GlobalStore, "results");
    const uint32_t exponentSite = statements_.sites().add(SiteKind::GlobalStore, "exponents");
    const bool watches = !statements_.watching().empty();
    uint64_t place = 0, exponents = 0;
    uint32_t first = 0;
    for (size_t o = 0; o < program_.outputs.size(); ++o) {
      const LaneOutput &output = program_.outputs[o];
      const uint32_t table = output.access.table;
      const std::vector<uint64_t> addresses = outputAddresses(output);
      if (!output.normalised && plan_.hasExponent[table] != 0)
        roots_.push_back(statements_.add(fmt::format("MPF_ST({}, exponents[{} * pitch + i], x{});",
                                                     exponentSite, exponents++, table),
                                         {statements_.exponentAt(table)}));
      const uint32_t share = output.normalised ? addShare(o, addresses) : 0;
      const bool vanishes = mayVanish(program_, plan_, o, type_);
      for (const uint64_t address : addresses) {
        std::vector<uint32_t> reads = {statements_.statementOf(table, address)};
        std::string value = LaneStatements::nameOf(table, address);
        if (output.normalised) {
          value = shareText(value, fmt::format("share{}", o), entry_, vanishes);
          reads.push_back(share);
        }
        const bool isFirst = place == 0;
        if (isFirst && watches) {
          value = fmt::format("left ? mpfNotANumber<{}>() : {}", entry_, value);
          reads.insert(reads.end(), statements_.watching().begin(), statements_.watching().end());
        }
        const uint32_t store =
            statements_.add(fmt::format("{}({}, results[{} * pitch + i], {});",
                                        isFirst ? "MPF_LANE_RESULT" : "MPF_ST", site, place, value),
                            std::move(reads));
        ++place;
        if (isFirst)
          first = store;
        else
          roots_.push_back(store);
      }
    }
    if (place != 0)
      roots_.push_back(first);
  }

  /// Adds the factor that makes a posterior's entries add up to 1.
  uint32_t addShare(size_t number, const std::vector<uint64_t> &addresses) {
    const uint32_t table = program_.outputs[number].access.table;
    std::string sum;
    std::vector<uint32_t> reads;
    for (const uint64_t address : addresses) {
      sum += (sum.empty() ? "" : " + ") + LaneStatements::nameOf(table, address);
      reads.push_back(statements_.statementOf(table, address));
    }
    const uint32_t total =
        statements_.add(fmt::format("const {} sum{} = {};", entry_, number, sum), std::move(reads));
    return statements_.add(
        fmt::format("const {0} share{1} = mpfShare<{0}>(sum{1});", entry_, number), {total});
  }

  /// Adds arrays of the messages that the traceback indexes.
  void addArrays() {
    std::set<uint32_t> messages;
    for (const LaneTraceback &step : program_.traceback)
      for (const LaneTraceback::Table &table : step.tables)
        if (program_.tables[table.access.table].perCase())
          messages.insert(table.access.table);
    for (const uint32_t message : messages)
      roots_.push_back(statements_.addArray(message));
  }

  /// Prints the forward phase of decoding: for each variable the first of its best states.
  void writeTraceback() {
    const uint32_t site = statements_.sites().add(SiteKind::GlobalStore, "states");
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
      out_.open(fmt::format("for (unsigned state = 0; state < {}; ++state)",
                            program_.variables[step.variable.index()].extent));
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
      entries += (e == 0 ? "" : ", ") + statements_.literal(table, e, value);
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
  const LinearPlan &plan_;
  const LaneImage &image_;
  const LaneKernel &kernel_;
  const ElementType type_;
  const std::string entry_; ///< text of the type
  LaneStatements statements_;
  std::vector<uint32_t> roots_; ///< statements that store results, or that the traceback needs
  OrderedStatements ordered_;
  CodeWriter out_;
};

} // namespace

std::string laneText(const LaneTextParts &parts, const ShapeOfBlocks &shape) {
  LaneText text(parts);
  return text.write(shape(text.mostAlive()));
}

} // namespace mpf
