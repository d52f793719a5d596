// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/work_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "core/base/memory_budget.h"
#include "core/data/input_bytes.h"
#include "core/inference/batch_size_torch.h"
#include "core/inference/laplace_factors_torch.h"
#include "core/inference/network_batch_torch.h"
#include "core/inference/posterior_network_torch.h"
#include "core/inference/run_shape.h"
#include "core/inference/stochastic_network_torch.h"
#include "core/inference/work_timing_torch.h"
#include "core/laplace/laplace_memory.h"

namespace dubito {
namespace {

// What other work on the machine does to times.
constexpr double kBusy = 1.3;
// A range wider than that says nothing.
constexpr double kWidestRange = 8.0;
// Decompositions grow with the third power of a layer's size; of so many steps they take seconds.
constexpr double kMostSteps = 1e10;

/// A method that is ready to be timed without a fit: values that are fitted do not change how long
/// it takes to use them.
MethodOptions withAnyScaling(const MethodOptions& method) {
  MethodOptions other = method;
  if (auto* const temperature = std::get_if<TemperatureOptions>(&other)) {
    temperature->temperature = temperature->temperature.value_or(1.0);
  } else if (auto* const scaling = std::get_if<VectorScalingOptions>(&other)) {
    scaling->scaling = scaling->scaling.value_or(LogitScaling());
  }
  return other;
}

/// One call of estimateWork.
class Estimate {
 public:
  Estimate(const Model& model, const std::vector<DatasetPtr>& datasets, const MethodOptions& method,
           const MethodData& data, const PredictOptions& options, const RunContext& context)
      : model_(model),
        datasets_(datasets),
        method_(method),
        data_(data),
        options_(options),
        context_(context) {
    data_.rescue_path.clear();
    data_.evaluated = datasets;
  }

  Expected<WorkEstimate> run();

 private:
  [[nodiscard]] const LaplaceOptions* laplace() const {
    return std::get_if<LaplaceOptions>(&method_);
  }
  void addResults();
  Status addMemory(const NetworkOnDevice& network);
  /// What a pass takes that several draws share; 0 if none do.
  [[nodiscard]] std::int64_t sharedPassBytes(const NetworkOnDevice& network) const;
  Status addTime();
  /// A fit to a few items that is over in seconds.
  [[nodiscard]] bool canTryFit() const { return decomposition_steps_ <= kMostSteps; }

  const Model& model_;
  const std::vector<DatasetPtr>& datasets_;
  const MethodOptions& method_;
  MethodData data_;
  const PredictOptions& options_;
  const RunContext& context_;
  std::int64_t items_ = 0;
  std::int64_t batch_ = 1;
  double decomposition_steps_ = 0.0;
  WorkEstimate estimate_;
};

void Estimate::addResults() {
  for (const DatasetPtr& dataset : datasets_) {
    items_ += dataset->size();
    const KeptDraws draws = keptDraws(method_, model_, dataset->size(), options_, context_);
    estimate_.result_bytes +=
        dataset->size() * runShape(method_, model_, draws.kept).bytesPerItem();
  }
}

std::int64_t Estimate::sharedPassBytes(const NetworkOnDevice& network) const {
  const auto* const dropout = std::get_if<McDropoutOptions>(&method_);
  if (dropout == nullptr || !mayShareAPass(model_.audit())) {
    return 0;
  }
  const auto plan = planDropout(model_, *dropout);
  const auto first = firstReadable(*datasets_.front(), context_);
  if (!plan || !first || *first == datasets_.front()->size()) {
    return 0;
  }
  const std::array<std::int64_t, 1> indices{*first};
  const auto batch =
      loadBatch(*datasets_.front(), indices, model_.metadata().preprocessing, context_);
  if (!batch || batch->indices.empty()) {
    return 0;
  }
  try {
    const NetworkOnDevice measured = withOwnState(model_, network);
    StochasticNetwork drawn(measured, *plan, context_.seed, /*rows_may_mix=*/true);
    drawn.limitPass(bytesOfSharedPass(context_));
    drawn.setBatch(networkInput(*batch, model_), {0});
    drawn.verify();
    return drawn.bytesOfPass(std::min(drawn.drawsPerPass(), batch_ * dropout->draws));
  } catch (const std::exception&) {
    return 0;  // left for the prediction to report
  }
}

Status Estimate::addMemory(const NetworkOnDevice& network) {
  const Dataset& first = *datasets_.front();
  const auto bytes = itemBytes(model_, first, network, method_, context_);
  if (!bytes) {
    return failWith(bytes);
  }
  const auto size = batchThatFits(model_, *bytes, std::min(options_.batch, first.size()), context_);
  if (!size) {
    return failWith(size);
  }
  batch_ = size->items;
  double working = static_cast<double>(batch_ * bytes->inBatch());
  working += static_cast<double>(sharedPassBytes(network));
  if (const LaplaceOptions* const options = laplace()) {
    const auto layers = posteriorLayers(model_, network, *options);
    if (!layers) {
      return failWith(layers);
    }
    const LaplaceStructure structure = laplaceStructure(options->structure);
    double fitting = 0.0;
    for (const LayerSize& layer : *layers) {
      fitting += laplaceBytes(structure, layer);
      decomposition_steps_ += decompositionSteps(structure, layer);
    }
    double predicting = posteriorShare() * fitting;
    if (options->ofAllLayers() && !options->drawsWeights()) {
      const auto linearised = linearisedItemBytes(model_, network, first, context_);
      if (!linearised) {
        return failWith(linearised);
      }
      if (Status enough = checkLinearisedMemory(*linearised, 1, model_.audit().classes,
                                                context_.memory_budget_bytes);
          !enough) {
        return enough;
      }
      predicting += static_cast<double>(*linearised);
    }
    working = std::max(fitting + working, predicting + working);
  }
  estimate_.peak_bytes =
      residentMemory() + estimate_.result_bytes + static_cast<std::int64_t>(working);
  return {};
}

Status Estimate::addTime() {
  SecondsRange total;
  MethodOptions ready = withAnyScaling(method_);
  const MethodNeeds used = usedBy(method_);
  if (laplace() != nullptr || used.calibration) {
    if (!canTryFit()) {
      estimate_.knows_time = false;
      return {};
    }
    MethodData data = data_;
    // Without data to fit on yet, a few items of what is predicted show how long predicting takes.
    const bool has_data = data.fit || data.calibration || data.calibration_run.run ||
                          !data.posterior_path.empty() || laplace() == nullptr;
    if (!has_data) {
      const auto some = firstItems(datasets_.front(), 8, context_);
      if (!some) {
        return failWith(some);
      }
      data.fit = *some;
      data.evaluated.clear();
    }
    const bool is_scaling_without_data =
        laplace() == nullptr && !data.calibration && !data.calibration_run.run;
    if (!is_scaling_without_data) {
      MethodOptions fitted = method_;
      if (auto* const stand_in = std::get_if<LaplaceOptions>(&fitted);
          stand_in != nullptr && !has_data) {
        // A prior is chosen on labels, which what is predicted need not have.
        stand_in->tau = 1.0;
      }
      auto fit = timeFit(model_, fitted, data, options_, context_);
      if (!fit) {
        return failWith(fit);
      }
      total = has_data ? fit->seconds : SecondsRange();
      ready = std::move(fit->method);
    }
  }
  const auto predicted =
      timePrediction(model_, datasets_.front(), ready, items_, batch_, options_, context_);
  if (!predicted) {
    return failWith(predicted);
  }
  total = total + *predicted;
  estimate_.seconds = total.mean;
  estimate_.seconds_low = std::min(total.low, total.mean) / kBusy;
  estimate_.seconds_high = std::max(total.high, total.mean) * kBusy;
  if (estimate_.seconds_high > std::max(2.0, kWidestRange * estimate_.seconds_low)) {
    estimate_.knows_time = false;
    estimate_.seconds = estimate_.seconds_low = estimate_.seconds_high = 0.0;
  }
  return {};
}

Expected<WorkEstimate> Estimate::run() {
  addResults();
  const auto network = placeNetwork(model_, context_.device);
  if (!network) {
    return failWith(network);
  }
  if (Status added = addMemory(*network); !added) {
    return failWith(added);
  }
  if (context_.cancelRequested()) {
    return cancelled();
  }
  if (Status added = addTime(); !added) {
    return failWith(added);
  }
  return estimate_;
}

/// "8 to 20 s"
std::string rangeText(double low, double high) {
  if (high < 1.0) {
    return "less than 1 s";
  }
  double unit = 1.0;
  const char* name = "s";
  if (high >= 7200.0) {
    unit = 3600.0;
    name = "h";
  } else if (high >= 120.0) {
    unit = 60.0;
    name = "min";
  }
  const auto number = [unit](double seconds) {
    const double value = seconds / unit;
    return value >= 9.5 ? fmt::format("{:.0f}", value) : fmt::format("{:.1g}", value);
  };
  return number(low) == number(high) ? fmt::format("about {} {}", number(high), name)
                                     : fmt::format("{} to {} {}", number(low), number(high), name);
}

}  // namespace

Expected<WorkEstimate> estimateWork(const Model& model, const std::vector<DatasetPtr>& datasets,
                                    const MethodOptions& method, const MethodData& data,
                                    const PredictOptions& options, RunContext& context) {
  if (datasets.empty()) {
    throw std::invalid_argument("estimateWork: no dataset");
  }
  if (Status checked = checkMethod(method); !checked) {
    return failWith(checked);
  }
  return Estimate(model, datasets, method, data, options, context).run();
}

void addSeconds(WorkEstimate& estimate, double seconds) {
  if (estimate.knows_time) {
    estimate.seconds += seconds;
    estimate.seconds_low += seconds;
    estimate.seconds_high += seconds;
  }
}

std::string describe(const WorkEstimate& estimate) {
  return fmt::format("{}, up to {} of memory, {} of results",
                     estimate.knows_time ? rangeText(estimate.seconds_low, estimate.seconds_high)
                                         : "cannot tell yet how long",
                     bytesText(static_cast<double>(estimate.peak_bytes)),
                     bytesText(static_cast<double>(estimate.result_bytes)));
}

}  // namespace dubito
