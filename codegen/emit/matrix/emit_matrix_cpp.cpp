// The C++ text of a matrix product: blocks, pages and segments as on the device, one thread.
#include "codegen/emit/matrix/emit_matrix.h"
#include "codegen/emit/matrix/matrix_names.h"
#include "codegen/emit/nest/kernel_frame.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

class MatrixCpp {
public:
  explicit MatrixCpp(const KernelPlan &plan)
      : plan_(plan), matrix_(*plan.matrix), counts_(matrixCounts(plan)), ops_(plan, false),
        type_(ops_.type) {}

  std::string emit() {
    writeMatrixComment(plan_, out_);
    std::string parameters;
    for (size_t i = 0; i < plan_.form.operands.size(); ++i)
      parameters += fmt::format("const {} *{}, ", type_, operandName(i));
    out_.open(fmt::format("extern \"C\" void {}({}{} *result)", plan_.name, parameters, type_));
    out_.line("{} shared[{}];", type_, plan_.launch.sharedBytes / elementBytes(plan_.type));
    out_.line("{} acc[{}];", type_, matrix_.rows.tile * matrix_.columns.tile);
    if (ops_.logSum)
      out_.line("{} accSum[{}];", type_, matrix_.rows.tile * matrix_.columns.tile);
    open("block", counts_.tiles);
    writeTiles(plan_, "long long", "block", out_);
    open("i", matrix_.rows.tile * matrix_.columns.tile);
    out_.text(ops_.start("i"));
    out_.close();
    open("page", counts_.pages);
    fill(matrix_.rows, "rowBase");
    fill(matrix_.columns, "columnBase");
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

  std::string accumulator() const { return fmt::format("row * {} + column", matrix_.columns.tile); }

  /// Always the first stage: nothing runs ahead.
  void fill(const MatrixSide &side, const char *base) {
    open("at", side.tile);
    open("term", matrix_.chunk);
    out_.line("const long long value = {} + at, all = page * {} + term;", base, matrix_.chunk);
    std::string product;
    for (uint32_t operand : side.operands) {
      const DigitAccess &access = plan_.form.operands[operand];
      const std::string entry = fmt::format(
          "{}[{}]", operandName(operand),
          offsetText(plan_.form, access,
                     {{matrix_.batch, "batch"}, {side.digits, "value"}, {matrix_.terms, "all"}}));
      product = product.empty() ? entry : ops_.combine(product, entry);
    }
    out_.line("shared[{}] = value < {} && all < {} ? {} : {};", place(side, "at"),
              fusedExtent(plan_.form, side.digits), counts_.terms, product, ops_.identity());
    out_.close();
    out_.close();
  }

  void multiply() {
    open("row", matrix_.rows.tile);
    open("column", matrix_.columns.tile);
    open("term", matrix_.chunk);
    out_.text(ops_.reduce(
        accumulator(), ops_.combine(fmt::format("shared[{}]", place(matrix_.rows, "row")),
                                    fmt::format("shared[{}]", place(matrix_.columns, "column")))));
    out_.close();
    out_.close();
    out_.close();
  }

  void store() {
    open("row", matrix_.rows.tile);
    open("column", matrix_.columns.tile);
    out_.text("const long long r = rowBase + row, c = columnBase + column;");
    out_.line("if (r < {} && c < {})", counts_.rows, counts_.columns);
    out_.line(
        "  result[{}] = {};",
        offsetText(
            plan_.form, plan_.form.result,
            {{matrix_.batch, "batch"}, {matrix_.rows.digits, "r"}, {matrix_.columns.digits, "c"}}),
        ops_.total(accumulator()));
    out_.close();
    out_.close();
  }

  const KernelPlan &plan_;
  const MatrixPlan &matrix_;
  MatrixCounts counts_;
  OpEmitter ops_;
  std::string type_;
  CodeWriter out_;
};

} // namespace

std::string emitMatrixCpp(const KernelPlan &plan) {
  MPF_CHECK(plan.matrix && !plan.matrix->rows.operands.empty() &&
                !plan.matrix->columns.operands.empty(),
            "{} is no product of two groups of operands", plan.name);
  return MatrixCpp(plan).emit();
}

} // namespace mpf
