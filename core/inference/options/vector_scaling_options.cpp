// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/options/vector_scaling_options.h"

#include "core/inference/options/saved_fit.h"

namespace dubito {

bool MethodTraits<VectorScalingOptions>::restore(VectorScalingOptions& options,
                                                 const SavedFit& saved) {
  const auto weight = saved.numbers("weight");
  const auto bias = saved.numbers("bias");
  if (!weight || !bias) {
    return false;
  }
  options.scaling = {*weight, *bias};
  options.fit = saved.report();
  return true;
}

}  // namespace dubito
