// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/run_context.h"
#include "core/data/device/device_batches_torch.h"
#include "core/network/network_batch_torch.h"
#include "core/network/network_on_device_torch.h"

namespace dubito {

/// The batches of a plan as inputs of `network` (networkInput), on its device. All arguments but
/// `plan` must outlive the result.
[[nodiscard]] inline DeviceBatches networkBatches(const Model& model, const Dataset& dataset,
                                                  const BatchPlan& plan, c10::Device device,
                                                  const RunContext& context) {
  return DeviceBatches(
      dataset, plan, model.metadata().preprocessing, context, makeDeviceCopier(device),
      [&model](const Batch& batch, std::int64_t) { return networkInput(batch, model); });
}

}  // namespace dubito
