// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dubito {

bool hasConfidence(const Run& run) {
  // With probabilities, NaN is an error and no unknown value.
  return run.probs || std::ranges::none_of(run.confidence.values(),
                                           [](double value) { return std::isnan(value); });
}

bool isItsOwnLabel(const Run& run) {
  return run.meta.method == kLabelsMethod && !run.meta.reviewed_labels &&
         std::ranges::equal(run.labels.values(), run.predictions.values());
}

std::int64_t namedClassCount(const Run& run) {
  return run.probs ? run.classCount() : std::ssize(run.meta.class_names);
}

Status requireProbabilities(const Run& run, const std::string& name) {
  if (run.probs) {
    return {};
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: has confidences but no probabilities; give a run with the "
                          "probabilities of all classes",
                          name));
}

Status requireLabels(const Run& run, const std::string& name) {
  if (std::ranges::any_of(run.labels.values(), [](std::int64_t label) { return label >= 0; })) {
    return {};
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: none of its {} items has a label; give labelled items", name,
                          run.itemCount()));
}

}  // namespace dubito
