// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attribution/attribution_methods.h"

#include <algorithm>

#include "core/attribution/attribution_task_torch.h"

namespace dubito {

const std::vector<AttributionMethod>& allAttributionMethods() {
  static const std::vector<AttributionMethod> methods = {
      {.key = "integrated-gradients",
       .label = "integrated gradients",
       .summary = "How much each pixel adds to the output on the way from the baseline to the "
                  "image; the map sums to the difference of the two outputs",
       .needs_gradients = true,
       .is_complete = true,
       .apply = integratedGradients},
      {.key = "gradient-input",
       .label = "gradient × input",
       .summary = "What the network, replaced by its tangent at the image, takes from each pixel; "
                  "one pass, less reliable where the output saturates",
       .needs_gradients = true,
       .is_complete = false,
       .apply = gradientTimesInput},
      {.key = "occlusion",
       .label = "occlusion",
       .summary = "How much the output falls while a window around the pixel is covered; needs no "
                  "gradients, and is as coarse as the window",
       .needs_gradients = false,
       .is_complete = false,
       .apply = occlusion}};
  return methods;
}

const AttributionMethod* findAttributionMethod(std::string_view key) {
  const auto& methods = allAttributionMethods();
  const auto found = std::ranges::find(methods, key, &AttributionMethod::key);
  return found == methods.end() ? nullptr : &*found;
}

}  // namespace dubito
