// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/shape_of_passes.h"

namespace dubito {

RunShape shapeOfPasses(const Model& model, std::int64_t draws, bool keeps_samples) {
  return {.classes = model.audit().classes,
          .draws = draws,
          .keep_samples = keeps_samples,
          .keep_logits = draws == 0 && model.audit().output == OutputKind::kLogits};
}

}  // namespace dubito
