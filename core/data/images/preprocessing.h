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

/// How a stored item is converted to the network's input; part of the model's metadata. Steps in
/// order: channels, resize, crop, value * scale, (value - mean) / std.
struct Preprocessing {
  /// 1 (grey), 3 (colour) or 0 (as stored).
  std::int64_t channels = 0;
  /// Input size in pixels; 0: as stored.
  std::int64_t height = 0;
  std::int64_t width = 0;
  /// Length of vector items; 0: images, or vectors as stored.
  std::int64_t length = 0;
  /// "exact": resizes to height x width, ignoring the aspect ratio. "shorter-side": resizes the
  /// shorter side to `resize_to` (0: the larger of height and width), then takes the centre crop of
  /// height x width.
  std::string resize = "exact";
  std::int64_t resize_to = 0;
  /// "bilinear" and "bicubic" are antialiased when shrinking, as in torchvision (bicubic with a =
  /// -0.5; 8-bit images are clamped to 0..255 afterwards); "nearest" takes the pixel at
  /// floor(position), as in torch.
  std::string interpolation = "bilinear";
  /// Channel order of the network's input: "rgb" or "bgr".
  std::string channel_order = "rgb";
  /// Factor applied to stored values; 8-bit images are stored as 0..255.
  double scale = 1.0 / 255.0;
  /// The scale is a default that nobody stated; see preprocessingFor().
  bool scale_guessed = false;
  /// One value per channel in the network's channel order, or one for all channels. If empty, the
  /// mean is 0 and std is 1.
  std::vector<double> mean;
  std::vector<double> std;

  /// A one-line summary: "grey 28 x 28, /255, mean 0.1307, std 0.3081".
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] Status check() const;
};

[[nodiscard]] nlohmann::json toJson(const Preprocessing& preprocessing);
/// Reads the keys of a model's metadata (`channels`, `input_size`, `channel_order`, `scale`,
/// `mean`, `std`, `interpolation`, `resize`, `resize_to`); missing keys keep their defaults,
/// unknown keys are ignored. `input_size` is a number (square), [height, width], [channels, height,
/// width], or [length] for vectors, whose `scale` defaults to 1; `mean` and `std` are a number or a
/// list. If a type or value is invalid, the error names the key.
[[nodiscard]] Expected<Preprocessing> preprocessingFromJson(const nlohmann::json& object);

/// The network's input for one item: [C, H, W] for images, [F] for vectors, which are also scaled
/// and normalised. Colour is converted to grey as 0.299 R + 0.587 G + 0.114 B, grey to colour by
/// repeating the channel. If the item does not fit the preprocessing, the error states the
/// mismatch.
[[nodiscard]] Expected<Array<float>> preprocess(const Sample& sample,
                                                const Preprocessing& preprocessing);

/// The stacked inputs [B, ...] of several items, without those that could not be read.
struct Batch {
  Array<float> inputs;
  std::vector<std::int64_t> indices;            ///< position in the dataset of each row
  std::vector<std::int64_t> unreadable;         ///< positions of unreadable items
  std::vector<std::string> unreadable_reasons;  ///< one per unreadable item
};

/// Reads and preprocesses the items at `indices`, on the context's threads. If no item can be read,
/// `inputs` is empty. Fails if the shapes of two items differ or an item does not fit the
/// preprocessing (the message names the items), with kOutOfMemory if memory_budget_bytes is too
/// small for the inputs, and with kCancelled if the context is cancelled or `stop` is requested, at
/// the latest once the items in progress have been read.
[[nodiscard]] Expected<Batch> loadBatch(const Dataset& dataset,
                                        std::span<const std::int64_t> indices,
                                        const Preprocessing& preprocessing,
                                        const RunContext& context,
                                        const std::stop_token& stop = {});

/// A stored item as an image for display (RGB or grey, floats stretched to 0..255). Fails with
/// kUnsupported for vectors and for other numbers of channels.
[[nodiscard]] Expected<Image8> toDisplayImage(const Sample& sample);

}  // namespace dubito
