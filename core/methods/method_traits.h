// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/laplace/posterior/posterior.h"
#include "core/methods/shape_of_passes.h"
#include "core/models/model.h"

namespace dubito {

struct McDropoutOptions;
struct MethodData;
struct PredictOptions;
class BatchPredictor;
struct PredictorInputs;
struct SavedFit;

/// Description of a fit, stored in the metadata of runs. Methods that need a fit keep it in their
/// options, next to the fitted values.
struct MethodFit {
  std::string json = "{}";  ///< a JSON object as text; identical for identical fits
  std::vector<std::string> notes;
};
using MethodFitPtr = std::shared_ptr<const MethodFit>;

/// Inputs of a method in addition to the model (MethodData), so that commands and forms know what
/// to ask for.
struct MethodNeeds {
  bool fit = false;          ///< training items
  bool calibration = false;  ///< calibration items, or a run on them
  bool posterior = false;    ///< a file for the posterior

  [[nodiscard]] constexpr bool any() const { return fit || calibration || posterior; }
};

/// Memory and computation that a method needs in addition to the passes of its batches.
struct MethodWork {
  double fit_bytes = 0.0;      ///< peak while fitting
  double predict_bytes = 0.0;  ///< peak while predicting
  /// Cost of the fit's matrix decompositions, up to a constant factor; 0: none.
  double decomposition_steps = 0.0;
};

/// Everything that the rest of the program needs to know about a method, as static functions of its
/// options. Each options struct has a specialisation next to it with all members required by the
/// concepts below. Base classes provide the members that several methods share.
template <class Options>
struct MethodTraits;

/// An options struct: a name for flags and metadata, and its fields.
template <class Options>
concept MethodSettings = std::copyable<Options> && std::default_initializable<Options> &&
    requires(Options options, const Options& chosen) {
  { Options::kName } -> std::convertible_to<std::string_view>;
  { options.fields() } -> std::same_as<std::vector<Field>>;
  { chosen.check() } -> std::same_as<Status>;
};

/// Labels, and the inputs that a method may need.
template <class Options>
concept DescribedMethod = requires {
  { MethodTraits<Options>::kLabel } -> std::convertible_to<std::string_view>;
  { MethodTraits<Options>::kSummary } -> std::convertible_to<std::string_view>;
  { MethodTraits<Options>::kNeeds } -> std::convertible_to<MethodNeeds>;
};

/// Preparation before a prediction.
template <class Options, class Traits = MethodTraits<Options>>
concept PreparedMethod = requires(Options options, const Options& chosen, std::int64_t classes,
                                  const Model& model, const MethodData& data,
                                  const PredictOptions& predict, RunContext& context,
                                  const SavedFit& saved) {
  // Resolves options whose value depends on the number of classes.
  { Traits::resolved(chosen, classes) } -> std::same_as<Options>;
  // Required inputs; none if the parameters are set manually. `chosen` may be invalid.
  { Traits::needs(chosen) } -> std::same_as<MethodNeeds>;
  // Inputs actually used by these valid options, required or not.
  { Traits::used(chosen) } -> std::same_as<MethodNeeds>;
  // Fits the method and returns the fitted options; see prepareMethod for errors.
  { Traits::prepare(chosen, model, data, predict, context) } -> std::same_as<Expected<Options>>;
  // Description of the fit; nullptr if the method needs no fit or is not fitted yet.
  { Traits::fit(chosen) } -> std::same_as<const MethodFit*>;
  // Restores the fitted values of a run into `options`, whose fields are already set. Returns false
  // if a value is missing.
  { Traits::restore(options, saved) } -> std::same_as<bool>;
  // Options with the same prediction time that need no calibration data; used for timing.
  { Traits::standIn(chosen) } -> std::same_as<Options>;
  // The fitted posterior, which can be saved; nullptr if there is none or it is not fitted yet.
  { Traits::posterior(chosen) } -> std::same_as<std::shared_ptr<const FittedLaplace>>;
  // Key of the settings that a saved posterior is valid for; empty if the method fits no posterior.
  { Traits::posteriorKey(chosen) } -> std::same_as<std::string>;
};

/// The prediction itself.
template <class Options, class Traits = MethodTraits<Options>>
concept PredictingMethod = requires(Options options, const Options& chosen, std::int64_t count,
                                    const Model& model, bool keeps_samples,
                                    const PredictorInputs& inputs) {
  // Number of draws T that a run averages and can store; 0: none.
  { Traits::draws(chosen) } -> std::same_as<std::int64_t>;
  // The same options with another number of draws, for timing; unchanged for methods without draws.
  { Traits::withDraws(chosen, count) } -> std::same_as<Options>;
  // The dropout options whose keyed masks produce the draws, for selecting sites and recomputing
  // draws; nullptr for methods without dropout.
  { Traits::dropout(options) } -> std::convertible_to<McDropoutOptions*>;
  { Traits::dropout(chosen) } -> std::convertible_to<const McDropoutOptions*>;
  // Per-item arrays stored in the method's runs.
  { Traits::shape(chosen, model, keeps_samples) } -> std::same_as<RunShape>;
  // Memory and computation in addition to the passes of batches of `count` items.
  { Traits::work(chosen, inputs, count) } -> std::same_as<Expected<MethodWork>>;
  // kInvalidArgument if the method needs a fit and has not been fitted.
  {
    Traits::makePredictor(chosen, inputs)
    } -> std::same_as<Expected<std::unique_ptr<BatchPredictor>>>;
};

/// Checks that the options satisfy all concepts; a compile error names the missing member.
template <class Options>
[[nodiscard]] consteval bool isInferenceMethod() {
  static_assert(MethodSettings<Options>);
  static_assert(DescribedMethod<Options>);
  static_assert(PreparedMethod<Options>);
  static_assert(PredictingMethod<Options>);
  return true;
}

template <class... Methods>
[[nodiscard]] consteval bool haveUniqueNames() {
  std::array<std::string_view, sizeof...(Methods)> names{Methods::kName...};
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

/// A list of methods that satisfy the concepts and have unique names, with the variant of their
/// options.
template <class... Methods>
struct MethodList {
  static_assert((isInferenceMethod<Methods>() && ...));
  static_assert(haveUniqueNames<Methods...>());
  using Variant = std::variant<Methods...>;
};

/// True if the run stores no fit.
[[nodiscard]] bool hasNoFit(const SavedFit& saved);

/// Traits of methods whose options do not depend on the number of classes.
struct IndependentOfClasses {
  template <class Options>
  [[nodiscard]] static Options resolved(const Options& chosen, std::int64_t /*classes*/) {
    return chosen;
  }
};

/// Traits of methods that fit no posterior.
struct WithoutPosterior {
  [[nodiscard]] static std::shared_ptr<const FittedLaplace> posterior(const auto& /*chosen*/) {
    return nullptr;
  }
  [[nodiscard]] static std::string posteriorKey(const auto& /*chosen*/) { return {}; }
};

/// Traits of methods that need only the model.
struct WithoutFit : WithoutPosterior {
  static constexpr MethodNeeds kNeeds = {};

  [[nodiscard]] static MethodNeeds needs(const auto& /*chosen*/) { return {}; }
  [[nodiscard]] static MethodNeeds used(const auto& /*chosen*/) { return {}; }
  template <class Options>
  [[nodiscard]] static Expected<Options> prepare(const Options& chosen, const Model& /*model*/,
                                                 const MethodData& /*data*/,
                                                 const PredictOptions& /*predict*/,
                                                 RunContext& /*context*/) {
    return chosen;
  }
  [[nodiscard]] static const MethodFit* fit(const auto& /*chosen*/) { return nullptr; }
  [[nodiscard]] static bool restore(const auto& /*options*/, const SavedFit& saved) {
    return hasNoFit(saved);
  }
  template <class Options>
  [[nodiscard]] static Options standIn(const Options& chosen) {
    return chosen;
  }
};

/// Traits of methods without dropout.
struct WithoutDropout {
  [[nodiscard]] static std::nullptr_t dropout(const auto& /*options*/) { return nullptr; }
};

/// Traits of methods that run each item through the network once.
struct OnePass : WithoutDropout {
  [[nodiscard]] static std::int64_t draws(const auto& /*chosen*/) { return 0; }
  template <class Options>
  [[nodiscard]] static Options withDraws(const Options& chosen, std::int64_t /*count*/) {
    return chosen;
  }
  [[nodiscard]] static RunShape shape(const auto& /*chosen*/, const Model& model,
                                      bool keeps_samples) {
    return shapeOfPasses(model, 0, keeps_samples);
  }
  [[nodiscard]] static Expected<MethodWork> work(const auto& /*chosen*/,
                                                 const PredictorInputs& /*inputs*/,
                                                 std::int64_t /*batch*/) {
    return MethodWork();
  }
};

}  // namespace dubito
