// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/logit_normal_cpu.h"

#include <algorithm>
#include <cstddef>

#ifdef DUBITO_HAS_HIGHWAY

// This file is compiled once per instruction set; the best one is selected at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/cpu/logit_normal_cpu.cpp"
// Vectors of unknown size cannot be stored in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two includes above, which set up the instruction set.
#include <hwy/contrib/math/math-inl.h>

#include "core/kernels/cpu/normals-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dubito::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// No pairs of 32-bit lanes here: use the scalar version.
void sumLogitNormal(const LogitMap* map, const std::uint32_t* key, std::int64_t item_id,
                    std::int64_t samples, float*, LogitNormalSums* sums) {
  sumLogitNormalScalar(*map, {key[0], key[1]}, item_id, samples, *sums);
}

#else

/// Sums the draws of one item. A vector holds one class of as many pairs of draws as it has lanes
/// (a tile): sums over classes need no shuffles for any K, and the lanes are the noise's counters.
class DrawSummer {
 public:
  DrawSummer(const LogitMap& map, std::array<std::uint32_t, 2> key, std::uint64_t id,
             std::int64_t samples, float* scratch, LogitNormalSums& sums)
      : map_(map),
        key_(key),
        id_(id),
        samples_(samples),
        classes_(static_cast<std::size_t>(map.classes)),
        noise_size_(static_cast<std::size_t>(map.noise)),
        sums_(sums),
        plain_(scratch),
        mirrored_(plain_ + classes_ * kLanes),
        probs_(mirrored_ + classes_ * kLanes),
        moved_(probs_ + classes_ * kLanes),
        noise_(moved_ + classes_ * kTiles * kLanes) {}

  void run() {
    const std::int64_t pairs = (samples_ + 1) / 2;
    const auto lanes = static_cast<std::int64_t>(kLanes);
    std::fill_n(probs_, classes_ * kLanes, 0.0F);
    std::int64_t tiles_since_flush = 0;
    for (std::int64_t pair = 0; pair < pairs; pair += lanes) {
      const std::int64_t tile = pair / lanes;
      if (map_.factor == nullptr) {
        scaleNoise(pair);
      } else {
        if (tile % kTiles == 0) {
          multiplyNoise(pair, std::min(kTiles, (pairs - pair + lanes - 1) / lanes));
        }
        setMovedLogits(moved_ + static_cast<std::size_t>(tile % kTiles) * kLanes);
      }
      addTile(pair);
      // Flush before float32 sums lose precision.
      if (++tiles_since_flush == kTilesPerFlush) {
        flush();
        tiles_since_flush = 0;
      }
    }
    flush();
  }

 private:
  using D = hn::CappedTag<float, 16>;
  using DU = hn::RebindToUnsigned<D>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kLanes = HWY_MIN(std::size_t{16}, HWY_LANES(float));
  // Tiles processed per pass over the factor.
  static constexpr std::int64_t kTiles = 4;
  static constexpr std::int64_t kTilesPerFlush = 32;

  static V load(const float* from) { return hn::Load(D(), from); }
  static void store(V value, float* to) { hn::Store(value, D(), to); }
  static V set(float value) { return hn::Set(D(), value); }

  /// Elements 4 group .. 4 group + 3 of the noise, for all pairs of the tile.
  void drawNoise(std::int64_t first_pair, std::size_t group, V (&noise)[4]) const {
    hn::Vec<DU> words[4];
    philoxOfPairs(DU(), key_, static_cast<std::uint32_t>(group),
                  static_cast<std::uint32_t>(first_pair), id_, words);
    normalsOfWords(D(), words[0], words[1], noise[0], noise[1]);
    normalsOfWords(D(), words[2], words[3], noise[2], noise[3]);
  }

  /// Computes the logits of class k, `moved` away from the mean on either side.
  void setLogits(std::size_t k, V moved, V& top, V& mirrored_top) {
    const V mean = set(map_.mean[k]);
    const V plain = hn::Add(mean, moved);
    const V mirrored = hn::Sub(mean, moved);
    store(plain, plain_ + k * kLanes);
    store(mirrored, mirrored_ + k * kLanes);
    top = hn::Max(top, plain);
    mirrored_top = hn::Max(mirrored_top, mirrored);
  }

  /// Computes the logits of a tile, for a diagonal covariance.
  void scaleNoise(std::int64_t first_pair) {
    V top = set(-hwy::HighestValue<float>());
    V mirrored_top = top;
    for (std::size_t first = 0; first < classes_; first += 4) {
      V noise[4];
      drawNoise(first_pair, first / 4, noise);
      const std::size_t count = std::min<std::size_t>(4, classes_ - first);
      for (std::size_t j = 0; j < count; ++j) {
        setLogits(first + j, hn::Mul(noise[j], set(map_.deviation[first + j])), top, mirrored_top);
      }
    }
    top_ = top;
    mirrored_top_ = mirrored_top;
  }

  /// Multiplies the factor by the noise of up to kTiles tiles: [K][kTiles][kLanes].
  void multiplyNoise(std::int64_t first_pair, std::int64_t tiles) {
    if (tiles < kTiles) {
      std::fill_n(noise_, noise_size_ * kTiles * kLanes, 0.0F);
    }
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      for (std::size_t first = 0; first < noise_size_; first += 4) {
        V noise[4];
        drawNoise(first_pair + tile * static_cast<std::int64_t>(kLanes), first / 4, noise);
        const std::size_t count = std::min<std::size_t>(4, noise_size_ - first);
        for (std::size_t j = 0; j < count; ++j) {
          store(hn::Mul(noise[j], set(map_.stretch[first + j])),
                noise_ + ((first + j) * kTiles + static_cast<std::size_t>(tile)) * kLanes);
        }
      }
    }
    std::size_t k = 0;
    for (; k + 4 <= classes_; k += 4) {
      multiplyRows<4>(k);
    }
    for (; k < classes_; ++k) {
      multiplyRows<1>(k);
    }
  }

  template <std::size_t kRows>
  void multiplyRows(std::size_t first) {
    constexpr auto kWidth = static_cast<std::size_t>(kTiles);
    V sums[kRows][kWidth];
    for (auto& of_row : sums) {
      for (V& sum : of_row) {
        sum = hn::Zero(D());
      }
    }
    const float* const factor = map_.factor + first * noise_size_;
    for (std::size_t r = 0; r < noise_size_; ++r) {
      V noise[kWidth];
      for (std::size_t tile = 0; tile < kWidth; ++tile) {
        noise[tile] = load(noise_ + (r * kWidth + tile) * kLanes);
      }
      for (std::size_t row = 0; row < kRows; ++row) {
        const V element = set(factor[row * noise_size_ + r]);
        for (std::size_t tile = 0; tile < kWidth; ++tile) {
          sums[row][tile] = hn::MulAdd(element, noise[tile], sums[row][tile]);
        }
      }
    }
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t tile = 0; tile < kWidth; ++tile) {
        store(sums[row][tile], moved_ + ((first + row) * kWidth + tile) * kLanes);
      }
    }
  }

  void setMovedLogits(const float* moved) {
    V top = set(-hwy::HighestValue<float>());
    V mirrored_top = top;
    for (std::size_t k = 0; k < classes_; ++k) {
      setLogits(k, load(moved + k * kTiles * kLanes), top, mirrored_top);
    }
    top_ = top;
    mirrored_top_ = mirrored_top;
  }

  /// Contribution of one draw, or its mirror image, to the sums.
  struct Draw {
    V top;
    // The largest class adds exactly 1 to the sum of exponentials. Summed separately, the rest
    // keeps its precision, and the two parts of the entropy, both positive, do not cancel.
    V rest = hn::Zero(D());
    V winners = hn::Zero(D());
    V weighted = hn::Zero(D());

    V exponential(V logit) {
      const V below_top = hn::Sub(logit, top);
      const V power = fastExpOfNonPositive(D(), below_top);
      const auto is_top = hn::Eq(logit, top);
      rest = hn::Add(rest, hn::IfThenZeroElse(is_top, power));
      winners = hn::Add(winners, hn::IfThenElseZero(is_top, set(1.0F)));
      weighted = hn::NegMulAdd(power, below_top, weighted);
      return power;
    }
    /// Sum over all but the first of the largest classes.
    V others() const { return hn::Add(rest, hn::Sub(winners, set(1.0F))); }
  };

  /// Adds the probabilities and entropies of a tile whose logits have been computed.
  void addTile(std::int64_t first_pair) {
    Draw plain{top_};
    Draw mirrored{mirrored_top_};
    for (std::size_t at = 0; at < classes_ * kLanes; at += kLanes) {
      store(plain.exponential(load(plain_ + at)), plain_ + at);
      store(mirrored.exponential(load(mirrored_ + at)), mirrored_ + at);
    }
    // Lanes beyond the last draw are ignored.
    const auto first_draw = static_cast<float>(
        std::min<std::int64_t>(samples_ - 2 * first_pair, 4 * static_cast<std::int64_t>(kLanes)));
    const V draw = hn::Mul(hn::Iota(D(), 0.0F), set(2.0F));
    const auto has_plain = hn::Lt(draw, set(first_draw));
    const auto has_mirrored = hn::Lt(draw, set(first_draw - 1.0F));
    const V others = hn::IfThenElseZero(has_plain, plain.others());
    const V mirrored_others = hn::IfThenElseZero(has_mirrored, mirrored.others());
    const V scale = hn::IfThenElseZero(has_plain, hn::Div(set(1.0F), hn::Add(set(1.0F), others)));
    const V mirrored_scale =
        hn::IfThenElseZero(has_mirrored, hn::Div(set(1.0F), hn::Add(set(1.0F), mirrored_others)));
    // log(1 + a) + log(1 + b) = log(1 + a + b + a b).
    const V product = hn::Add(others, hn::MulAdd(others, mirrored_others, mirrored_others));
    V entropy = hn::MulAdd(plain.weighted, scale, hn::Log1p(D(), product));
    // Masked, because 0 times the content of an unused lane could be NaN.
    entropy = hn::Add(entropy,
                      hn::IfThenElseZero(has_mirrored, hn::Mul(mirrored.weighted, mirrored_scale)));
    entropies_ = hn::Add(entropies_, hn::IfThenElseZero(has_plain, entropy));
    for (std::size_t at = 0; at < classes_ * kLanes; at += kLanes) {
      const V with_plain = hn::MulAdd(load(plain_ + at), scale, load(probs_ + at));
      store(hn::MulAdd(load(mirrored_ + at), mirrored_scale, with_plain), probs_ + at);
    }
  }

  static double sumOfLanes(V values) {
    alignas(64) float lanes[kLanes];
    store(values, lanes);
    double sum = 0.0;
    for (const float lane : lanes) {
      sum += double{lane};
    }
    return sum;
  }

  /// Moves the sums to the double-precision totals.
  void flush() {
    for (std::size_t k = 0; k < classes_; ++k) {
      sums_.probs[k] += sumOfLanes(load(probs_ + k * kLanes));
    }
    std::fill_n(probs_, classes_ * kLanes, 0.0F);
    sums_.entropies += sumOfLanes(entropies_);
    entropies_ = hn::Zero(D());
  }

  const LogitMap& map_;
  std::array<std::uint32_t, 2> key_;
  std::uint64_t id_;
  std::int64_t samples_;
  std::size_t classes_;
  std::size_t noise_size_;
  LogitNormalSums& sums_;
  // [K][kLanes]
  float* plain_;     ///< logits of the tile, then their exponentials
  float* mirrored_;  ///< the same for the mirror images
  float* probs_;     ///< sums over the tiles since the last flush
  // Used only with a factor.
  float* moved_;  ///< [K][kTiles][kLanes] factor times noise
  float* noise_;  ///< [R][kTiles][kLanes] noise times stretch
  V top_ = hn::Zero(D());
  V mirrored_top_ = hn::Zero(D());
  V entropies_ = hn::Zero(D());
};

void sumLogitNormal(const LogitMap* map, const std::uint32_t* key, std::int64_t item_id,
                    std::int64_t samples, float* scratch, LogitNormalSums* sums) {
  DrawSummer(*map, {key[0], key[1]}, static_cast<std::uint64_t>(item_id), samples, scratch, *sums)
      .run();
}

#endif

}  // namespace
}  // namespace dubito::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace dubito {

HWY_EXPORT(sumLogitNormal);

std::int64_t logitNormalScratchSize(const LogitMap& map) {
  // The widest vectors have 16 lanes.
  constexpr std::int64_t kTile = 16;
  constexpr std::int64_t kTiles = 4;
  const std::int64_t of_factor = map.factor == nullptr ? 0 : kTiles * (map.classes + map.noise);
  return kTile * (3 * map.classes + of_factor);
}

void sumLogitNormalCpu(const LogitMap& map, std::array<std::uint32_t, 2> key, std::int64_t item_id,
                       std::int64_t samples, float* scratch, LogitNormalSums& sums) {
  HWY_DYNAMIC_DISPATCH(sumLogitNormal)(&map, key.data(), item_id, samples, scratch, &sums);
}

}  // namespace dubito

#endif

#endif  // DUBITO_HAS_HIGHWAY
