// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <bit>

#include "core/kernels/keyed_dropout.h"
#include "core/kernels/mask_key.h"
#include "core/kernels/philox.h"

namespace dubito {
namespace {

// Decisions drawn at a time: their words fit in the L1 cache.
constexpr std::int64_t kChunk = 512;
constexpr std::int64_t kHashWordBits = 32;

/// One rate for all decisions.
struct CommonRate {
  std::uint32_t common_threshold;
  float common_scale;

  [[nodiscard]] std::uint32_t threshold(std::int64_t) const { return common_threshold; }
  [[nodiscard]] float scale(std::int64_t) const { return common_scale; }
};

/// Rates of the decisions of a chunk.
struct UnitRates {
  const std::uint32_t* thresholds;
  const float* scales;

  [[nodiscard]] std::uint32_t threshold(std::int64_t d) const { return thresholds[d]; }
  [[nodiscard]] float scale(std::int64_t d) const { return scales[d]; }
};

/// Rates of the units that the decisions of a chunk belong to, one after the other.
class ChunkRates {
 public:
  UnitRates of(const KeyedDropoutBatch& batch, std::int64_t first, std::int64_t count) {
    const std::int64_t begin = first % batch.units;
    if (begin + count <= batch.units) {
      return {batch.thresholds + begin, batch.scales + begin};
    }
    for (std::int64_t d = 0, unit = begin; d < count; ++d) {
      thresholds_[static_cast<std::size_t>(d)] = batch.thresholds[unit];
      scales_[static_cast<std::size_t>(d)] = batch.scales[unit];
      unit = unit + 1 == batch.units ? 0 : unit + 1;
    }
    return {thresholds_.data(), scales_.data()};
  }

 private:
  std::array<std::uint32_t, kChunk> thresholds_;
  std::array<float, kChunk> scales_;
};

template <class Rate>
std::uint64_t hashOfChunk(const std::uint32_t* words, std::int64_t count, std::int64_t first,
                          const Rate& rate) {
  std::uint64_t hash = 0;
  for (std::int64_t begin = 0; begin < count; begin += kHashWordBits) {
    const std::int64_t bits = std::min(kHashWordBits, count - begin);
    std::uint32_t kept = 0;
    for (std::int64_t bit = 0; bit < bits; ++bit) {
      kept |= static_cast<std::uint32_t>(isKept(words[begin + bit], rate.threshold(begin + bit)))
              << bit;
    }
    hash += maskHashWeight(static_cast<std::uint64_t>((first + begin) / kHashWordBits)) * kept;
  }
  return hash;
}

// A separate function, because adding an offset of 0 would turn -0 into 0.
void applyChunkWithOffsets(const KeyedDropoutBatch& batch, const std::uint32_t* words,
                           std::int64_t count, const float* x, float* y) {
  for (std::int64_t d = 0; d < count; ++d) {
    const bool kept = isKept(words[d], batch.threshold);
    const float factor = kept ? batch.scale : 0.0F;
    const float offset = kept ? batch.kept_offset : batch.dropped_offset;
    for (std::int64_t e = d * batch.group_size; e < (d + 1) * batch.group_size; ++e) {
      y[e] = x[e] * factor + offset;
    }
  }
}

/// `scale` or 0, without a branch: which of them is as good as random.
float factorOf(bool kept, float scale) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scale) &
                              (0U - static_cast<std::uint32_t>(kept)));
}

template <class Rate>
void applyChunk(const KeyedDropoutBatch& batch, const std::uint32_t* words, std::int64_t count,
                const Rate& rate, const float* x, float* y) {
  if (batch.group_size == 1) {
    for (std::int64_t d = 0; d < count; ++d) {
      y[d] = x[d] * factorOf(isKept(words[d], rate.threshold(d)), rate.scale(d));
    }
    return;
  }
  for (std::int64_t d = 0; d < count; ++d) {
    const float factor = factorOf(isKept(words[d], rate.threshold(d)), rate.scale(d));
    for (std::int64_t e = d * batch.group_size; e < (d + 1) * batch.group_size; ++e) {
      y[e] = x[e] * factor;
    }
  }
}

}  // namespace

void keyedDropoutCpu(const KeyedDropoutBatch& batch, std::int64_t begin, std::int64_t end) {
  std::array<std::uint32_t, kChunk> words;
  ChunkRates unit_rates;
  const bool has_offsets = batch.kept_offset != 0.0F || batch.dropped_offset != 0.0F;
  for (std::int64_t item = begin; item < end; ++item) {
    const MaskCounter counter = maskCounter(0, batch.draws[item], batch.item_ids[item]);
    const std::array<std::uint32_t, 3> tail{counter.draw, counter.item_low, counter.item_high};
    std::uint64_t hash = 0;
    for (std::int64_t first = 0; first < batch.decisions; first += kChunk) {
      const std::int64_t count = std::min(kChunk, batch.decisions - first);
      philoxBlocks({batch.key_low, batch.key_high}, static_cast<std::uint32_t>(first / 4), tail,
                   (count + 3) / 4, words.data());
      const std::int64_t offset = (item * batch.decisions + first) * batch.group_size;
      const auto apply = [&](const auto& rate) {
        if (has_offsets && batch.units == 0) {
          applyChunkWithOffsets(batch, words.data(), count, batch.x + offset, batch.y + offset);
        } else {
          applyChunk(batch, words.data(), count, rate, batch.x + offset, batch.y + offset);
        }
        if (batch.mask_hashes != nullptr) {
          hash += hashOfChunk(words.data(), count, first, rate);
        }
      };
      if (batch.units > 0) {
        apply(unit_rates.of(batch, first, count));
      } else {
        apply(CommonRate{batch.threshold, batch.scale});
      }
    }
    if (batch.mask_hashes != nullptr) {
      batch.mask_hashes[item] = hash;
    }
  }
}

}  // namespace dubito
