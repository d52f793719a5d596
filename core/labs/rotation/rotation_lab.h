// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/labs/rotation/rotation_options.h"
#include "core/labs/rotation/rotation_path.h"
#include "core/measures/draw_measures.h"
#include "core/models/model.h"

namespace dubito {

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
