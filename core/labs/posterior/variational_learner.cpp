// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/posterior/variational_learner.h"

#include <fmt/format.h>

#include <utility>

namespace dubito {

void addElbo(double loss, Curve losses, LabDiagnostics& diagnostics) {
  diagnostics.numbers.push_back({"loss", "Loss", loss});
  diagnostics.numbers.push_back({"elbo", "ELBO", -loss});
  losses.name = "ELBO";
  for (double& value : losses.y) {
    value = -value;
  }
  diagnostics.traces.push_back(std::move(losses));
}

void addProgress(const LossProgress::Estimate& progress, bool has_ended,
                 LabDiagnostics& diagnostics) {
  diagnostics.converged = has_ended && isAtOptimum(progress);
  if (!has_ended) {
    return;
  }
  diagnostics.numbers.push_back(
      {"loss_progress", "Fall of the loss in the second half", progress.nats});
  if (!diagnostics.converged) {
    diagnostics.warnings.push_back(
        fmt::format("The fit has not converged: in the second half of its steps, the loss still "
                    "fell by {:.3g} nats; take more steps",
                    progress.nats));
  }
}

}  // namespace dubito
