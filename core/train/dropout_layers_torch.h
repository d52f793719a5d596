// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/train/dropout_kind.h"

namespace dubito {

/// Where a network drops the inputs of a layer.
struct DropoutPlace {
  std::string path;             ///< of the dropout module: "dropout1", "block3.dropout"
  std::string weight;           ///< of the layer that follows: "fc1.weight" [outputs, units, ...]
  std::int64_t units = 0;       ///< inputs of that layer: units, or channels
  bool drops_channels = false;  ///< of images [N, units, H, W], each as a whole
};

/// Rates by DropoutPlace::path: one number for all units, or one per unit.
using DropRates = std::map<std::string, std::vector<double>>;

/// The dropout layers of a network that is being built: it asks for one per place, and the places
/// are remembered.
class DropoutDesign {
 public:
  /// Layers to be trained; `drop_rate` is that of fixed dropout, and where learned rates begin.
  DropoutDesign(DropoutKind kind, double drop_rate) : kind_(kind), drop_rate_(drop_rate) {}
  /// Layers of a finished network, which every program can load: plain dropout, or, for rates per
  /// unit, the form that UnitDropout (core/models) recognises.
  explicit DropoutDesign(DropRates learned)
      : kind_(DropoutKind::kFixed), learned_(std::move(learned)) {}

  /// The layer for `place`; `type_name` is the name of its type, unique in the network.
  [[nodiscard]] torch::jit::Module layer(const DropoutPlace& place, const std::string& type_name);

  [[nodiscard]] DropoutKind kind() const { return kind_; }
  [[nodiscard]] const std::vector<DropoutPlace>& places() const { return places_; }

 private:
  DropoutKind kind_;
  double drop_rate_ = 0.0;
  DropRates learned_;
  std::vector<DropoutPlace> places_;
};

/// Learned rates stay between these, so that logits and masks stay finite.
inline constexpr double kSmallestLearnedRate = 5e-5;
inline constexpr double kLargestLearnedRate = 0.999;

/// Temperature of the relaxed masks (theory, section 4).
inline constexpr double kConcreteTemperature = 0.1;

}  // namespace dubito
