// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/torch/keyed_random_torch.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "core/kernels/keyed_dropout.h"
#include "core/kernels/logit_noise.h"
#include "core/kernels/mask_key.h"
#include "core/kernels/philox.h"
#include "core/kernels/torch/mask_hash_torch.h"

namespace dubito {
namespace {

// Below this, a second thread costs more than it gains.
constexpr std::int64_t kMinNumbersPerTask = 16384;
constexpr std::int64_t kMaxExecutions = std::int64_t{1} << 31;
constexpr std::int64_t kMaxNumbers = std::int64_t{1} << 34;
// Whole numbers that a float32 holds exactly.
constexpr double kMaxInteger = 0x1p24;

/// A number from a uniform one in (0, 1), or from a standard normal one.
struct Recipe {
  bool from_normal = false;
  std::function<double(double)> make;
};

Recipe recipeOf(const KeyedDistribution& distribution) {
  const double a = distribution.a;
  const double b = distribution.b;
  const std::string_view name = distribution.name;
  TORCH_CHECK(std::isfinite(a) && std::isfinite(b), "keyed random numbers: the parameters ", a,
              " and ", b, " of ", name, " are not finite");
  if (name == "uniform") {
    return {false, [a, b](double u) { return a + (b - a) * u; }};
  }
  if (name == "normal" || name == "log_normal") {
    TORCH_CHECK(b >= 0.0, "keyed random numbers: negative standard deviation ", b);
    if (name == "normal") {
      return {true, [a, b](double z) { return a + b * z; }};
    }
    return {true, [a, b](double z) { return std::exp(a + b * z); }};
  }
  if (name == "bernoulli") {
    TORCH_CHECK(a >= 0.0 && a <= 1.0, "keyed random numbers: ", a, " is no probability");
    return {false, [a](double u) { return u < a ? 1.0 : 0.0; }};
  }
  if (name == "exponential") {
    TORCH_CHECK(a > 0.0, "keyed random numbers: the rate must be above 0, not ", a);
    return {false, [a](double u) { return -std::log(u) / a; }};
  }
  if (name == "geometric") {
    TORCH_CHECK(a > 0.0 && a < 1.0, "keyed random numbers: ", a, " is no probability in (0, 1)");
    const double log_failure = std::log1p(-a);
    return {false, [log_failure](double u) { return std::ceil(std::log(u) / log_failure); }};
  }
  if (name == "cauchy") {
    return {false, [a, b](double u) { return a + b * std::tan(std::numbers::pi * (u - 0.5)); }};
  }
  TORCH_CHECK(name == "integer", "keyed random numbers: unknown distribution ", name);
  TORCH_CHECK(a < b && a >= -kMaxInteger && b <= kMaxInteger, "keyed random numbers: from ", a,
              " to ", b, " is no range of integers up to 2^24");
  return {false, [a, b](double u) { return std::min(std::floor(a + (b - a) * u), b - 1.0); }};
}

/// Numbers of one item. Number e takes the word of decision e of a mask, see mask_key.h.
void fillItem(const Recipe& recipe, std::array<std::uint32_t, 2> key, std::int64_t item,
              std::uint32_t draw, std::span<float> numbers) {
  if (recipe.from_normal) {
    std::vector<double> noise(numbers.size());
    logitNoise(key, item, draw, noise);
    std::ranges::transform(noise, numbers.begin(),
                           [&](double z) { return static_cast<float>(recipe.make(z)); });
    return;
  }
  const MaskCounter counter = maskCounter(0, draw, item);
  const auto blocks = static_cast<std::int64_t>((numbers.size() + 3) / 4);
  std::vector<std::uint32_t> words(static_cast<std::size_t>(blocks) * 4);
  philoxBlocks(key, counter.block, {counter.draw, counter.item_low, counter.item_high}, blocks,
               words.data());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    // 23 bits: float32 holds the middle of each interval, and never 0 or 1.
    numbers[i] =
        static_cast<float>(recipe.make((static_cast<double>(words[i] >> 9) + 0.5) * 0x1p-23));
  }
}

void checkKeys(const at::Tensor& items, const at::Tensor& draws, const KeyedPlace& place) {
  TORCH_CHECK(place.site >= 0 && place.execution >= 0 && place.execution < kMaxExecutions,
              "keyed random numbers: site ", place.site, ", execution ", place.execution);
  TORCH_CHECK(items.dim() == 1 && items.scalar_type() == at::kLong &&
                  draws.sizes() == items.sizes() && draws.scalar_type() == at::kLong,
              "keyed random numbers: items and draws must be int64 vectors of one length");
}

/// The sizes of the numbers: those of `like` with a whole number of rows per item.
std::vector<std::int64_t> sizesFor(const at::Tensor& like, std::int64_t items) {
  TORCH_CHECK(like.dim() >= 1, "keyed random numbers: a single number has no axis of items");
  std::vector<std::int64_t> sizes = like.sizes().vec();
  if (sizes.front() == 1) {
    sizes.front() = items;
  }
  TORCH_CHECK(items > 0 ? sizes.front() % items == 0 : sizes.front() == 0,
              "keyed random numbers: ", sizes.front(), " rows cannot be divided among ", items,
              " items");
  return sizes;
}

/// Hash of the numbers of an item, by the rule for masks (maskHashWeight).
std::uint64_t hashOf(std::span<const float> numbers) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    hash += maskHashWeight(i) * std::bit_cast<std::uint32_t>(numbers[i]);
  }
  return hash;
}

at::Tensor keyedRandomOperator(const at::Tensor& like, std::string_view distribution,
                               const at::Scalar& a, const at::Scalar& b, std::int64_t seed,
                               const at::Tensor& items, const at::Tensor& draws, std::int64_t site,
                               std::int64_t execution, std::int64_t item_axis) {
  return keyedRandom(like, {distribution, a.toDouble(), b.toDouble()}, seed, items, draws,
                     {site, execution, item_axis});
}

bool drawsOperator(std::int64_t, at::IntArrayRef) {
  return true;
}

}  // namespace

at::Tensor keyedRandom(const at::Tensor& like, const KeyedDistribution& distribution,
                       std::int64_t seed, const at::Tensor& items, const at::Tensor& draws,
                       const KeyedPlace& place) {
  checkKeys(items, draws, place);
  if (place.item_axis == 1) {
    TORCH_CHECK(like.dim() >= 2, "keyed random numbers: there is no axis 1");
    return keyedRandom(like.transpose(0, 1), distribution, seed, items, draws,
                       {place.site, place.execution, 0})
        .transpose(0, 1);
  }
  const Recipe recipe = recipeOf(distribution);
  // Drawn on the CPU for every device, so that the numbers are the same on all of them.
  const at::Tensor cpu_items = items.cpu().contiguous();
  const at::Tensor cpu_draws = draws.cpu().contiguous();
  const at::Tensor numbers =
      at::empty(sizesFor(like, items.numel()), at::TensorOptions().dtype(at::kFloat));
  if (numbers.numel() == 0) {
    return numbers.to(like.device());
  }
  const std::int64_t per_item = numbers.numel() / items.numel();
  TORCH_CHECK(per_item <= kMaxNumbers, "keyed random numbers: an item has more than 2^34");
  const auto* const ids = cpu_items.const_data_ptr<std::int64_t>();
  const auto* const numbered = cpu_draws.const_data_ptr<std::int64_t>();
  TORCH_CHECK(std::all_of(numbered, numbered + items.numel(),
                          [](std::int64_t draw) {
                            return draw >= 0 && draw <= std::numeric_limits<std::uint32_t>::max();
                          }),
              "keyed random numbers: draws must be in [0, 2^32)");
  const bool is_hashed = isRecordingMaskHashes();
  const at::Tensor hashes =
      is_hashed ? at::zeros({items.numel()}, at::TensorOptions().dtype(at::kLong)) : at::Tensor();
  auto* const hash = is_hashed ? hashes.mutable_data_ptr<std::int64_t>() : nullptr;
  auto* const data = numbers.mutable_data_ptr<float>();
  const auto key = siteKey(static_cast<std::uint64_t>(seed), place.site, place.execution);
  at::parallel_for(0, items.numel(), std::max<std::int64_t>(1, kMinNumbersPerTask / per_item),
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t i = begin; i < end; ++i) {
                       const std::span<float> own(data + i * per_item,
                                                  static_cast<std::size_t>(per_item));
                       fillItem(recipe, key, ids[i], static_cast<std::uint32_t>(numbered[i]), own);
                       if (hash != nullptr) {
                         hash[i] = static_cast<std::int64_t>(hashOf(own));
                       }
                     }
                   });
  if (is_hashed) {
    recordMaskHashes(place.site, place.execution, cpu_items, cpu_draws, hashes);
  }
  return numbers.to(like.device());
}

void defineKeyedRandom(torch::Library& library) {
  library.def(
      "keyed_random(Tensor like, str distribution, Scalar a, Scalar b, int seed, Tensor items, "
      "Tensor draws, int site, int execution, int item_axis) -> Tensor");
  library.impl("keyed_random",
               torch::dispatch(c10::DispatchKey::CompositeImplicitAutograd, &keyedRandomOperator));
  library.def("draws(int seed, int[] sites) -> bool");
  library.impl("draws",
               torch::dispatch(c10::DispatchKey::CompositeImplicitAutograd, &drawsOperator));
}

}  // namespace dubito
