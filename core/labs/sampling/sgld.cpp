// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/sgld.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/all_finite.h"
#include "core/base/nan.h"

namespace dubito {
namespace {

class ExactGradient : public GradientSource {
 public:
  explicit ExactGradient(std::shared_ptr<const LogDensity> density)
      : density_(std::move(density)) {}

  void estimate(std::span<const double> q, std::int64_t /*t*/,
                std::span<double> gradient) override {
    density_->evaluate(q, gradient);
  }

 private:
  std::shared_ptr<const LogDensity> density_;
};

class BatchGradient : public GradientSource {
 public:
  BatchGradient(std::shared_ptr<const DataPosterior> posterior, std::int64_t batch,
                std::uint64_t seed, std::uint64_t chain)
      : posterior_(std::move(posterior)),
        batch_(std::min(batch, posterior_->likelihood().items())),
        orders_(seed, LabSite::kShuffle, chain),
        order_(static_cast<std::size_t>(posterior_->likelihood().items())) {}

  void estimate(std::span<const double> q, std::int64_t t, std::span<double> gradient) override {
    const std::int64_t batches = static_cast<std::int64_t>(order_.size()) / batch_;
    if (const std::int64_t pass = t / batches; pass != pass_) {
      pass_ = pass;
      orders_.permutation(static_cast<std::uint32_t>(pass), order_);
    }
    const auto items = std::span<const std::int64_t>(order_).subspan(
        static_cast<std::size_t>(t % batches * batch_), static_cast<std::size_t>(batch_));
    posterior_->gradientOfBatch(q, items, gradient);
  }

 private:
  std::shared_ptr<const DataPosterior> posterior_;
  std::int64_t batch_;
  KeyedRandom orders_;
  std::vector<std::int64_t> order_;
  std::int64_t pass_ = -1;
};

}  // namespace

double SgldOptions::stepSizeAt(std::int64_t t) const {
  return step_size * std::pow(1.0 + static_cast<double>(t) / delay, -decay);
}

std::vector<Field> SgldOptions::fields() {
  return {
      field(&step_size, "step_size", "Step size",
            "first step size, the variance of the noise of a step", {.min = 1e-12, .max = 1e3}),
      field(&decay, "decay", "Decay", "exponent of the decay of the step size; 0: constant",
            {.min = 0.0, .max = 1.0}),
      field(&delay, "delay", "Decay delay", "transitions over which the decay sets in",
            {.min = 1.0,
             .max = 1e9,
             .unmet_requirement = allUnless(decay > 0.0, {setting("decay", "above 0")}),
             .advanced = true}),
      field(&batch, "batch", "Batch", "items per gradient", {.min = 1, .max = 1e6}),
      field(&warm_up, "warm_up", "Warm-up", "transitions per chain that are not used as draws",
            {.min = 0, .max = 1e7}),
  };
}

void sgldStep(std::span<double> q, std::span<const double> gradient, std::span<const double> noise,
              double step, std::span<const double> scale) {
  const double noise_std = std::sqrt(step);
  for (std::size_t d = 0; d < q.size(); ++d) {
    const double width = scale.empty() ? 1.0 : scale[d];
    q[d] += 0.5 * step * width * width * gradient[d] + noise_std * width * noise[d];
  }
}

std::unique_ptr<GradientSource> exactGradient(std::shared_ptr<const LogDensity> density) {
  return std::make_unique<ExactGradient>(std::move(density));
}

std::unique_ptr<GradientSource> batchGradient(std::shared_ptr<const DataPosterior> posterior,
                                              std::int64_t batch, std::uint64_t seed,
                                              std::uint64_t chain) {
  return std::make_unique<BatchGradient>(std::move(posterior), batch, seed, chain);
}

SgldChain::SgldChain(std::unique_ptr<GradientSource> gradient, const SgldOptions& options,
                     std::vector<double> start, std::uint64_t seed, std::uint64_t chain,
                     std::vector<double> scale)
    : source_(std::move(gradient)),
      options_(options),
      noise_(seed, LabSite::kProposal, chain),
      scale_(std::move(scale)),
      position_(std::move(start)),
      gradient_(position_.size()),
      noise_values_(position_.size()) {}

double SgldChain::logDensity() const {
  return kNaN;
}

Transition SgldChain::advance(TransitionPath* path) {
  source_->estimate(position_, done_, gradient_);
  noise_.normals(static_cast<std::uint32_t>(done_), noise_values_);
  next_ = position_;
  sgldStep(next_, gradient_, noise_values_, stepSize(), scale_);

  Transition result;
  result.warm_up = done_ < options_.warm_up;
  result.divergent = !allFinite(next_);
  result.accepted = !result.divergent;
  result.acceptance = result.accepted ? 1.0 : 0.0;
  result.energy = kNaN;
  if (path != nullptr) {
    *path = TransitionPath::ofStep(position_, next_, result.accepted);
  }
  if (result.accepted) {
    position_.swap(next_);
  }
  ++done_;
  return result;
}

}  // namespace dubito
