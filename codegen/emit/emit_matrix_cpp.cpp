// The C++ text of a matrix product: blocks, pages and segments as on the device, one thread.
#include "codegen/emit/emit_matrix.h"
#include "codegen/emit/kernel_frame.h"
#include "codegen/emit/matrix_text.h"

namespace mpf {

namespace {

class MatrixCpp {
public:
  explicit MatrixCpp(const KernelPlan &plan)
      : plan_(plan), matrix_(*plan.matrix), counts_(matrixCounts(plan)),
        type_(entryTypeText(plan.type)) {}

  std::string emit() {
    writeMatrixComment(plan_, out_);
    std::string parameters;
    for (size_t i = 0; i < plan_.form.operands.size(); ++i)
      parameters += fmt::format("const {} *{}, ", type_, operandName(i));
    out_.open(fmt::format("extern \"C\" void {}({}{} *result)", plan_.name, parameters, type_));
    out_.line("{} shared[{}];", type_, plan_.launch.sharedBytes / elementBytes(plan_.type));
    out_.line("{} acc[{}];", type_, matrix_.rows.tile * matrix_.columns.tile);
    open("block", counts_.tiles);
    writeTiles(plan_, "long long", "block", out_);
    open("i", matrix_.rows.tile * matrix_.columns.tile);
    out_.text("acc[i] = 0;");
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

  /// Always the first stage: nothing runs ahead.
  void fill(const MatrixSide &side, const char *base) {
    open("at", side.tile);
    open("term", matrix_.chunk);
    out_.line("const long long value = {} + at, all = page * {} + term;", base, matrix_.chunk);
    std::string product;
    for (uint32_t operand : side.operands) {
      const DigitAccess &access = plan_.form.operands[operand];
      product +=
          fmt::format("{}{}[{}]", product.empty() ? "" : " * ", operandName(operand),
                      sumText({fusedText(fusedParts(plan_.form, matrix_.batch, access), "batch"),
                               fusedText(fusedParts(plan_.form, side.digits, access), "value"),
                               fusedText(fusedParts(plan_.form, matrix_.terms, access), "all")}));
    }
    out_.line("shared[{}] = value < {} && all < {} ? {} : 0;", place(side, "at"),
              fusedExtent(plan_.form, side.digits), counts_.terms, product);
    out_.close();
    out_.close();
  }

  void multiply() {
    open("row", matrix_.rows.tile);
    open("column", matrix_.columns.tile);
    open("term", matrix_.chunk);
    out_.line("acc[row * {} + column] += shared[{}] * shared[{}];", matrix_.columns.tile,
              place(matrix_.rows, "row"), place(matrix_.columns, "column"));
    out_.close();
    out_.close();
    out_.close();
  }

  void store() {
    const DigitAccess &result = plan_.form.result;
    open("row", matrix_.rows.tile);
    open("column", matrix_.columns.tile);
    out_.text("const long long r = rowBase + row, c = columnBase + column;");
    out_.line("if (r < {} && c < {})", counts_.rows, counts_.columns);
    out_.line("  result[{}] = acc[row * {} + column];",
              sumText({fusedText(fusedParts(plan_.form, matrix_.batch, result), "batch"),
                       fusedText(fusedParts(plan_.form, matrix_.rows.digits, result), "r"),
                       fusedText(fusedParts(plan_.form, matrix_.columns.digits, result), "c")}),
              matrix_.columns.tile);
    out_.close();
    out_.close();
  }

  const KernelPlan &plan_;
  const MatrixPlan &matrix_;
  MatrixCounts counts_;
  std::string type_;
  CodeWriter out_;
};

} // namespace

std::string emitMatrixCpp(const KernelPlan &plan) { return MatrixCpp(plan).emit(); }

} // namespace mpf
