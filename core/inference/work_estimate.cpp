// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/work_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/base/stopwatch.h"
#include "core/data/dataset_view.h"
#include "core/inference/laplace_tuning_torch.h"
#include "core/inference/run_shape.h"
#include "core/kernels/honesty.h"
#include "core/laplace/gauge_plan.h"
#include "core/laplace/link.h"
#include "core/laplace/prior_search.h"

namespace dubito {
namespace {

// Costs of methods in passes of the network, as measured on small convolutional networks.
constexpr double kBackward = 2.0;
constexpr double kLastLayerFit = 1.25;
constexpr double kLastLayerGaussians = 1.3;
// As many passes backwards as a fit of all layers makes at most.
constexpr std::int64_t kMostDirections = 20;

/// Wall time of `method` on items of a dataset.
class Timer {
 public:
  Timer(const Model& model, DatasetPtr dataset, const PredictOptions& options,
        const RunContext& context)
      : model_(model),
        dataset_(std::move(dataset)),
        options_(options),
        context_(context.control()) {
    context_.device = context.device;
    context_.threads = context.threads;
    context_.seed = context.seed;
    // Broken files at the beginning take no time, and tell of no network.
    const std::int64_t size = dataset_->size();
    while (first_ < size && !context_.cancelRequested() && !dataset_->read(first_)) {
      ++first_;
    }
    first_ = first_ < size ? first_ : 0;
  }

  /// Seconds an item: the difference of two sizes, so that what is done once does not count.
  [[nodiscard]] Expected<double> secondsPerItem(const MethodOptions& method) {
    constexpr double kEnough = 0.1;
    constexpr std::int64_t kMostItems = 256;
    const std::int64_t size = dataset_->size() - first_;
    for (std::int64_t items = 1;; items *= 4) {
      const std::int64_t many = std::min(3 * items, size);
      const auto few = secondsOf(method, std::min(items, size));
      auto more = few ? secondsOf(method, many) : few;
      if (!more) {
        return more;
      }
      if (many <= items) {
        return *more / static_cast<double>(size);
      }
      const double difference = *more - *few;
      if (difference >= kEnough || many == size || items >= kMostItems) {
        return std::max(difference, 0.0) / static_cast<double>(many - items);
      }
    }
  }

 private:
  [[nodiscard]] Expected<double> secondsOf(const MethodOptions& method, std::int64_t items) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(items));
    std::iota(rows.begin(), rows.end(), first_);
    const DatasetView view(dataset_, rows, dataset_->info());
    const Stopwatch watch;
    const auto run = predict(model_, view, method, options_, context_);
    return run ? Expected<double>(watch.seconds()) : Expected<double>(failWith(run));
  }

  const Model& model_;
  DatasetPtr dataset_;
  PredictOptions options_;
  RunContext context_;
  std::int64_t first_ = 0;  ///< the first item that can be read
};

/// Seconds an item of what is made of Gaussians over `classes` logits.
class GaussiansTimer {
 public:
  GaussiansTimer(const LaplaceOptions& method, std::int64_t classes, const RunContext& context)
      : method_(method), classes_(classes), context_(context) {}

  [[nodiscard]] double ofLink(const std::string& link) const {
    const std::int64_t draws = link == "mc" ? method_.samples : 0;
    return secondsOf(draws, [&](const LogitGaussians& gaussians, std::span<const std::int64_t> ids,
                                std::int64_t timed) {
      static_cast<void>(applyLink(link, gaussians, ids, timed, context_.seed, context_));
    });
  }
  /// Of the honesty gauge of an item that has one, where it has draws of its own.
  [[nodiscard]] double ofGauge(const GaugePlan& plan) const {
    if (plan.draws == 0 || plan.of_link) {
      return 0.0;
    }
    return secondsOf(plan.draws, [&](const LogitGaussians& gaussians,
                                     std::span<const std::int64_t> ids, std::int64_t timed) {
      static_cast<void>(
          honestyGauge(gaussians, ids, BridgeVariant::kCentred, timed, context_.seed, context_));
    });
  }

 private:
  /// `work` with as many draws, of which it is given a part to be timed on.
  template <typename Work>
  [[nodiscard]] double secondsOf(std::int64_t draws, const Work& work) const {
    constexpr double kEnough = 0.02;
    constexpr std::int64_t kMostDraws = 1000;
    constexpr std::int64_t kMostNumbers = std::int64_t{1} << 22;
    const std::int64_t timed = std::clamp<std::int64_t>(draws, 1, kMostDraws);
    const double scale = std::max(1.0, static_cast<double>(draws) / static_cast<double>(timed));
    for (std::int64_t items = context_.threads;; items *= 4) {
      const LogitGaussians gaussians = made(items);
      std::vector<std::int64_t> ids(static_cast<std::size_t>(items));
      std::iota(ids.begin(), ids.end(), std::int64_t{0});
      const Stopwatch watch;
      work(gaussians, ids, timed);
      const double seconds = watch.seconds();
      if (seconds >= kEnough || 4 * items * classes_ * classes_ > kMostNumbers ||
          context_.cancelRequested()) {
        return scale * seconds / static_cast<double>(items);
      }
    }
  }

  /// Gaussians whose covariance has the form that the method gives it.
  [[nodiscard]] LogitGaussians made(std::int64_t items) const {
    const auto ones = [](std::vector<std::int64_t> shape) {
      Array<float> array = Array<float>::zeros(std::move(shape));
      std::ranges::fill(array.mutableValues(), 1.0F);
      return array;
    };
    const auto identities = [&](std::int64_t count) {
      Array<float> array = Array<float>::zeros({count * classes_, classes_});
      for (std::int64_t row = 0; row < count * classes_; ++row) {
        array.mutableRow(row)[static_cast<std::size_t>(row % classes_)] = 1.0F;
      }
      return array;
    };
    Array<float> mean = Array<float>::zeros({items, classes_});
    if (method_.ofAllLayers() || method_.structure == "full") {
      return {mean, FullCovariance{identities(items).reshaped({items, classes_, classes_})}};
    }
    if (method_.structure == "diag") {
      return {mean, DiagonalCovariance{ones({items, classes_})}};
    }
    return {mean, FactoredCovariance{identities(1), ones({items, classes_})}};
  }

  const LaplaceOptions& method_;
  std::int64_t classes_;
  const RunContext& context_;
};

/// Passes of the network that fitting to one item takes, and predicting one.
struct Passes {
  double fitted_item = 0.0;
  double predicted_item = 1.0;
};

Passes passesOf(const LaplaceOptions& method, std::int64_t classes) {
  if (!method.ofAllLayers()) {
    return {kLastLayerFit, kLastLayerGaussians};
  }
  const auto directions = static_cast<double>(std::min(classes - 1, kMostDirections));
  return {1.0 + kBackward * directions, method.drawsWeights()
                                            ? static_cast<double>(method.weight_draws)
                                            : 1.0 + kBackward * static_cast<double>(classes)};
}

std::int64_t sizeOf(const DatasetPtr& dataset) {
  return dataset ? dataset->size() : 0;
}

/// Seconds that Gaussians over logits take on top of the passes: of `predicted` items, and of those
/// that the prior is chosen on, once for each prior that is tried.
double secondsOfGaussians(const LaplaceOptions& method, const MethodData& data, double predicted,
                          std::int64_t classes, const RunContext& context) {
  const GaussiansTimer timer(method, classes, context);
  double seconds = 0.0;
  if (!method.drawsWeights()) {
    const GaugePlan plan = gaugePlan(method, classes, std::llround(predicted));
    seconds += predicted * (timer.ofLink(method.link) + plan.share * timer.ofGauge(plan));
  }
  const PriorRule::Kind kind = method.priorRule().kind;
  const bool by_nll = kind == PriorRule::Kind::kNll;
  if (by_nll || kind == PriorRule::Kind::kMmcDrop) {
    const std::int64_t items = sizeOf(data.calibration ? data.calibration : data.fit);
    const std::int64_t tuned = std::min(items, TuningSet::kMostItems);
    seconds += static_cast<double>(tuned * (by_nll ? kPriorsOfNll : kPriorsOfConfidenceDrop)) *
               timer.ofLink(by_nll ? method.link : "mc");
  }
  return seconds;
}

}  // namespace

Expected<WorkEstimate> estimateWork(const Model& model, const std::vector<DatasetPtr>& datasets,
                                    const MethodOptions& chosen, const MethodData& data,
                                    const PredictOptions& options, RunContext& context) {
  const MethodOptions method = settledMethod(chosen, model.audit().classes);
  if (datasets.empty()) {
    throw std::invalid_argument("estimateWork: no dataset");
  }
  if (Status checked = checkMethod(method); !checked) {
    return failWith(checked);
  }
  WorkEstimate estimate;
  std::int64_t items = 0;
  for (const DatasetPtr& dataset : datasets) {
    items += dataset->size();
    const KeptDraws draws = keptDraws(method, model, dataset->size(), options, context);
    estimate.result_bytes += dataset->size() * runShape(method, model, draws.kept).bytesPerItem();
  }
  Timer timer(model, datasets.front(), options, context);
  const auto predicted = static_cast<double>(items);
  if (const auto* const dropout = std::get_if<McDropoutOptions>(&method)) {
    // A line through two numbers of draws: what comes before the first site is computed once.
    constexpr std::int64_t kSeveral = 4;
    McDropoutOptions one = *dropout;
    one.draws = 2;
    McDropoutOptions several = *dropout;
    several.draws = 2 + kSeveral;
    const auto seconds_of_one = timer.secondsPerItem(one);
    const auto seconds_of_several = seconds_of_one ? timer.secondsPerItem(several) : seconds_of_one;
    if (!seconds_of_several) {
      return failWith(seconds_of_several);
    }
    const double of_draw =
        std::max(0.0, *seconds_of_several - *seconds_of_one) / static_cast<double>(kSeveral);
    const double further = static_cast<double>(dropout->draws) - 2.0;
    estimate.seconds = predicted * std::max(0.0, *seconds_of_one + further * of_draw);
    return estimate;
  }
  const auto pass = timer.secondsPerItem(MapOptions{});
  if (!pass) {
    return failWith(pass);
  }
  Passes passes;
  if (const auto* const laplace = std::get_if<LaplaceOptions>(&method)) {
    const std::int64_t classes = model.audit().classes;
    passes = passesOf(*laplace, classes);
    estimate.seconds += secondsOfGaussians(*laplace, data, predicted, classes, context);
  }
  const bool calibrates = usedBy(method).calibration;
  const double fitted = std::holds_alternative<LaplaceOptions>(method)
                            ? static_cast<double>(sizeOf(data.fit)) * passes.fitted_item
                            : 0.0;
  const double calibrated =
      calibrates ? static_cast<double>(sizeOf(data.calibration)) * passes.predicted_item : 0.0;
  estimate.seconds += *pass * (fitted + calibrated + predicted * passes.predicted_item);
  return estimate;
}

std::string describe(const WorkEstimate& estimate) {
  std::string time;
  if (estimate.seconds < 1.0) {
    time = "less than 1 s";
  } else if (estimate.seconds < 120.0) {
    time = fmt::format("about {:.0f} s", estimate.seconds);
  } else if (estimate.seconds < 7200.0) {
    time = fmt::format("about {:.0f} min", estimate.seconds / 60.0);
  } else {
    time = fmt::format("about {:.0f} h", estimate.seconds / 3600.0);
  }
  constexpr std::array<const char*, 4> kUnits = {"kB", "MB", "GB", "TB"};
  double size = static_cast<double>(estimate.result_bytes) / 1000.0;
  std::size_t unit = 0;
  while (size >= 1000.0 && unit + 1 < kUnits.size()) {
    size /= 1000.0;
    ++unit;
  }
  return fmt::format("{}, {:.3g} {} of results", time, size, kUnits[unit]);
}

}  // namespace dubito
