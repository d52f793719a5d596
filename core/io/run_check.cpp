// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "core/io/any_array.h"
#include "core/io/run_needs.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxProbsChecked = std::int64_t{1} << 25;
constexpr std::int64_t kCheckedPerTask = 16384;

template <class A>
bool hasShape(const std::optional<A>& array, const std::vector<std::int64_t>& shape) {
  return !array || array->shape() == shape;
}

/// Whether a row is a distribution with its largest entry at `predicted`. Ties are accepted:
/// entries that differed in double may be equal as stored.
template <class T>
bool rowIsSound(std::span<const T> row, std::int64_t predicted, double confidence) {
  const T largest = row[static_cast<std::size_t>(predicted)];
  double sum = 0.0;
  bool sound = true;
  for (std::size_t k = 0; k < row.size(); ++k) {
    // Comparisons with NaN are false, so NaN fails.
    sound &= row[k] >= T{0} && row[k] <= largest;
    sum += static_cast<double>(row[k]);
  }
  return sound && std::abs(sum - 1.0) <= kRowSumTolerance &&
         std::abs(confidence - static_cast<double>(largest)) <= kRowSumTolerance;
}

/// First invalid row (among the rows or a sample of them), or N.
template <class T>
std::int64_t firstUnsoundRow(const Array<T>& probs, const Run& run, const RunContext& context) {
  const std::int64_t n = probs.extent(0);
  const std::int64_t stride = probs.size() / kMaxProbsChecked + 1;
  std::atomic<std::int64_t> first{n};
  context.parallelFor(
      (n + stride - 1) / stride, kCheckedPerTask, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t j = begin; j < end; ++j) {
          const std::int64_t i = j * stride;
          if (!rowIsSound(probs.row(i), run.predictions.data()[i], run.confidence.data()[i])) {
            std::int64_t seen = first.load();
            while (i < seen && !first.compare_exchange_weak(seen, i)) {
            }
            return;
          }
        }
      });
  return first;
}

/// First element outside [low, high], or the size. NaN is outside.
template <class T>
std::int64_t firstOutside(std::span<const T> values, T low, T high) {
  const auto found =
      std::ranges::find_if_not(values, [=](T value) { return value >= low && value <= high; });
  return found - values.begin();
}

/// First row (among the rows or a sample of them) of `array` [N, K] with an element outside [low,
/// high].
template <class T>
std::optional<std::int64_t> rowOutside(const std::optional<Array<T>>& array, T low, T high) {
  if (!array) {
    return std::nullopt;
  }
  const std::int64_t stride = array->size() / kMaxProbsChecked + 1;
  for (std::int64_t i = 0; i < array->extent(0); i += stride) {
    if (firstOutside(array->row(i), low, high) < array->extent(1)) {
      return i;
    }
  }
  return std::nullopt;
}

/// First row (among the rows or a sample of them) of the draws [T, N, K] that is not a
/// distribution.
struct DrawRow {
  std::int64_t draw = 0;
  std::int64_t item = 0;
};

std::optional<DrawRow> unsoundDraw(const Array<float>& samples, const RunContext& context) {
  const std::int64_t n = samples.extent(1);
  const std::int64_t k = samples.extent(2);
  const std::int64_t rows = samples.extent(0) * n;
  const std::int64_t stride = samples.size() / kMaxProbsChecked + 1;
  std::atomic<std::int64_t> first{rows};
  context.parallelFor(
      (rows + stride - 1) / stride, kCheckedPerTask, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t j = begin; j < end; ++j) {
          const std::span<const float> row(samples.data() + j * stride * k,
                                           static_cast<std::size_t>(k));
          double sum = 0.0;
          bool sound = true;
          for (const float p : row) {
            sound &= p >= 0.0F;  // false for NaN
            sum += static_cast<double>(p);
          }
          if (!sound || !(std::abs(sum - 1.0) <= kRowSumTolerance)) {
            std::int64_t seen = first.load();
            while (j * stride < seen && !first.compare_exchange_weak(seen, j * stride)) {
            }
            return;
          }
        }
      });
  return first < rows ? std::optional(DrawRow{first / n, first % n}) : std::nullopt;
}

/// Describes invalid Gaussians or Dirichlets, if any.
std::optional<std::string> wrongDistribution(const Run& run) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  if (const auto row = rowOutside(run.logit_mean, -kLargest, kLargest)) {
    return fmt::format("row {} of logit_mean is not finite", *row);
  }
  if (const auto row = rowOutside(run.logit_var, 0.0F, kLargest)) {
    return fmt::format("row {} of logit_var has invalid variances", *row);
  }
  if (const auto row = rowOutside(run.alpha, std::numeric_limits<double>::denorm_min(),
                                  std::numeric_limits<double>::max())) {
    return fmt::format("row {} of alpha is not finite and positive", *row);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> findDuplicate(std::span<const std::int64_t> values) {
  if (std::ranges::is_sorted(values, std::less_equal<>())) {  // strictly increasing
    return std::nullopt;
  }
  std::vector<std::int64_t> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice == sorted.end()) {
    return std::nullopt;
  }
  const auto last = std::find(values.rbegin(), values.rend(), *twice);
  return values.rend() - last - 1;
}

std::optional<std::string> shapeConflict(const Run& run) {
  const std::int64_t n = run.itemCount();
  const std::vector<std::int64_t> probs_shape =
      run.probs ? std::visit([](const auto& a) { return a.shape(); }, *run.probs)
                : std::vector<std::int64_t>{n, 0};
  const std::int64_t k = probs_shape.size() == 2 ? probs_shape[1] : 0;
  const auto conflict = [&](const char* name, const std::vector<std::int64_t>& shape) {
    return fmt::format("{} has the shape {}, which does not fit {} items of {} classes", name,
                       shapeText(shape), n, k);
  };
  const std::vector<std::int64_t> per_item{n};
  const std::vector<std::int64_t> per_class{n, k};
  if (run.ids.rank() != 1 || n == 0) {
    return "there are no items";
  }
  if (run.probs && (probs_shape != per_class || k == 0)) {
    return conflict("probs", probs_shape);
  }
  for (const auto& [name, array] :
       {std::pair{"labels", &run.labels}, {"predictions", &run.predictions}}) {
    if (array->shape() != per_item) {
      return conflict(name, array->shape());
    }
  }
  if (run.confidence.shape() != per_item) {
    return conflict("confidence", run.confidence.shape());
  }
  for (const auto& [name, array] : {std::pair{"entropy", &run.entropy},
                                    {"expected_entropy", &run.expected_entropy},
                                    {"mutual_information", &run.mutual_information},
                                    {"variation_ratio", &run.variation_ratio},
                                    {"variance", &run.variance},
                                    {"log_rest", &run.log_rest},
                                    {"gauge_bridge", &run.gauge_bridge},
                                    {"gauge_probit", &run.gauge_probit},
                                    {"gauge_divergence", &run.gauge_divergence}}) {
    if (!hasShape(*array, per_item)) {
      return conflict(name, (*array)->shape());
    }
  }
  if (run.gauge_bridge.has_value() != run.gauge_probit.has_value()) {
    return "only one of gauge_bridge and gauge_probit is present";
  }
  if (run.logits) {
    const auto& shape = std::visit([](const auto& a) { return a.shape(); }, *run.logits);
    if (!run.probs || shape != per_class) {
      return conflict("logits", shape);
    }
  }
  if (run.logit_mean.has_value() != run.logit_var.has_value()) {
    return "only one of logit_mean and logit_var is present";
  }
  for (const auto& [name, array] :
       {std::pair{"logit_mean", &run.logit_mean}, {"logit_var", &run.logit_var}}) {
    if (*array && (!run.probs || !hasShape(*array, per_class))) {
      return conflict(name, (*array)->shape());
    }
  }
  if (run.alpha && (!run.probs || !hasShape(run.alpha, per_class))) {
    return conflict("alpha", run.alpha->shape());
  }
  if (run.samples) {
    const std::vector<std::int64_t>& shape = run.samples->shape();
    if (!run.probs || shape.size() != 3 || shape[0] < 1 || shape[1] != n || shape[2] != k) {
      return conflict("samples", shape);
    }
  }
  const auto names = static_cast<std::int64_t>(run.meta.class_names.size());
  if (run.probs && names != 0 && names != k) {
    return fmt::format("there are {} class names for {} classes", names, k);
  }
  return std::nullopt;
}

Status checkRunContents(const Run& run, const std::string& path, RunContext& context) {
  const std::int64_t n = run.itemCount();
  constexpr double kInfinity = std::numeric_limits<double>::max();
  const std::int64_t last_class = run.probs ? run.classCount() - 1 : kMaxClassNumber;
  const auto malformed = [&](const std::string& reason) {
    return fail(ErrorCode::kMalformed, fmt::format("{}: {}; recompute the run", path, reason));
  };
  if (const std::int64_t i = firstOutside(run.labels.values(), std::int64_t{-1}, last_class);
      i < n) {
    return malformed(
        fmt::format("the label of row {} is {}, which is not a class", i, run.labels.data()[i]));
  }
  if (const std::int64_t i = firstOutside(run.predictions.values(), std::int64_t{0}, last_class);
      i < n) {
    return malformed(fmt::format("the prediction of row {} is {}, which is not a class", i,
                                 run.predictions.data()[i]));
  }
  const bool may_be_unknown = !run.probs && run.meta.method == kLabelsMethod;
  const auto is_no_confidence = [may_be_unknown](double value) {
    return !(value >= 0.0 && value <= 1.0 + kRowSumTolerance) &&
           !(may_be_unknown && std::isnan(value));
  };
  if (const std::int64_t i = std::ranges::find_if(run.confidence.values(), is_no_confidence) -
                             run.confidence.values().begin();
      i < n) {
    return malformed(
        fmt::format("the confidence of row {} is {}, not in [0, 1]", i, run.confidence.data()[i]));
  }
  for (const auto& [name, array] : {std::pair{"entropy", &run.entropy},
                                    {"expected_entropy", &run.expected_entropy},
                                    {"mutual_information", &run.mutual_information},
                                    {"variation_ratio", &run.variation_ratio},
                                    {"variance", &run.variance}}) {
    const std::int64_t i =
        *array ? firstOutside((*array)->values(), -kRowSumTolerance, kInfinity) : n;
    if (i < n) {
      return malformed(fmt::format("{} of row {} is {}", name, i, (*array)->data()[i]));
    }
  }
  if (const std::int64_t i =
          run.log_rest ? firstOutside(run.log_rest->values(),
                                      -std::numeric_limits<double>::infinity(), kRowSumTolerance)
                       : n;
      i < n) {
    return malformed(fmt::format("log_rest of row {} is {}, not the logarithm of a probability", i,
                                 run.log_rest->data()[i]));
  }
  for (const auto& [name, array] :
       {std::pair{"gauge_bridge", &run.gauge_bridge}, {"gauge_probit", &run.gauge_probit}}) {
    const auto no_gauge = [](double value) {
      return value < 0.0 || value > 1.0 + kRowSumTolerance;
    };
    const std::int64_t i =
        *array ? std::ranges::find_if((*array)->values(), no_gauge) - (*array)->values().begin()
               : n;
    if (i < n) {
      return malformed(fmt::format("{} of row {} is {}, not a difference of probabilities", name, i,
                                   (*array)->data()[i]));
    }
  }
  if (const auto wrong = wrongDistribution(run)) {
    return malformed(*wrong);
  }
  if (const auto twice = findDuplicate(run.ids.values())) {
    return malformed(
        fmt::format("the id of row {}, {}, appears twice", *twice, run.ids.data()[*twice]));
  }
  const std::int64_t unsound =
      run.probs
          ? std::visit([&](const auto& a) { return firstUnsoundRow(a, run, context); }, *run.probs)
          : n;
  if (unsound < n) {
    return malformed(fmt::format(
        "row {} of probs is not a distribution, or does not match the prediction and confidence",
        unsound));
  }
  if (run.samples) {
    if (const auto draw = unsoundDraw(*run.samples, context)) {
      return malformed(fmt::format("row {} of draw {} in samples is not a distribution", draw->item,
                                   draw->draw));
    }
  }
  return {};
}

}  // namespace dubito
