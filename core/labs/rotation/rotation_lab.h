// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/data/images/preprocessing.h"
#include "core/data/items/corruption_spec.h"
#include "core/data/items/dataset.h"
#include "core/measures/draw_measures.h"
#include "core/models/model.h"

namespace dubito {

/// A path of changes of one item, and the draws along it.
struct RotationOptions {
  /// What changes along the path: a corruption (toString(CorruptionKind)).
  std::string corruption = "rotation";
  /// Number of another item of the dataset, to which the path leads instead, linearly in the input
  /// of the network.
  std::optional<std::int64_t> to = std::nullopt;
  /// Where the path ends: degrees for the rotation, else severity (1 to 5 are usual); absent: 180
  /// degrees or severity 5.
  std::optional<double> end = std::nullopt;
  std::int64_t steps = 13;   ///< inputs along the path, both ends included
  std::int64_t draws = 100;  ///< passes with dropout at each of them
  /// "auto": MC dropout if the model has dropout, else one pass without.
  std::string method = "auto";
  /// Drop rate of all sites; absent: each site's own.
  std::optional<double> drop_rate = std::nullopt;
  /// Classes to show; empty: the likeliest along the path.
  std::vector<std::int64_t> classes;
  std::int64_t likeliest = 3;  ///< number of classes if none are given

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  [[nodiscard]] bool isWalk() const { return to.has_value(); }
  /// Throws std::logic_error for options that check() refuses, and for a walk.
  [[nodiscard]] CorruptionKind kind() const;
};

/// One item along a path.
struct RotationPath {
  /// [G] degrees of a rotation, severity of another corruption, or share of the way to the other
  /// item.
  std::vector<double> positions;
  Array<float> inputs;         ///< [G, ...] as preprocess() returns them
  std::vector<Image8> images;  ///< [G] what the network sees; empty if the item is not an image
};

/// The changed versions of the item at `index` of the dataset. Options must pass check().
/// kInvalidArgument for an item that does not exist, and for two items whose inputs differ in
/// shape; errors of Dataset::read, corrupted() and preprocess().
[[nodiscard]] Expected<RotationPath> makeRotationPath(const Dataset& dataset, std::int64_t index,
                                                      const Preprocessing& preprocessing,
                                                      const RotationOptions& options);

/// What a model believes about one item along a path. T draws, G steps, K classes.
struct RotationResult {
  RotationPath path;
  std::string method;  ///< "mc-dropout" or "map"
  std::int64_t item = 0;
  std::string item_name;
  std::int64_t label = -1;               ///< true class of the item; -1: unknown
  std::vector<std::string> class_names;  ///< [K]
  /// [T, G, K] inputs of the softmax: logits, or logarithms of the probabilities if the model
  /// returns probabilities.
  Array<float> inputs;
  bool has_logits = false;
  Array<float> outputs;  ///< [T, G, K] probabilities
  /// Over the draws at each step. Without dropout, T = 1 and the epistemic part is 0.
  PredictiveSummary summary;
  std::vector<std::int64_t> classes;  ///< to be shown, likeliest first or as given

  [[nodiscard]] std::int64_t draws() const { return inputs.extent(0); }
  [[nodiscard]] std::int64_t steps() const { return inputs.extent(1); }
  [[nodiscard]] bool hasDraws() const { return method == "mc-dropout"; }
};

/// Whether a method with these options draws from the model: MC dropout is possible and wanted.
[[nodiscard]] bool drawsFrom(const Model& model, const RotationOptions& options);

/// Follows the item at `index` along a path (Gal and Ghahramani 2016, figure 4). A draw is one
/// network along the whole path, with the masks of a run with the same seed.
///
/// kInvalidArgument for invalid options, an item that does not exist, a class that does not exist,
/// and a model that is not deterministic; kMalformed for outputs that are not finite; errors of
/// makeRotationPath() and networkOutputs(); kCancelled.
[[nodiscard]] Expected<RotationResult> followItem(const Model& model, const Dataset& dataset,
                                                  std::int64_t index,
                                                  const RotationOptions& options,
                                                  RunContext& context);

}  // namespace dubito
