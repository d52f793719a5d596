// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/inference/options/laplace_options.h"
#include "core/inference/options/map_options.h"
#include "core/inference/options/mc_dropout_options.h"
#include "core/inference/options/method_traits.h"
#include "core/inference/options/run_shape.h"
#include "core/inference/options/temperature_options.h"
#include "core/inference/options/vector_scaling_options.h"
#include "core/models/model.h"

namespace dubito {

/// All methods, in the order in which people choose from them. The functions below ask the
/// MethodTraits of the one chosen.
using MethodOptions = MethodList<MapOptions, McDropoutOptions, TemperatureOptions,
                                 VectorScalingOptions, LaplaceOptions>::Variant;

/// "map", "mc-dropout", ...
[[nodiscard]] std::string methodName(const MethodOptions& method);
[[nodiscard]] std::vector<Field> methodFields(MethodOptions& method);
[[nodiscard]] Status checkMethod(const MethodOptions& method);
/// The options with everything decided that depends on the classes of the network: the link "auto"
/// (linkFor). prepareMethod and predict do this themselves.
[[nodiscard]] MethodOptions settledMethod(const MethodOptions& method, std::int64_t classes);
/// What prepareMethod fitted for the method; nullptr if nothing needs to be fitted, or is not yet.
[[nodiscard]] const MethodFit* fitOf(const MethodOptions& method);
/// The method as a run's metadata holds it: a JSON object of its fields, with what was fitted under
/// "fitted".
[[nodiscard]] std::string methodJson(const MethodOptions& method);

/// A method as a chooser offers it: defaults, with words for people.
struct MethodDescription {
  std::string name;
  std::string label;
  std::string summary;
  MethodOptions defaults;
  MethodNeeds needs = {};  ///< that it may have, depending on its options
};
/// Each alternative of MethodOptions, in that order.
[[nodiscard]] const std::vector<MethodDescription>& allMethods();
/// The description of the method that these options belong to.
[[nodiscard]] const MethodDescription& describe(const MethodOptions& method);
/// Required inputs; none if the values that would be fitted are given by hand.
[[nodiscard]] MethodNeeds needsOf(const MethodOptions& method);
/// Inputs that these valid options (checkMethod) actually use, required or not.
[[nodiscard]] MethodNeeds usedBy(const MethodOptions& method);
/// Options that take as long to predict with, for timing without the data to fit on.
[[nodiscard]] MethodOptions standInFor(const MethodOptions& method);
/// The posterior that was fitted, which can be saved; nullptr if there is none, or not yet.
[[nodiscard]] std::shared_ptr<const FittedLaplace> posteriorOf(const MethodOptions& method);
/// The settings that a saved posterior is valid for; empty if the method fits no posterior.
[[nodiscard]] std::string posteriorKey(const MethodOptions& method);
/// Draws T that a run averages and can keep; 0: none.
[[nodiscard]] std::int64_t drawsOf(const MethodOptions& method);
/// Options with another number of draws; unchanged if there are none.
[[nodiscard]] MethodOptions withDraws(const MethodOptions& method, std::int64_t count);
/// The dropout that makes the draws, with its sites; nullptr if there is none. Part of `method`.
[[nodiscard]] McDropoutOptions* dropoutOf(MethodOptions& method);
[[nodiscard]] const McDropoutOptions* dropoutOf(const MethodOptions& method);
/// Whether draws are functions of keys, so that recomputeDraw gives them without a run.
[[nodiscard]] inline bool canRecomputeDraws(const MethodOptions& method) {
  return dropoutOf(method) != nullptr;
}
/// Per-item arrays stored for `method`.
[[nodiscard]] RunShape runShape(const MethodOptions& method, const Model& model,
                                bool keeps_samples);
/// The defaults; kInvalidArgument, with the names there are, for an unknown name.
[[nodiscard]] Expected<MethodOptions> methodFromName(const std::string& name);

}  // namespace dubito
