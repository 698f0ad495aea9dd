#include "dsl/formats/model_formats.h"

#include "dsl/formats/bif/bif_reader.h"
#include "dsl/formats/bif/bif_writer.h"
#include "dsl/formats/cnf/cnf_reader.h"
#include "dsl/formats/codes/code_reader.h"
#include "dsl/formats/costs/cfn_reader.h"
#include "dsl/formats/costs/wcsp_reader.h"
#include "dsl/formats/fg/fg_reader.h"
#include "dsl/formats/fg/fg_writer.h"
#include "dsl/formats/genie/genie_dsl_reader.h"
#include "dsl/formats/genie/xdsl_reader.h"
#include "dsl/formats/genie/xdsl_writer.h"
#include "dsl/formats/mpf_writer.h"
#include "dsl/formats/net/net_reader.h"
#include "dsl/formats/net/net_writer.h"
#include "dsl/formats/pedigree/pedigree_format.h"
#include "dsl/formats/tensors/tensor_reader.h"
#include "dsl/formats/uai/uai_reader.h"
#include "dsl/formats/uai/uai_writer.h"
#include "dsl/formats/xmlbif/xmlbif_reader.h"
#include "dsl/formats/xmlbif/xmlbif_writer.h"
#include "dsl/model/build/build_model.h"
#include "dsl/support/files/byte_order_mark.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/lower_case.h"

#include <algorithm>
#include <vector>

namespace mpf {

namespace {

/// The memory for each word of a text. A network needs 28 where one table is nearly all of it,
/// which exists as read, as judged and as shared. A .mpf needs more: each number is a node of its
/// syntax tree.
constexpr uint64_t kTablesBytesPerByte = 12, kNetworkBytesPerByte = 28, kMpfBytesPerByte = 48,
                   kCnfBytesPerByte = 240, kCostBytesPerByte = 200, kPedigreeBytesPerByte = 8000;

std::optional<Model> readSource(std::shared_ptr<const SourceBuffer> text, Diagnostics &diagnostics,
                                const ModelReadOptions &options) {
  return readMpf(std::move(text), diagnostics, options.build);
}

WrittenModel writeSource(const Model &model) { return {writeMpf(model), {}}; }

WrittenModel writeUaiModel(const Model &model) { return {writeUai(model), uaiLosses(model)}; }

constexpr ModelFormat kModelFormats[] = {
    {.name = "mpf source",
     .endings = {".mpf"},
     .recognises = nullptr,
     .read = readSource,
     .readBytesPerByte = kMpfBytesPerByte,
     .hasParams = true,
     .write = writeSource,
     .holds = "everything",
     .loses = "nothing",
     .tried = "own"},
    {.name = "UAI competitions",
     .endings = {".uai"},
     .recognises = startsAsUai,
     .read = readUai,
     .readBytesPerByte = kTablesBytesPerByte,
     .readOptions = {kUaiTablesOption},
     .write = writeUaiModel,
     .evidenceEnding = ".evid",
     .writeEvidence = writeEvidence,
     .holds = "any tables; evidence in a file beside it",
     .loses = "names, labels, queries, causes of a noisy-max",
     .tried = "merlin, toulbar2 1.4, pyAgrum 3.3.1, pgmpy 1.1.2"},
    {.name = "Interchange Format (BIF)",
     .endings = {".bif"},
     .recognises = startsAsBif,
     .read = readBif,
     .readBytesPerByte = kNetworkBytesPerByte,
     .write = writeBif,
     .holds = "Bayesian networks; read: noisy-max",
     .loses = "evidence, queries, properties",
     .tried = "bnlearn's repository, JavaBayes, pgmpy 1.1.2, pyAgrum 3.3.1"},
    {.name = "XMLBIF 0.3",
     .endings = {".xml", ".bifxml", ".xmlbif", ".xbif", ".bif"},
     .recognises = startsAsXmlbif,
     .read = readXmlbif,
     .readBytesPerByte = kNetworkBytesPerByte,
     .write = writeXmlbif,
     .holds = "Bayesian networks",
     .loses = "evidence, queries, properties",
     .tried = "JavaBayes, pgmpy 1.1.2, pyAgrum 3.3.1"},
    {.name = "Hugin NET",
     .endings = {".net", ".oobn"},
     .recognises = startsAsNet,
     .read = readNet,
     .readBytesPerByte = kNetworkBytesPerByte,
     .write = writeNet,
     .holds = "Bayesian networks",
     .loses = "evidence, queries, attributes",
     .tried = "Hugin, pgmpy 1.1.2, pyAgrum 3.3.1"},
    {.name = "GeNIe XDSL",
     .endings = {".xdsl"},
     .recognises = startsAsXdsl,
     .read = readXdsl,
     .readBytesPerByte = kNetworkBytesPerByte,
     .write = writeXdsl,
     .holds = "Bayesian networks, noisy-max",
     .loses = "evidence, queries, extensions",
     .tried = "GeNIe 2.0 and Academic, SMILE 2014, pgmpy 1.1.2, pyAgrum 3.3.1"},
    {.name = "GeNIe DSL",
     .endings = {".dsl"},
     .recognises = startsAsGenieDsl,
     .read = readGenieDsl,
     .readBytesPerByte = kNetworkBytesPerByte,
     .holds = "Bayesian networks, noisy-max",
     .loses = "other blocks",
     .tried = "GeNIe, SMILE, pyAgrum 3.3.1"},
    {.name = "libDAI factor graph",
     .endings = {".fg"},
     .recognises = startsAsFg,
     .read = readFg,
     .readBytesPerByte = kTablesBytesPerByte,
     .hasNumbersForNames = true,
     .write = writeFg,
     .holds = "any tables without negative entries",
     .loses = "names, labels, evidence, queries, which tables are conditional",
     .tried = "libDAI 0.3"},
    {.name = "DIMACS CNF",
     .endings = {".cnf", ".dimacs"},
     .recognises = startsAsCnf,
     .read = readCnf,
     .readBytesPerByte = kCnfBytesPerByte,
     .hasTables = false,
     .holds = "clauses, weights of literals, a projection",
     .loses = "comments",
     .tried = "competitions 2020 to 2024, ganak, SATLIB, Cachet, MiniC2D"},
    {.name = "toulbar2 WCSP",
     .endings = {".wcsp"},
     .recognises = startsAsWcsp,
     .read = readWcsp,
     .readBytesPerByte = kCostBytesPerByte,
     .hasTables = false,
     .holds = "costs and a bound",
     .loses = "the bound of the sum",
     .tried = "toulbar2 1.4"},
    {.name = "toulbar2 CFN",
     .endings = {".cfn"},
     .recognises = startsAsCfn,
     .read = readCfn,
     .readBytesPerByte = kCostBytesPerByte,
     .hasTables = false,
     .holds = "costs and a bound",
     .loses = "the bound of the sum, comments",
     .tried = "toulbar2 1.4"},
    {.name = "parity checks (alist)",
     .endings = {".alist"},
     .recognises = startsAsCode,
     .read = readCode,
     .readBytesPerByte = kCnfBytesPerByte,
     .hasParams = true,
     .hasTables = false,
     .readOptions = {kChannelOption},
     .holds = "the checks of a binary code",
     .loses = "comments",
     .tried = "MacKay's archive, AFF3CT"},
    {.name = "tensor networks (einsum)",
     .endings = {".json", ".einsum"},
     .recognises = startsAsTensors,
     .read = readTensors,
     .readBytesPerByte = kCostBytesPerByte,
     .hasTables = false,
     .readOptions = {kTensorsOption},
     .holds = "a sum of products of tensors; a .npz beside it holds their numbers",
     .loses = "comments, contraction paths",
     .tried = "numpy 2.4, opt_einsum 3.4"},
    {.name = "pedigrees (LINKAGE, PLINK)",
     .endings = {".ped", ".pre", ".pedfile", ".dat"},
     .recognises = startsAsPedigree,
     .read = readPedigreeFile,
     .readBytesPerByte = kPedigreeBytesPerByte,
     .hasParams = true,
     .hasTables = false,
     .readOptions = {kLociOption, kFrequenciesOption, kTraitOption, kMapFunctionOption,
                     kPositionOption},
     .holds = "families, loci, what was seen",
     .loses = "comments, the lines of the .dat file that are for one program",
     .tried = "LINKAGE, FASTLINK 4.1P, PLINK 1.9"},
};

constexpr std::string_view kBlanks = " \t\r\n\v\f";

/// Whether the format recognises the start of the text, behind blanks.
bool recognises(const ModelFormat &format, std::string_view text) {
  if (text.starts_with(kByteOrderMark))
    text.remove_prefix(kByteOrderMark.size());
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return format.recognises != nullptr && format.recognises(text);
}

} // namespace

std::span<const ModelFormat> modelFormats() { return kModelFormats; }

const ModelFormat &defaultModelFormat() {
  static_assert(kModelFormats[0].recognises == nullptr);
  return kModelFormats[0];
}

std::vector<const ModelFormat *> modelFormatsByEnding(const std::string &path) {
  const std::string plainPath = withoutCompressionSuffix(path);
  std::vector<const ModelFormat *> formats;
  for (const ModelFormat &format : kModelFormats)
    for (const std::string_view ending : format.endings)
      if (!ending.empty() && hasEnding(plainPath, ending))
        formats.push_back(&format);
  return formats;
}

const ModelFormat *writtenFormatByEnding(const std::string &path) {
  for (const ModelFormat *format : modelFormatsByEnding(path))
    if (format->write != nullptr)
      return format;
  return nullptr;
}

const ModelFormat *modelFormatByStart(std::string_view text) {
  const auto *const found = std::ranges::find_if(
      kModelFormats, [text](const ModelFormat &format) { return recognises(format, text); });
  return found == std::end(kModelFormats) ? nullptr : found;
}

const ModelFormat *modelFormatOf(const std::string &path, std::string_view text) {
  if (path == kStdinName)
    return modelFormatByStart(text);
  const std::vector<const ModelFormat *> formats = modelFormatsByEnding(path);
  if (formats.size() > 1)
    if (const ModelFormat *found = modelFormatByStart(text);
        std::ranges::count(formats, found) != 0)
      return found;
  return formats.empty() ? nullptr : formats.front();
}

bool reportOtherFormat(const ModelFormat &format, const std::shared_ptr<const SourceBuffer> &text,
                       Diagnostics &diagnostics) {
  if (format.recognises == nullptr || recognises(format, text->text()))
    return false;
  const ModelFormat *const found = modelFormatByStart(text->text());
  if (found == nullptr)
    return false;
  diagnostics.error({text, {0, 0}},
                    "the text starts as a {} file does, and is read as {} by its name: rename it",
                    found->endings[0], format.endings[0]);
  return true;
}

std::string modelEndings(std::string_view last, bool (*isListed)(const ModelFormat &format)) {
  std::vector<std::string_view> endings;
  for (const ModelFormat &format : kModelFormats)
    for (const std::string_view ending : format.endings)
      if (!ending.empty() && (isListed == nullptr || isListed(format)) &&
          std::ranges::count(endings, ending) == 0)
        endings.push_back(ending);
  std::string text;
  for (size_t i = 0; i < endings.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == endings.size() ? last : ", ", endings[i]);
  return text;
}

} // namespace mpf
