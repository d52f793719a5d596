// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/class_prediction.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include "core/base/overloaded.h"
#include "core/laplace/link.h"
#include "core/measures/draw_measures.h"
#include "core/measures/entropy.h"
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

/// The Gaussians with class k in the place of class (k + shift) mod K.
LogitGaussians shifted(const LogitGaussians& gaussians, std::int64_t shift) {
  const auto classes = static_cast<std::size_t>(gaussians.mean.extent(1));
  const auto from = [&](std::size_t k) { return (k + static_cast<std::size_t>(shift)) % classes; };
  // Rows of vectors [K] or of matrices [K, K].
  const auto permuted = [&](const Array<float>& values) {
    auto result = Array<float>::zeros(values.shape());
    for (std::int64_t i = 0; i < values.extent(0); ++i) {
      const auto row = values.row(i);
      const auto to = result.mutableRow(i);
      for (std::size_t at = 0; at < row.size(); ++at) {
        const bool is_vector = row.size() == classes;
        to[at] = row[is_vector ? from(at) : from(at / classes) * classes + from(at % classes)];
      }
    }
    return result;
  };
  return std::visit(
      Overloaded{
          [&](const DiagonalCovariance& diagonal) -> LogitGaussians {
            return {permuted(gaussians.mean), DiagonalCovariance{permuted(diagonal.variance)}};
          },
          [&](const FullCovariance& full) -> LogitGaussians {
            return {permuted(gaussians.mean), FullCovariance{permuted(full.covariance)}};
          },
          [&](const FactoredCovariance& /*factored*/) -> LogitGaussians {
            throw std::invalid_argument("predictionOfGaussians: factored covariances");
          }},
      gaussians.covariance);
}

/// The average of the sampling link over all K rotations of the classes, with the same `samples`
/// draws of noise for each. One set of draws prefers some classes by chance; the average treats all
/// alike, so that equal Gaussians of all classes have equal probabilities, whatever the number of
/// draws. Dividing the draws among the rotations would leave few of them, and all cells of a map
/// share their error.
ClassPrediction predictionBySamples(const LogitGaussians& gaussians,
                                    std::span<const std::int64_t> ids, std::int64_t samples,
                                    std::uint64_t seed, const RunContext& context) {
  const std::int64_t count = gaussians.mean.extent(0);
  const std::int64_t classes = gaussians.mean.extent(1);
  ClassPrediction result{Array<double>::zeros({count, classes}), Array<double>::zeros({count}),
                         Array<double>::zeros({count}), Array<double>::zeros({count}),
                         Array<double>::zeros({count})};
  const double share = 1.0 / static_cast<double>(classes);
  for (std::int64_t shift = 0; shift < classes; ++shift) {
    const LinkedPredictions linked =
        applyLink(kSamplingLink, shifted(gaussians, shift), ids, samples, seed, context);
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t k = 0; k < classes; ++k) {
        result.probs.mutableRow(i)[static_cast<std::size_t>((k + shift) % classes)] +=
            share * linked.probs.row(i)[static_cast<std::size_t>(k)];
      }
      result.aleatoric->mutableData()[i] += share * linked.expected_entropy->data()[i];
    }
  }
  EntropyCalculator().ofRows(result.probs.data(), count, classes, result.entropy.mutableData());
  for (std::int64_t i = 0; i < count; ++i) {
    const auto probs = result.probs.row(i);
    result.log_rest.mutableData()[i] = logRest(probs, argmax(probs));
    result.epistemic->mutableData()[i] =
        std::max(0.0, result.entropy.data()[i] - result.aleatoric->data()[i]);
  }
  return result;
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
  const std::string resolved = resolveLink(link, gaussians.mean.extent(1));
  if (resolved == kSamplingLink) {
    return predictionBySamples(gaussians, ids, samples, seed, context);
  }
  LinkedPredictions linked = applyLink(resolved, gaussians, ids, samples, seed, context);
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
  return field(&link, "link", "Link",
               "from the Gaussian over the logits to probabilities: mc by samples, probit by a "
               "formula, bridge by a Dirichlet; bridge-centred and bridge-raw are not limited "
               "far from the points",
               {.choices = linkChoices()});
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
