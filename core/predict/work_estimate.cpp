// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/work_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include "core/base/memory_budget.h"
#include "core/methods/batch_predictor_torch.h"
#include "core/methods/kept_draws.h"
#include "core/network/batch_size_torch.h"
#include "core/predict/work_timing_torch.h"

namespace dubito {
namespace {

// Effect of other load on measured times.
constexpr double kBusy = 1.3;
// Wider ranges carry no information.
constexpr double kWidestRange = 8.0;
// Decompositions grow with the cube of a layer's size; this many steps take seconds.
constexpr double kMaxSteps = 1e10;

std::int64_t weightBytes(const NetworkOnDevice& network) {
  std::int64_t bytes = 0;
  for (const at::Tensor& weight : network.module.parameters()) {
    bytes += static_cast<std::int64_t>(weight.nbytes());
  }
  for (const at::Tensor& buffer : network.module.buffers()) {
    bytes += static_cast<std::int64_t>(buffer.nbytes());
  }
  return bytes;
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
  void addResults();
  Status addMemory(const NetworkOnDevice& network);
  Status addTime();
  /// A trial fit on a few items that finishes within seconds.
  [[nodiscard]] bool canTryFit() const { return decomposition_steps_ <= kMaxSteps; }

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

Status Estimate::addMemory(const NetworkOnDevice& network) {
  const Dataset& first = *datasets_.front();
  const auto bytes = itemBytes(model_, first, network, method_, context_);
  if (!bytes) {
    return failWith(bytes);
  }
  const auto size = largestFittingBatch(model_, *bytes, std::min(options_.batch, first.size()),
                                        context_, dropoutOf(method_) != nullptr);
  if (!size) {
    return failWith(size);
  }
  batch_ = size->items;
  const PredictorInputs inputs{model_, first, network, maxSharedPassBytes(context_), context_};
  const auto work = std::visit(
      [&]<class M>(const M& chosen) { return MethodTraits<M>::work(chosen, inputs, batch_); },
      method_);
  if (!work) {
    return failWith(work);
  }
  decomposition_steps_ = work->decomposition_steps;
  const double working = static_cast<double>(batch_ * bytes->inBatch()) +
                         std::max(work->fit_bytes, work->predict_bytes);
  estimate_.peak_bytes =
      residentMemory() + estimate_.result_bytes + static_cast<std::int64_t>(working);
  if (context_.device.isCuda()) {
    // Several draws may share a pass.
    const std::int64_t more = std::max<std::int64_t>(
        0, static_cast<std::int64_t>(work->predict_bytes) - batch_ * bytes->pass_on_device);
    estimate_.peak_device_bytes = weightBytes(network) + batch_ * bytes->inBatchOnDevice() + more;
  }
  return {};
}

Status Estimate::addTime() {
  SecondsRange total;
  MethodOptions ready = standInFor(method_);
  const MethodNeeds used = inputsUsedBy(method_);
  if (used.fit || used.calibration) {
    if (!canTryFit()) {
      estimate_.knows_time = false;
      return {};
    }
    MethodData data = data_;
    // Without data to fit on, a few items to be predicted show how long predicting takes.
    const bool has_data = data.fit || data.calibration || data.calibration_run.run ||
                          !data.posterior_path.empty() || !used.fit;
    if (!has_data) {
      const auto some = firstItems(datasets_.front(), 8, context_);
      if (!some) {
        return failWith(some);
      }
      data.fit = *some;
      data.evaluated.clear();
    }
    // Without training items, a fit uses calibration data.
    const bool can_fit = used.fit || data.calibration || data.calibration_run.run;
    if (can_fit) {
      // Items to be predicted may lack the labels that some fits need.
      auto fit = timeFit(model_, has_data ? method_ : ready, data, options_, context_);
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
  const std::string on_device =
      estimate.peak_device_bytes > 0
          ? fmt::format(", {} on the GPU",
                        bytesText(static_cast<double>(estimate.peak_device_bytes)))
          : std::string();
  return fmt::format(
      "{}, up to {} of memory{}, {} of results",
      estimate.knows_time ? rangeText(estimate.seconds_low, estimate.seconds_high) : "unknown time",
      bytesText(static_cast<double>(estimate.peak_bytes)), on_device,
      bytesText(static_cast<double>(estimate.result_bytes)));
}

}  // namespace dubito
