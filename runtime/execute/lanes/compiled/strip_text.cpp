#include "runtime/execute/lanes/compiled/strip_text.h"

#include "codegen/bundle/entry_type_text.h"
#include "codegen/bundle/lanes/lane_addresses.h"
#include "dsl/support/check.h"
#include "dsl/support/code_writer.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// The state of an entry of a message or of weights in the text.
enum class Known : char {
  Nothing,
  Variable, ///< the text has a variable for it
  Zero      ///< it is 0 in every case and has no variable
};

class StripWriter {
public:
  StripWriter(const StripTextParts &parts, const StepReaders &readers, const StripSegment &segment)
      : parts_(parts), program_(parts.program), readers_(readers), segment_(segment),
        known_(program_.tables.size()), isRow_(program_.tables.size(), 0),
        hasExponents_(program_.tables.size(), 0), hasCode_(program_.schema.observed.size(), 0) {}

  std::string write(std::string_view name) {
    const std::string_view entry = entryTypeText(parts_.type);
    out_.line("extern \"C\" void {}(const {} *shared, const {} *weights, {} *arena,", name, entry,
              entry, entry);
    out_.open("    const unsigned char *const *codes, int *exponents, unsigned char *left)");
    out_.line("typedef MpfLanes<{}, {}> L;", entry, parts_.places.vectorLanes);
    out_.line("typedef L::V V;");
    out_.open(fmt::format("for (unsigned long v = 0; v < {}; v += L::kWidth)", lanes()));
    out_.line("L::I leaves = {{}};");
    for (size_t i = segment_.first; i < segment_.end; ++i)
      std::visit([this](const auto &step) { addStep(step); }, program_.steps[i]);
    out_.line("L::leave(left + v, leaves);");
    out_.close();
    out_.close();
    return out_.finish();
  }

private:
  size_t lanes() const { return parts_.places.lanes; }
  bool isFloat() const { return parts_.type == ElementType::F32; }
  std::string nameOf(uint32_t table, uint64_t entry) const {
    return isRow_[table] != 0 ? fmt::format("t{}[{}]", table, entry)
                              : fmt::format("t{}_{}", table, entry);
  }
  std::string number(double value) const {
    return fmt::format("{:a}{}", value, isFloat() ? "f" : "");
  }

  std::vector<Known> &knownOf(uint32_t table) {
    if (known_[table].empty())
      known_[table].assign(program_.tables[table].sizeElems, Known::Nothing);
    return known_[table];
  }

  /// Makes sure that the text has a variable for the entry. Returns false if the entry is 0.
  bool hasVariable(uint32_t table, uint64_t entry) {
    Known &known = knownOf(table)[entry];
    if (known == Known::Nothing) {
      const bool isMessage = program_.tables[table].kind == LaneTableKind::Message;
      const uint64_t row =
          entry + (isMessage ? parts_.places.messages[table] : parts_.places.weightRows[table]);
      out_.line("const V {} = L::load({} + {} + v);", nameOf(table, entry),
                isMessage ? "arena" : "weights", row * lanes());
      known = Known::Variable;
    }
    return known == Known::Variable;
  }

  std::string codeOf(uint32_t column) {
    if (hasCode_[column] == 0)
      out_.line("const L::C k{0} = L::codes<{1}>(codes[{0}] + v * {2});", column,
                parts_.places.codeBytes == 1   ? "unsigned char"
                : parts_.places.codeBytes == 2 ? "unsigned short"
                                               : "unsigned",
                parts_.places.codeBytes);
    hasCode_[column] = 1;
    return fmt::format("k{}", column);
  }

  void addStep(const LaneGather &gather) {
    const uint64_t size = program_.tables[gather.message].sizeElems;
    const uint32_t message = gather.message;
    if (program_.tables[gather.table].kind == LaneTableKind::Indicator) {
      const std::string code = codeOf(gather.codes.front().column);
      for (uint64_t e = 0; e < size; ++e)
        out_.line("V {} = L::allowed({}, {}, {});", nameOf(message, e), code, e, size);
    } else {
      addRows(gather, size);
    }
    knownOf(message).assign(size, Known::Variable);
    finish(message, {});
  }

  void addRows(const LaneGather &gather, uint64_t size) {
    const uint32_t message = gather.message;
    std::string row;
    for (const LaneCode &code : gather.codes)
      row +=
          fmt::format("{}{} * {}", row.empty() ? "" : " + ", codeOf(code.column), code.strideElems);
    out_.line("const L::C r{} = {};", message, row.empty() ? "L::C{}" : row);
    out_.line("int a{0}[L::kWidth]; __builtin_memcpy(a{0}, &r{0}, sizeof r{0});", message);
    constexpr uint64_t kAtOnce = 4; // entries that are transposed together (mpf_strip.h)
    out_.line("V t{}[{}];", message, (size + kAtOnce - 1) / kAtOnce * kAtOnce);
    out_.line("L::rows(shared + {0}, a{1}, {2}, t{1});", parts_.places.shared[gather.table],
              message, size);
    isRow_[message] = 1;
  }

  /// Returns a shared entry in linear arithmetic.
  double shared(uint32_t table, uint64_t entry) const {
    const WideNumber &wide = parts_.common.table(table)[entry];
    if (wide.mantissa == 0)
      return 0;
    const double value =
        std::ldexp(wide.mantissa, static_cast<int>(wide.exponent - parts_.plan.scales[table]));
    return isFloat() ? static_cast<double>(static_cast<float>(value)) : value;
  }

  /// Returns the text of one product; empty if it is known to be 0.
  std::string term(const LaneOperation &operation, const LaneAddresses &addresses, size_t k,
                   size_t r) {
    std::string text;
    double factor = 1;
    for (size_t s = 0; s < operation.operands.size(); ++s) {
      const uint32_t table = operation.operands[s].table;
      const uint64_t entry = addresses.slots[s].kept[k] + addresses.slots[s].reduced[r];
      if (!program_.tables[table].perCase()) {
        factor *= shared(table, entry);
        if (isFloat())
          factor = static_cast<double>(static_cast<float>(factor));
        if (factor == 0)
          return {};
      } else if (!hasVariable(table, entry)) {
        return {};
      } else {
        text += (text.empty() ? "" : " * ") + nameOf(table, entry);
      }
    }
    if (text.empty())
      return fmt::format("L::all({})", number(factor));
    return factor == 1 ? text : text + " * " + number(factor);
  }

  void addStep(const LaneOperation &operation) {
    const LaneAddresses addresses = laneAddresses(operation);
    const uint32_t result = operation.result.table;
    const bool isMax = operation.semiring.reduce == Reduce::Max;
    for (size_t k = 0; k < addresses.keptCount; ++k) {
      const uint64_t entry = addresses.slots.back().kept[k];
      const std::string name = nameOf(result, entry);
      Known &known = knownOf(result)[entry];
      known = Known::Zero;
      for (size_t r = 0; r < addresses.reducedCount; ++r) {
        const std::string next = term(operation, addresses, k, r);
        if (next.empty())
          continue;
        if (known == Known::Zero)
          out_.line("V {} = {};", name, next);
        else if (isMax)
          out_.line("{0} = L::max({0}, {1});", name, next);
        else
          out_.line("{0} = {0} + {1};", name, next);
        known = Known::Variable;
      }
    }
    std::vector<uint32_t> operands;
    for (const LaneAccess &operand : operation.operands)
      operands.push_back(operand.table);
    finish(result, operands);
  }

  /// Returns the name of an operand's exponents, which the text or another kernel has computed.
  std::string exponentsOf(uint32_t table) {
    if (hasExponents_[table] == 0)
      out_.line("const L::I x{} = L::loadExponents(exponents + {} + v);", table,
                parts_.places.exponentRows[table] * lanes());
    hasExponents_[table] = 1;
    return fmt::format("x{}", table);
  }

  /// Finishes a message whose entries are computed: writes its exponents, and stores the entries
  /// that other functions read.
  void finish(uint32_t message, const std::vector<uint32_t> &operands) {
    const LinearPlan &plan = parts_.plan;
    if (plan.hasExponent[message] != 0) {
      std::string exponents;
      for (const uint32_t operand : operands)
        if (plan.hasExponent[operand] != 0)
          exponents += " + " + exponentsOf(operand);
      out_.line("L::I x{} = L::I{{}}{};", message, exponents);
      hasExponents_[message] = 1;
      if (plan.rescaled[message] != 0)
        rescale(message);
    }
    if (isReadOutside(message))
      store(message);
  }

  bool isReadOutside(uint32_t message) const {
    return readers_.isReadAtEnd(message) ||
           std::ranges::any_of(readers_.of(message),
                               [this](uint32_t step) { return step >= segment_.end; });
  }

  void rescale(uint32_t message) {
    const std::vector<Known> &known = knownOf(message);
    out_.line("L::Range g{};", message);
    const auto each = [&](const auto &write) {
      for (uint64_t e = 0; e < known.size(); ++e)
        if (known[e] == Known::Variable)
          write(nameOf(message, e));
    };
    each([&](const std::string &name) { out_.line("g{}.add({});", message, name); });
    out_.line("L::I y{};", message);
    out_.line("const V f{0} = L::rescaling(g{0}, {1}, {2}, y{0}, leaves);", message,
              parts_.plan.greatestExponent, parts_.plan.orders);
    each([&](const std::string &name) { out_.line("{} *= f{};", name, message); });
    out_.line("x{0} += y{0};", message);
  }

  void store(uint32_t message) {
    const std::vector<Known> &known = knownOf(message);
    for (uint64_t e = 0; e < known.size(); ++e)
      out_.line("L::store(arena + {} + v, {});", (parts_.places.messages[message] + e) * lanes(),
                known[e] == Known::Variable ? nameOf(message, e) : "V{}");
    if (parts_.plan.hasExponent[message] != 0)
      out_.line("L::storeExponents(exponents + {} + v, x{});",
                parts_.places.exponentRows[message] * lanes(), message);
  }

  const StripTextParts &parts_;
  const LaneProgram &program_;
  const StepReaders &readers_;
  const StripSegment segment_;
  std::vector<std::vector<Known>> known_; ///< by table and entry; empty: Nothing
  std::vector<char> isRow_;               ///< by table: true for a picked row, which is in an array
  std::vector<char> hasExponents_;        ///< by table
  std::vector<char> hasCode_;             ///< by column
  CodeWriter out_;
};

} // namespace

std::string stripFunction(const StripTextParts &parts, const StepReaders &readers,
                          const StripSegment &segment, std::string_view name) {
  MPF_CHECK(parts.places.lanes % parts.places.vectorLanes == 0, "strips of {} cases, vectors of {}",
            parts.places.lanes, parts.places.vectorLanes);
  return StripWriter(parts, readers, segment).write(name);
}

} // namespace mpf
