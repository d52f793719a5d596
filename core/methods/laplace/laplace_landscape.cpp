// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/laplace/laplace_landscape.h"

#include <stdexcept>

#include "core/laplace/link.h"
#include "core/methods/laplace/prior_search_items_torch.h"

namespace dubito {

Expected<PriorLandscape> laplaceLandscape(const Model& model, const LaplaceOptions& method,
                                          const MethodData& data, const PredictOptions& options,
                                          RunContext& context) {
  if (!method.fitted) {
    throw std::invalid_argument("laplaceLandscape: the method has not been fitted");
  }
  if (!data.calibration) {
    return fail(ErrorCode::kInvalidArgument,
                "a landscape of the prior needs held-out items; give them",
                {setting("calibration")});
  }
  const auto network = placeNetwork(model, context.device);
  if (!network) {
    return failWith(network);
  }
  const FittedLaplace& fitted = *method.fitted;
  const std::string link = resolveLink(method.link, model.audit().classes);
  auto set =
      PriorSearchItems::of(model, *data.calibration, *network, fitted.posterior, options, context);
  if (!set) {
    return failWith(set);
  }
  const ProbsAtTau probs_at = [&](double tau) {
    return set->probsAt({fitted.scale.n, tau}, link, method.samples, context);
  };
  return priorLandscape(fitted.posterior, fitted.scale.n, probs_at, set->labels(), context);
}

}  // namespace dubito
