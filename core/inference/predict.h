// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/data/dataset.h"
#include "core/io/run.h"
#include "core/laplace/laplace_settings.h"
#include "core/laplace/posterior.h"
#include "core/models/model.h"

namespace dubito {

/// What was fitted before a method could predict, as its runs tell it. A method that is fitted
/// carries it as the member `fit` of its options, beside what it needs to predict.
struct MethodFit {
  std::string json = "{}";  ///< a JSON object in text form, equal for equal fits
  std::vector<std::string> notes;
};
using MethodFitPtr = std::shared_ptr<const MethodFit>;

/// One deterministic pass: every dropout site off, every normalisation in inference.
struct MapOptions {
  static constexpr const char* kName = "map";

  [[nodiscard]] std::vector<Field> fields() { return {}; }
  [[nodiscard]] Status check() const { return {}; }
};

/// Monte-Carlo dropout: `draws` passes with keyed masks, everything else in inference (theory:
/// dropout inference).
struct McDropoutOptions {
  static constexpr const char* kName = "mc-dropout";

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

/// The network's logits divided by one temperature T > 0, fitted on a calibration set: other
/// confidences, the same predictions (theory, section 11).
struct TemperatureOptions {
  static constexpr const char* kName = "temperature";

  /// T; empty: prepareMethod fits it.
  std::optional<double> temperature = std::nullopt;
  /// Where T comes from; absent where it was given by hand.
  MethodFitPtr fit = nullptr;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// softmax(w_k z_k + b_k) of a network's logits z.
struct LogitScaling {
  std::vector<double> weight;  ///< [K], or [1] for all classes alike; empty: 1
  std::vector<double> bias;    ///< [K]; empty: 0
};

/// Each class's logit scaled and shifted, fitted on a calibration set (theory, section 11);
/// predictions may change.
struct VectorScalingOptions {
  static constexpr const char* kName = "vector-scaling";

  /// Made by prepareMethod.
  std::optional<LogitScaling> scaling = std::nullopt;
  MethodFitPtr fit = nullptr;

  [[nodiscard]] std::vector<Field> fields() { return {}; }
  [[nodiscard]] Status check() const { return {}; }
};

/// A Gaussian posterior over the weights of the last layer or of all, and the Gaussian over logits
/// that follows (theory, section 5).
struct LaplaceOptions : LaplaceSettings {
  static constexpr const char* kName = "laplace";

  /// Made by prepareMethod.
  std::shared_ptr<const FittedLaplace> fitted = nullptr;
  MethodFitPtr fit = nullptr;
};

using MethodOptions = std::variant<MapOptions, McDropoutOptions, TemperatureOptions,
                                   VectorScalingOptions, LaplaceOptions>;

/// "map", "mc-dropout", ...
[[nodiscard]] std::string methodName(const MethodOptions& method);
[[nodiscard]] std::vector<Field> methodFields(MethodOptions& method);
[[nodiscard]] Status checkMethod(const MethodOptions& method);
/// The options with what depends on the classes of the network decided: the link "auto" (linkFor).
/// prepareMethod and predict do this themselves.
[[nodiscard]] MethodOptions settledMethod(MethodOptions method, std::int64_t classes);
/// What prepareMethod fitted for the method; nullptr where it needs nothing, or has not got it yet.
[[nodiscard]] const MethodFit* fitOf(const MethodOptions& method);
/// The method as a run's metadata holds it: a JSON object of its fields, with what was fitted under
/// "fitted".
[[nodiscard]] std::string methodJson(const MethodOptions& method);

/// What a method may be given beside the model (MethodData), so that a command or a form knows what
/// to ask for.
struct MethodNeeds {
  bool fit = false;          ///< training items
  bool calibration = false;  ///< calibration items, or a run over them
  bool posterior = false;    ///< a file to keep the posterior in
};

/// A method as a chooser offers it: defaults, with words for people.
struct MethodDescription {
  std::string name;
  std::string label;
  std::string summary;
  MethodOptions defaults;
  MethodNeeds needs = {};
};
[[nodiscard]] const std::vector<MethodDescription>& allMethods();
/// The description of the method that these options are of.
[[nodiscard]] const MethodDescription& describe(const MethodOptions& method);
/// What it needs of that: nothing where options given by hand make a fit superfluous.
[[nodiscard]] MethodNeeds needsOf(const MethodOptions& method);
/// What of that these options, which are right (checkMethod), make use of, needed or not.
[[nodiscard]] MethodNeeds usedBy(const MethodOptions& method);
/// Draws T that a run of it averages and can keep; 0: it has none.
[[nodiscard]] std::int64_t drawsOf(const MethodOptions& method);
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

/// Runs `method` over all items; one that needs other data comes from prepareMethod. Unreadable
/// items are left out and listed in meta.skipped; NaN or infinite outputs are refused with the
/// item's name; draws that are all identical are refused with the cause. With stop-early the items
/// done so far form the run.
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
