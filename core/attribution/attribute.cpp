// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attribution/attribute.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <stdexcept>

#include "core/attribution/attribution_methods.h"
#include "core/attribution/attribution_task_torch.h"
#include "core/data/device/device_batches_torch.h"
#include "core/data/images/load_item.h"
#include "core/network/network_batch_torch.h"

namespace dubito {
namespace {

// From here on, the map of a complete method is not to be trusted without more steps.
constexpr double kLargeGap = 0.05;

/// The item as the network takes it, [1, C, H, W].
Expected<Batch> imageOf(const Model& model, const Dataset& dataset, std::int64_t index,
                        const RunContext& context) {
  auto batch = loadItem(dataset, index, model.metadata().preprocessing, context);
  if (!batch) {
    return failWith(batch);
  }
  if (batch->inputs.rank() != 4) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}, item {}: it is a vector, which has no pixels to attribute to",
                            dataset.info().name, dataset.itemName(index)));
  }
  return batch;
}

Status checkTarget(const Model& model, const MethodOptions& method,
                   const AttributionTarget& target) {
  const std::int64_t classes = model.audit().classes;
  if (target.class_number < 0 || target.class_number >= classes) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: class {} does not exist; its classes are 0 to {}", model.path(),
                            target.class_number, classes - 1),
                {setting("class")});
  }
  if (target.spread && target.mutual_information) {
    return fail(ErrorCode::kInvalidArgument,
                "the spread and the mutual information of the draws exclude each other; choose one",
                {setting("spread"), setting("mutual_information")});
  }
  if (!target.draw) {
    return {};
  }
  if (target.isOfAllDraws()) {
    const bool is_spread = target.spread;
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the {} of all draws and a single draw exclude each other; choose one",
                            is_spread ? "spread" : "mutual information"),
                {setting("draw"), setting(is_spread ? "spread" : "mutual_information")});
  }
  if (dropoutOf(method) == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the method {} has no draws by dropout", methodName(method)),
                {setting("draw")});
  }
  if (*target.draw < 0 || *target.draw >= drawsOf(method)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("draw {} does not exist; there are {} draws, from 0", *target.draw,
                            drawsOf(method)),
                {setting("draw")});
  }
  return {};
}

Expected<TargetDraws> drawsFor(const Model& model, const MethodOptions& method,
                               const AttributionTarget& target) {
  const McDropoutOptions* const dropout = dropoutOf(method);
  if (dropout == nullptr || (!target.draw && !target.isOfAllDraws())) {
    return TargetDraws();
  }
  if (Status checked = checkMethod(method); !checked) {
    return failWith(checked);
  }
  auto plan = planDropout(model, *dropout);
  if (!plan) {
    return failWith(plan);
  }
  return TargetDraws{.plan = *std::move(plan),
                     .first = target.draw.value_or(0),
                     .count = target.isOfAllDraws() ? drawsOf(method) : 1};
}

/// Copies the sums over channels, and their total.
void setMap(const Array<double>& values, Attribution& result) {
  const std::int64_t height = values.extent(1);
  const std::int64_t width = values.extent(2);
  std::vector<double> sums(static_cast<std::size_t>(height * width), 0.0);
  for (std::int64_t c = 0; c < values.extent(0); ++c) {
    const auto channel = values.row(c);
    std::ranges::transform(sums, channel, sums.begin(), std::plus<>());
  }
  result.map = Array<float>::zeros({height, width});
  std::ranges::transform(sums, result.map.mutableValues().begin(),
                         [](double sum) { return static_cast<float>(sum); });
  for (const double pixel : sums) {
    result.sum += pixel;
  }
}

bool isZero(const Array<double>& values) {
  return std::ranges::all_of(values.values(), [](double value) { return value == 0.0; });
}

const AttributionMethod& methodWithoutGradients() {
  const auto& methods = allAttributionMethods();
  return *std::ranges::find(methods, false, &AttributionMethod::needs_gradients);
}

/// Applies `method`, or one that needs no gradients if the network has none.
Expected<Array<double>> applied(const AttributionMethod& method, const AttributionTask& task,
                                Attribution& result) {
  result.method = method.key;
  auto values = method.apply(task);
  if (!method.needs_gradients) {
    return values;
  }
  std::string reason;
  if (!values) {
    if (values.error().code != ErrorCode::kUnsupported) {
      return values;
    }
    reason = values.error().message;
  } else if (isZero(*values) && result.difference != 0.0) {
    const std::string op = task.function.operatorWithoutGradient();
    reason = op.empty() ? "its gradient is 0 although its output changes"
                        : fmt::format("its gradient is 0, stopped by {}", op);
  } else {
    return values;
  }
  const AttributionMethod& other = methodWithoutGradients();
  result.method = other.key;
  result.notes.push_back(fmt::format(
      "Computed by {}, because the network cannot be differentiated: {}", other.label, reason));
  return other.apply(task);
}

void addFindings(const Model& model, const AttributionMethod& method, Attribution& result) {
  if (method.is_complete && result.difference != 0.0) {
    result.completeness_gap =
        std::abs(result.sum - result.difference) / std::abs(result.difference);
    if (*result.completeness_gap > kLargeGap) {
      result.notes.push_back(
          fmt::format("The map sums to {:.4g}, but the outputs differ by {:.4g}: use more steps",
                      result.sum, result.difference));
    }
  }
  if (!model.audit().unrepeatable.empty()) {
    result.notes.push_back(
        fmt::format("The map differs each time it is computed: {}", model.audit().unrepeatable));
  }
}

}  // namespace

Expected<Attribution> attribute(const Model& model, const Dataset& dataset, std::int64_t index,
                                const MethodOptions& method, const AttributionTarget& target,
                                const AttributionOptions& options, RunContext& context) {
  if (index < 0 || index >= dataset.size()) {
    throw std::out_of_range("attribute: no such item");
  }
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  if (Status checked = checkTarget(model, method, target); !checked) {
    return failWith(checked);
  }
  const auto batch = imageOf(model, dataset, index, context);
  if (!batch) {
    return failWith(batch);
  }
  const auto draws = drawsFor(model, method, target);
  if (!draws) {
    return failWith(draws);
  }
  const at::Tensor image = tensorOf(*batch);
  const bool flat = networkInput(*batch, model).dim() != image.dim();
  Attribution result;
  if (target.isOfAllDraws() && !draws->plan) {
    result.map = Array<float>::zeros({image.size(2), image.size(3)});
    result.method = options.method;
    result.notes.push_back(fmt::format("Without draws by dropout, there is no {} to explain",
                                       target.spread ? "spread" : "disagreement"));
    return result;
  }
  const auto function = TargetFunction::of(model, dataset, index, target, *draws, flat, context);
  if (!function) {
    return failWith(function);
  }
  const at::Tensor baseline = options.baseline == "zero"
                                  ? at::zeros_like(image)
                                  : image.mean({2, 3}, true).expand_as(image).contiguous();
  (*function)->expect(2, 0);
  const auto values = (*function)->values(at::cat({image, baseline}));
  if (!values) {
    return failWith(values);
  }
  result.value = values->at(0);
  result.difference = values->at(0) - values->at(1);
  const AttributionTask task{**function, image, baseline, result.value, options};
  const auto map = applied(*findAttributionMethod(options.method), task, result);
  if (!map) {
    return failWith(map);
  }
  setMap(*map, result);
  addFindings(model, *findAttributionMethod(result.method), result);
  std::ranges::copy((*function)->notes(), std::back_inserter(result.notes));
  return result;
}

}  // namespace dubito
