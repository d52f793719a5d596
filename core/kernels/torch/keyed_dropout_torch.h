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
  /// Adds what was collected to the recorder around this one, where there is one; it is empty then.
  void handOver();

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

/// Which kind of dropout, and where its items are.
struct KeyedDropoutForm {
  bool feature = false;  ///< one decision for each channel (axis 1) instead of each element
  /// Alpha dropout (Klambauer et al. 2017, "Self-Normalizing Neural Networks"): with
  /// alpha' = -1.7580993408473766 (SELU's limit) and a = ((1 - p) (1 + p alpha'^2))^(-1/2), kept
  /// elements become a x - a p alpha', dropped ones a alpha' (1 - p): mean 0 and variance 1 stay.
  bool alpha = false;
  /// Axis of `x` whose rows belong to the items: 0, or 1 (sequence first). With 1 the elements are
  /// counted as if the first two axes were exchanged.
  std::int64_t item_axis = 0;
  /// How often the site ran before in the same pass, in [0, 2^31); see siteKey.
  std::int64_t execution = 0;
};

/// Inverted dropout with counter-based masks (theory, section 4): x times 0 or 1 / (1 - drop_rate).
/// `x` [rows, ...] real of any rank >= 1 (other types are computed in float32 and converted back);
/// `items` and `draws` [M] int64 with rows = M * m, item-major (m rows an item); item -1 is a
/// function draw. `drop_rate` in [0, 1 - 2^-32]; `draws` in [0, 2^32); `site` >= 0. An element is
/// counted within the rows of its item. On the CPU or a CUDA device. Throws c10::Error for what
/// does not fit.
[[nodiscard]] at::Tensor keyedDropout(const at::Tensor& x, double drop_rate, std::int64_t seed,
                                      const at::Tensor& items, const at::Tensor& draws,
                                      std::int64_t site, const KeyedDropoutForm& form = {});

/// Makes our operators known to TorchScript; may be called any number of times from any thread:
/// - `dubito::keyed_dropout`: keyedDropout;
/// - `dubito::keyed_item_dropout`: keyedDropout with one decision for each row of axis 0;
/// - `dubito::keyed_attention`: aten::scaled_dot_product_attention whose weights [N, heads, L, S]
///   pass through a keyed dropout;
/// - `dubito::keyed_lstm`, `keyed_gru`, `keyed_rnn_tanh`, `keyed_rnn_relu`: aten's operators with a
///   keyed dropout between their layers, execution by execution;
/// - `dubito::nth_execution(int outer, int trip) -> int`: one number for an iteration of a loop
///   inside another (outer < 2^15, trip < 2^16).
/// Where the drop rate is 0 attention and recurrent operators are aten's own, bit for bit.
void registerKeyedDropout();

}  // namespace dubito
