#include "codegen/emit/emit_matrix.h"

#include "codegen/emit/kernel_frame.h"
#include "codegen/emit/matrix_fetch.h"
#include "codegen/emit/matrix_product.h"
#include "codegen/emit/matrix_store.h"
#include "codegen/emit/matrix_text.h"

#include <algorithm>

namespace mpf {

namespace {

class MatrixKernel {
public:
  explicit MatrixKernel(const KernelPlan &plan)
      : plan_(plan), matrix_(*plan.matrix), ops_(plan, true), counts_(matrixCounts(plan)),
        type_(indexTypeText(plan)), rows_(plan, matrix_.rows, "rows", "rowBase", out_, sites_),
        columns_(plan, matrix_.columns, "columns", "columnBase", out_, sites_),
        store_(plan, splits() ? "unlift" : "rescale", out_, sites_), product_(plan, out_, sites_) {}

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
      product_.declare();
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
  /// Its pages come and go.
  bool streams(const MatrixFetch &fetch) const { return !sideOf(fetch).resident; }
  bool forms() const {
    return (streams(rows_) && rows_.isFormed()) || (streams(columns_) && columns_.isFormed());
  }
  bool copies() const {
    return (streams(rows_) && !rows_.isFormed()) || (streams(columns_) && !columns_.isFormed());
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
  /// lane = 4 * octet + quad, warps column by column.
  void declareLanes() {
    out_.text("const unsigned octet = threadIdx.x % 32 / 4, quad = threadIdx.x % 4;");
    out_.line("const unsigned warpRow = threadIdx.x / {} * {};", 32 * matrix_.columns.warps,
              warpTile(matrix_.rows));
    out_.line("const unsigned warpColumn = threadIdx.x / 32 % {} * {};", matrix_.columns.warps,
              warpTile(matrix_.columns));
  }

  void copyPage(const std::string &page, const std::string &stage) {
    for (MatrixFetch *fetch : {&rows_, &columns_})
      if (streams(*fetch) && !fetch->isFormed())
        fetch->copy(page, MatrixProductText::stageText(sideOf(*fetch), stage));
  }
  void loadPage(const std::string &page) {
    for (MatrixFetch *fetch : {&rows_, &columns_})
      if (streams(*fetch) && fetch->isFormed())
        fetch->load(page);
  }
  void storePage(const std::string &page, const std::string &stage) {
    for (MatrixFetch *fetch : {&rows_, &columns_})
      if (streams(*fetch) && fetch->isFormed())
        fetch->store(page, MatrixProductText::stageText(sideOf(*fetch), stage));
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

  /// acc += rows * columns of one stage. The first fragments are loaded before the fetch of pages
  /// ahead is started: both take the same way, and the instructions wait for the former.
  void multiply(const std::string &stage, bool fetches) {
    product_.declarePage("Page", stage, "page");
    openUnrolled(out_, "step", matrixSteps(matrix_));
    product_.declareFragments(0);
    product_.load("Page", "step", "");
    if (fetches) {
      out_.open("if (step == 0)");
      fetchAhead();
      out_.close();
    }
    product_.multiply("");
    out_.close();
  }

  /// Which tile the block number stands for, and where its operands are.
  void openTile(const char *block) {
    writeTiles(plan_, type_, block, out_);
    for (MatrixFetch *fetch : {&rows_, &columns_})
      if (streams(*fetch))
        fetch->declare();
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
    const bool stays = matrix_.rows.resident || matrix_.columns.resident;
    if (stays)
      declareStrip();
    out_.line("unsigned stage = 0{};",
              copies() ? fmt::format(", filled = {}", matrix_.stages - 1) : "");
    out_.text("// the first tile");
    askForTile(stays ? "first" : "blockIdx.x", "");
    out_.directive("#pragma unroll 1");
    if (stays)
      out_.open(fmt::format("for ({} block = first; block < last; ++block)", type_));
    else
      out_.open(fmt::format("for ({0} block = blockIdx.x; block < {1}; block += {2})", type_,
                            counts_.tiles, plan_.launch.gridBlocks));
    openTile("block");
    if (stays)
      fetchResident();
    product_.declare();
    loadPage("0");
    storePage("0", "stage");
    pageLoop();
    const std::string next = fmt::format("(block + {})", stays ? 1 : plan_.launch.gridBlocks);
    askForTile(next, stays ? fmt::format("if ({} < last)", next)
                           : fmt::format("if ({} < {})", next, counts_.tiles));
    store_.write();
    out_.close();
  }

  /// Tiles that are neighbours along the side that comes and goes; as many for every block, or one
  /// more.
  void declareStrip() {
    const uint64_t blocks = plan_.launch.gridBlocks;
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

  /// All pages of the side that stays, at the block's first tile and wherever a strip begins.
  void fetchResident() {
    MatrixFetch &fetch = matrix_.rows.resident ? rows_ : columns_;
    const uint64_t strip = matrix_.rows.resident ? counts_.columnTiles : counts_.rowTiles;
    out_.open(fmt::format("if (block == first || block % {} == 0)", strip));
    out_.text("__syncthreads(); // what was there has been read");
    fetch.declare();
    out_.directive("#pragma unroll 1");
    out_.open(fmt::format("for ({0} page = 0; page < {1}; ++page)", type_, counts_.pages));
    const std::string place = MatrixProductText::stageText(sideOf(fetch), "page");
    if (fetch.isFormed()) {
      fetch.load("page");
      fetch.store("page", place);
    } else {
      fetch.copy("page", place);
    }
    out_.close();
    if (!fetch.isFormed()) {
      out_.text("MPF_COPY_COMMIT();");
      out_.text("MPF_COPY_WAIT(0);");
    }
    out_.close();
  }

  /// Copies of its first pages into the stages that are read next; `guard`: whether there is one.
  void askForTile(const std::string &block, const std::string &guard) {
    if (!copies())
      return;
    out_.open("");
    writeTiles(plan_, type_, block, out_);
    for (MatrixFetch *fetch : {&rows_, &columns_})
      if (streams(*fetch) && !fetch->isFormed())
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

  void pageLoop() {
    if (matrix_.runsAhead)
      pagesOfFragmentsAhead();
    else
      plainPages();
  }

  /// One barrier a page: behind it this page has landed for all threads, and nobody reads the page
  /// before, whose stage is filled next.
  void plainPages() {
    openPages(counts_.pages);
    arrive();
    multiply("stage", true);
    advance();
    if (forms()) {
      out_.open(fmt::format("if (page + 1 < {})", counts_.pages));
      storePage("(page + 1)", "stage");
      out_.close();
    }
    out_.close();
  }

  /// Every step's instructions run while the fragments of the next step are loaded, those of the
  /// next page's first step too: its barrier stands before a page's last instructions. The last
  /// page has no next one and stands by itself.
  void pagesOfFragmentsAhead() {
    product_.declareFragments(2);
    arrive();
    out_.open("");
    product_.declarePage("Page", "stage", "0");
    product_.load("Page", "0", "[0]");
    out_.close();
    const std::string last = std::to_string(matrixSteps(matrix_) - 1);
    if (counts_.pages > 1) {
      openPages(counts_.pages - 1);
      product_.declarePage("Page", "stage", "page");
      openUnrolled(out_, "step", matrixSteps(matrix_));
      out_.open(fmt::format("if (step < {})", last));
      product_.load("Page", "(step + 1)", "[(step + 1) % 2]");
      out_.close();
      out_.open(fmt::format("if (step == {})", last));
      advance();
      storePage("(page + 1)", "stage");
      arrive();
      product_.declarePage("Next", "stage", "(page + 1)");
      product_.load("Next", "0", "[0]");
      out_.close();
      out_.open("if (step == 0)");
      fetchAhead();
      out_.close();
      product_.multiply("[step % 2]");
      out_.close();
      out_.close();
    }
    out_.open("");
    product_.declarePage("Page", "stage", std::to_string(counts_.pages - 1));
    openUnrolled(out_, "step", matrixSteps(matrix_));
    out_.open(fmt::format("if (step < {})", last));
    product_.load("Page", "(step + 1)", "[(step + 1) % 2]");
    out_.close();
    product_.multiply("[step % 2]");
    out_.close();
    advance();
    out_.close();
  }

  void openPages(uint64_t count) {
    out_.directive("#pragma unroll 1");
    out_.open(fmt::format("for ({0} page = 0; page < {1}; ++page)", type_, count));
  }
  /// Until the next page is there, for all threads.
  void arrive() {
    if (copies())
      out_.line("MPF_COPY_WAIT({});", matrix_.stages - 2);
    out_.text("__syncthreads();");
  }
  void advance() {
    if (copies())
      out_.line("filled = filled == {0} ? 0 : filled + 1;", matrix_.stages - 1);
    out_.line("stage = stage == {0} ? 0 : stage + 1;", matrix_.stages - 1);
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
    if (forms()) {
      out_.open(fmt::format("if (page + 1 < {})", counts_.pages));
      loadPage("(page + 1)");
      out_.close();
    }
  }

  const KernelPlan &plan_;
  const MatrixPlan &matrix_;
  OpText ops_;
  MatrixCounts counts_;
  std::string type_;
  CodeWriter out_;
  SiteTable sites_;
  MatrixFetch rows_, columns_;
  MatrixStoreText store_;
  MatrixProductText product_;
};

} // namespace

EmittedKernel emitMatrixCuda(const KernelPlan &plan) { return MatrixKernel(plan).emit(); }

} // namespace mpf
