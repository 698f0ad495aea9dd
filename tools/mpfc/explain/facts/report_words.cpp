#include "tools/mpfc/explain/facts/report_words.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr ReportWord kWords[] = {
    {"factor, table", "A factor is a function of some variables. Its table has an entry for each "
                      "combination of their states."},
    {"scope", "The variables of a factor."},
    {"connected parts", "Groups of variables that no factor joins. Each is computed by itself."},
    {"primal graph", "Variables are its nodes; an edge joins two that share a factor."},
    {"degree, degeneracy", "The degree is the number of neighbours in the primal graph. The "
                           "degeneracy is a bound: no order has a smaller induced width."},
    {"order", "The sequence in which the plan eliminates the variables."},
    {"to eliminate", "To multiply all tables that have a variable, and to sum it out (or maximise "
                     "over it)."},
    {"bucket", "The tables that are multiplied to eliminate a variable, or several at a time."},
    {"message", "The table that a bucket computes. It goes to the next bucket that has one of its "
                "variables."},
    {"addresses", "The joint states of all variables of a bucket. The work grows with them."},
    {"entries", "The numbers in a table; of a bucket, those of its message."},
    {"induced width", "The number of variables in the widest bucket, less one. One more doubles "
                      "the work where variables have two states."},
    {"largest clique", "The joint states of the widest bucket, its addresses."},
    {"2^14.25", "A number as a power of two: here about 19,500."},
    {"operations", "Of the arithmetic: multiplications and additions. In a table of passes: "
                   "buckets that are run."},
    {"slices", "The plan fixes some variables, runs once for each of their joint states, and adds "
               "up. This saves memory and costs time."},
    {"shared messages", "Buckets whose message equals an earlier one, which is used again."},
    {"peak", "The memory of all tables: inputs and the messages that are needed at a time."},
    {"process", "The peak, with the program itself, the model and the plan."},
    {"bound", "The most memory that tables may take: --max-memory, or what the machine has free."},
    {"inputs, work", "Inputs are the tables of the model; work is the memory of messages."},
    {"share", "The part of the predicted time of a run."},
    {"planning", "To simplify the model and to search for an order. A bundle of mpfc build keeps "
                 "the plan."},
    {"compiling", "The system's compiler makes kernels for buckets, where that pays over the "
                  "expected runs (--runs)."},
    {"touching", "The system clears the memory of tables when it is used for the first time."},
    {"once", "Not again in later runs of the same session or bundle."},
    {"time line", "What each device does when."},
    {"opening", "To load the driver of the GPU and to make a context.", true},
    {"uploading, downloading", "To copy tables to the GPU and results back.", true},
    {"floor",
     "The least time that any kernel can take: each table moved once, or the arithmetic "
     "at the peak rate.",
     true},
    {"table-driven", "Kernels of mpf that run any bucket without being compiled first.", true},
    {"own, family", "A specialised kernel, compiled for one bucket: its time and its kind.", true},
    {"dram .. launch",
     "The parts of a specialised kernel's time: memory, caches, instructions, "
     "arithmetic, waiting, start.",
     true},
    {"chain", "Consecutive buckets as one kernel of the GPU.", true},
};

constexpr ReportWord kPassWords[] = {
    {"evidence", "keeps the observed state of each observed variable"},
    {"zeros", "removes states that zeros rule out"},
    {"constants", "removes variables of one state, and constants"},
    {"uniform", "removes variables from factors that do not depend on them"},
    {"barren", "removes variables whose sum is 1"},
    {"components", "removes parts that the answer does not depend on"},
    {"aliases", "replaces a variable that renames another"},
    {"merge-states", "merges states that are equal in all factors but one"},
    {"merge-factors", "multiplies a factor into one that has all its variables"},
    {"functions", "removes variables that are functions of others"},
    {"leaves", "sums out variables of one factor"},
    {"probing", "removes states and entries that lead to a contradiction"},
    {"order-variables", "sorts the variables of all tables by the order"},
    {"eliminate", "makes a bucket for each variable"},
    {"join-buckets", "eliminates variables together where that is cheaper"},
    {"merge-operands", "multiplies small tables of large buckets first"},
    {"bound-operands", "divides buckets of too many tables"},
    {"order-operations", "runs buckets depth first, for less memory"},
    {"downward", "adds the way back, for posteriors of all variables"},
    {"contract-operands", "divides wide buckets into products of two"},
    {"split-reductions", "divides long sums with few results in two steps"},
    {"nest-operations", "puts the loops of slices inside each other"},
    {"share-tables", "computes equal messages once"},
    {"keep-messages", "keeps messages for later runs"},
    {"recompute-messages", "computes messages again, to save memory"},
    {"split-k", "cuts long sums with few results into parts"},
    {"find-chains", "finds chains of buckets for one kernel of a GPU"},
    {"pack-tables", "packs tables of zeros and ones for a GPU"},
    {"lay-out-tables", "stores tables in the order that a GPU gains by"},
    {"separate-branches", "gives branches of the tree memory of their own, to run side by side"},
    {"everything at once", "one bucket with all variables, to compare with"},
};

} // namespace

std::span<const ReportWord> reportWords() { return kWords; }
std::span<const ReportWord> passWords() { return kPassWords; }

std::string_view passMeaning(std::string_view pass) {
  const auto *const row = std::ranges::find(kPassWords, pass, &ReportWord::word);
  return row == std::end(kPassWords) ? std::string_view() : row->meaning;
}

} // namespace mpf
