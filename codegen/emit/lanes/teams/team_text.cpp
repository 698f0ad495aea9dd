#include "codegen/emit/lanes/teams/team_text.h"

#include "codegen/emit/lanes/teams/team_writer.h"
#include "codegen/emit/nest/op_emitter.h"

#include <algorithm>
#include <span>

namespace mpf {

namespace {

/// The greatest number of statements of all tasks for which the tasks are inlined into one
/// function.
constexpr uint64_t kInlinedStatements = 5000;

/// Prints the argument of the functions of tasks, and the names that they give its members.
std::string teamStruct(const std::string &entry) {
  return fmt::format(
      "struct MpfTeam {{\n"
      "  const {0} *weights, *image;\n"
      "  {0} *tables, *near, *far, *results;\n"
      "  const unsigned *words;\n"
      "  int *exponents;\n"
      "  unsigned *states;\n"
      "  unsigned long long pitch, i; // cases of a row; the lane's case\n"
      "  bool active, left;           // it has one of its own; it leaves linear arithmetic\n"
      "}};\n"
      "#define MPF_TEAM_NAMES \\\n"
      "  const {0} *const weights = team.weights, *const image = team.image; \\\n"
      "  {0} *const tables = team.tables, *const near = team.near, *const far = team.far; \\\n"
      "  {0} *const results = team.results; \\\n"
      "  const unsigned *const words = team.words; \\\n"
      "  int *const exponents = team.exponents; \\\n"
      "  unsigned *const states = team.states; \\\n"
      "  const unsigned long long pitch = team.pitch, i = team.i; \\\n"
      "  const bool active = team.active; \\\n"
      "  bool &left = team.left;",
      entry);
}

class TeamText {
public:
  TeamText(TeamWriter &&writer, uint64_t blocks, uint64_t statements)
      : w_(std::move(writer)), warps_(w_.kernel.blockThreads / kTeamLanes), blocks_(blocks),
        statements_(statements) {}

  std::string write() {
    writeTasks();
    open();
    const std::span<const TeamTask> tasks = w_.schedule.tasks;
    for (size_t begin = 0; begin < tasks.size();) {
      size_t end = begin;
      while (end < tasks.size() && tasks[end].stage == tasks[begin].stage)
        ++end;
      writeStage(begin, tasks.subspan(begin, end - begin));
      begin = end;
    }
    if (w_.watches())
      markLeft();
    w_.out.close(); // cases
    w_.out.close();
    return w_.out.finish();
  }

private:
  /// Prints a function for each task. Compilers take more than twice as long for a function of
  /// twice the length, so in large programs the functions are not inlined. That costs calls.
  void writeTasks() {
    w_.out.directive(teamStruct(w_.entry));
    w_.out.line("#define MPF_TEAM_TASK static __device__ {}",
                statements_ > kInlinedStatements ? "__noinline__" : "__forceinline__");
    for (size_t t = 0; t < w_.schedule.tasks.size(); ++t) {
      const TeamTask &task = w_.schedule.tasks[t];
      w_.out.line("// {}", titleOf(task));
      w_.out.open(fmt::format("MPF_TEAM_TASK void task{}(MpfTeam &team, unsigned tile{})", t,
                              findsGreatest(task)
                                  ? fmt::format(", {} &greatest{}", w_.entry, task.message)
                                  : std::string()));
      w_.out.line("MPF_TEAM_NAMES");
      writeTile(task);
      w_.out.close();
    }
  }

  void open() {
    CodeWriter &out = w_.out;
    out.line("// {}: {} cases side by side, one in each lane of {} warps", w_.program.name,
             kTeamLanes, warps_);
    out.line("extern \"C\" __global__ void __launch_bounds__({}, {})", w_.kernel.blockThreads,
             blocks_);
    out.line("MPF_LANES(const unsigned *codes, const {} *weights, int casePitch, int count,",
             w_.entry);
    out.line("          const {0} *image, {0} *results, int *exponents, unsigned *states,",
             w_.entry);
    out.open(fmt::format("          {} *scratch)", w_.entry));
    out.line("const unsigned long long pitch = static_cast<unsigned>(casePitch);");
    out.line("const unsigned lane = threadIdx.x % {0}u, warp = threadIdx.x / {0}u;", kTeamLanes);
    out.line("MPF_DYN_SHARED({}, tables);", w_.entry);
    const uint64_t sharedElems = w_.image.picked.sharedElems;
    out.line("{} *const near = tables + {}u + lane;", w_.entry, sharedElems);
    out.line("{} *const far = scratch + blockIdx.x * {}ull + lane;", w_.entry,
             w_.kernel.scratchElems);
    if (sharedElems != 0) {
      const uint32_t from = w_.sites.add(SiteKind::GlobalLoad, "image");
      const uint32_t to = w_.sites.add(SiteKind::SharedStore, "tables");
      out.line("for (unsigned e = threadIdx.x; e < {}u; e += {}u)", sharedElems,
               w_.kernel.blockThreads);
      out.line("  MPF_ST({}, tables[e], MPF_LD({}, image[e]));", to, from);
      out.line("__syncthreads();");
    }
    out.line("unsigned first = blockIdx.x * {}u;", kTeamLanes);
    openCodes();
    out.directive("#pragma unroll 1");
    out.open(fmt::format("for (; first < static_cast<unsigned>(count); first += gridDim.x * {}u)",
                         kTeamLanes));
    out.line("const bool active = first + lane < static_cast<unsigned>(count);");
    out.line("// A lane without a case of its own computes the last one once more.");
    out.line("const unsigned long long i = active ? first + lane : count - 1u;");
    out.line("MpfTeam team = {{weights, image, tables, near, far, results, {}, exponents, states,",
             w_.kernel.wordCount() == 0 ? "nullptr" : "words");
    out.line("                pitch, i, active, false}};");
    fetchCodes();
  }

  /// Loads the codes of a block's first cases to shared memory. The codes of the next cases are
  /// fetched while the block computes.
  void openCodes() {
    const uint64_t words = w_.kernel.wordCount();
    if (words == 0)
      return;
    codesSite_ = w_.sites.add(SiteKind::GlobalLoad, "codes");
    wordsSite_ = w_.sites.add(SiteKind::SharedStore, "words");
    w_.out.line("unsigned *const words = reinterpret_cast<unsigned *>(tables + {}u) + lane;",
                w_.image.picked.sharedElems + w_.schedule.nearElems * kTeamLanes);
    w_.out.line("const unsigned last = static_cast<unsigned>(count) - 1u;");
    w_.out.line("for (unsigned word = warp; word < {}u; word += {}u)", words, warps_);
    w_.out.line("  MPF_ST({}, words[word * {}], MPF_LD({}, codes[word * pitch + (first + lane < "
                "last ? first + lane : last)]));",
                wordsSite_, kTeamLanes, codesSite_);
    w_.out.line("__syncthreads();");
  }

  uint64_t rounds() const { return (w_.kernel.wordCount() + warps_ - 1) / warps_; }
  std::string wordText(uint64_t round) const {
    return round == 0 ? "warp" : fmt::format("warp + {}u", round * warps_);
  }
  /// Returns the condition that the warp has a word in a round.
  std::string hasWord(uint64_t round) const {
    return fmt::format("{} < {}u", wordText(round), w_.kernel.wordCount());
  }

  void fetchCodes() {
    if (w_.kernel.wordCount() == 0)
      return;
    w_.out.line("const unsigned following = first + gridDim.x * {}u + lane;", kTeamLanes);
    w_.out.line("const unsigned long long fetched = following < last ? following : last;");
    for (uint64_t round = 0; round < rounds(); ++round)
      w_.out.line("const unsigned next{} = {} ? MPF_LD({}, codes[({}) * pitch + fetched]) : 0u;",
                  round, hasWord(round), codesSite_, wordText(round));
  }

  /// Stores the fetched codes to shared memory. This happens in the last stage, which writes
  /// answers and reads no code.
  void storeCodes() {
    for (uint64_t round = 0; round < rounds(); ++round) {
      w_.out.open(fmt::format("if ({})", hasWord(round)));
      w_.out.line("MPF_ST({}, words[({}) * {}], next{});", wordsSite_, wordText(round), kTeamLanes,
                  round);
      w_.out.close();
    }
  }

  bool findsGreatest(const TeamTask &task) const {
    const bool writes = task.kind == TeamTaskKind::Gather || task.kind == TeamTaskKind::Operation ||
                        task.kind == TeamTaskKind::Weights;
    return writes && w_.schedule.maxima[task.message].offsetElems != TeamPlace::kNone;
  }

  /// Prints a stage: deals the tiles of all tasks, one after the other, to the warps.
  void writeStage(size_t first, std::span<const TeamTask> tasks) {
    uint64_t tiles = 0;
    for (const TeamTask &task : tasks) {
      tiles += task.tiles;
      if (findsGreatest(task))
        w_.out.line("{} greatest{} = 0;", w_.entry, task.message);
    }
    w_.out.directive("#pragma unroll 1");
    w_.out.open(
        fmt::format("for (unsigned place = warp; place < {}u; place += {}u)", tiles, warps_));
    uint64_t begin = 0;
    for (size_t t = 0; t < tasks.size(); ++t) {
      const uint64_t end = begin + tasks[t].tiles;
      w_.out.line("{}{}task{}(team, place - {}u{});", t == 0 ? "" : "else ",
                  end == tiles ? "" : fmt::format("if (place < {}u) ", end), first + t, begin,
                  findsGreatest(tasks[t]) ? fmt::format(", greatest{}", tasks[t].message) : "");
      begin = end;
    }
    w_.out.close();
    for (const TeamTask &task : tasks)
      if (findsGreatest(task))
        w_.store(w_.schedule.maxima[task.message], "warp", "greatest entries",
                 fmt::format("greatest{}", task.message));
    if (tasks.front().stage + 1 == w_.schedule.stages)
      storeCodes();
    w_.out.line("__syncthreads();");
  }

  std::string titleOf(const TeamTask &task) const {
    switch (task.kind) {
    case TeamTaskKind::Output:
      return "output " + std::to_string(task.index);
    case TeamTaskKind::Decode:
      return "traceback";
    case TeamTaskKind::Rescale:
      return "rescaled " + nameOf(task);
    case TeamTaskKind::Operation:
      return fmt::format("{}, {} entries of {} terms in {} passes", nameOf(task),
                         task.tile.entries(), task.tile.termCount(),
                         task.tile.operation.passes.size());
    default:
      return nameOf(task);
    }
  }

  /// Returns the name and the place of the message that a task writes.
  std::string nameOf(const TeamTask &task) const {
    const TeamPlace &place = w_.schedule.messages[task.message];
    return fmt::format("{} ({} entries, {} {})", w_.program.tables[task.message].name,
                       w_.program.tables[task.message].sizeElems, TeamWriter::arena(place),
                       place.offsetElems);
  }

  void writeTile(const TeamTask &task) {
    switch (task.kind) {
    case TeamTaskKind::Gather:
      return writeTeamGather(w_, task);
    case TeamTaskKind::Operation:
      return writeTeamOperation(w_, task);
    case TeamTaskKind::Weights:
      return writeTeamWeights(w_, task);
    case TeamTaskKind::Rescale:
      return writeTeamRescale(w_, task);
    case TeamTaskKind::Output:
      return writeTeamOutput(w_, task);
    case TeamTaskKind::Decode:
      return writeTeamDecoding(w_);
    }
  }

  /// Sets the first result of a case to NaN if some warp saw an entry that is too small.
  void markLeft() {
    w_.store(w_.schedule.left, "warp", "left", "team.left ? 1 : 0");
    w_.out.line("__syncthreads();");
    w_.out.open("if (warp == 0u && active)");
    w_.out.line("{} any = 0;", w_.entry);
    w_.out.open(fmt::format("for (unsigned of = 0; of < {}u; ++of)", warps_));
    w_.out.line("any += {};", w_.load(w_.schedule.left, "of", "left"));
    w_.out.close();
    w_.out.open("if (any != 0)");
    w_.out.line("MPF_ST({}, results[i], mpfNotANumber<{}>());",
                w_.sites.add(SiteKind::GlobalStore, "results"), w_.entry);
    w_.out.close();
    w_.out.close();
    w_.out.line("__syncthreads();"); // before the next cases
  }

  TeamWriter w_;
  const uint64_t warps_, blocks_, statements_;
  uint32_t codesSite_ = 0, wordsSite_ = 0;
};

} // namespace

std::string teamText(const LaneProgram &program, const LinearPlan &plan, ElementType type,
                     const TeamSchedule &schedule, const TeamImage &image, const LaneKernel &kernel,
                     uint64_t blocks, uint64_t statements) {
  return TeamText(
             TeamWriter{program, plan, type, schedule, image, kernel, entryTypeText(type), {}, {}},
             blocks, statements)
      .write();
}

} // namespace mpf
