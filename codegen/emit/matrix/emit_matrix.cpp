#include "codegen/emit/matrix/emit_matrix.h"

#include "codegen/emit/matrix/matrix_names.h"
#include "codegen/emit/matrix/matrix_pages.h"
#include "codegen/emit/matrix/matrix_store.h"
#include "codegen/emit/nest/kernel_frame.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

class MatrixKernel {
public:
  explicit MatrixKernel(const MatrixPlan &plan)
      : plan_(plan), ops_(plan, plan.form), counts_(matrixCounts(plan)), type_(indexTypeText(plan)),
        pages_(plan, out_, sites_),
        store_(plan, takesHalves() ? "unlift" : "rescale", out_, sites_) {}

  EmittedKernel emit() {
    writeMatrixComment(plan_, out_);
    openCudaKernel(plan_, ops_, operandNames(plan_.form), out_);
    declareLanes();
    out_.line("MPF_DYN_SHARED({}, shared);", ops_.type);
    beginLoads(out_);
    writeFormDecision(plan_, plan_.form, ops_, operandNames(plan_.form), out_);
    if (takesHalves())
      declareLifts();
    if (plan_.persistent) {
      persistentTiles();
    } else {
      writeTiles(plan_, type_, "blockIdx.x", out_);
      pages_.declareFetches(false);
      pages_.tile();
      store_.write();
    }
    writeRecord(plan_, ops_, out_);
    closeCudaKernel(out_);
    return {plan_.name, out_.finish(), sites_.sites()};
  }

private:
  /// Whether products are formed from TF32 halves of the entries (f32).
  bool takesHalves() const { return plan_.type == ElementType::F32; }

  /// Declares the powers of two that entries are multiplied by, so that no half of a product is
  /// subnormal.
  void declareLifts() {
    for (const MatrixSide *side : {&plan_.rows, &plan_.columns}) {
      const char *const name = side == &plan_.rows ? "rows" : "columns";
      std::string bound;
      for (uint32_t operand : side->operands)
        bound +=
            fmt::format("{}mpfBoundExponent(operands[{}])", bound.empty() ? "" : " + ", operand);
      out_.line("const int {}Lift = mpfHalvesLift({});", name, bound);
      out_.line("const float {0}Factor = mpfPower2<float>({0}Lift);", name);
    }
    out_.text("const MpfRescale<float> unlift = "
              "MpfRescale<float>::of(shift + rowsLift + columnsLift);");
  }

  /// Declares the parts of the lane, lane = 4 * octet + quad, and the place of the warp. Warps are
  /// numbered column by column.
  void declareLanes() {
    out_.text("const unsigned octet = threadIdx.x % 32 / 4, quad = threadIdx.x % 4;");
    out_.line("const unsigned warpRow = threadIdx.x / {} * {};", 32 * plan_.columns.warps,
              warpTile(plan_.rows));
    out_.line("const unsigned warpColumn = threadIdx.x / 32 % {} * {};", plan_.columns.warps,
              warpTile(plan_.columns));
  }

  /// Prints the loop over tiles. A tile's first pages are fetched while the results of the tile
  /// before are stored. They go to stages that all threads read before the last page's barrier.
  void persistentTiles() {
    const MatrixSide *const stationary = stationarySide(plan_);
    const std::string first = stationary ? "first" : "blockIdx.x";
    const std::string last = stationary ? "last" : std::to_string(counts_.tiles);
    const uint64_t step = stationary ? 1 : plan_.launch.gridBlocks;
    if (stationary)
      declareStrip();
    pages_.declareStages();
    out_.text("// the first tile");
    emitTilePrefetch(first, "");
    out_.directive("#pragma unroll 1");
    out_.open(
        fmt::format("for ({} block = {}; block < {}; block += {})", type_, first, last, step));
    writeTiles(plan_, type_, "block", out_);
    pages_.declareFetches(false);
    if (stationary)
      pages_.fetchStationary(
          fmt::format("block == first || block % {} == 0",
                      stationary == &plan_.rows ? counts_.columnTiles : counts_.rowTiles));
    pages_.prefetchedTile();
    const std::string next = fmt::format("(block + {})", step);
    emitTilePrefetch(next, fmt::format("if ({} < {})", next, last));
    store_.write();
    out_.close();
  }

  /// Declares the tiles of a block: neighbours along the side that is not stationary. Every block
  /// has the same number of tiles, or one more.
  void declareStrip() {
    const uint64_t blocks = plan_.launch.gridBlocks;
    MPF_CHECK(blocks > 0 && blocks <= counts_.tiles, "{}: {} blocks for {} tiles", plan_.name,
              blocks, counts_.tiles);
    const uint64_t each = counts_.tiles / blocks, more = counts_.tiles % blocks;
    if (more == 0) {
      out_.line("const {0} first = blockIdx.x * {1}, last = first + {1};", type_, each);
      return;
    }
    out_.line("const {0} first = blockIdx.x * {1} + (blockIdx.x < {2} ? blockIdx.x : {2});", type_,
              each, more);
    out_.line("const {0} last = first + (blockIdx.x < {1} ? {2} : {3});", type_, more, each + 1,
              each);
  }

  /// Fetches a tile's first pages. `guard` is the condition that there is such a tile.
  void emitTilePrefetch(const std::string &block, const std::string &guard) {
    if (!pages_.copies())
      return;
    out_.open("");
    writeTiles(plan_, type_, block, out_);
    pages_.declareFetches(true);
    pages_.emitPrefetch(guard);
    out_.close();
  }

  const MatrixPlan &plan_;
  OpEmitter ops_;
  MatrixCounts counts_;
  std::string type_;
  CodeWriter out_;
  SiteTable sites_;
  MatrixPagesEmitter pages_;
  MatrixStoreEmitter store_;
};

} // namespace

EmittedKernel emitMatrixCuda(const MatrixPlan &plan) {
  MPF_CHECK(!plan.rows.operands.empty() && !plan.columns.operands.empty(),
            "{} is no product of two groups of operands", plan.name);
  return MatrixKernel(plan).emit();
}

PreambleParts matrixPreamble(const MatrixPlan &plan) {
  PreambleParts parts = preambleParts(plan, plan.form);
  parts.copies = parts.matrix = true;
  return parts;
}

SiteObjects matrixObjects(const MatrixPlan &plan) {
  SiteObjects objects;
  const uint64_t bytes = elementBytes(plan.type);
  for (size_t i = 0; i < plan.form.operands.size(); ++i)
    objects.operands.emplace_back(operandName(i));
  for (const MatrixSide *side : {&plan.rows, &plan.columns})
    objects.shared.push_back({side == &plan.rows ? "segment rows" : "segment columns",
                              side->offsetElems * bytes, segmentElems(plan, *side) * bytes});
  return objects;
}

} // namespace mpf
