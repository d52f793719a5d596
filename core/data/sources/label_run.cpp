// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/label_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <utility>

#include "core/base/json_text.h"
#include "core/base/nan.h"
#include "core/data/sources/annotations_dataset.h"
#include "core/io/run_needs.h"
#include "core/io/run_summary.h"

namespace dubito {
namespace {

/// Probabilities of a run: 2 GiB of them. Above, only the confidences are kept.
constexpr std::int64_t kMaxProbabilities = std::int64_t{1} << 29;

/// RunMeta::method_options: the member with the kind of scores, and its value if all are known.
constexpr const char* kScoresMember = "scores";
constexpr const char* kAllClasses = "all classes";

/// What the rows know about probabilities.
struct Scores {
  std::int64_t of_all_classes = 0;
  std::int64_t of_class = 0;   ///< only of the row's class
  std::int64_t too_small = 0;  ///< below 1/K
  std::int64_t rescaled = 0;   ///< scores of all classes with another sum than 1

  [[nodiscard]] std::int64_t known() const { return of_all_classes + of_class; }
};

/// The probabilities that a row gives to K classes; empty if it does not know.
std::vector<float> probsOf(const LabelRow& row, std::int64_t classes, Scores& scores) {
  if (!row.probs.empty()) {
    const double sum = std::accumulate(row.probs.begin(), row.probs.end(), 0.0);
    constexpr double kTolerance = 1e-3;
    scores.rescaled += std::abs(sum - 1.0) > kTolerance ? 1 : 0;
    ++scores.of_all_classes;
    std::vector<float> probs;
    for (const float score : row.probs) {
      probs.push_back(static_cast<float>(static_cast<double>(score) / sum));
    }
    return probs;
  }
  if (!row.probability || std::isnan(*row.probability)) {
    return {};
  }
  const auto score = static_cast<double>(*row.probability);
  if (score * static_cast<double>(classes) < 1.0 - 1e-6 || (classes == 1 && score < 1.0)) {
    ++scores.too_small;
    return {};
  }
  ++scores.of_class;
  const double rest = classes > 1 ? (1.0 - score) / static_cast<double>(classes - 1) : 0.0;
  std::vector<float> probs(static_cast<std::size_t>(classes),
                           static_cast<float>(std::min(rest, score)));
  probs[static_cast<std::size_t>(*row.class_id)] = *row.probability;
  return probs;
}

std::int64_t classOfLargest(const std::vector<float>& probs, std::int64_t preferred) {
  const auto largest = std::ranges::max_element(probs);
  return probs[static_cast<std::size_t>(preferred)] == *largest ? preferred
                                                                : largest - probs.begin();
}

std::string scoreText(const Scores& scores, std::int64_t items, bool has_probs) {
  if (scores.known() == 0) {
    return "none, so the items have no confidence, and orders by uncertainty need a network";
  }
  if (!has_probs) {
    return fmt::format(
        "{} of {} labels have one, so the run has confidences but no probabilities; orders by "
        "confidence leave out items without a score",
        scores.known(), items);
  }
  if (scores.of_class > 0) {
    return fmt::format(
        "{} of {} labels have only that of their class; the rest is spread evenly over the other "
        "classes, so all orders by uncertainty are that by confidence",
        scores.of_class, items);
  }
  return "those of all classes, from the file";
}

void addNotes(const AnnotatedImages& images, const Scores& scores, const Run& run, RunMeta& meta) {
  const std::int64_t items = run.itemCount();
  const bool same = std::ranges::equal(run.labels.values(), run.predictions.values());
  meta.notes.emplace_back(
      NoteKind::kLabelSource,
      fmt::format("the labels and suggestions come from {} ({}), not from a network{}",
                  std::filesystem::path(images.label_path).filename().string(), images.format,
                  same
                      ? "; they are the same, so accuracy means something only with reviewed labels"
                      : ""));
  meta.notes.emplace_back(
      NoteKind::kLabelScores,
      "Scores of the labels: " + scoreText(scores, items, run.probs.has_value()));
  if (scores.too_small > 0) {
    meta.notes.push_back(fmt::format(
        "{} of {} scores are below 1/{}, so they are no probability of the likeliest class; they "
        "count as unknown",
        scores.too_small, items, images.class_names.size()));
  }
  if (scores.rescaled > 0) {
    meta.notes.push_back(
        fmt::format("the scores of {} of {} items do not sum to 1 and were divided by their sum",
                    scores.rescaled, items));
  }
  for (const LabelNote& note : images.notes) {
    meta.notes.push_back(toText(note));
  }
  for (const std::string& name : images.not_found) {
    meta.skipped.push_back({name, "image not found"});
  }
  for (const std::string& name : images.ambiguous) {
    meta.skipped.push_back({name, "several images fit"});
  }
}

const char* kindOf(const Scores& scores, const Run& run) {
  return run.probs && scores.of_class == 0 ? kAllClasses
         : run.probs                       ? "label"
         : scores.known() > 0              ? "some labels"
                                           : "none";
}

}  // namespace

Run labelRun(const AnnotatedImages& images, const AnnotationSource& source,
             const RunContext& context) {
  const auto n = std::ssize(images.rows);
  const auto classes = std::ssize(images.class_names);
  Run run;
  run.ids = Array<std::int64_t>::fromVector(images.ids);
  std::vector<std::int64_t> labels;
  std::vector<std::int64_t> predictions;
  std::vector<double> confidence;
  std::vector<float> table;
  Scores scores;
  const bool can_have_probs = classes > 0 && n <= kMaxProbabilities / classes;
  for (const LabelRow& row : images.rows) {
    const std::vector<float> probs = probsOf(row, classes, scores);
    labels.push_back(*row.class_id);
    predictions.push_back(probs.empty() ? *row.class_id : classOfLargest(probs, *row.class_id));
    confidence.push_back(
        probs.empty() ? kNaN
                      : static_cast<double>(probs[static_cast<std::size_t>(predictions.back())]));
    if (can_have_probs && scores.known() == std::ssize(labels)) {
      table.insert(table.end(), probs.begin(), probs.end());
    }
  }
  run.labels = Array<std::int64_t>::fromVector(std::move(labels));
  if (can_have_probs && scores.known() == n) {
    run.probs = Array<float>::fromVector(std::move(table)).reshaped({n, classes});
    fillFromProbs(run, context);
  } else {
    run.confidence = Array<double>::fromVector(std::move(confidence));
  }
  // Ties are decided for the label.
  run.predictions = Array<std::int64_t>::fromVector(std::move(predictions));
  RunMeta& meta = run.meta;
  meta.method = kLabelsMethod;
  meta.method_options = jsonText(nlohmann::json{{"format", images.format},
                                                {"labels", source.labels},
                                                {kScoresMember, kindOf(scores, run)}},
                                 -1);
  AnnotationSource recorded = source;
  recorded.format = images.format;
  meta.dataset_spec = annotationsSpec(recorded);
  meta.dataset_name = annotationsName(images);
  meta.class_names = images.class_names;
  addNotes(images, scores, run, meta);
  return run;
}

Expected<Run> readLabelRun(const AnnotationSource& source, RunContext& context) {
  const auto images = readAnnotatedImages(source, context);
  return images ? Expected<Run>(labelRun(*images, source, context)) : failWith(images);
}

bool hasScoresOfAllClasses(const Run& run) {
  if (run.meta.method != kLabelsMethod) {
    return run.probs.has_value();
  }
  const auto options =
      nlohmann::json::parse(run.meta.method_options, nullptr, /*allow_exceptions=*/false);
  return run.probs && options.is_object() && options.value(kScoresMember, "") == kAllClasses;
}

}  // namespace dubito
