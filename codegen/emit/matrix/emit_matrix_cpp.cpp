// The C++ text of a matrix product: blocks, pages and segments as on the device, one thread.
#include "codegen/emit/matrix/emit_matrix.h"
#include "codegen/emit/matrix/matrix_names.h"
#include "codegen/emit/nest/kernel_frame.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

class MatrixCpp {
public:
  explicit MatrixCpp(const MatrixPlan &plan)
      : plan_(plan), counts_(matrixCounts(plan)), ops_(plan, plan.form, false), type_(ops_.type) {}

  std::string emit() {
    writeMatrixComment(plan_, out_);
    std::string parameters;
    for (size_t i = 0; i < plan_.form.operands.size(); ++i)
      parameters += fmt::format("const {} *{}, ", type_, operandName(i));
    out_.open(fmt::format("extern \"C\" void {}({}{} *result)", plan_.name, parameters, type_));
    out_.line("{} shared[{}];", type_, plan_.launch.sharedBytes / elementBytes(plan_.type));
    out_.line("{} acc[{}];", type_, plan_.rows.tile * plan_.columns.tile);
    if (ops_.logSum)
      out_.line("{} accSum[{}];", type_, plan_.rows.tile * plan_.columns.tile);
    open("block", counts_.tiles);
    writeTiles(plan_, "long long", "block", out_);
    open("i", plan_.rows.tile * plan_.columns.tile);
    out_.text(ops_.start("i"));
    out_.close();
    open("page", counts_.pages);
    fill(plan_.rows, "rowBase");
    fill(plan_.columns, "columnBase");
    multiply();
    out_.close();
    store();
    out_.close();
    out_.close();
    return out_.finish();
  }

private:
  void open(const char *index, uint64_t count) {
    out_.open(fmt::format("for (long long {0} = 0; {0} < {1}; ++{0})", index, count));
  }

  static std::string place(const MatrixSide &side, const char *value) {
    return fmt::format("{} + {} * {} + term % 4 * {} + term / 4 * {}", side.offsetElems, value,
                       side.sideStride, side.termStride, side.groupStride);
  }

  std::string accumulator() const { return fmt::format("row * {} + column", plan_.columns.tile); }

  /// Always the first stage: nothing runs ahead.
  void fill(const MatrixSide &side, const char *base) {
    open("at", side.tile);
    open("term", plan_.chunk);
    out_.line("const long long value = {} + at, all = page * {} + term;", base, plan_.chunk);
    MPF_CHECK(side.offsetElems + side.allocatedElems <=
                  plan_.launch.sharedBytes / elementBytes(plan_.type),
              "a segment of {} entries from {} in {} bytes", side.allocatedElems, side.offsetElems,
              plan_.launch.sharedBytes);
    std::string product;
    for (uint32_t operand : side.operands) {
      const DigitAccess &access = plan_.form.operands[operand];
      const std::string entry = fmt::format(
          "{}[{}]", operandName(operand),
          offsetText(plan_.form, access,
                     {{plan_.batch, "batch"}, {side.digits, "value"}, {plan_.terms, "all"}}));
      product = product.empty() ? entry : ops_.combine(product, entry);
    }
    out_.line("shared[{}] = value < {} && all < {} ? {} : {};", place(side, "at"),
              fusedExtent(plan_.form, side.digits), counts_.terms, product, ops_.identity());
    out_.close();
    out_.close();
  }

  void multiply() {
    open("row", plan_.rows.tile);
    open("column", plan_.columns.tile);
    open("term", plan_.chunk);
    out_.text(ops_.reduce(accumulator(),
                          ops_.combine(fmt::format("shared[{}]", place(plan_.rows, "row")),
                                       fmt::format("shared[{}]", place(plan_.columns, "column")))));
    out_.close();
    out_.close();
    out_.close();
  }

  void store() {
    open("row", plan_.rows.tile);
    open("column", plan_.columns.tile);
    out_.text("const long long r = rowBase + row, c = columnBase + column;");
    out_.line("if (r < {} && c < {})", counts_.rows, counts_.columns);
    out_.line(
        "  result[{}] = {};",
        offsetText(plan_.form, plan_.form.result,
                   {{plan_.batch, "batch"}, {plan_.rows.digits, "r"}, {plan_.columns.digits, "c"}}),
        ops_.total(accumulator()));
    out_.close();
    out_.close();
  }

  const MatrixPlan &plan_;
  MatrixCounts counts_;
  OpEmitter ops_;
  std::string type_;
  CodeWriter out_;
};

} // namespace

std::string emitMatrixCpp(const MatrixPlan &plan) {
  MPF_CHECK(!plan.rows.operands.empty() && !plan.columns.operands.empty(),
            "{} is no product of two groups of operands", plan.name);
  return MatrixCpp(plan).emit();
}

} // namespace mpf
