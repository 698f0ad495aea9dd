#include "tools/mpfc/options/command_table.h"

#include <algorithm>
#include <iterator>

namespace mpf::driver {

namespace {

using enum Stage;

constexpr CommandRow kCommandTable[] = {
    {Command::Run,
     "run",
     "answer the queries of a model or bundle (.mpfb)",
     {Source, Model, Bundle},
     Result,
     {{{"mpfc run net.bif --observe wet=yes --query 'P(rain)'",
        "a posterior, given evidence by name"},
       {"mpfc run net.bif --query marginals --cases rows.csv -o answers.csv",
        "all posteriors for each row of a list"},
       {"mpfc run ising.mpf -D n=12 -D 'beta=linspace(0, 1, 9)'",
        "params of the model, one of them swept"}}}},
    {Command::Check,
     "check",
     "read the model and say what is wrong with it",
     {Source, Model},
     Model,
     {{{"mpfc check net.mpf", "every error, with its place"},
       {"mpfc check net.bif --cases rows.csv", "a list of cases too, row by row"},
       {"mpfc check net.bif --query 'P(rain | wet = yes)'",
        "a query that the model does not have"}}}},
    {Command::Explain,
     "explain",
     "report order, memory and predicted times, without running",
     {Source, Model, Plan},
     Kernel,
     {{{"mpfc explain net.mpf", "what a run will need and take"},
       {"mpfc explain net.mpf --html report.html", "the same as a page for the browser"},
       {"mpfc explain net.bif --query marginals --cases rows.csv",
        "what all cases share, and what each costs"}}}},
    {Command::Build,
     "build",
     "compile one query to a bundle that runs without the compiler",
     {Source, Model, Bundle},
     Bundle,
     {{{"mpfc build net.mpf --query marginals -o net.mpfb", "a bundle, for mpfc run and C++"},
       {"mpfc build net.bif --query 'P(rain)' --cases rows.csv -o net.mpfb",
        "a bundle for lists with these columns"},
       {"mpfc build grid.mpf --arch sm_90 -o grid.mpfb", "with machine code for a GPU"}}}},
    {Command::Import,
     "import",
     "convert the model to .mpf source, or to another format",
     {Source, Model},
     Model,
     {{{"mpfc import net.bif", "prints the network as .mpf source"},
       {"mpfc import net.bif -o net.uai", "the ending names the format"},
       {"mpfc import grid.mpf -D n=8 -o grid.uai", "with a param set"}}}},
    {Command::Fmt,
     "fmt",
     "print the .mpf source in its canonical form",
     {Source},
     Ast,
     {{{"mpfc fmt net.mpf", "prints it"},
       {"mpfc fmt -i net.mpf", "rewrites the file"},
       {"mpfc fmt --check net.mpf", "exit code 1 if the form is another one"}}}},
    {Command::Cache,
     "cache",
     "look after the cache of compiled GPU kernels",
     {Source},
     Result,
     {{{"mpfc cache", "where it is and what it holds"},
       {"mpfc cache fill", "compiles the kernels that run any model"},
       {"mpfc cache clear", "empties it"}}}},
    {Command::Calibrate,
     "calibrate",
     "measure how fast this machine is, for predicted times and --device auto",
     {Source},
     Result,
     {{{"mpfc calibrate", "some minutes; the figures are kept beside the cache"},
       {"mpfc calibrate --device cpu", "the CPU alone"},
       {"mpfc calibrate --threads 8", "for runs with eight threads"}}}},
    {Command::Completion,
     "completion",
     "print the script that completes mpfc's words in a shell",
     {Source},
     Result,
     {{{"source <(mpfc completion bash)", "in ~/.bashrc"},
       {"source <(mpfc completion zsh)", "in ~/.zshrc, behind compinit"},
       {"mpfc completion fish | source", "in ~/.config/fish/config.fish"}}}},
    {Command::Emit,
     "emit",
     "print one stage (mpfc --emit=STAGE MODEL is the same)",
     {Source, Model, Plan, Lanes, Kernel, Cuda, Bundle},
     Schedule,
     {{{"mpfc --emit=plan net.mpf", "the elimination as a table program"},
       {"mpfc --emit=order net.mpf -o net.order", "the elimination order, for other programs"},
       {"mpfc --emit=ptx -x cuda edited.cu", "from the text of an earlier stage"}}},
     true},
    {Command::CheckKernel,
     "check-kernel",
     "check an edited CUDA kernel: accesses, races, results",
     {Source},
     Result,
     {{{"mpfc run net.mpf --device gpu --dump-kernels dump", "writes the kernels"},
       {"mpfc check-kernel dump/k0.cu", "after an edit"},
       {"mpfc run net.mpf --device gpu --override-kernels dump", "runs the edited ones"}}},
     true},
};

} // namespace

std::span<const CommandRow> commandTable() { return kCommandTable; }

const CommandRow *findCommand(std::string_view name) {
  const auto *const row = std::ranges::find(kCommandTable, name, &CommandRow::name);
  return row == std::end(kCommandTable) ? nullptr : row;
}

} // namespace mpf::driver
