#include "codegen/emit/emit_matrix.h"

#include "codegen/emit/kernel_frame.h"
#include "codegen/emit/matrix_fetch.h"
#include "codegen/emit/matrix_store.h"
#include "codegen/emit/matrix_text.h"

#include <algorithm>

namespace mpf {

namespace {

class MatrixKernel {
public:
  explicit MatrixKernel(const KernelPlan &plan)
      : plan_(plan), matrix_(*plan.matrix), ops_(plan, true), counts_(matrixCounts(plan)),
        type_(indexTypeText(plan)), groups_(std::max<uint64_t>(1, matrix_.instruction.terms / 8)),
        rows_(plan, matrix_.rows, "rows", "rowBase", out_, sites_),
        columns_(plan, matrix_.columns, "columns", "columnBase", out_, sites_),
        store_(plan, splits() ? "unlift" : "rescale", out_, sites_) {
    rowsSite_ = sites_.add(SiteKind::SharedLoad, "segment rows", matrix_.rows.conflictFree);
    columnsSite_ =
        sites_.add(SiteKind::SharedLoad, "segment columns", matrix_.columns.conflictFree);
  }

  EmittedKernel emit() {
    writeMatrixComment(plan_, out_);
    openCudaKernel(plan_, ops_, operandNames(plan_), out_);
    writeFormDecision(plan_, ops_, operandNames(plan_), out_);
    if (splits())
      declareLifts();
    declareLanes();
    out_.line("MPF_DYN_SHARED({}, shared);", ops_.type);
    if (matrix_.walks) {
      walk();
    } else {
      openTile("blockIdx.x");
      declareFragments();
      if (matrix_.stages == 1)
        onePage();
      else
        pages();
      store_.write();
    }
    writeRecord(plan_, ops_, out_);
    out_.close();
    return {plan_.name, out_.finish(), sites_.sites()};
  }

private:
  uint64_t rowUnits() const { return warpTile(matrix_.rows) / 16; }
  uint64_t columnUnits() const { return warpTile(matrix_.columns) / 16; }
  bool copies() const { return !rows_.isFormed() || !columns_.isFormed(); }

  void close(int count) {
    for (int i = 0; i < count; ++i)
      out_.close();
  }

  /// f32: products of TF32 halves of the entries.
  bool splits() const { return plan_.type == ElementType::F32; }

  /// Entries are multiplied by powers of two, so that no half of a product is subnormal.
  void declareLifts() {
    for (const MatrixSide *side : {&matrix_.rows, &matrix_.columns}) {
      const char *const name = side == &matrix_.rows ? "rows" : "columns";
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
  std::string lifted(const char *side) const {
    return splits() ? fmt::format(" * {}Factor", side) : std::string();
  }

  /// lane = 4 * octet + quad, warps column by column.
  void declareLanes() {
    out_.text("const unsigned octet = threadIdx.x % 32 / 4, quad = threadIdx.x % 4;");
    out_.line("const unsigned warpRow = threadIdx.x / {} * {};", 32 * matrix_.columns.warps,
              warpTile(matrix_.rows));
    out_.line("const unsigned warpColumn = threadIdx.x / 32 % {} * {};", matrix_.columns.warps,
              warpTile(matrix_.columns));
  }

  void declareFragments() {
    out_.text("// fragments");
    declareSegment(matrix_.rows, "rows", "warpRow");
    declareSegment(matrix_.columns, "columns", "warpColumn");
    out_.line("{} acc[{}][{}][2][4];", ops_.type, rowUnits(), columnUnits());
    openUnrolled(out_, "row", rowUnits());
    openUnrolled(out_, "column", columnUnits());
    openUnrolled(out_, "half", 2);
    openUnrolled(out_, "i", 4);
    out_.text("acc[row][column][half][i] = 0;");
    close(4);
  }

  void declareSegment(const MatrixSide &side, const char *name, const char *warp) {
    const std::string place = sumText(
        {timesText(fmt::format("({} + {})", warp, isInterleaved(side) ? "2 * octet" : "octet"),
                   side.sideStride),
         timesText("quad", side.termStride)});
    out_.line("const {} *const {}Seg = shared + ({});", ops_.type, name,
              sumText({std::to_string(side.offsetElems), place}));
  }

  static std::string stageText(const MatrixSide &side, const std::string &stage) {
    return timesText(stage, side.allocatedElems);
  }

  void copyPage(const std::string &page, const std::string &stage) {
    for (MatrixFetch *fetch : {&rows_, &columns_})
      if (!fetch->isFormed())
        fetch->copy(page, stageText(sideOf(*fetch), stage));
  }
  void loadPage(const std::string &page) {
    for (MatrixFetch *fetch : {&rows_, &columns_})
      if (fetch->isFormed())
        fetch->load(page);
  }
  void storePage(const std::string &page, const std::string &stage) {
    for (MatrixFetch *fetch : {&rows_, &columns_})
      if (fetch->isFormed())
        fetch->store(page, stageText(sideOf(*fetch), stage));
  }
  const MatrixSide &sideOf(const MatrixFetch &fetch) const {
    return &fetch == &rows_ ? matrix_.rows : matrix_.columns;
  }

  void onePage() {
    copyPage("0", "0");
    if (copies())
      out_.text("MPF_COPY_COMMIT();");
    loadPage("0");
    storePage("0", "0");
    if (copies())
      out_.text("MPF_COPY_WAIT(0);");
    out_.text("__syncthreads();");
    multiply("0", false);
  }

  /// Which tile the block number stands for, and where its operands are.
  void openTile(const char *block) {
    writeTiles(plan_, type_, block, out_);
    rows_.declare();
    columns_.declare();
  }

  void pages() {
    const uint32_t ahead = matrix_.stages - 1;
    if (copies()) {
      out_.directive("#pragma unroll");
      out_.open(fmt::format("for (unsigned ahead = 0; ahead < {}; ++ahead)", ahead));
      if (ahead > counts_.pages)
        out_.open(fmt::format("if (ahead < {})", counts_.pages));
      copyPage("ahead", "ahead");
      if (ahead > counts_.pages)
        out_.close();
      out_.text("MPF_COPY_COMMIT();");
      out_.close();
    }
    loadPage("0");
    storePage("0", "0");
    out_.line("unsigned stage = 0{};", copies() ? fmt::format(", filled = {}", ahead) : "");
    pageLoop();
  }

  /// From tile to tile. A tile's first pages are asked for while the results of the one before it
  /// leave; their stages are those that everybody read before the last page's barrier.
  void walk() {
    const uint32_t ahead = matrix_.stages - 1;
    out_.line("unsigned stage = 0, filled = {};", ahead);
    out_.text("// the first tile");
    askForTile("blockIdx.x", "");
    out_.directive("#pragma unroll 1");
    out_.open(fmt::format("for ({0} block = blockIdx.x; block < {1}; block += {2})", type_,
                          counts_.tiles, plan_.launch.gridBlocks));
    openTile("block");
    declareFragments();
    loadPage("0");
    storePage("0", "stage");
    pageLoop();
    const std::string next = fmt::format("(block + {})", plan_.launch.gridBlocks);
    askForTile(next, fmt::format("if ({} < {})", next, counts_.tiles));
    store_.write();
    out_.close();
  }

  /// Copies of its first pages into the stages that are read next; `guard`: whether there is one.
  void askForTile(const std::string &block, const std::string &guard) {
    out_.open("");
    writeTiles(plan_, type_, block, out_);
    for (MatrixFetch *fetch : {&rows_, &columns_})
      if (!fetch->isFormed())
        fetch->declare();
    out_.text("unsigned into = stage;");
    out_.directive("#pragma unroll");
    out_.open(fmt::format("for (unsigned ahead = 0; ahead < {}; ++ahead)", matrix_.stages - 1));
    out_.open(guard);
    copyPage("ahead", "into");
    out_.close();
    out_.text("MPF_COPY_COMMIT();");
    out_.line("into = into == {} ? 0 : into + 1;", matrix_.stages - 1);
    out_.close();
    out_.close();
  }

  /// One barrier a page: behind it this page has landed for all threads, and nobody reads the page
  /// before, whose stage is filled next.
  void pageLoop() {
    const uint32_t ahead = matrix_.stages - 1;
    out_.directive("#pragma unroll 1");
    out_.open(fmt::format("for ({0} page = 0; page < {1}; ++page)", type_, counts_.pages));
    if (copies())
      out_.line("MPF_COPY_WAIT({});", ahead - 1);
    out_.text("__syncthreads();");
    const bool forms = rows_.isFormed() || columns_.isFormed();
    multiply("stage", true);
    if (copies())
      out_.line("filled = filled == {} ? 0 : filled + 1;", ahead);
    out_.line("stage = stage == {} ? 0 : stage + 1;", ahead);
    if (forms) {
      out_.open(fmt::format("if (page + 1 < {})", counts_.pages));
      storePage("(page + 1)", "stage");
      out_.close();
    }
    out_.close();
  }

  /// Starts what the pages ahead bring.
  void fetchAhead() {
    const uint32_t ahead = matrix_.stages - 1;
    if (copies()) {
      out_.open(fmt::format("if (page + {} < {})", ahead, counts_.pages));
      copyPage(fmt::format("(page + {})", ahead), "filled");
      out_.close();
      out_.text("MPF_COPY_COMMIT();");
    }
    if (rows_.isFormed() || columns_.isFormed()) {
      out_.open(fmt::format("if (page + 1 < {})", counts_.pages));
      loadPage("(page + 1)");
      out_.close();
    }
  }

  /// acc += rows * columns of one stage. The first fragments are loaded before the fetch of pages
  /// ahead is started: both take the same way, and the instructions wait for the former.
  void multiply(const std::string &stage, bool fetches) {
    openUnrolled(out_, "step", matrix_.chunk / (8 * groups_));
    out_.line("{} a[{}][{}], b[{}][2][{}];", ops_.type, rowUnits(), 4 * groups_, columnUnits(),
              2 * groups_);
    openUnrolled(out_, "group", groups_);
    openUnrolled(out_, "row", rowUnits());
    openUnrolled(out_, "pick", 2);
    loadHalves(matrix_.rows, "rows", "row", rowsSite_, stage);
    out_.line("a[row][4 * group + 2 * pick] = halves[0]{};", lifted("rows"));
    out_.line("a[row][4 * group + 2 * pick + 1] = halves[1]{};", lifted("rows"));
    close(2);
    openUnrolled(out_, "column", columnUnits());
    openUnrolled(out_, "pick", 2);
    loadHalves(matrix_.columns, "columns", "column", columnsSite_, stage);
    out_.line("b[column][0][2 * group + pick] = halves[0]{};", lifted("columns"));
    out_.line("b[column][1][2 * group + pick] = halves[1]{};", lifted("columns"));
    close(3);
    if (fetches) {
      out_.open("if (step == 0)");
      fetchAhead();
      out_.close();
    }
    if (splits()) // one part of all products after another: nothing waits for its own sum
      openUnrolled(out_, "part", 3);
    openUnrolled(out_, "row", rowUnits());
    openUnrolled(out_, "column", columnUnits());
    openUnrolled(out_, "half", 2);
    if (splits())
      out_.text("mpfMmaPart(part, acc[row][column][half], a[row], b[column][half]);");
    else
      out_.line("MpfMma<{}, {}>::run(acc[row][column][half], a[row], b[column][half]);",
                matrix_.instruction.rows, matrix_.instruction.terms);
    close(splits() ? 5 : 4);
  }

  /// Both halves of a unit at one term: neighbours in the segment, or two loads.
  void loadHalves(const MatrixSide &side, const char *name, const char *unit, uint32_t site,
                  const std::string &stage) {
    const std::string four = groups_ == 1
                                 ? "(2 * step + pick)"
                                 : fmt::format("({} * step + 2 * group + pick)", 2 * groups_);
    const std::string at = sumText({stageText(side, stage), timesText(four, side.groupStride),
                                    timesText(unit, 16 * side.sideStride)});
    out_.line("{} halves[2];", ops_.type);
    if (isInterleaved(side)) {
      out_.line("mpfUnpack(halves, MPF_LD({}, MPF_VEC(const {}2, {}Seg[{}])));", site, ops_.type,
                name, at);
      return;
    }
    openUnrolled(out_, "half", 2);
    out_.line("halves[half] = MPF_LD({}, {}Seg[{} + half * {}]);", site, name, at,
              8 * side.sideStride);
    out_.close();
  }

  const KernelPlan &plan_;
  const MatrixPlan &matrix_;
  OpText ops_;
  MatrixCounts counts_;
  std::string type_;
  uint64_t groups_; ///< of eight terms in one instruction, at least one
  CodeWriter out_;
  SiteTable sites_;
  MatrixFetch rows_, columns_;
  MatrixStoreText store_;
  uint32_t rowsSite_ = 0, columnsSite_ = 0;
};

} // namespace

EmittedKernel emitMatrixCuda(const KernelPlan &plan) { return MatrixKernel(plan).emit(); }

} // namespace mpf
