// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/evaluation.h"

namespace dubito {

std::vector<Field> EvaluationOptions::fields() {
  return {{{.name = "bins",
            .label = "Bins",
            .help = "equal-width bins of the reliability diagram",
            .min = 1,
            .max = 1000},
           &bins}};
}

Status EvaluationOptions::check() const {
  EvaluationOptions copy = *this;
  return checkFields(copy.fields());
}

}  // namespace dubito
