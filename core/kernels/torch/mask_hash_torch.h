// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace dubito {

/// Whether a MaskHashRecorder is active on this thread.
[[nodiscard]] bool isRecordingMaskHashes();

/// Records the masks of one keyed dropout: `hashes` int64 [M] on any device, one per entry of
/// `items` and `draws`, which must not change later. Hashes are copied to the host later, many
/// together, so that recording does not wait for the stream of a GPU. `execution` is the number of
/// earlier executions of the site in the same pass.
void recordMaskHashes(std::int64_t site, std::int64_t execution, const at::Tensor& items,
                      const at::Tensor& draws, const at::Tensor& hashes);

}  // namespace dubito
