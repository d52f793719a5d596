// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/class_prediction.h"

#include <algorithm>
#include <utility>

#include "core/laplace/link.h"
#include "core/measures/draw_measures.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

/// Inputs that are worked on at a time.
constexpr std::int64_t kInputsPerPart = 1024;

void appendRows(const Array<double>& part, std::int64_t rows, std::int64_t row, Array<double>& to) {
  if (to.empty()) {
    std::vector<std::int64_t> shape = part.shape();
    shape[0] = rows;
    to = Array<double>::zeros(std::move(shape));
  }
  std::ranges::copy(part.values(), to.mutableData() + row * part.rowSize());
}

void appendRows(const std::optional<Array<double>>& part, std::int64_t rows, std::int64_t row,
                std::optional<Array<double>>& to) {
  if (part) {
    to = to.value_or(Array<double>());
    appendRows(*part, rows, row, *to);
  }
}

}  // namespace

ClassPrediction predictionOfLogits(const Array<double>& logits) {
  const std::int64_t count = logits.extent(0);
  ClassPrediction result{Array<double>::zeros(logits.shape()), Array<double>::zeros({count}),
                         Array<double>::zeros({count})};
  for (std::int64_t i = 0; i < count; ++i) {
    std::ranges::copy(softmax(logits.row(i)), result.probs.mutableRow(i).begin());
    const LogitMeasures measures = measuresOfLogits(logits.row(i));
    result.entropy.mutableData()[i] = measures.entropy;
    result.log_rest.mutableData()[i] = measures.log_rest;
  }
  return result;
}

ClassPrediction predictionOfFunctions(const Array<double>& logits, const RunContext& context) {
  PredictiveSummary summary = summariseDrawsOfLogits(logits, context);
  return {std::move(summary.mean_probs), std::move(summary.entropy), std::move(summary.log_rest),
          std::move(summary.expected_entropy), std::move(summary.mutual_information)};
}

ClassPrediction predictionOfGaussians(const LogitGaussians& gaussians, const std::string& link,
                                      std::int64_t samples, std::uint64_t seed,
                                      const RunContext& context) {
  // The noise is keyed by id: equal ids have equal noise.
  const std::vector<std::int64_t> ids(static_cast<std::size_t>(gaussians.mean.extent(0)), 0);
  LinkedPredictions linked = applyLink(resolveLink(link, gaussians.mean.extent(1)), gaussians, ids,
                                       samples, seed, context);
  return {std::move(linked.probs),
          std::move(linked.entropy),
          std::move(linked.log_rest),
          std::move(linked.expected_entropy),
          std::move(linked.mutual_information),
          std::move(linked.alpha)};
}

Array<float> toFloat(const Array<double>& values) {
  return Array<float>::fromVector(values.shape(), {values.values().begin(), values.values().end()});
}

Field linkField(std::string& link) {
  return {{.name = "link",
           .label = "Link",
           .help = "from the Gaussian over the logits to probabilities: mc by samples, probit by a "
                   "formula, bridge by a Dirichlet; bridge-centred and bridge-raw are not limited "
                   "far from the points",
           .choices = linkChoices()},
          &link};
}

Expected<ClassPrediction> predictInParts(
    std::span<const double> inputs, std::int64_t classes, RunContext& context,
    const std::function<Expected<ClassPrediction>(std::span<const double> part)>& predict) {
  const std::int64_t count = std::ssize(inputs) / 2;
  ClassPrediction result{Array<double>::zeros({0, classes}), {}, {}};
  for (std::int64_t begin = 0; begin < count; begin += kInputsPerPart) {
    const std::int64_t rows = std::min(kInputsPerPart, count - begin);
    const auto part = predict(
        inputs.subspan(static_cast<std::size_t>(2 * begin), static_cast<std::size_t>(2 * rows)));
    if (!part) {
      return part;
    }
    if (context.cancelRequested()) {
      return cancelled();
    }
    appendRows(part->probs, count, begin, result.probs);
    appendRows(part->entropy, count, begin, result.entropy);
    appendRows(part->log_rest, count, begin, result.log_rest);
    appendRows(part->aleatoric, count, begin, result.aleatoric);
    appendRows(part->epistemic, count, begin, result.epistemic);
    appendRows(part->alpha, count, begin, result.alpha);
  }
  return result;
}

}  // namespace dubito
