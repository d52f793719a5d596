// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/tuned_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_text.h"
#include "core/decisions/tempered_run.h"
#include "core/laplace/link.h"
#include "core/laplace/variance_use.h"
#include "core/runs/run_builder.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr std::int64_t kDefaultSamples = 1000;
/// Number of values gathered at a time.
constexpr std::int64_t kValuesPerChunk = std::int64_t{1} << 22;

json optionsOf(const Run& run) {
  json options = json::parse(run.meta.method_options, nullptr, /*allow_exceptions=*/false);
  return options.is_object() ? options : json::object();
}

/// Draws [draws, end - begin, K] of the items [begin, end).
Array<float> drawsOf(const Array<float>& samples, std::int64_t draws, std::int64_t begin,
                     std::int64_t end) {
  const std::int64_t classes = samples.extent(2);
  Array<float> part = Array<float>::zeros({draws, end - begin, classes});
  for (std::int64_t t = 0; t < draws; ++t) {
    const auto from = samples.row(t).subspan(static_cast<std::size_t>(begin * classes),
                                             static_cast<std::size_t>((end - begin) * classes));
    std::ranges::copy(from, part.mutableRow(t).begin());
  }
  return part;
}

void record(const RunTuning& tuning, const Run& before, Run& run) {
  json options = {{"of", {{"method", before.meta.method}, {"options", optionsOf(before)}}}};
  json order = json::array();
  if (tuning.draws && *tuning.draws != before.drawCount()) {
    options["draws"] = *tuning.draws;
    order.push_back("first draws");
  }
  if (tuning.link && *tuning.link != linkOf(before)) {
    options["link"] = *tuning.link;
    order.push_back("link");
  }
  if (tuning.temperature != 1.0) {
    options["temperature"] = tuning.temperature;
    options["temperature_from"] =
        tuning.temperature_source.empty() ? "by hand" : tuning.temperature_source;
    order.push_back(fmt::format("temperature after {}", order.empty()
                                                            ? before.meta.method
                                                            : order.back().get<std::string>()));
  }
  options["order"] = order;
  run.meta.method = "tuned";
  run.meta.method_options = jsonText(options, -1);
}

}  // namespace

RunTuning tuningBeforeTemperature(const RunTuning& tuning) {
  return {.draws = tuning.draws, .link = tuning.link};
}

std::string linkOf(const Run& run) {
  if (!run.logit_mean || !run.logit_var) {
    return {};
  }
  const json options = optionsOf(run);
  const auto link = options.find("link");
  return link != options.end() && link->is_string() ? link->get<std::string>() : std::string();
}

std::optional<double> tauOf(const Run& run) {
  const json options = optionsOf(run);
  const auto fitted = options.find("fitted");
  if (fitted == options.end() || !fitted->is_object() || !fitted->contains("tau") ||
      !(*fitted)["tau"].is_number()) {
    return std::nullopt;
  }
  return (*fitted)["tau"].get<double>();
}

bool changesNothing(const RunTuning& tuning, const Run& run) {
  return tuning.temperature == 1.0 && (!tuning.draws || *tuning.draws == run.drawCount()) &&
         (!tuning.link || *tuning.link == linkOf(run)) && (!tuning.tau || tuning.tau == tauOf(run));
}

Expected<Run> firstDraws(const Run& run, std::int64_t draws, const RunContext& context) {
  if (draws < 1 || draws > run.drawCount()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: stores {} draws, not {}; choose another number, or recompute the "
                            "run with more stored draws",
                            run.meta.dataset_name, run.drawCount(), draws));
  }
  if (draws == run.drawCount()) {
    return run;
  }
  const std::int64_t items = run.itemCount();
  const std::int64_t classes = run.samples->extent(2);
  RunBuilder builder(items, {.classes = classes, .draws = draws});
  const std::int64_t together = std::max<std::int64_t>(1, kValuesPerChunk / (draws * classes));
  for (std::int64_t begin = 0; begin < items; begin += together) {
    const std::int64_t end = std::min(items, begin + together);
    builder.addItemsOf(run, begin, end);
    if (Status added = builder.addDraws(drawsOf(*run.samples, draws, begin, end), context);
        !added) {
      return failWith(added);
    }
  }
  Run result = std::move(builder).finish();
  result.meta = withoutPredictions(run).meta;
  result.samples = run.samples->slice(0, draws);
  return result;
}

Expected<Run> relinked(const Run& run, const std::string& link, const RunContext& context) {
  if (!run.logit_mean || !run.logit_var) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: stores no Gaussians over logits; compute it with laplace",
                            run.meta.dataset_name));
  }
  const LinkInfo* const info = findLink(link);
  if (info == nullptr) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("unknown link {}; choose one of {}", link,
                                                         fmt::join(linkNames(), ", ")));
  }
  if (link == linkOf(run)) {
    return run;
  }
  const json options = optionsOf(run);
  const std::int64_t samples = options.value("samples", kDefaultSamples);
  const std::int64_t items = run.itemCount();
  const std::int64_t classes = run.logit_mean->extent(1);
  RunBuilder builder(
      items,
      {.classes = classes, .splits_entropy = info->splits_entropy, .alpha = info->gives_alpha});
  VarianceUse variance_use;
  const std::int64_t together = std::max<std::int64_t>(1, (kValuesPerChunk >> 4) / classes);
  for (std::int64_t begin = 0; begin < items; begin += together) {
    const std::int64_t end = std::min(items, begin + together);
    const Array<float> variance = run.logit_var->slice(begin, end);
    const LogitGaussians gaussians{run.logit_mean->slice(begin, end), DiagonalCovariance{variance}};
    const auto ids = run.ids.values().subspan(static_cast<std::size_t>(begin),
                                              static_cast<std::size_t>(end - begin));
    const LinkedPredictions part = applyLink(link, gaussians, ids, samples, run.meta.seed, context);
    if (context.cancelRequested()) {
      return cancelled();
    }
    variance_use.add(gaussians.mean, variance, part.probs);
    builder.addItemsOf(run, begin, end);
    builder.addGaussians(gaussians.mean, variance, part);
  }
  Run result = std::move(builder).finish();
  result.meta = withoutPredictions(run).meta;
  // These notes are about the replaced link.
  removeNotes(result.meta.notes, NoteKind::kUnusedVariance);
  removeNotes(result.meta.notes, NoteKind::kVariancesAlone);
  result.logit_mean = run.logit_mean;
  result.logit_var = run.logit_var;
  const bool independent = options.value("structure", std::string()) == "diag" &&
                           options.value("layers", std::string()) == "last";
  if (readsCovariance(*info, classes) && !independent) {
    result.meta.notes.emplace_back(
        NoteKind::kVariancesAlone,
        fmt::format("The link {} was applied to the variances of the logits alone: their "
                    "covariances are not stored in a run",
                    link));
  }
  if (std::optional<Note> note = variance_use.note(link, classes)) {
    result.meta.notes.push_back(*std::move(note));
  }
  return result;
}

Expected<Run> tunedRun(const Run& run, const RunTuning& tuning, const RunContext& context) {
  if (changesNothing(tuning, run)) {
    return run;
  }
  if (tuning.tau && tuning.tau != tauOf(run)) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format(
            "{}: another prior precision requires the network; run a new prediction with it",
            run.meta.dataset_name));
  }
  Expected<Run> result = run;
  if (tuning.draws) {
    result = firstDraws(*result, *tuning.draws, context);
  }
  if (result && tuning.link) {
    result = relinked(*result, *tuning.link, context);
  }
  if (result) {
    result = temperedRun(*result, tuning.temperature, context);
  }
  if (result) {
    record(tuning, run, *result);
  }
  return result;
}

Expected<CalibratedTemperature> fitTunedTemperature(const Run& calibration, const std::string& name,
                                                    const RunTuning& tuning, RunContext& context) {
  const auto staged = tunedRun(calibration, tuningBeforeTemperature(tuning), context);
  if (!staged) {
    return failWith(staged);
  }
  const auto table = temperedLogits(*staged, name);
  if (!table) {
    return failWith(table);
  }
  const auto fit = fitTemperature(*table, context);
  if (!fit) {
    return failWith(fit);
  }
  std::vector<std::string> notes = table->notes;
  if (fit->limit != TemperatureLimit::kInside) {
    notes.push_back(describe(*fit));
  }
  return CalibratedTemperature{
      *fit, std::move(notes),
      fmt::format("fitted on {} items of {}", fit->items, calibration.meta.dataset_name)};
}

}  // namespace dubito
