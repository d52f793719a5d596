// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/label_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/collect_parts.h"
#include "core/base/number_counts.h"

namespace dubito {
namespace {

constexpr double kZAtOnePercent = 2.326;  // one-sided
constexpr std::int64_t kMinItems = 20;

/// Accuracy of predictions that have nothing to do with the labels.
double accuracyByChance(const LabelFit& fit) {
  if (fit.labelled.size() == 1) {  // the frequencies would count every right prediction as chance
    return fit.classes > 0 ? 1.0 / static_cast<double>(fit.classes) : 0.0;
  }
  const auto items = static_cast<double>(fit.items);
  double chance = 0.0;
  for (const auto& [label, count] : fit.labelled) {
    const auto predicted = fit.predicted.find(label);
    if (predicted != fit.predicted.end()) {
      chance +=
          static_cast<double>(count) / items * (static_cast<double>(predicted->second) / items);
    }
  }
  return chance;
}

std::string accuracyWarning(const LabelFit& fit) {
  constexpr double kClearKappa = 0.25;
  const auto items = static_cast<double>(fit.items);
  const double accuracy = static_cast<double>(fit.correct) / items;
  const double chance = accuracyByChance(fit);
  const double margin = kZAtOnePercent * std::sqrt(chance * (1.0 - chance) / items);
  const bool would_notice = margin <= kClearKappa * (1.0 - chance);
  if (!would_notice || accuracy > chance + margin) {
    return {};
  }
  return fmt::format(
      "the accuracy of {:.3g} % over {} labelled items is no better than that of unrelated "
      "predictions ({:.3g} %)",
      100.0 * accuracy, fit.items, 100.0 * chance);
}

std::string lossWarning(const LabelFit& fit) {
  if (fit.classes < 2) {
    return {};
  }
  const auto items = static_cast<double>(fit.items);
  const double mean = fit.loss / items;
  const double variance = std::max(0.0, fit.loss_squares / items - mean * mean);
  const double uniform = std::log(static_cast<double>(fit.classes));
  constexpr double kRounding = 1e-6;
  if (mean <= uniform + kRounding + kZAtOnePercent * std::sqrt(variance / items)) {
    return {};
  }
  return fmt::format(
      "the mean loss of {:.4g} nats over {} labelled items is above ln {} = {:.4g}, that of equal "
      "probabilities",
      mean, fit.items, fit.classes, uniform);
}

std::int64_t judgedRows(const Run& run) {
  return std::min(run.labels.size(), run.predictions.size());
}

}  // namespace

void LabelFit::add(const Run& run) {
  add(run, 0, judgedRows(run));
}

void LabelFit::add(const Run& run, std::int64_t begin, std::int64_t end) {
  const std::int64_t run_classes = run.classCount();
  classes = std::max(classes, run_classes);
  const std::int64_t* const labels = run.labels.data();
  const std::int64_t* const predictions = run.predictions.data();
  NumberCounts of_labels;
  NumberCounts of_predictions;
  for (std::int64_t i = begin; i < end; ++i) {
    if (labels[i] < 0 || predictions[i] < 0) {
      continue;
    }
    ++items;
    correct += labels[i] == predictions[i] ? 1 : 0;
    of_labels.add(labels[i]);
    of_predictions.add(predictions[i]);
    if (labels[i] < run_classes) {
      constexpr double kSmallest = 1e-12;
      const double item_loss = -std::log(std::max(kSmallest, run.prob(i, labels[i])));
      loss += item_loss;
      loss_squares += item_loss * item_loss;
    }
  }
  of_labels.forEach([this](std::int64_t k, std::int64_t count) { labelled[k] += count; });
  of_predictions.forEach([this](std::int64_t k, std::int64_t count) { predicted[k] += count; });
}

LabelFit labelFitOf(const Run& run, const RunContext& context) {
  const std::vector<LabelFit> parts = collectParts(
      judgedRows(run), kItemsPerPart, LabelFit(), context,
      [&run](std::int64_t begin, std::int64_t end, LabelFit& part) { part.add(run, begin, end); });
  LabelFit fit;
  for (const LabelFit& part : parts) {
    fit.add(part);
  }
  return fit;
}

void LabelFit::add(const LabelFit& other) {
  items += other.items;
  correct += other.correct;
  classes = std::max(classes, other.classes);
  loss += other.loss;
  loss_squares += other.loss_squares;
  for (const auto& [label, count] : other.labelled) {
    labelled[label] += count;
  }
  for (const auto& [prediction, count] : other.predicted) {
    predicted[prediction] += count;
  }
}

std::optional<Note> labelFitNote(const LabelFit& fit) {
  if (fit.items < kMinItems) {
    return std::nullopt;
  }
  const std::string accuracy = accuracyWarning(fit);
  const std::string loss = lossWarning(fit);
  if (accuracy.empty() && loss.empty()) {
    return std::nullopt;
  }
  return Note(NoteKind::kLabelFit,
              fmt::format("The labels or the preprocessing do not seem to fit: {}{}{}", accuracy,
                          accuracy.empty() || loss.empty() ? "" : ", and ", loss));
}

std::optional<Note> labelFitNote(const RunMeta& meta, const LabelFit& fit) {
  const bool may_be_hard = meta.role == "ood" || meta.role == "unlabelled" ||
                           meta.dataset_spec.find("corrupt=") != std::string::npos;
  return may_be_hard ? std::nullopt : labelFitNote(fit);
}

std::vector<Note> notesOfRun(const Run& run, const RunContext& context) {
  std::vector<Note> notes = run.meta.notes;
  std::erase_if(notes, [](const Note& note) {  // those of the members of an ensemble stay
    return note.kind == NoteKind::kLabelFit && note.origin.empty();
  });
  if (std::optional<Note> warning = labelFitNote(run.meta, labelFitOf(run, context))) {
    notes.push_back(*std::move(warning));
  }
  return notes;
}

}  // namespace dubito
