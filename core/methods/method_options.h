// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/methods/laplace/laplace_options.h"
#include "core/methods/map/map_options.h"
#include "core/methods/mc_dropout/mc_dropout_options.h"
#include "core/methods/method_traits.h"
#include "core/methods/temperature/temperature_options.h"
#include "core/methods/vector_scaling/vector_scaling_options.h"
#include "core/models/model.h"
#include "core/runs/run_shape.h"

namespace dubito {

/// All methods, in the order in which they are listed. The functions below dispatch to the
/// MethodTraits of the active alternative.
using MethodOptions = MethodList<MapOptions, McDropoutOptions, TemperatureOptions,
                                 VectorScalingOptions, LaplaceOptions>::Variant;

/// "map", "mc-dropout", ...
[[nodiscard]] std::string methodName(const MethodOptions& method);
[[nodiscard]] std::vector<Field> methodFields(MethodOptions& method);
[[nodiscard]] Status checkMethod(const MethodOptions& method);
/// Replaces all values that depend on the number of classes, such as the link "auto" (resolveLink),
/// by actual values. prepareMethod and predict call this themselves.
[[nodiscard]] MethodOptions resolveMethod(const MethodOptions& method, std::int64_t classes);
/// Description of the fit made by prepareMethod; nullptr if the method needs no fit or is not
/// fitted yet.
[[nodiscard]] const MethodFit* fitOf(const MethodOptions& method);
/// The method as stored in a run's metadata: a JSON object of its fields, with fitted values under
/// "fitted".
[[nodiscard]] std::string methodJson(const MethodOptions& method);

/// A method as shown in lists to choose from.
struct MethodDescription {
  std::string name;
  std::string label;
  std::string summary;
  MethodOptions defaults;
  MethodNeeds needs = {};  ///< inputs that it needs with at least some options
};
/// All alternatives of MethodOptions, in order.
[[nodiscard]] const std::vector<MethodDescription>& allMethods();
/// The description of the active method.
[[nodiscard]] const MethodDescription& describe(const MethodOptions& method);
/// Required inputs; none if the parameters are set manually.
[[nodiscard]] MethodNeeds inputsRequiredBy(const MethodOptions& method);
/// Inputs actually used by these valid options (checkMethod), required or not.
[[nodiscard]] MethodNeeds inputsUsedBy(const MethodOptions& method);
/// Options with the same prediction time that need no calibration data; used for timing.
[[nodiscard]] MethodOptions standInFor(const MethodOptions& method);
/// The fitted posterior, which can be saved; nullptr if there is none or it is not fitted yet.
[[nodiscard]] std::shared_ptr<const FittedLaplace> posteriorOf(const MethodOptions& method);
/// Key of the settings that a saved posterior is valid for; empty if the method fits no posterior.
[[nodiscard]] std::string posteriorKey(const MethodOptions& method);
/// Number of draws T that a run averages and can store; 0: none.
[[nodiscard]] std::int64_t drawsOf(const MethodOptions& method);
/// The same options with another number of draws; unchanged for methods without draws.
[[nodiscard]] MethodOptions withDraws(const MethodOptions& method, std::int64_t count);
/// The dropout options that produce the draws; nullptr for methods without dropout. Points into
/// `method`.
[[nodiscard]] McDropoutOptions* dropoutOf(MethodOptions& method);
[[nodiscard]] const McDropoutOptions* dropoutOf(const MethodOptions& method);
/// Whether draws are determined by keys, so that recomputeDraw can reproduce them without a run.
[[nodiscard]] inline bool canRecomputeDraws(const MethodOptions& method) {
  return dropoutOf(method) != nullptr;
}
/// Per-item arrays stored for `method`.
[[nodiscard]] RunShape runShape(const MethodOptions& method, const Model& model,
                                bool keeps_samples);
/// The default options of a method; kInvalidArgument, with the valid names, for an unknown name.
[[nodiscard]] Expected<MethodOptions> methodFromName(const std::string& name);

}  // namespace dubito
