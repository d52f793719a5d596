// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/vector_scaling/vector_scaling_options.h"

#include "core/methods/saved_fit.h"

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
