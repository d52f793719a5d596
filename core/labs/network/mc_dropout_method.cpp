// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/dropout_learner.h"
#include "core/labs/network/network_methods.h"
#include "core/labs/network/regression_task.h"

namespace dubito {

RegressionMethodInfo mcDropoutMethod() {
  return {"mc-dropout",
          "MC dropout",
          "One network trained with dropout, which stays on for predictions: every random mask "
          "gives another function.",
          "mean and variance of f₁ … f_T, each with one mask on the hidden units",
          "4-dropout-inference",
          []() -> std::unique_ptr<RegressionMethod> {
            // ReLU: the scatter of dropout functions grows outside the data, while that of bounded
            // units does not.
            return std::make_unique<NetworkMethod<DropoutOptions, DropoutLearner<RegressionTask>>>(
                DropoutOptions{.network = {.hidden_units = 100, .activation = "relu"},
                               .drop_rate = 0.05,
                               .length_scale = 0.3,
                               .draws = 100});
          }};
}

}  // namespace dubito
