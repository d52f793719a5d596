// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/input_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <vector>

#include "core/data/items/stored_range.h"

namespace dubito {
namespace {

constexpr double kByte = 255.0;
// One dark image says nothing.
constexpr std::int64_t kFewest = 4;
// Resizing and rounding leave the range a little.
constexpr double kSlack = 0.05;

/// Mean and std of one channel.
struct Normalisation {
  double mean = 0.0;
  double std = 1.0;
};

/// Those of all channels; one that changes nothing if the preprocessing has none.
std::vector<Normalisation> normalisationsOf(const Preprocessing& preprocessing) {
  const std::size_t count =
      std::max({std::size_t{1}, preprocessing.mean.size(), preprocessing.std.size()});
  std::vector<Normalisation> channels(count);
  for (std::size_t c = 0; c < count; ++c) {
    const auto of = [c](const std::vector<double>& values, double otherwise) {
      return values.empty() ? otherwise : values[std::min(c, values.size() - 1)];
    };
    channels[c] = {of(preprocessing.mean, 0.0), of(preprocessing.std, 1.0)};
  }
  return channels;
}

ValueRange normalised(const std::vector<Normalisation>& channels, ValueRange scaled) {
  ValueRange range{INFINITY, -INFINITY};
  for (const Normalisation& channel : channels) {
    range.low = std::min(range.low, (scaled.low - channel.mean) / channel.std);
    range.high = std::max(range.high, (scaled.high - channel.mean) / channel.std);
  }
  return range;
}

/// The value of white, after scaling, that mean and std are for: 1 or 255. Nothing if they do not
/// tell, as for a network that takes the values as they are.
std::optional<double> whiteOf(const std::vector<Normalisation>& channels, double scale) {
  const auto any = [&channels](auto&& test) { return std::ranges::any_of(channels, test); };
  const bool is_identity =
      !any([](const Normalisation& c) { return c.mean != 0.0 || c.std != 1.0; });
  if (is_identity) {
    return scale == 1.0 ? std::nullopt : std::optional(1.0);
  }
  if (any([](const Normalisation& c) { return c.mean < 0.0 || c.mean > kByte; })) {
    return std::nullopt;
  }
  // Values from 0 to 1 have a mean and a std of at most 1; a std of less than 3 in 0 to 255 is
  // flat.
  constexpr double kMuchMoreThanOne = 3.0;
  if (any([](const Normalisation& c) {
        return c.mean > kMuchMoreThanOne || c.std > kMuchMoreThanOne;
      })) {
    return kByte;
  }
  return any([](const Normalisation& c) { return c.mean > 1.0 || c.std > 1.0; })
             ? std::nullopt
             : std::optional(1.0);
}

std::string text(ValueRange range) {
  return fmt::format("{:.4g} to {:.4g}", range.low, range.high);
}

std::string normalisationText(const Preprocessing& preprocessing) {
  std::string parts;
  if (!preprocessing.mean.empty()) {
    parts += fmt::format("mean {:g}", preprocessing.mean.front());
  }
  if (!preprocessing.std.empty()) {
    parts += fmt::format("{}std {:g}", parts.empty() ? "" : " and ", preprocessing.std.front());
  }
  return parts.empty() ? std::string("a scale for images")
                       : parts + (preprocessing.mean.size() > 1 || preprocessing.std.size() > 1
                                      ? " in the first channel"
                                      : "");
}

/// What to set so that values up to `stored_high` get the range that is expected.
std::string remedy(ValueRange stored, double white, bool bytes) {
  const auto scaleText = [white](double stored_white) {
    const double scale = white / stored_white;
    return scale == 1.0  ? std::string("1")
           : scale < 1.0 ? fmt::format("1/{:g}", stored_white / white)
                         : fmt::format("{:g}", scale);
  };
  if (bytes) {
    return white == kByte ? "mean and std are for values from 0 to 255, so set \"scale\" to 1"
                          : "set \"scale\" to 1/255";
  }
  if (stored.low < -kSlack) {
    return "the items have values below 0; if they are normalised already, leave out mean and std "
           "and set \"scale\" to 1";
  }
  if (stored.high <= 1.0 + kSlack) {
    return fmt::format("the items are in 0 to 1 already, so set \"scale\" to {}", scaleText(1.0));
  }
  for (const double stored_white : {kByte, 1023.0, 4095.0, 16383.0, 65535.0}) {
    if (stored.high <= stored_white) {
      return fmt::format("if {:g} is white, set \"scale\" to {}", stored_white,
                         scaleText(stored_white));
    }
  }
  return fmt::format("set \"scale\" to {:g} divided by the value of white", white);
}

/// Whether the network would get something else than its normalisation is for.
bool fits(ValueRange scaled, double white, const std::vector<Normalisation>& channels) {
  constexpr double kDim = 0.1;     // images that use less of the range are not seen in practice
  constexpr double kBright = 3.0;  // nor such that exceed it by as much
  constexpr double kBelow = -0.25;
  const double low = scaled.low / white;
  const double high = scaled.high / white;
  if (high > kBright || low < kBelow) {
    return false;
  }
  if (high - std::min(low, 0.0) >= kDim) {
    return true;
  }
  // A dim range fits if mean and std are those of dim images.
  constexpr double kSpread = 0.5;
  constexpr double kFarFromMean = 5.0;
  const ValueRange reached = normalised(channels, scaled);
  return reached.high - reached.low >= kSpread && reached.high > -kFarFromMean &&
         reached.low < kFarFromMean;
}

/// Range of the bytes of some images, evenly spaced; nothing if none can be read or the items are
/// no images of bytes. `looked_at`: their number.
Expected<std::optional<ValueRange>> rangeOfBytes(const Dataset& dataset, const RunContext& context,
                                                 std::int64_t& looked_at) {
  constexpr std::int64_t kMaxImages = 8;
  constexpr std::int64_t kOneIn = 16;
  const std::int64_t size = dataset.size();
  const std::int64_t count =
      std::clamp<std::int64_t>(size / kOneIn, std::min(kFewest, size), kMaxImages);
  std::mutex mutex;
  std::optional<ValueRange> range;
  looked_at = 0;
  context.parallelFor(count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
      const auto sample = dataset.read(i * size / count);
      const auto* const image = sample ? std::get_if<Image8>(&*sample) : nullptr;
      if (image == nullptr || image->pixels.empty()) {
        continue;
      }
      const auto [low, high] = std::ranges::minmax(image->pixels.values());
      const std::scoped_lock lock(mutex);
      ++looked_at;
      range =
          range ? ValueRange{std::min<double>(range->low, low), std::max<double>(range->high, high)}
                : ValueRange{static_cast<double>(low), static_cast<double>(high)};
    }
  });
  if (context.cancelRequested()) {
    return cancelled();
  }
  return range;
}

std::string mismatch(ValueRange scaled, double white, const std::vector<Normalisation>& channels,
                     const Preprocessing& preprocessing, const std::string& advice) {
  return fmt::format(
      "The values reach the network in {}, but with {} {} is expected: {} in the metadata",
      text(normalised(channels, scaled)), normalisationText(preprocessing),
      text(normalised(channels, {0.0, white})), advice);
}

}  // namespace

Preprocessing preprocessingFor(const Dataset& dataset, const Preprocessing& preprocessing) {
  if (!preprocessing.scale_guessed || preprocessing.length > 0 || preprocessing.scale == 1.0) {
    return preprocessing;
  }
  const auto stored = storedRange(dataset);
  constexpr double kNormalised = 20.0;  // bytes have no signs
  const bool has_signs = stored && stored->low < -kSlack;
  if (!stored || stored->high > (has_signs ? kNormalised : 1.0 + kSlack) ||
      stored->low < -kNormalised || stored->low == stored->high) {
    return preprocessing;
  }
  Preprocessing changed = preprocessing;
  changed.scale = 1.0;
  return changed;
}

std::string changedScaleNote(const Dataset& dataset, const Preprocessing& preprocessing) {
  if (preprocessingFor(dataset, preprocessing).scale == preprocessing.scale) {
    return {};
  }
  return fmt::format(
      "The items have values from {}, so they are not divided by 255; \"scale\" in the metadata "
      "decides otherwise",
      text(*storedRange(dataset)));
}

Expected<std::string> inputRangeWarning(const Dataset& dataset, const Preprocessing& stated,
                                        const RunContext& context) {
  const Preprocessing preprocessing = preprocessingFor(dataset, stated);
  const std::vector<Normalisation> channels = normalisationsOf(preprocessing);
  const auto white = whiteOf(channels, preprocessing.scale);
  if (!white || preprocessing.length > 0) {
    return std::string();
  }
  const double scale = preprocessing.scale;
  if (const auto stored = storedRange(dataset)) {
    const ValueRange scaled{stored->low * scale, stored->high * scale};
    const bool all_equal = stored->low == stored->high;
    return all_equal || scale < 0.0 || fits(scaled, *white, channels)
               ? std::string()
               : mismatch(scaled, *white, channels, preprocessing, remedy(*stored, *white, false));
  }
  std::int64_t looked_at = 0;
  const auto bytes = rangeOfBytes(dataset, context, looked_at);
  if (!bytes) {
    return failWith(bytes);
  }
  if (!*bytes || scale < 0.0) {
    return std::string();
  }
  const ValueRange possible{0.0, kByte * scale};
  if (!fits(possible, *white, channels)) {
    return mismatch(possible, *white, channels, preprocessing, remedy(possible, *white, true));
  }
  const ValueRange scaled{(*bytes)->low * scale, (*bytes)->high * scale};
  if (looked_at >= kFewest && (*bytes)->high > 0.0 && !fits({0.0, scaled.high}, *white, channels)) {
    return mismatch(
        scaled, *white, channels, preprocessing,
        fmt::format("the {} images that were looked at use {} of 0 to 255 (16-bit files with fewer "
                    "bits in use become that dark); store them with their full range, or set "
                    "\"scale\" to {:g}",
                    looked_at, text(**bytes), *white / (*bytes)->high));
  }
  return std::string();
}

}  // namespace dubito
