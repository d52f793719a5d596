// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/data/images/preprocessing.h"

namespace dubito {

/// Applies a Preprocessing to one item at a time and writes the result to memory of the caller.
/// Thread-safe.
class InputWriter {
 public:
  /// Throws std::invalid_argument if preprocessing.check() fails.
  explicit InputWriter(Preprocessing preprocessing);

  /// Shape of the network's input for `sample`: [C, H, W] or [F]. Fails if the sample does not fit
  /// the preprocessing.
  [[nodiscard]] Expected<std::vector<std::int64_t>> shapeOf(const Sample& sample) const;

  /// Writes the network's input for `sample` to `out`, which must have the size given by shapeOf.
  void write(const Sample& sample, std::span<float> out) const;

 private:
  [[nodiscard]] float normalised(double value, std::size_t channel) const;
  [[nodiscard]] std::size_t sourceChannel(std::size_t channel, std::size_t stored) const;
  void writeBytes(const Image8& image, std::span<float> out) const;
  void writeImage(const Sample& sample, std::span<float> out) const;
  [[nodiscard]] Array<float> toPlanes(const Sample& sample) const;
  [[nodiscard]] Array<float> resizedAndCropped(Array<float> planes, bool clamp_to_byte) const;

  Preprocessing preprocessing_;
  /// Results of normalised() for all byte values, one table per channel.
  std::array<std::array<float, 256>, 3> byte_table_{};
};

}  // namespace dubito
