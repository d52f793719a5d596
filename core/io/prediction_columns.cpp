// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/prediction_columns.h"

#include <algorithm>
#include <span>

#include "core/io/usual_names.h"

namespace dubito {
namespace {

/// Used as the true class if no other column is.
constexpr std::string_view kLastResortLabels[] = {"class", "category", "label_index"};
/// Used as the predicted class if no other column is, next to a confidence.
constexpr std::string_view kLastResortPredictions[] = {"class", "class_name", "name",
                                                       "top1",  "index",      "category"};

class RoleFinder {
 public:
  RoleFinder(const CsvTable& table, RunContext& context)
      : table_(table), context_(context), taken_(table.header.size(), false) {}

  Expected<PredictionColumns> find() {
    auto ranked = findRankedColumns(table_, context_);
    if (!ranked) {
      return failWith(ranked);
    }
    roles_.ranked = *std::move(ranked);
    if (roles_.ranked) {
      for (const auto* some :
           {&roles_.ranked->probs, &roles_.ranked->classes, &roles_.ranked->names}) {
        takeAll(*some);
      }
    }
    roles_.label = take(kLabelNames);
    roles_.prediction = take(kPredictedNames);
    roles_.confidence = take(kConfidenceNames, true);
    roles_.id = takeId();
    if (!roles_.ranked) {
      if (Status found = findScores(); !found) {
        return failWith(found);
      }
    }
    if (!roles_.label && roles_.one_hot_labels.empty()) {
      roles_.label = take(kLastResortLabels);
    }
    for (std::size_t c = 0; c < taken_.size(); ++c) {
      if (!taken_[c]) {
        roles_.unused.push_back(table_.header[c].empty() ? "(unnamed)" : table_.header[c]);
      }
    }
    return std::move(roles_);
  }

 private:
  void takeAll(const std::vector<std::size_t>& columns) {
    for (const std::size_t c : columns) {
      taken_[c] = true;
    }
  }

  std::optional<std::size_t> take(std::span<const std::string_view> usual, bool numeric = false) {
    for (const std::size_t c : findNames(table_.header, usual)) {
      if (!taken_[c] && (!numeric || table_.columns[c].isNumeric())) {
        taken_[c] = true;
        return c;
      }
    }
    return std::nullopt;
  }

  /// Ids are whole numbers; file names in such a column stay unused.
  std::optional<std::size_t> takeId() {
    for (const std::size_t c : findNames(table_.header, kIdNames)) {
      if (!taken_[c] && table_.columns[c].isNumeric()) {
        taken_[c] = true;
        return c;
      }
      if (!taken_[c]) {
        roles_.notes.emplace_back("the ids are texts: row numbers are used instead");
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::size_t> freeColumns() const {
    std::vector<std::size_t> free;
    for (std::size_t c = 0; c < taken_.size(); ++c) {
      if (!taken_[c]) {
        free.push_back(c);
      }
    }
    return free;
  }

  Status findScores() {
    std::vector<std::size_t> free = freeColumns();
    // "class" may be a column of labels, or one of several class columns.
    const auto class_column = roles_.label ? std::nullopt : labelOfLastResort();
    auto scores =
        findClassColumns(table_, free, roles_.label ? roles_.label : class_column, context_);
    if (!scores) {
      return failWith(scores);
    }
    roles_.scores = *std::move(scores);
    takeAll(roles_.scores.columns);
    if (!roles_.scores.columns.empty()) {
      if (!roles_.label) {
        roles_.one_hot_labels = findOneHotLabels(table_, freeColumns(), roles_.scores);
        takeAll(roles_.one_hot_labels);
      }
      return {};
    }
    if (!roles_.confidence) {
      if (const auto one = take(kOneProbNames, true)) {
        roles_.scores.columns = {*one};
      }
    }
    if (!roles_.prediction && (roles_.confidence || !roles_.scores.columns.empty()) &&
        (roles_.label || roles_.confidence)) {
      roles_.prediction = take(kLastResortPredictions);
    }
    return {};
  }

  [[nodiscard]] std::optional<std::size_t> labelOfLastResort() const {
    for (const std::size_t c : findNames(table_.header, kLastResortLabels)) {
      if (!taken_[c]) {
        return c;
      }
    }
    return std::nullopt;
  }

  const CsvTable& table_;
  RunContext& context_;
  std::vector<bool> taken_;
  PredictionColumns roles_;
};

}  // namespace

Expected<PredictionColumns> findPredictionColumns(const CsvTable& table, RunContext& context) {
  return RoleFinder(table, context).find();
}

}  // namespace dubito
