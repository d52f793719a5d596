// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace dubito {

/// The item of a row that only fills up a batch; its masks are not recorded.
inline constexpr std::int64_t kPaddedItem = std::numeric_limits<std::int64_t>::min();

/// While alive, records the masks of every keyed dropout that runs on this thread: for each (site,
/// draw), the sum over items of a hash of the item's mask. The sum does not depend on the order of
/// the items or on how they were batched.
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
  /// All entries so far, sorted by site, then by draw.
  [[nodiscard]] std::vector<Entry> entries() const;
  /// Moves all entries to the enclosing recorder; does nothing if there is none.
  void handOver();

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

/// The kind of dropout and the layout of its input.
struct KeyedDropoutForm {
  bool feature = false;  ///< one decision per channel (axis 1) instead of per element
  /// Alpha dropout (Klambauer et al. 2017, "Self-Normalizing Neural Networks"): with alpha' =
  /// -1.7580993408473766 (the limit of SELU) and a = ((1 - p) (1 + p alpha'^2))^(-1/2), kept
  /// elements become a x - a p alpha' and dropped ones a alpha' (1 - p), which preserves mean 0 and
  /// variance 1.
  bool alpha = false;
  /// Axis of `x` that indexes the items: 0, or 1 (sequence first). With 1, elements are numbered as
  /// if the first two axes were swapped.
  std::int64_t item_axis = 0;
  /// Number of earlier executions of the site in the same pass, in [0, 2^31); see siteKey.
  std::int64_t execution = 0;
};

/// Inverted dropout with counter-based masks (theory, section 4): x times 0 or 1 / (1 - drop_rate).
/// `x` [rows, ...] is a real tensor of rank >= 1 (types other than float32 are computed in float32
/// and converted back); `items` and `draws` are int64 [M] with rows = M * m, item-major (m rows per
/// item); item -1 stands for a mask that all items share. `drop_rate` in [0, 1 - 2^-32]; `draws` in
/// [0, 2^32); `site` >= 0. Elements are numbered within the rows of their item. Runs on the CPU or
/// a CUDA device. Differentiable with respect to `x`, once; the mask is a constant. Throws
/// c10::Error for invalid arguments.
[[nodiscard]] at::Tensor keyedDropout(const at::Tensor& x, double drop_rate, std::int64_t seed,
                                      const at::Tensor& items, const at::Tensor& draws,
                                      std::int64_t site, const KeyedDropoutForm& form = {});

/// As above with a drop rate for each unit, `drop_rates` [units], real, on the device of `x`: the
/// units are the channels (axis 1) with form.feature, else the last axis of `x`. No alpha dropout.
[[nodiscard]] at::Tensor keyedUnitDropout(const at::Tensor& x, const at::Tensor& drop_rates,
                                          std::int64_t seed, const at::Tensor& items,
                                          const at::Tensor& draws, std::int64_t site,
                                          const KeyedDropoutForm& form = {});

/// Registers our operators with TorchScript; may be called any number of times from any thread:
/// - `dubito::keyed_dropout`: keyedDropout;
/// - `dubito::keyed_unit_dropout`: keyedUnitDropout;
/// - `dubito::keyed_item_dropout`: keyedDropout with one decision per row of axis 0;
/// - `dubito::keyed_attention`: aten::scaled_dot_product_attention with keyed dropout of the
///   attention weights [N, heads, L, S];
/// - `dubito::keyed_lstm`, `keyed_gru`, `keyed_rnn_tanh`, `keyed_rnn_relu`: aten's operators with
///   keyed dropout between their layers, each layer counting as a separate execution;
/// - `dubito::nth_execution(int outer, int trip) -> int`: a unique number for each iteration of
///   a nested loop (outer < 2^15, trip < 2^16);
/// - those of defineKeyedRandom and defineSparseConvolution.
/// With drop rate 0, attention and recurrent operators are bit-identical to aten's.
void registerKeyedDropout();

}  // namespace dubito
