// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// The way from a stored item to the network's input; it belongs to the model's metadata. Steps in
/// this order: channels, resize, crop, value * scale, (value - mean) / std.
struct Preprocessing {
  /// 1 (grey), 3 (colour) or 0 (as stored).
  std::int64_t channels = 0;
  /// Size of the input in pixels; 0: as stored.
  std::int64_t height = 0;
  std::int64_t width = 0;
  /// Numbers of an item that is a vector; 0: images, or vectors as stored.
  std::int64_t length = 0;
  /// "exact": to height x width, whatever the aspect. "shorter-side": the shorter side to
  /// `resize_to` (0: the larger of height and width), then the centre crop of height x width.
  std::string resize = "exact";
  std::int64_t resize_to = 0;
  /// "bilinear" and "bicubic" are antialiased when they shrink, as torchvision's (a=-0.5, and 8-bit
  /// images clamped to 0..255 again); "nearest" takes the pixel at floor(position), as torch's.
  std::string interpolation = "bilinear";
  /// Order of three channels in the network's input: "rgb" or "bgr".
  std::string channel_order = "rgb";
  /// Factor on stored values; 8-bit images are stored as 0..255.
  double scale = 1.0 / 255.0;
  /// One value a channel in the network's channel order, or one for all; empty: 0 and 1.
  std::vector<double> mean;
  std::vector<double> std;

  /// One line for people: "grey 28 x 28, /255, mean 0.1307, std 0.3081".
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Status check() const;
};

[[nodiscard]] nlohmann::json toJson(const Preprocessing& preprocessing);
/// Reads the keys of a model's metadata (`channels`, `input_size`, `channel_order`, `scale`,
/// `mean`, `std`, `interpolation`, `resize`, `resize_to`); missing ones keep their defaults, others
/// are not looked at. `input_size` is a number (square), [height, width], [channels, height, width]
/// or [length] of a vector, whose `scale` is 1 by default; `mean` and `std` are a number or a list.
/// Wrong types and values name the key.
[[nodiscard]] Expected<Preprocessing> preprocessingFromJson(const nlohmann::json& object);

/// The network's input for one item: [C, H, W] for images, [F] for vectors (scaled and normalised
/// alike). Colour turns to grey by 0.299 R + 0.587 G + 0.114 B, grey to colour by repetition. An
/// error says what item and preprocessing disagree on.
[[nodiscard]] Expected<Array<float>> preprocess(const Sample& sample,
                                                const Preprocessing& preprocessing);

/// Inputs of several items stacked: [B, ...], with the items that could not be read left out.
struct Batch {
  Array<float> inputs;
  std::vector<std::int64_t> indices;            ///< position in the dataset of each row
  std::vector<std::int64_t> unreadable;         ///< positions that are missing
  std::vector<std::string> unreadable_reasons;  ///< one for each of those
};

/// Reads and preprocesses the items at `indices`, on the context's threads. Items of different
/// shapes are an error that names two; an item that does not fit the preprocessing is an error that
/// names it; too little memory_budget_bytes for the inputs is kOutOfMemory. Where no item could be
/// read, `inputs` is empty. kCancelled after the context is cancelled or `stop` is requested, at
/// the latest once the items that are being read are.
[[nodiscard]] Expected<Batch> loadBatch(const Dataset& dataset,
                                        std::span<const std::int64_t> indices,
                                        const Preprocessing& preprocessing,
                                        const RunContext& context,
                                        const std::stop_token& stop = {});

/// A picture of a stored item as people expect it (RGB or grey, floats stretched to 0..255);
/// vectors have none.
[[nodiscard]] Expected<Image8> toDisplayImage(const Sample& sample);

}  // namespace dubito
