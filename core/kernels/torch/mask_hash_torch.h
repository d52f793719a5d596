// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace dubito {

/// Whether a MaskHashRecorder lives on this thread.
[[nodiscard]] bool maskHashesWanted();

/// Adds the masks of one application: `hashes` [M] int64 on any device, one for each of `items` and
/// `draws`. Those of a GPU are fetched later, so that recording does not wait for the stream.
/// `execution`: how often the site ran before in the same pass.
void recordMaskHashes(std::int64_t site, std::int64_t execution, const at::Tensor& items,
                      const at::Tensor& draws, const at::Tensor& hashes);

}  // namespace dubito
