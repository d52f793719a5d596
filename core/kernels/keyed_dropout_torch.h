// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace dubito {

/// Collects, while it lives, what every keyed dropout that runs on this thread masks: for each
/// (site, draw) the sum over items of a hash of the item's mask, which does not depend on the order
/// of items or on how they were split into batches.
class MaskHashRecorder {
 public:
  struct Entry {
    std::int64_t site = 0;
    std::int64_t draw = 0;
    std::uint64_t hash = 0;
  };
  MaskHashRecorder();
  ~MaskHashRecorder();
  MaskHashRecorder(const MaskHashRecorder&) = delete;
  MaskHashRecorder& operator=(const MaskHashRecorder&) = delete;
  /// Ascending by site, then draw.
  [[nodiscard]] std::vector<Entry> entries() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

/// Inverted dropout with counter-based masks (theory, section 4): x times 0 or 1 / (1 - drop_rate).
/// `x` [rows, ...] real of any rank >= 1 (other types are computed in float32 and converted back);
/// `items` and `draws` [M] int64 with rows = M * m, item-major (m rows an item); item -1 is a
/// function draw. `drop_rate` in [0, 1 - 2^-32]; `draws` in [0, 2^32); `site` >= 0. `feature`: one
/// decision for each channel (axis 1) instead of each element. An element is counted within the
/// rows of its item. On the CPU or a CUDA device. Throws c10::Error for what does not fit.
[[nodiscard]] at::Tensor keyedDropout(const at::Tensor& x, double drop_rate, std::int64_t seed,
                                      const at::Tensor& items, const at::Tensor& draws,
                                      std::int64_t site, bool feature);

/// Makes `dubito::keyed_dropout(Tensor x, float drop_rate, int seed, Tensor items, Tensor draws,
/// int site, bool feature) -> Tensor` known to TorchScript. May be called any number of times from
/// any thread.
void registerKeyedDropout();

}  // namespace dubito
