// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/data/images/preprocessing.h"

namespace dubito {

/// Carries a Preprocessing out, item after item, into memory of the caller. May be used from
/// several threads at once.
class InputWriter {
 public:
  /// Throws std::invalid_argument where preprocessing.check() fails.
  explicit InputWriter(Preprocessing preprocessing);

  /// Shape of the network's input for `sample`: [C, H, W] or [F]. An error where the two do not fit
  /// together.
  [[nodiscard]] Expected<std::vector<std::int64_t>> shapeOf(const Sample& sample) const;

  /// Writes the input; `out` has the size that shapeOf tells.
  void write(const Sample& sample, std::span<float> out) const;

 private:
  [[nodiscard]] float normalised(double value, std::size_t channel) const;
  [[nodiscard]] std::size_t sourceChannel(std::size_t channel, std::size_t stored) const;
  void writeBytes(const Image8& image, std::span<float> out) const;
  void writeImage(const Sample& sample, std::span<float> out) const;
  [[nodiscard]] Array<float> toPlanes(const Sample& sample) const;
  [[nodiscard]] Array<float> resizedAndCropped(Array<float> planes, bool clamp_to_byte) const;

  Preprocessing preprocessing_;
  /// normalised() of every byte, a table a channel.
  std::array<std::array<float, 256>, 3> of_byte_{};
};

}  // namespace dubito
