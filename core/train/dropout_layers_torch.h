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

/// Where the masks of a network in training come from.
enum class MaskSource {
  kGenerator,  ///< torch's default generator of the device: one thread draws all of them
  /// Keyed random numbers (theory, section 4). Layers, and the network made of them, are then given
  /// the seed, the items [N] and the draws [N], int64, in addition to their inputs (kMaskKeys).
  /// Such a network can be trained, but not saved: other programs do not have the operators.
  kKeyed,
};

/// Further parameters of a forward method whose masks are keyed, and the arguments that pass them
/// on.
inline constexpr const char* kMaskKeys = ", seed: int, items: Tensor, draws: Tensor";
inline constexpr const char* kMaskArguments = ", seed, items, draws";

/// Keyed masks of training belong to the sites kTrainingSites + i, i = 0, 1, ... in the order of
/// the layers, so that no draw of a prediction repeats them.
inline constexpr std::int64_t kTrainingSites = std::int64_t{1} << 20;

/// The dropout layers of a network that is being built: it asks for one per place, and the places
/// are remembered.
class DropoutDesign {
 public:
  /// Layers to be trained; `drop_rate` is that of fixed dropout, and where learned rates begin.
  DropoutDesign(DropoutKind kind, double drop_rate, MaskSource masks = MaskSource::kGenerator)
      : kind_(kind), drop_rate_(drop_rate), masks_(masks) {}
  /// Layers of a finished network, which every program can load: plain dropout, or, for rates per
  /// unit, the form that UnitDropout (core/models) recognises.
  explicit DropoutDesign(DropRates learned)
      : kind_(DropoutKind::kFixed), learned_(std::move(learned)) {}

  /// The layer for `place`; `type_name` is the name of its type, unique in the network.
  [[nodiscard]] torch::jit::Module layer(const DropoutPlace& place, const std::string& type_name);

  [[nodiscard]] DropoutKind kind() const { return kind_; }
  [[nodiscard]] bool isKeyed() const { return masks_ == MaskSource::kKeyed; }
  [[nodiscard]] const std::vector<DropoutPlace>& places() const { return places_; }

 private:
  DropoutKind kind_;
  double drop_rate_ = 0.0;
  MaskSource masks_ = MaskSource::kGenerator;
  DropRates learned_;
  std::vector<DropoutPlace> places_;
};

/// Learned rates stay between these, so that logits and masks stay finite.
inline constexpr double kSmallestLearnedRate = 5e-5;
inline constexpr double kLargestLearnedRate = 0.999;

/// Temperature of the relaxed masks (theory, section 4).
inline constexpr double kConcreteTemperature = 0.1;

}  // namespace dubito
