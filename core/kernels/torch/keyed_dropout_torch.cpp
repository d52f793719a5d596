// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/torch/keyed_dropout_torch.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/kernels/cuda_library.h"
#include "core/kernels/keyed_dropout.h"
#include "core/kernels/philox.h"
#include "core/kernels/torch/keyed_dropout_cuda_torch.h"
#include "core/kernels/torch/mask_hash_torch.h"

namespace dubito {
namespace {

// Below this, a second thread costs more than it gains.
constexpr std::int64_t kMinElementsPerTask = 16384;
constexpr std::int64_t kMaxExecutions = std::int64_t{1} << 31;
// The limit of SELU for very negative inputs.
constexpr double kSeluLimit = -1.7580993408473766;

/// Decides which elements are kept, and what they are multiplied by.
struct Rates {
  double common = 0.0;
  at::Tensor of_units = {};  ///< [units]; undefined: all have the common rate
};

/// What is computed with the masks.
enum class Pass {
  kDropout,
  kGradient,  ///< the derivative of dropout times `x`: offsets are not added, nothing is recorded
};

void checkRates(const at::Tensor& x, const Rates& rates, const KeyedDropoutForm& form) {
  const at::Tensor& of_units = rates.of_units;
  if (!of_units.defined()) {
    TORCH_CHECK(rates.common >= 0.0 && rates.common <= kMaxDropRate,
                "keyed dropout: the drop rate must be in [0, 1), not ", rates.common);
    return;
  }
  const std::int64_t units = x.size(form.feature ? 1 : x.dim() - 1);
  TORCH_CHECK(of_units.dim() == 1 && of_units.size(0) == units, "keyed dropout: there are ",
              of_units.sizes(), " drop rates for ", units, " units");
  TORCH_CHECK(at::isFloatingType(of_units.scalar_type()) && of_units.device() == x.device(),
              "keyed dropout: drop rates must be a real tensor on the device of the input");
  TORCH_CHECK(!form.alpha, "keyed dropout: alpha dropout has one rate for all units");
  // On a GPU, looking would wait for all work before.
  TORCH_CHECK(of_units.is_cuda() || of_units.numel() == 0 ||
                  (of_units.min().item<double>() >= 0.0 && of_units.max().item<double>() < 1.0),
              "keyed dropout: drop rates must be in [0, 1)");
}

void checkArguments(const at::Tensor& x, const at::Tensor& items, const at::Tensor& draws,
                    std::int64_t site, const KeyedDropoutForm& form) {
  TORCH_CHECK(site >= 0, "keyed dropout: negative site ", site);
  TORCH_CHECK(form.execution >= 0 && form.execution < kMaxExecutions,
              "keyed dropout: a site runs more than 2^31 times in one pass");
  TORCH_CHECK(at::isFloatingType(x.scalar_type()),
              "keyed dropout: the input must be a real tensor, not ", x.scalar_type());
  TORCH_CHECK(x.dim() >= (form.feature ? 2 : 1), "keyed dropout: the input has only ", x.dim(),
              " axes");
  TORCH_CHECK(items.dim() == 1 && items.scalar_type() == at::kLong && items.is_contiguous(),
              "keyed dropout: items must be an int64 vector");
  TORCH_CHECK(
      draws.sizes() == items.sizes() && draws.scalar_type() == at::kLong && draws.is_contiguous(),
      "keyed dropout: draws must be an int64 vector with one element per item");
  const std::int64_t rows = x.size(0);
  TORCH_CHECK(items.numel() > 0 ? rows % items.numel() == 0 : rows == 0, "keyed dropout: ", rows,
              " rows cannot be divided among ", items.numel(), " items");
}

KeyedDropoutBatch geometryOf(const at::Tensor& x, const Rates& rates, std::int64_t seed,
                             const at::Tensor& items, std::int64_t site,
                             const KeyedDropoutForm& form, Pass pass) {
  const double drop_rate = rates.common;
  KeyedDropoutBatch batch;
  batch.items = items.numel();
  const std::int64_t elements = x.numel() / batch.items;
  const std::int64_t rows_per_item = x.size(0) / batch.items;
  batch.decisions = form.feature ? rows_per_item * x.size(1) : elements;
  batch.group_size = elements / batch.decisions;
  TORCH_CHECK(batch.decisions <= (std::int64_t{1} << 34),
              "keyed dropout: an item has more than 2^34 decisions");
  const auto key = siteKey(static_cast<std::uint64_t>(seed), site, form.execution);
  batch.key_low = key[0];
  batch.key_high = key[1];
  if (rates.of_units.defined()) {
    batch.units = rates.of_units.size(0);
    return batch;
  }
  batch.threshold = static_cast<std::uint32_t>(std::ceil(std::ldexp(drop_rate, 32)));
  batch.scale = static_cast<float>(1.0 / (1.0 - drop_rate));
  if (form.alpha) {
    const double keep = 1.0 - drop_rate;
    const double scale = 1.0 / std::sqrt(keep * (1.0 + drop_rate * kSeluLimit * kSeluLimit));
    batch.scale = static_cast<float>(scale);
    if (pass == Pass::kGradient) {
      return batch;
    }
    batch.kept_offset = static_cast<float>(-scale * drop_rate * kSeluLimit);
    batch.dropped_offset = static_cast<float>(scale * kSeluLimit * keep);
    if (drop_rate == 0.0) {
      batch.dropped_offset = 0.0F;  // nothing is dropped
    }
  }
  return batch;
}

/// KeyedDropoutBatch::thresholds, as the bits of int32, and scales; undefined without rates of
/// units.
struct UnitTensors {
  explicit UnitTensors(const at::Tensor& rates) {
    if (rates.defined()) {
      const at::Tensor wide = rates.to(at::kDouble);
      thresholds = (wide * 0x1p32).ceil().to(at::kLong).to(at::kInt).contiguous();
      scales = (1.0 - wide).reciprocal().to(at::kFloat).contiguous();
    }
  }
  at::Tensor thresholds;
  at::Tensor scales;
};

void runOnCpu(KeyedDropoutBatch batch, const at::Tensor& x, const at::Tensor& y,
              const at::Tensor& items, const at::Tensor& draws, const at::Tensor& hashes,
              const UnitTensors& units) {
  batch.x = x.const_data_ptr<float>();
  batch.y = y.mutable_data_ptr<float>();
  batch.item_ids = items.const_data_ptr<std::int64_t>();
  batch.draws = draws.const_data_ptr<std::int64_t>();
  if (hashes.defined()) {
    batch.mask_hashes = reinterpret_cast<std::uint64_t*>(hashes.mutable_data_ptr<std::int64_t>());
  }
  if (batch.units > 0) {
    batch.thresholds =
        reinterpret_cast<const std::uint32_t*>(units.thresholds.const_data_ptr<std::int32_t>());
    batch.scales = units.scales.const_data_ptr<float>();
  }
  constexpr std::int64_t kMaxDraw = std::numeric_limits<std::uint32_t>::max();
  TORCH_CHECK(std::all_of(batch.draws, batch.draws + batch.items,
                          [](std::int64_t draw) { return draw >= 0 && draw <= kMaxDraw; }),
              "keyed dropout: draws must be in [0, 2^32)");
  const std::int64_t elements = batch.decisions * batch.group_size;
  at::parallel_for(
      0, batch.items, std::max<std::int64_t>(1, kMinElementsPerTask / elements),
      [&batch](std::int64_t begin, std::int64_t end) { keyedDropoutCpu(batch, begin, end); });
}

at::Tensor drop(const at::Tensor& x, const Rates& rates, std::int64_t seed, const at::Tensor& items,
                const at::Tensor& draws, std::int64_t site, const KeyedDropoutForm& form,
                Pass pass) {
  if (form.item_axis == 1) {
    TORCH_CHECK(x.dim() >= 2, "keyed dropout: the input has no axis 1");
    KeyedDropoutForm item_first = form;
    item_first.item_axis = 0;
    return drop(x.transpose(0, 1), rates, seed, items, draws, site, item_first, pass)
        .transpose(0, 1);
  }
  checkArguments(x, items, draws, site, form);
  checkRates(x, rates, form);
  TORCH_CHECK(x.is_cpu() || x.is_cuda(), "keyed dropout: no kernel for the device ", x.device());
  if (x.numel() == 0) {
    return x.clone();
  }
  const at::Tensor input = x.to(at::kFloat).contiguous();
  const at::Tensor output = at::empty_like(input);
  const at::Tensor device_items = items.to(x.device());
  const at::Tensor device_draws = draws.to(x.device());
  at::Tensor hashes;
  if (pass == Pass::kDropout && isRecordingMaskHashes()) {
    hashes = at::zeros({items.numel()}, device_items.options());
  }
  const KeyedDropoutBatch geometry = geometryOf(x, rates, seed, items, site, form, pass);
  const UnitTensors units(rates.of_units);
  if (x.is_cpu()) {
    runOnCpu(geometry, input, output, device_items, device_draws, hashes, units);
  } else {
    const auto run_on_cuda = reinterpret_cast<KeyedDropoutCudaFunction>(keyedDropoutCudaAddress());
    TORCH_CHECK(run_on_cuda != nullptr, loadCudaLibrary().error().message);
    run_on_cuda(geometry, input, output, device_items, device_draws, hashes, units.thresholds,
                units.scales);
  }
  if (hashes.defined()) {
    recordMaskHashes(site, form.execution, items, draws, hashes);
  }
  return output.to(x.scalar_type());
}

/// Dropout that can be differentiated: its gradient passes through the same masks, which are drawn
/// again. Items are on axis 0.
class DifferentiableDropout : public torch::autograd::Function<DifferentiableDropout> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            double drop_rate, const std::optional<at::Tensor>& rates_of_units,
                            std::int64_t seed, const at::Tensor& items, const at::Tensor& draws,
                            std::int64_t site, const KeyedDropoutForm& form) {
    const at::Tensor of_units = rates_of_units.value_or(at::Tensor());
    context->save_for_backward({of_units, items, draws});
    context->saved_data["drop_rate"] = drop_rate;
    context->saved_data["seed"] = seed;
    context->saved_data["site"] = site;
    context->saved_data["feature"] = form.feature;
    context->saved_data["alpha"] = form.alpha;
    context->saved_data["execution"] = form.execution;
    return drop(x, {drop_rate, of_units}, seed, items, draws, site, form, Pass::kDropout);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    auto& data = context->saved_data;
    const torch::autograd::variable_list saved = context->get_saved_variables();
    const KeyedDropoutForm form{.feature = data["feature"].toBool(),
                                .alpha = data["alpha"].toBool(),
                                .execution = data["execution"].toInt()};
    const at::Tensor gradient =
        drop(gradients.at(0), {data["drop_rate"].toDouble(), saved.at(0)}, data["seed"].toInt(),
             saved.at(1), saved.at(2), data["site"].toInt(), form, Pass::kGradient);
    // One per argument of forward.
    return {gradient, {}, {}, {}, {}, {}, {}, {}};
  }
};

at::Tensor dropped(const at::Tensor& x, const Rates& rates, std::int64_t seed,
                   const at::Tensor& items, const at::Tensor& draws, std::int64_t site,
                   const KeyedDropoutForm& form) {
  if (!at::GradMode::is_enabled() || !x.requires_grad()) {
    return drop(x, rates, seed, items, draws, site, form, Pass::kDropout);
  }
  if (form.item_axis == 1) {
    // Not inside the function below: what follows could not write into a view that it returns.
    TORCH_CHECK(x.dim() >= 2, "keyed dropout: the input has no axis 1");
    KeyedDropoutForm item_first = form;
    item_first.item_axis = 0;
    return dropped(x.transpose(0, 1), rates, seed, items, draws, site, item_first).transpose(0, 1);
  }
  const std::optional<at::Tensor> of_units =
      rates.of_units.defined() ? std::optional(rates.of_units.detach()) : std::nullopt;
  return DifferentiableDropout::apply(x, rates.common, of_units, seed, items, draws, site, form);
}

}  // namespace

at::Tensor keyedDropout(const at::Tensor& x, double drop_rate, std::int64_t seed,
                        const at::Tensor& items, const at::Tensor& draws, std::int64_t site,
                        const KeyedDropoutForm& form) {
  return dropped(x, {.common = drop_rate}, seed, items, draws, site, form);
}

at::Tensor keyedUnitDropout(const at::Tensor& x, const at::Tensor& drop_rates, std::int64_t seed,
                            const at::Tensor& items, const at::Tensor& draws, std::int64_t site,
                            const KeyedDropoutForm& form) {
  return dropped(x, {.of_units = drop_rates}, seed, items, draws, site, form);
}

}  // namespace dubito
