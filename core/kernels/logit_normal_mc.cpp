// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/logit_normal_mc.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "core/kernels/cpu/aligned_memory.h"
#include "core/kernels/cpu/logit_normal_cpu.h"
#include "core/kernels/cuda_library.h"
#include "core/kernels/logit_covariance.h"
#include "core/kernels/logit_map.h"
#include "core/kernels/logit_normal_host_batch.h"
#include "core/kernels/logit_normal_sums.h"
#include "core/kernels/philox.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxSamples = std::int64_t{1} << 32;

void checkSamples(std::int64_t samples) {
  if (samples < 1 || samples > kMaxSamples) {
    throw std::invalid_argument("logit-normal draws: the number of samples must be in [1, 2^32]");
  }
}

#ifdef DUBITO_HAS_HIGHWAY

/// Sums over draws, with scratch memory reused between items.
class DrawSums {
 public:
  void add(const LogitMap& map, std::array<std::uint32_t, 2> key, std::int64_t item_id,
           std::int64_t samples, LogitNormalSums& sums) {
    const std::int64_t size = logitNormalScratchSize(map);
    if (size > size_) {
      scratch_ = makeAligned<float>(size);
      size_ = size;
    }
    sumLogitNormalCpu(map, key, item_id, samples, scratch_.get(), sums);
  }

 private:
  AlignedMemory<float> scratch_;
  std::int64_t size_ = 0;
};

#else

class DrawSums {
 public:
  void add(const LogitMap& map, std::array<std::uint32_t, 2> key, std::int64_t item_id,
           std::int64_t samples, LogitNormalSums& sums) {
    sumLogitNormalScalar(map, key, item_id, samples, sums);
  }
};

#endif

/// Computes the measures of item `row` from its sums.
void finish(std::int64_t row, std::int64_t samples, const LogitNormalSums& sums,
            LogitNormalSummary& summary) {
  const auto draws = static_cast<double>(samples);
  const std::span<double> mean = summary.mean_probs.mutableRow(row);
  // Draws in float32 sum to 1 only up to rounding; normalise their mean.
  const double total = std::accumulate(sums.probs.begin(), sums.probs.end(), 0.0);
  for (std::size_t k = 0; k < mean.size(); ++k) {
    mean[k] = sums.probs[k] / total;
  }
  const auto winner = static_cast<std::size_t>(argmax(std::span<const double>(mean)));
  double rest = 0.0;
  double entropy = 0.0;
  for (std::size_t k = 0; k < mean.size(); ++k) {
    if (k != winner && mean[k] > 0.0) {
      rest += mean[k];
      entropy -= mean[k] * std::log(mean[k]);
    }
  }
  // The most likely class is 1 - rest, more precise than its own sum.
  entropy -= mean[winner] * std::log1p(-std::min(rest, 1.0));
  const double max_entropy = std::log(static_cast<double>(mean.size()));
  const double expected = std::clamp(sums.entropies / draws, 0.0, max_entropy);
  entropy = std::isnan(expected) ? expected : std::clamp(entropy, 0.0, max_entropy);
  // A single draw equals its mean.
  entropy = samples == 1 ? expected : entropy;
  summary.entropy.mutableData()[row] = entropy;
  summary.expected_entropy.mutableData()[row] = expected;
  summary.mutual_information.mutableData()[row] = entropy < expected ? 0.0 : entropy - expected;
  summary.confidence.mutableData()[row] = mean[winner];
  summary.log_rest.mutableData()[row] = std::log(rest);
}

void summariseOnCpu(const LogitGaussians& gaussians, std::span<const std::int64_t> item_ids,
                    std::int64_t samples, std::array<std::uint32_t, 2> key,
                    const RunContext& context, LogitNormalSummary& summary) {
  const std::int64_t classes = gaussians.mean.extent(1);
  context.parallelFor(
      gaussians.mean.extent(0), rowsPerTask(classes * samples),
      [&](std::int64_t begin, std::int64_t end) {
        LogitMapper mapper(gaussians);
        DrawSums draws;
        std::vector<double> probs(static_cast<std::size_t>(classes));
        for (std::int64_t row = begin; row < end && !context.cancelRequested(); ++row) {
          std::ranges::fill(probs, 0.0);
          LogitNormalSums sums{probs};
          draws.add(mapper.map(row), key, item_ids[static_cast<std::size_t>(row)], samples, sums);
          finish(row, samples, sums, summary);
        }
      });
}

void summariseOnCuda(const LogitGaussians& gaussians, std::span<const std::int64_t> item_ids,
                     std::int64_t samples, std::array<std::uint32_t, 2> key,
                     const RunContext& context, LogitNormalSummary& summary) {
  if (context.cancelRequested()) {
    return;
  }
  const LogitNormalHostBatch host(gaussians);
  LogitNormalBatch batch = host.batch();
  batch.item_ids = item_ids.data();
  batch.samples = samples;
  batch.key_low = key[0];
  batch.key_high = key[1];
  Array<double> probs = Array<double>::zeros(gaussians.mean.shape());
  Array<double> entropies = Array<double>::zeros({batch.items});
  batch.probs = probs.mutableData();
  batch.entropies = entropies.mutableData();
  logitNormalCudaFunction()(batch, context.device.index);
  for (std::int64_t row = 0; row < batch.items; ++row) {
    finish(row, samples, {probs.mutableRow(row), entropies.data()[row]}, summary);
  }
}

}  // namespace

LogitNormalSummary logitNormalMc(const LogitGaussians& gaussians,
                                 std::span<const std::int64_t> item_ids, std::int64_t samples,
                                 std::uint64_t seed, const RunContext& context) {
  const auto [items, classes] = checkedShape(gaussians);
  checkSamples(samples);
  if (static_cast<std::int64_t>(item_ids.size()) != items) {
    throw std::invalid_argument(
        "logitNormalMc: the number of item ids differs from the number of Gaussians");
  }
  LogitNormalSummary summary;
  summary.mean_probs = Array<double>::zeros({items, classes});
  for (Array<double>* const array :
       {&summary.entropy, &summary.expected_entropy, &summary.mutual_information,
        &summary.confidence, &summary.log_rest}) {
    *array = Array<double>::zeros({items});
  }
  const auto key = siteKey(seed, kLogitNoiseSite);
  if (context.device.isCuda()) {
    summariseOnCuda(gaussians, item_ids, samples, key, context, summary);
  } else {
    summariseOnCpu(gaussians, item_ids, samples, key, context, summary);
  }
  return summary;
}

Array<float> logitNormalSamples(const LogitGaussians& gaussians, std::int64_t row,
                                std::int64_t item_id, std::int64_t samples, std::uint64_t seed) {
  const auto [items, classes] = checkedShape(gaussians);
  checkSamples(samples);
  if (row < 0 || row >= items) {
    throw std::invalid_argument("logitNormalSamples: row out of range");
  }
  Array<float> draws = Array<float>::zeros({samples, classes});
  LogitMapper mapper(gaussians);
  std::vector<double> probs(static_cast<std::size_t>(classes));
  LogitNormalSums sums{probs};
  sumLogitNormalScalar(mapper.map(row), siteKey(seed, kLogitNoiseSite), item_id, samples, sums,
                       draws.mutableData());
  return draws;
}

}  // namespace dubito
