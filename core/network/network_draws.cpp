// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <exception>

#include "core/network/network_batch_torch.h"
#include "core/network/network_draws_torch.h"
#include "core/network/stochastic_network_torch.h"

namespace dubito {

Status forEachDraw(const Model& model, const at::Tensor& x, const std::vector<std::int64_t>& ids,
                   const DropoutPlan& plan, const DrawRange& draws, RunContext& context,
                   const TakeDraws& take) {
  setUpTorch(context);
  const auto network = placeNetwork(model, context.device);
  if (!network) {
    return failWith(network);
  }
  try {
    StochasticNetwork stochastic(*network, plan, context.seed, canSharePass(model.audit()));
    const bool drops = !plan.sites.empty() || plan.inserted.has_value();
    if (!drops || !model.audit().unrepeatable.empty()) {
      stochastic.disableCut();
    }
    stochastic.setBatch(x, ids);
    if (drops) {
      stochastic.verify();
    }
    const std::int64_t together = stochastic.drawsPerPass();
    for (std::int64_t done = 0; done < draws.count; done += together) {
      const std::int64_t now = std::min(together, draws.count - done);
      if (Status taken = take(stochastic.draw(draws.first + done, now), done); !taken) {
        return taken;
      }
      if (context.step("recomputing draws", done + now, draws.count) == Step::kCancel) {
        return Status(cancelled());
      }
    }
  } catch (const std::exception& exception) {
    return networkFailure(model, x, exception);
  }
  return {};
}

}  // namespace dubito
