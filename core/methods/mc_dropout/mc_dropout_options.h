// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/methods/method_traits.h"

namespace dubito {

/// Monte Carlo dropout: `draws` passes with keyed masks, everything else in inference mode (theory:
/// dropout inference).
struct McDropoutOptions {
  static constexpr const char* kName = "mc-dropout";

  std::int64_t draws = 50;
  /// Drop rate of all selected sites; empty: each site's own.
  std::optional<double> drop_rate = std::nullopt;
  /// Numbers of the active sites; empty: all, except those that the program itself switches off.
  /// The others are off.
  std::vector<std::int64_t> sites = {};
  /// "per-item": separate masks for each item. "shared": one mask per draw for all items, so that
  /// each draw is a single function.
  std::string masks = "per-item";
  /// Insert a site before the head: "auto" if the model has none, "always", or "never".
  std::string insert = "auto";
  /// Drop rate of an inserted site.
  double insert_rate = 0.5;
  /// What becomes of random operators of the training mode that cannot be drawn by key: "refuse"
  /// the run, or leave them "off", which its notes say.
  std::string unusable = "refuse";

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

template <>
struct MethodTraits<McDropoutOptions> : WithoutFit, IndependentOfClasses {
  static constexpr const char* kLabel = "MC dropout";
  static constexpr const char* kSummary =
      "Many passes with dropout on; their spread shows what the network does not know";

  [[nodiscard]] static std::int64_t draws(const McDropoutOptions& chosen) { return chosen.draws; }
  [[nodiscard]] static McDropoutOptions withDraws(McDropoutOptions options, std::int64_t count) {
    options.draws = count;
    return options;
  }
  [[nodiscard]] static auto* dropout(auto& options) { return &options; }
  [[nodiscard]] static RunShape shape(const McDropoutOptions& chosen, const Model& model,
                                      bool keeps_samples) {
    return shapeOfPasses(model, chosen.draws, keeps_samples);
  }
  /// Memory of passes shared by several draws, measured on one batch of `batch` items.
  [[nodiscard]] static Expected<MethodWork> work(const McDropoutOptions& chosen,
                                                 const PredictorInputs& inputs, std::int64_t batch);
  [[nodiscard]] static Expected<std::unique_ptr<BatchPredictor>> makePredictor(
      const McDropoutOptions& chosen, const PredictorInputs& inputs);
};

}  // namespace dubito
