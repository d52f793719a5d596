// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/data/dataset.h"
#include "core/io/run.h"
#include "core/models/model.h"

namespace dubito {

/// One deterministic pass: every dropout site off, every normalisation in inference.
struct MapOptions {
  [[nodiscard]] std::vector<Field> fields() { return {}; }
  [[nodiscard]] Status check() const { return {}; }
};

/// Monte-Carlo dropout: `draws` passes with keyed masks, everything else in inference (theory:
/// dropout inference).
struct McDropoutOptions {
  std::int64_t draws = 50;
  /// Drop rate of all chosen sites; empty: each site's own.
  std::optional<double> drop_rate = std::nullopt;
  /// Numbers of the sites that drop; empty: all. Others are off.
  std::vector<std::int64_t> sites = {};
  /// "per-item": every item has masks of its own. "shared": one mask a draw for all items, so that
  /// each draw is a function.
  std::string masks = "per-item";
  /// Insert a site before the head: "auto" where the model has none, "always", or "never".
  std::string insert = "auto";
  /// Drop rate of an inserted site.
  double insert_rate = 0.5;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

using MethodOptions = std::variant<MapOptions, McDropoutOptions>;

/// "map", "mc-dropout".
[[nodiscard]] std::string methodName(const MethodOptions& method);
[[nodiscard]] std::vector<Field> methodFields(MethodOptions& method);
[[nodiscard]] Status checkMethod(const MethodOptions& method);

/// A method as a chooser offers it: defaults, with words for people.
struct MethodDescription {
  std::string name;
  std::string label;
  std::string summary;
  MethodOptions defaults;
};
[[nodiscard]] const std::vector<MethodDescription>& allMethods();
[[nodiscard]] Expected<MethodOptions> methodFromName(const std::string& name);

/// How a prediction is carried out; none of it changes the result (but for models that depend on
/// batch mates).
struct PredictOptions {
  /// Items a batch.
  std::int64_t batch = 500;
  /// Samples [T, N, K] are kept up to this size, else they are recomputed by key when asked for.
  std::int64_t keep_samples_mb = 1024;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Runs `method` over all items. Unreadable items are left out and listed in meta.skipped; NaN or
/// infinite outputs are refused with the item's name; draws that are all identical are refused with
/// the cause. With stop-early the items done so far form the run.
[[nodiscard]] Expected<Run> predict(const Model& model, const Dataset& dataset,
                                    const MethodOptions& method, const PredictOptions& options,
                                    RunContext& context);

/// All method.draws draws [T, K] of the item at `index` alone, equal to the stored samples of a run
/// with the same seed to 1e-6 (for a model that depends on batch mates: of a run with batch 1).
[[nodiscard]] Expected<Array<float>> recomputeDraws(const Model& model, const Dataset& dataset,
                                                    std::int64_t index,
                                                    const McDropoutOptions& method,
                                                    RunContext& context);

/// Draw number `draw` of the item at `index` alone: [K] probabilities, equal to the stored sample
/// of a run with the same seed.
[[nodiscard]] Expected<std::vector<float>> recomputeDraw(const Model& model, const Dataset& dataset,
                                                         std::int64_t index,
                                                         const McDropoutOptions& method,
                                                         std::int64_t draw, RunContext& context);

}  // namespace dubito
