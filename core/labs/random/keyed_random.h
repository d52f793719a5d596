// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace dubito {

/// Every use of random numbers in the laboratories. Two sites never share numbers, whatever the
/// seed. Append new ones; the values are part of what a seed means.
enum class LabSite : std::int64_t {
  kDataInputs = 1,
  kDataNoise,
  kInitialWeights,
  kShuffle,
  kDropoutMask,
  kWeightNoise,
  kMomentum,
  kProposal,
  kAcceptance,
  kStartingPoint,
  kFunctionDraw,
  kPredictiveNoise,
  kAgent,
  kEnvironment,
  kSplit,
  kLogitGaussian,
  kLogitDraw,
  kGammaProposal,
  kGammaAcceptance,
  kLossCheck,
};

/// Random numbers in double as functions of (seed, site, stream, draw, element): counter-based
/// (Philox-4x32-10), so any of them can be recomputed alone, on any thread. `stream` separates
/// chains, ensemble members or items; `draw` is the step within a stream.
class KeyedRandom {
 public:
  KeyedRandom(std::uint64_t seed, LabSite site, std::uint64_t stream = 0);

  /// Writes uniform numbers in the open interval (0, 1), with 53 random bits, to `values`.
  void uniforms(std::uint32_t draw, std::span<double> values) const;
  /// Writes independent standard normals (Box-Muller) to `values`.
  void normals(std::uint32_t draw, std::span<double> values) const;
  /// The first uniform number of `draw`.
  [[nodiscard]] double uniform(std::uint32_t draw) const;
  /// Writes a random permutation of 0 .. order.size() - 1 (Fisher-Yates) to `order`.
  void permutation(std::uint32_t draw, std::span<std::int64_t> order) const;

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint64_t stream_;
};

/// A draw from the gamma distribution with `shape` >= 1 and scale 1 (Marsaglia and Tsang 2000), as
/// a function of (seed, stream, draw).
[[nodiscard]] double gammaDraw(double shape, std::uint64_t seed, std::uint64_t stream,
                               std::uint32_t draw);

}  // namespace dubito
