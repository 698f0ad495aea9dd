#include "codegen/emit/matrix/matrix_pages.h"

#include "codegen/emit/matrix/matrix_names.h"
#include "codegen/emit/nest/kernel_frame.h"
#include "dsl/support/check.h"

namespace mpf {

MatrixPagesEmitter::MatrixPagesEmitter(const MatrixPlan &plan, CodeWriter &out, SiteTable &sites)
    : plan_(plan), forms_(formsPages(plan)), copies_(copiesPages(plan)),
      counts_(matrixCounts(plan)), type_(indexTypeText(plan)), out_(out),
      rows_(plan, plan_.rows, out, sites), columns_(plan, plan_.columns, out, sites),
      product_(plan, out, sites) {}

const MatrixSide &MatrixPagesEmitter::sideOf(const MatrixFetch &fetch) const {
  return &fetch == &rows_ ? plan_.rows : plan_.columns;
}

void MatrixPagesEmitter::declareFetches(bool copied) {
  for (MatrixFetch *fetch : {&rows_, &columns_})
    if (streams(*fetch) && !(copied && fetch->isFormed()))
      fetch->declare();
}

void MatrixPagesEmitter::copyPage(const std::string &page, const std::string &stage) {
  for (MatrixFetch *fetch : {&rows_, &columns_})
    if (streams(*fetch) && !fetch->isFormed())
      fetch->copy(page, MatrixProductEmitter::stageText(sideOf(*fetch), stage));
}

void MatrixPagesEmitter::loadPage(const std::string &page) {
  for (MatrixFetch *fetch : {&rows_, &columns_})
    if (streams(*fetch) && fetch->isFormed())
      fetch->load(page);
}

void MatrixPagesEmitter::storePage(const std::string &page, const std::string &stage) {
  for (MatrixFetch *fetch : {&rows_, &columns_})
    if (streams(*fetch) && fetch->isFormed())
      fetch->store(page, MatrixProductEmitter::stageText(sideOf(*fetch), stage));
}

void MatrixPagesEmitter::tile() {
  product_.declare();
  if (plan_.stages == 1) {
    onePage();
    return;
  }
  emitPrologue();
  pageLoop();
}

void MatrixPagesEmitter::onePage() {
  MPF_CHECK(counts_.pages == 1, "one stage for {} pages", counts_.pages);
  copyPage("0", "0");
  if (copies_)
    out_.text("MPF_COPY_COMMIT();");
  loadPage("0");
  storePage("0", "0");
  if (copies_)
    out_.text("MPF_COPY_WAIT(0);");
  out_.text("__syncthreads();");
  multiply("0", false);
}

void MatrixPagesEmitter::emitPrologue() {
  const uint32_t ahead = plan_.stages - 1;
  if (copies_) {
    out_.directive("#pragma unroll");
    out_.open(fmt::format("for ({} ahead = 0; ahead < {}; ++ahead)", type_, ahead));
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
  declareStages();
}

void MatrixPagesEmitter::declareStages() {
  MPF_CHECK(plan_.stages > 1, "one stage takes no turns with others in {}", plan_.name);
  out_.line("unsigned stage = 0{};", copies_ ? fmt::format(", filled = {}", plan_.stages - 1) : "");
}

void MatrixPagesEmitter::emitPrefetch(const std::string &guard) {
  out_.text("unsigned into = stage;");
  out_.directive("#pragma unroll");
  out_.open(fmt::format("for ({} ahead = 0; ahead < {}; ++ahead)", type_, plan_.stages - 1));
  out_.open(guard);
  copyPage("ahead", "into");
  out_.close();
  out_.text("MPF_COPY_COMMIT();");
  out_.line("into = into == {} ? 0 : into + 1;", plan_.stages - 1);
  out_.close();
}

void MatrixPagesEmitter::fetchStationary(const std::string &due) {
  MPF_CHECK(stationarySide(plan_) != nullptr, "no side of {} is stationary", plan_.name);
  MatrixFetch &fetch = plan_.rows.stationary ? rows_ : columns_;
  out_.open(fmt::format("if ({})", due));
  out_.text("__syncthreads(); // what was there has been read");
  fetch.declare();
  openPages(counts_.pages);
  const std::string place = MatrixProductEmitter::stageText(sideOf(fetch), "page");
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

void MatrixPagesEmitter::prefetchedTile() {
  product_.declare();
  loadPage("0");
  storePage("0", "stage");
  pageLoop();
}

void MatrixPagesEmitter::pageLoop() {
  if (plan_.doubleBufferedFragments)
    pagesOfFragmentsAhead();
  else
    plainPages();
}

/// Prints one barrier a page. After it, this page has landed for all threads, and no thread reads
/// the page before any more; the stage of that page is filled next.
void MatrixPagesEmitter::plainPages() {
  openPages(counts_.pages);
  arrive();
  multiply("stage", true);
  advance();
  if (forms_) {
    out_.open(fmt::format("if (page + 1 < {})", counts_.pages));
    storePage("(page + 1)", "stage");
    out_.close();
  }
  out_.close();
}

/// Prints pages whose instructions of each step run while the fragments of the next step are
/// loaded. The next step may be the first of the next page, so that page's barrier comes before the
/// last instructions of a page. The last page has no next page and is printed separately.
void MatrixPagesEmitter::pagesOfFragmentsAhead() {
  MPF_CHECK(plan_.stages > 1 && matrixSteps(plan_) % 2 == 0,
            "fragments ahead of {} steps, {} stages", matrixSteps(plan_), plan_.stages);
  product_.declareFragments(2);
  arrive();
  out_.open("");
  product_.declarePage("Page", "stage", "0");
  product_.load("Page", "0", "[0]");
  out_.close();
  if (counts_.pages > 1) {
    openPages(counts_.pages - 1);
    multiplyAhead("page", true);
    out_.close();
  }
  out_.open("");
  multiplyAhead(std::to_string(counts_.pages - 1), false);
  advance();
  out_.close();
}

/// Prints one page. The fragments of its first step are loaded before. With `more`, it loads those
/// of the next page's first step.
void MatrixPagesEmitter::multiplyAhead(const std::string &page, bool more) {
  const std::string last = std::to_string(matrixSteps(plan_) - 1);
  product_.declarePage("Page", "stage", page);
  openUnrolled(out_, "step", matrixSteps(plan_));
  out_.open(fmt::format("if (step < {})", last));
  product_.load("Page", "(step + 1)", "[(step + 1) % 2]");
  out_.close();
  if (more) {
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
  }
  product_.multiply("[step % 2]");
  out_.close();
}

void MatrixPagesEmitter::openPages(uint64_t count) { openRolled(out_, type_, "page", count); }

/// Waits until the next page has arrived for all threads.
void MatrixPagesEmitter::arrive() {
  if (copies_)
    out_.line("MPF_COPY_WAIT({});", plan_.stages - 2);
  out_.text("__syncthreads();");
}

void MatrixPagesEmitter::advance() {
  if (copies_)
    out_.line("filled = filled == {0} ? 0 : filled + 1;", plan_.stages - 1);
  out_.line("stage = stage == {0} ? 0 : stage + 1;", plan_.stages - 1);
}

/// Starts the copies and loads of pages ahead.
void MatrixPagesEmitter::fetchAhead() {
  const uint32_t ahead = plan_.stages - 1;
  if (copies_) {
    out_.open(fmt::format("if (page + {} < {})", ahead, counts_.pages));
    copyPage(fmt::format("(page + {})", ahead), "filled");
    out_.close();
    out_.text("MPF_COPY_COMMIT();");
  }
  if (forms_) {
    out_.open(fmt::format("if (page + 1 < {})", counts_.pages));
    loadPage("(page + 1)");
    out_.close();
  }
}

/// Prints acc += rows * columns of one stage. The first fragments are loaded before the fetch of
/// pages ahead starts: both use the load/store units, and the instructions wait for the fragments.
void MatrixPagesEmitter::multiply(const std::string &stage, bool fetches) {
  product_.declarePage("Page", stage, "page");
  openUnrolled(out_, "step", matrixSteps(plan_));
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

} // namespace mpf
