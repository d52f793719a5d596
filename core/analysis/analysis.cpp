// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "core/analysis/operating_point.h"
#include "core/analysis/run_notes.h"
#include "core/analysis/same_items.h"
#include "core/base/grouped_digits.h"
#include "core/base/nan.h"
#include "core/data/sources/plane_grid.h"
#include "core/io/log_rest.h"
#include "core/io/mapped_file.h"
#include "core/io/run_needs.h"
#include "core/metrics/confusion.h"
#include "core/metrics/item_scores.h"
#include "core/metrics/plotted_evaluation.h"
#include "core/models/guessed_preprocessing.h"

namespace dubito {
namespace {

std::string methodLabel(const std::string& name) {
  const auto method = methodFromName(name);
  return method ? describe(*method).label : name;
}

/// ", 50 draws".
std::string countPart(std::int64_t count, const char* one) {
  return fmt::format(", {} {}{}", groupedDigits(count), one, count == 1 ? "" : "s");
}

/// A file of another program names no method; the name of its items is that of the file.
std::string nameOfRun(const AnalysisPart& part) {
  const RunMeta& meta = part.run->meta;
  return meta.method == "predictions" && meta.model_name.empty() && !part.name.empty()
             ? part.name
             : describeMethod(*part.run);
}

/// "MC dropout, 10 draws, temperature 1.5": the method and its adjustments (tunedRun).
std::string describeTuned(const Run& run) {
  const nlohmann::json options =
      nlohmann::json::parse(run.meta.method_options, nullptr, /*allow_exceptions=*/false);
  if (!options.is_object() || !options.contains("of")) {
    return run.meta.method;
  }
  Run of;
  of.meta = run.meta;
  of.meta.method = options["of"].value("method", std::string());
  nlohmann::json of_options = options["of"].value("options", nlohmann::json::object());
  if (options.contains("draws")) {
    of_options["draws"] = options["draws"];
  }
  of.meta.method_options = of_options.dump();
  std::string text = describeMethod(of);
  if (options.contains("link")) {
    text += fmt::format(", link {}", options["link"].get<std::string>());
  }
  if (options.contains("temperature")) {
    text += fmt::format(", temperature {:.4g}", options["temperature"].get<double>());
  }
  return text;
}

/// "Softmax (MAP), context pmi 0.7": the method and what context was added (withContext).
std::string describeContext(const Run& run) {
  const nlohmann::json options =
      nlohmann::json::parse(run.meta.method_options, nullptr, /*allow_exceptions=*/false);
  if (!options.is_object() || !options.contains("of") || !options["of"].is_object()) {
    return run.meta.method;
  }
  Run of;
  of.meta = run.meta;
  of.meta.method = options["of"].value("method", std::string());
  of.meta.method_options = options["of"].value("options", nlohmann::json::object()).dump();
  return fmt::format("{}, context {} {:.4g}", describeMethod(of),
                     options.value("measure", std::string()), options.value("weight", 0.0));
}

/// [N, 2] positions of the items of the rows.
Array<double> positionsOfRows(const Array<double>& positions, const ItemPositions& dataset_index) {
  auto rows = Array<double>::zeros({static_cast<std::int64_t>(dataset_index.size()), 2});
  double* out = rows.mutableData();
  for (std::size_t row = 0; row < dataset_index.size(); ++row) {
    const std::int64_t index = dataset_index[row];
    const double* const at = index < 0 ? nullptr : positions.data() + 2 * index;
    *out++ = at != nullptr ? at[0] : kNaN;
    *out++ = at != nullptr ? at[1] : kNaN;
  }
  return rows;
}

}  // namespace

std::vector<const Run*> Analysis::oodRuns() const {
  std::vector<const Run*> runs;
  for (std::size_t p = 1; p < parts.size(); ++p) {
    runs.push_back(parts[p].run.get());
  }
  return runs;
}

std::int64_t Analysis::itemCount() const {
  std::int64_t count = 0;
  for (const AnalysisPart& part : parts) {
    count += part.run->itemCount();
  }
  return count;
}

const AnalysisPtr& givenOf(const AnalysisPtr& analysis) {
  return analysis && analysis->given ? analysis->given : analysis;
}

std::string describeMethod(const Run& run) {
  if (run.meta.method == "tuned") {
    return describeTuned(run);
  }
  if (run.meta.method == "context") {
    return describeContext(run);
  }
  std::string label = methodLabel(run.meta.method);
  if (run.meta.method == "predictions" || label.empty()) {
    const char* const plain = run.meta.method == kLabelsMethod ? "labels" : "predictions";
    label = run.meta.model_name.empty() ? plain : run.meta.model_name;
  }
  const nlohmann::json options =
      nlohmann::json::parse(run.meta.method_options, nullptr, /*allow_exceptions=*/false);
  if (run.meta.method == "ensemble" && options.is_object() && options.contains("members")) {
    return "Ensemble" + countPart(std::ssize(options["members"]), "member");
  }
  if (options.is_object() && options.contains("draws") && options["draws"].is_number_integer()) {
    label += countPart(options["draws"].get<std::int64_t>(), "draw");
  } else if (run.drawCount() > 0) {
    label += countPart(run.drawCount(), "draw");
  }
  return label;
}

AnalysisPart makePart(std::string name, std::shared_ptr<const Run> run, DatasetPtr dataset,
                      const RunContext& context) {
  AnalysisPart part;
  part.name = std::move(name);
  part.measures.resize(allMeasures().size());
  for (const Measure measure : allMeasures()) {
    part.measures[static_cast<std::size_t>(measure)] =
        describe(measure).compute(*run, context).value_or(Array<double>());
  }
  part.log_rest = logRestOf(*run, context);
  if (dataset) {
    part.dataset_index = ItemPositions(positionsOfIds(*dataset, run->ids.values()));
    if (isPlanar(*dataset)) {
      part.positions = positionsOfRows(planePositions(*dataset), part.dataset_index);
    }
  }
  part.rows_by_id = rowsByIds(run->ids);
  part.items_hash = itemsHash(*run);
  part.labelled =
      std::ranges::any_of(run->labels.values(), [](std::int64_t label) { return label >= 0; });
  part.run = std::move(run);
  part.dataset = std::move(dataset);
  return part;
}

Expected<AnalysisPtr> analyse(std::vector<AnalysisPart> parts, ModelPtr model,
                              std::optional<MethodOptions> method, const EvaluationOptions& options,
                              RunContext& context) {
  std::vector<NamedRun> ood;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    ood.push_back({parts[i].name, parts[i].run.get()});
  }
  const Run& run = *parts.front().run;
  Expected<PlottedEvaluation> plotted = evaluateForPlots(run, ood, options, context);
  if (!plotted) {
    return failWith(plotted);
  }
  // Runs are read from mapped files; show nothing that another program has modified meanwhile.
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return failWith(unchanged);
  }
  auto analysis = std::make_shared<Analysis>();
  analysis->name = nameOfRun(parts.front());
  if (run.meta.method != "map" && run.meta.method != "predictions") {
    analysis->detail = fmt::format("seed {} · ", run.meta.seed);
  }
  if (!guessedPreprocessing(run.meta.notes).empty()) {
    analysis->detail += "preprocessing guessed · ";
  }
  if (run.meta.reviewed_labels) {
    analysis->detail += describe(*run.meta.reviewed_labels) + " · ";
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    analysis->detail += (i == 0 ? "" : ", ") + parts[i].name;
  }
  for (const AnalysisPart& part : parts) {
    static_cast<void>(keptNotesOfRun(part.run, context));
  }
  analysis->parts = std::move(parts);
  analysis->options = options;
  analysis->model = std::move(model);
  analysis->method = std::move(method);
  analysis->evaluation = std::move(plotted->evaluation);
  analysis->overview = std::move(plotted->overview);
  analysis->confusion = confusionMatrix(*analysis->in().run, context);
  analysis->losses = nllOfItems(*analysis->in().run, context);
  for (const Measure measure : allMeasures()) {
    if (const auto threshold = thresholdKeeping(*analysis, measure, 0.95)) {
      analysis->thresholds95[measure] = *threshold;
    }
  }
  return AnalysisPtr(std::move(analysis));
}

}  // namespace dubito
