// SPDX-License-Identifier: GPL-3.0-or-later
// State of the item under review, and decisions about it and others.
#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "app/review/reviewer.h"
#include "core/data/sources/item_hash.h"
#include "core/data/sources/label_run.h"
#include "core/io/run_needs.h"
#include "core/review/opinion_queues.h"

namespace dubito {
namespace {

/// Empty if the item cannot be read; it is shown as such.
std::string hashOfRow(const AnalysisPart& part, std::int64_t row) {
  const std::int64_t position = part.dataset_index[static_cast<std::size_t>(row)];
  if (!part.dataset || position < 0) {
    return {};
  }
  try {
    return itemHash(*part.dataset, position).value_or(std::string());
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

const PresentLabel* Reviewer::label() const {
  const auto row = this->row();
  const PresentLabel* const known =
      row ? file_.labelOf(analysis_->in().run->ids.data()[*row]) : nullptr;
  // A second opinion is worth little to somebody who knows the first.
  const bool hidden = known != nullptr && queue().key == kSecondOpinionQueue && !visited_row_ &&
                      !queue_.settles(*known);
  return hidden ? nullptr : known;
}

std::int64_t Reviewer::suggestion() const {
  const auto row = this->row();
  return row && analysis_
             ? mergedClass(file_.classes(), analysis_->in().run->predictions.data()[*row])
             : -1;
}

std::int64_t Reviewer::givenLabel() const {
  const auto row = this->row();
  return row && analysis_ ? mergedClass(file_.classes(), analysis_->in().run->labels.data()[*row])
                          : -1;
}

std::int64_t Reviewer::proposal() const {
  const std::int64_t suggested = suggestion();
  const std::int64_t given = givenLabel();
  if (given < 0 || given == suggested) {
    return suggested;
  }
  const auto row = this->row();
  const double likely = analysis_->in().run->confidence.data()[*row];
  constexpr double kLikely = 0.5;
  return likely < kLikely ? given : suggested;
}

bool Reviewer::suggestsLabels() const {
  return analysis_ && analysis_->in().run->meta.method == kLabelsMethod;
}

bool Reviewer::hasScores() const {
  return analysis_ && std::ranges::any_of(analysis_->in().run->confidence.values(),
                                          [](double score) { return !std::isnan(score); });
}

bool Reviewer::hasAllScores() const {
  return analysis_ && hasScoresOfAllClasses(*analysis_->in().run);
}

std::unordered_map<std::int64_t, double> Reviewer::classProbs() const {
  std::unordered_map<std::int64_t, double> probs;
  const auto row = this->row();
  if (!row || hidesSuggestion()) {
    return probs;
  }
  const Run& run = *analysis_->in().run;
  if (!hasScoresOfAllClasses(run)) {
    if (const double score = run.confidence.data()[*row]; !std::isnan(score)) {
      probs[suggestion()] = score;
    }
    return probs;
  }
  const std::vector<LabelClass>& classes = file_.classes();
  const bool merged = std::ranges::any_of(
      classes, [](const LabelClass& entry) { return entry.merged_into.has_value(); });
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    probs[merged ? mergedClass(classes, k) : k] += run.prob(*row, k);
  }
  return probs;
}

bool Reviewer::hidesSuggestion() const {
  const auto row = this->row();
  const PresentLabel* const known = label();
  if (!row || (known != nullptr && queue_.settles(*known))) {
    return false;
  }
  return hides_here_.value_or(
      isInHiddenShare(analysis_->in().run->ids.data()[*row], choices_.hiddenShare()));
}

bool Reviewer::hidesSuggestionOf(std::int64_t item) const {
  return isInHiddenShare(item, choices_.hiddenShare());
}

void Reviewer::toggleHidden() {
  const double share = choices_.hiddenShare();
  if (share == 0.0 || share == 1.0) {
    choices_.setHiddenShare(1.0 - share);
  } else {
    hides_here_ = !hidesSuggestion();
    Q_EMIT itemChanged();
  }
}

void Reviewer::itemPainted(bool readable) {
  if (!painted_) {
    painted_ = true;
    readable_ = readable;
    shown_.start();
  }
  if (const auto row = this->row(); row && !hidesSuggestion()) {
    seen_items_.insert(analysis_->in().run->ids.data()[*row]);
  }
}

void Reviewer::suggestionsShown(const std::vector<std::int64_t>& rows) {
  for (const std::int64_t row : rows) {
    seen_items_.insert(analysis_->in().run->ids.data()[row]);
  }
}

bool Reviewer::isSettled() const {
  const PresentLabel* const known = label();
  return known != nullptr && known->origin == LabelOrigin::kPerson && queue_.settles(*known);
}

void Reviewer::accept() {
  if (isSettled()) {
    if (takesDecisions() && canMoveOn()) {
      move(1);
    }
  } else if (!hidesSuggestion()) {
    choose(proposal());
  }
}

void Reviewer::acceptGiven() {
  if (const std::int64_t given = givenLabel(); given >= 0 && !hidesSuggestion()) {
    choose(given);
  }
}

void Reviewer::choose(std::int64_t class_id) {
  decide(class_id == suggestion() ? LabelAction::kAccept : LabelAction::kCorrect, class_id);
}

void Reviewer::mark(LabelAction action) {
  decide(action, {});
}

void Reviewer::decide(LabelAction action, std::optional<std::int64_t> class_id) {
  const auto row = this->row();
  if (!row || !takesDecisions() || (assignsClass(action) && !readable_)) {
    return;
  }
  painted_ = false;
  write({decisionAbout(*row, action, class_id)}, {*row});
}

void Reviewer::write(std::vector<Decision> decisions, const std::vector<std::int64_t>& rows) {
  file_.decide(std::move(decisions), [run = analysis_, rows](std::vector<Decision>& unhashed) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      unhashed[i].content_hash = hashOfRow(run->in(), rows[i]);
    }
  });
}

void Reviewer::chooseAll(const std::vector<std::int64_t>& rows, std::int64_t class_id,
                         qint64 spent_ms) {
  decideAll(rows, LabelAction::kCorrect, class_id, spent_ms);
}

void Reviewer::markAll(const std::vector<std::int64_t>& rows, LabelAction action, qint64 spent_ms) {
  decideAll(rows, action, {}, spent_ms);
}

void Reviewer::decideAll(const std::vector<std::int64_t>& rows, LabelAction action,
                         std::optional<std::int64_t> class_id, qint64 spent_ms) {
  if (!active() || rows.empty()) {
    return;
  }
  std::vector<Decision> decisions;
  decisions.reserve(rows.size());
  for (const std::int64_t row : rows) {
    const std::int64_t suggested =
        mergedClass(file_.classes(), analysis_->in().run->predictions.data()[row]);
    decisions.push_back(
        decisionAbout(row, class_id == suggested ? LabelAction::kAccept : action, class_id));
    decisions.back().spent_ms = spent_ms;
    decisions.back().prediction_shown = true;
  }
  write(std::move(decisions), rows);
}

Decision Reviewer::decisionAbout(std::int64_t row, LabelAction action,
                                 std::optional<std::int64_t> class_id) const {
  const AnalysisPart& part = analysis_->in();
  const Run& run = *part.run;
  Decision decision;
  decision.item = run.ids.data()[row];
  decision.action = action;
  decision.class_id = class_id;
  const std::int64_t index = part.dataset_index[static_cast<std::size_t>(row)];
  if (index >= 0) {
    decision.item_name = part.dataset->itemName(index);
  }
  setPreviousLabel(file_.labelOf(decision.item), run.labels.data()[row], decision);
  decision.spent_ms = shown_.elapsed();
  // What was seen once is known, although it may be hidden now.
  decision.prediction_shown = !hidesSuggestion() || seen_items_.contains(decision.item);
  decision.queue = queue_.recordedKey();
  decision.run = analysis_->name;
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    decision.probs.push_back(static_cast<float>(run.prob(row, k)));
  }
  return decision;
}

}  // namespace dubito
