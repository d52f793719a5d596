// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/preprocessing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxSide = 32768;

Status wrong(const std::string& what) {
  return fail(ErrorCode::kInvalidArgument, "preprocessing: " + what);
}

bool oneOf(const std::string& text, std::initializer_list<const char*> choices) {
  return std::find(choices.begin(), choices.end(), text) != choices.end();
}

std::string describeScale(double scale) {
  const double divisor = 1.0 / scale;
  if (scale == 1.0) {
    return "values as stored";
  }
  return std::abs(divisor - std::round(divisor)) < 1e-9 && divisor > 1.0
             ? fmt::format("/{}", std::round(divisor))
             : fmt::format("times {:g}", scale);
}

std::string describeList(const std::vector<double>& values) {
  return fmt::format("{:g}", fmt::join(values, "/"));
}

}  // namespace

std::string Preprocessing::describe() const {
  std::vector<std::string> parts;
  if (length > 0) {
    parts.push_back(fmt::format("{} numbers", length));
  }
  std::string kind = channels == 1 ? "grey" : channels == 3 ? channel_order : "";
  if (height > 0) {
    kind += fmt::format("{}{} x {}", kind.empty() ? "" : " ", height, width);
    kind += resize == "exact"
                ? fmt::format(" ({})", interpolation)
                : fmt::format(" (centre of shorter side {}, {})",
                              resize_to > 0 ? resize_to : std::max(height, width), interpolation);
  } else {
    kind += kind.empty() ? "size as stored" : ", size as stored";
  }
  if (channels == 0 && channel_order == "bgr") {
    kind += ", bgr";
  }
  if (length == 0) {
    parts.push_back(kind);
  }
  parts.push_back(describeScale(scale));
  if (!mean.empty()) {
    parts.push_back("mean " + describeList(mean));
  }
  if (!std.empty()) {
    parts.push_back("std " + describeList(std));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Status Preprocessing::check() const {
  if (channels != 0 && channels != 1 && channels != 3) {
    return wrong(
        fmt::format("channels is {}; use 1 (grey), 3 (colour) or 0 (as stored)", channels));
  }
  if (height < 0 || width < 0 || height > kMaxSide || width > kMaxSide ||
      (height == 0) != (width == 0)) {
    return wrong(fmt::format("input_size is {} x {}; both sides must be 1 to {}, or left out",
                             height, width, kMaxSide));
  }
  if (length < 0 || (length > 0 && (height > 0 || channels > 0))) {
    return wrong(fmt::format(
        "input_size is a vector of {} numbers, which has no height, width or channels; leave out "
        "channels, or give [channels, height, width]",
        length));
  }
  if (!oneOf(resize, {"exact", "shorter-side"})) {
    return wrong(fmt::format("resize is {}; use exact or shorter-side", inQuotes(resize)));
  }
  if (!oneOf(interpolation, {"bilinear", "bicubic", "nearest"})) {
    return wrong(fmt::format("interpolation is {}; use bilinear, bicubic or nearest",
                             inQuotes(interpolation)));
  }
  if (!oneOf(channel_order, {"rgb", "bgr"})) {
    return wrong(fmt::format("channel_order is {}; use rgb or bgr", inQuotes(channel_order)));
  }
  if (resize == "shorter-side" && height == 0) {
    return wrong("resize is shorter-side, but input_size is missing; give the size of the crop");
  }
  if (resize_to < 0 || resize_to > kMaxSide ||
      (resize == "shorter-side" && resize_to != 0 && resize_to < std::max(height, width))) {
    return wrong(
        fmt::format("resize_to is {}, smaller than the {} x {} crop; make it at least as large",
                    resize_to, height, width));
  }
  if (!std::isfinite(scale) || scale == 0.0) {
    return wrong(fmt::format("scale is {}; use a number other than 0, such as 1/255", scale));
  }
  if (!std::all_of(mean.begin(), mean.end(), [](double value) { return std::isfinite(value); })) {
    return wrong("mean contains a value that is not finite; give one number per channel");
  }
  if (!std::all_of(std.begin(), std.end(),
                   [](double value) { return std::isfinite(value) && value > 0.0; })) {
    return wrong("std contains a value that is not a positive number; give one number per channel");
  }
  for (const auto& [name, values] : {std::pair{"mean", &mean}, std::pair{"std", &std}}) {
    if (channels != 0 && values->size() > 1 &&
        static_cast<std::int64_t>(values->size()) != channels) {
      return wrong(fmt::format(
          "{} has {} values for {} channels; give one number per channel, or one for all", name,
          values->size(), channels));
    }
  }
  return {};
}

}  // namespace dubito
