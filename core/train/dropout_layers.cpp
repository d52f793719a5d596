// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/train/dropout_layers_torch.h"
#include "core/train/layers_torch.h"

namespace dubito {

using torch::jit::Module;

namespace {

constexpr const char* kIdentity = R"(
def forward(self, x: Tensor) -> Tensor:
    return x
)";
constexpr const char* kPlain = R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.{op}(x, self.p, self.training)
)";
// 1 - z and 1 - p are sigmoids of the negative arguments, precise for rates near 1. Uniform numbers
// are kept away from 0 and 1, whose logits are infinite.
constexpr const char* kConcrete = R"(
def forward(self, x: Tensor) -> Tensor:
    if self.training:
        u = torch.rand_like({decisions})
        kept = torch.sigmoid((self.logits + torch.logit(u, 1e-07)) / -{temperature})
        x = x * (kept / torch.sigmoid(-self.logits)){spread}
    return x
)";
constexpr const char* kUnits = R"(
def forward(self, x: Tensor) -> Tensor:
    if self.training:
        keep = 1. - self.drop_rates
        x = x * (torch.bernoulli(keep.expand({sizes})) / keep){spread}
    return x
)";
constexpr const char* kOverPixels = ".unsqueeze(-1).unsqueeze(-1)";

Module plainLayer(const std::string& name, double drop_rate, bool drops_channels) {
  Module layer = emptyModule(name);
  layer.register_attribute("p", c10::FloatType::get(), drop_rate);
  layer.define(fmt::format(kPlain, fmt::arg("op", drops_channels ? "feature_dropout" : "dropout")));
  return layer;
}

Module concreteLayer(const std::string& name, const DropoutPlace& place, std::int64_t rates,
                     double start) {
  const double bounded = std::clamp(start, kSmallestLearnedRate, kLargestLearnedRate);
  Module layer = emptyModule(name);
  layer.register_parameter(
      "logits", at::full({rates}, std::log(bounded / (1.0 - bounded))).requires_grad_(true), false);
  layer.define(fmt::format(
      kConcrete,
      fmt::arg("decisions", place.drops_channels ? "x.select(-1, 0).select(-1, 0)" : "x"),
      fmt::arg("temperature", kConcreteTemperature),
      fmt::arg("spread", place.drops_channels ? kOverPixels : "")));
  return layer;
}

Module unitLayer(const std::string& name, const DropoutPlace& place,
                 const std::vector<double>& rates) {
  Module layer = emptyModule(name);
  layer.register_buffer("drop_rates", at::tensor(rates, at::kDouble).to(at::kFloat));
  layer.define(fmt::format(
      kUnits, fmt::arg("sizes", place.drops_channels ? "[x.size(0), x.size(1)]" : "x.size()"),
      fmt::arg("spread", place.drops_channels ? kOverPixels : "")));
  return layer;
}

}  // namespace

Module DropoutDesign::layer(const DropoutPlace& place, const std::string& type_name) {
  places_.push_back(place);
  if (const auto learned = learned_.find(place.path); learned != learned_.end()) {
    const std::vector<double>& rates = learned->second;
    return rates.size() == 1 ? plainLayer(type_name, rates[0], place.drops_channels)
                             : unitLayer(type_name, place, rates);
  }
  switch (kind_) {
    case DropoutKind::kNone: {
      Module layer = emptyModule(type_name);
      layer.define(kIdentity);
      return layer;
    }
    case DropoutKind::kFixed:
      return plainLayer(type_name, drop_rate_, place.drops_channels);
    case DropoutKind::kConcrete:
      return concreteLayer(type_name, place, 1, drop_rate_);
    case DropoutKind::kMulti:
      return concreteLayer(type_name, place, place.units, drop_rate_);
  }
  return emptyModule(type_name);
}

}  // namespace dubito
