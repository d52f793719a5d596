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
#include "core/inference/run_shape.h"

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
  }

  /// Seconds an item: the difference of two sizes, so that what is done once does not count.
  [[nodiscard]] Expected<double> secondsPerItem(const MethodOptions& method) {
    constexpr double kEnough = 0.1;
    constexpr std::int64_t kMostItems = 256;
    const std::int64_t size = dataset_->size();
    for (std::int64_t items = 1;; items *= 4) {
      const std::int64_t many = std::min(3 * items, size);
      const auto few = secondsOf(method, std::min(items, size));
      const auto more = few ? secondsOf(method, many) : few;
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
    std::vector<std::int64_t> rows(static_cast<std::size_t>(std::min(items, dataset_->size())));
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    const DatasetView view(dataset_, rows, dataset_->info());
    const Stopwatch watch;
    const auto run = predict(model_, view, method, options_, context_);
    return run ? Expected<double>(watch.seconds()) : Expected<double>(failWith(run));
  }

  const Model& model_;
  DatasetPtr dataset_;
  PredictOptions options_;
  RunContext context_;
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

}  // namespace

Expected<WorkEstimate> estimateWork(const Model& model, const std::vector<DatasetPtr>& datasets,
                                    const MethodOptions& method, const MethodData& data,
                                    const PredictOptions& options, RunContext& context) {
  if (datasets.empty()) {
    throw std::invalid_argument("estimateWork: no dataset");
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
    passes = passesOf(*laplace, model.audit().classes);
  }
  const bool calibrates = usedBy(method).calibration;
  const double fitted = std::holds_alternative<LaplaceOptions>(method)
                            ? static_cast<double>(sizeOf(data.fit)) * passes.fitted_item
                            : 0.0;
  const double calibrated =
      calibrates ? static_cast<double>(sizeOf(data.calibration)) * passes.predicted_item : 0.0;
  estimate.seconds = *pass * (fitted + calibrated + predicted * passes.predicted_item);
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
