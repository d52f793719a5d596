// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/ratings.h"

#include <algorithm>
#include <map>

namespace dubito {
namespace {

constexpr std::int64_t kNoRating = -1;

std::int64_t ratingOf(const Decision& decision, std::span<const LabelClass> classes,
                      std::int64_t after_classes) {
  switch (decision.action) {
    case LabelAction::kAccept:
    case LabelAction::kCorrect:
      return mergedClass(classes, decision.class_id.value());
    case LabelAction::kNotInClasses:
      return after_classes;
    case LabelAction::kAmbiguous:
      return after_classes + 1;
    case LabelAction::kSkip:
    case LabelAction::kFlag:
      break;
  }
  return kNoRating;
}

}  // namespace

std::int64_t Ratings::ratedTwice() const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto rated = std::ranges::count_if(
        ratings, [i](const std::vector<std::int64_t>& of_one) { return of_one[i] != kNoRating; });
    count += rated >= 2 ? 1 : 0;
  }
  return count;
}

Ratings ratingsOf(std::span<const RecordedDecision> journal, std::span<const LabelClass> classes) {
  std::int64_t after_classes = 0;
  for (const LabelClass& one : classes) {
    after_classes = std::max(after_classes, one.id + 1);
  }
  std::map<std::string, std::map<std::int64_t, std::int64_t>> ratings;  // by annotator and item
  for (const RecordedDecision& recorded : journal) {
    const Decision& decision = recorded.decision;
    if (!recorded.undone && decision.origin == LabelOrigin::kPerson) {
      ratings[decision.annotator][decision.item] = ratingOf(decision, classes, after_classes);
    }
  }
  Ratings result;
  for (auto& [annotator, of_one] : ratings) {
    std::erase_if(of_one, [](const auto& entry) { return entry.second == kNoRating; });
    for (const auto& entry : of_one) {
      result.items.push_back(entry.first);
    }
  }
  std::ranges::sort(result.items);
  result.items.erase(std::ranges::unique(result.items).begin(), result.items.end());
  for (const auto& [annotator, of_one] : ratings) {
    if (of_one.empty()) {
      continue;
    }
    std::vector<std::int64_t> row(result.items.size(), kNoRating);
    for (const auto& [item, rating] : of_one) {
      row[static_cast<std::size_t>(std::ranges::lower_bound(result.items, item) -
                                   result.items.begin())] = rating;
    }
    result.annotators.push_back(annotator);
    result.ratings.push_back(std::move(row));
  }
  return result;
}

}  // namespace dubito
