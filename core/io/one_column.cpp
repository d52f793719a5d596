// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/one_column.h"

#include <fmt/format.h>

#include <algorithm>

namespace dubito {
namespace {

/// With so many items, at least one has a probability of class 1 below 1/2 if both classes occur.
constexpr std::int64_t kMinItemsForHalf = 20;
/// Share of items whose prediction may differ from the larger probability: another threshold, or
/// ties.
constexpr double kMaxDifferent = 0.05;

/// How the probabilities go with the predictions 0 and 1.
struct Relation {
  double largest_of_zero = -1.0;
  double smallest_of_zero = 2.0;
  double largest_of_one = -1.0;
  double smallest_of_one = 2.0;
  std::int64_t not_the_larger = 0;  ///< of p and 1 - p, as probabilities of classes 1 and 0
};

Relation relationOf(std::span<const double> probs, const std::vector<std::int64_t>& predicted) {
  Relation relation;
  for (std::size_t i = 0; i < probs.size(); ++i) {
    const double p = probs[i];
    if (predicted[i] == 1) {
      relation.largest_of_one = std::max(relation.largest_of_one, p);
      relation.smallest_of_one = std::min(relation.smallest_of_one, p);
      relation.not_the_larger += p < 0.5 ? 1 : 0;
    } else if (predicted[i] == 0) {
      relation.largest_of_zero = std::max(relation.largest_of_zero, p);
      relation.smallest_of_zero = std::min(relation.smallest_of_zero, p);
      relation.not_the_larger += p > 0.5 ? 1 : 0;
    }
  }
  return relation;
}

bool atLeastHalf(std::span<const double> probs) {
  return std::ranges::all_of(probs, [](double p) { return p >= 0.5 - 1e-6; });
}

}  // namespace

Expected<OneColumnMeaning> meaningOfColumn(std::span<const double> probs,
                                           const std::vector<std::int64_t>& predicted,
                                           const std::vector<std::int64_t>& labels,
                                           std::int64_t classes, const std::string& name,
                                           const FileRows& file) {
  const std::string of_class_one =
      fmt::format("{} has one column, taken as the probability of class 1 of two", name);
  if (predicted.empty()) {
    if (classes > 2) {
      return file.malformed(fmt::format(
          "{} has one probability per item, but there are {} classes; give the probabilities of "
          "all classes, or the predicted class as 'pred_label' next to 'confidence'",
          name, classes));
    }
    const bool both = std::ranges::find(labels, 0) != labels.end() &&
                      std::ranges::find(labels, 1) != labels.end();
    if (both && atLeastHalf(probs) && std::ssize(probs) >= kMinItemsForHalf) {
      return file.malformed(fmt::format(
          "{} is at least 0.5 for all {} items, so it is probably the probability of the predicted "
          "class, not of class 1; give the predicted class as 'pred_label' next to 'confidence', "
          "or the probabilities of both classes",
          name, probs.size()));
    }
    return OneColumnMeaning{OneColumn::kClassOne, of_class_one};
  }
  const std::string of_predicted =
      fmt::format("{} is the probability of the predicted class", name);
  if (classes > 2) {
    return OneColumnMeaning{OneColumn::kPredicted, of_predicted};
  }
  const Relation relation = relationOf(probs, predicted);
  if (relation.not_the_larger == 0) {
    return OneColumnMeaning{OneColumn::kClassOne, of_class_one};
  }
  if (atLeastHalf(probs)) {
    return OneColumnMeaning{OneColumn::kPredicted,
                            of_predicted + " (at least 0.5 for every item), not of class 1"};
  }
  const std::string threshold = fmt::format(
      "; the file's predictions use another threshold than 0.5: {} of {} differ from the larger "
      "probability, which is used",
      relation.not_the_larger, probs.size());
  if (relation.largest_of_zero <= relation.smallest_of_one) {
    return OneColumnMeaning{OneColumn::kClassOne, of_class_one + threshold};
  }
  if (relation.largest_of_one <= relation.smallest_of_zero) {
    return OneColumnMeaning{
        OneColumn::kClassZero,
        fmt::format("{} is the probability of class 0: it is small where class 1 is predicted",
                    name)};
  }
  if (static_cast<double>(relation.not_the_larger) <=
      kMaxDifferent * static_cast<double>(probs.size())) {
    return OneColumnMeaning{OneColumn::kClassOne, of_class_one};
  }
  return file.malformed(fmt::format(
      "{} contradicts the predictions of the file as the probability of class 1 ({} of {} items), "
      "of class 0 and of the predicted class; give the probabilities of both classes",
      name, relation.not_the_larger, probs.size()));
}

}  // namespace dubito
