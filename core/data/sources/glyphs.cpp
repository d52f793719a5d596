// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/glyphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/data/items/item_random.h"
#include "core/data/sources/glyph_strokes.h"
#include "core/data/sources/numbered_dataset.h"

namespace dubito {
namespace {

constexpr std::int64_t kSide = 28;
constexpr std::int64_t kMaxGlyphs = 10'000'000;
constexpr double kWhite = 255.0;

double between(ItemRandom& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

/// Maps the unit box of the strokes to pixels, whose centres are at half-integers.
class Pose {
 public:
  explicit Pose(ItemRandom& random) {
    constexpr double kMaxRotation = 15.0 * std::numbers::pi / 180.0;
    constexpr double kNarrowest = 0.65;
    constexpr double kWidest = 0.9;
    const double angle = between(random, -kMaxRotation, kMaxRotation);
    const double shear = between(random, -0.2, 0.2);
    const double height = between(random, 15.0, 20.0);
    const double width = height * between(random, kNarrowest, kWidest);
    shift_ = {kSide / 2.0 + between(random, -1.5, 1.5), kSide / 2.0 + between(random, -1.5, 1.5)};
    xx_ = width * std::cos(angle);
    yx_ = width * std::sin(angle);
    xy_ = height * (shear * std::cos(angle) - std::sin(angle));
    yy_ = height * (shear * std::sin(angle) + std::cos(angle));
  }

  [[nodiscard]] GlyphPoint apply(GlyphPoint point) const {
    const double x = point.x - 0.5;
    const double y = point.y - 0.5;
    return {shift_.x + xx_ * x + xy_ * y, shift_.y + yx_ * x + yy_ * y};
  }

 private:
  GlyphPoint shift_;
  double xx_, xy_, yx_, yy_;
};

double distanceToSegment(GlyphPoint point, GlyphPoint from, GlyphPoint to) {
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  const double length = dx * dx + dy * dy;
  const double along =
      length > 0.0 ? ((point.x - from.x) * dx + (point.y - from.y) * dy) / length : 0.0;
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(point.x - from.x - t * dx, point.y - from.y - t * dy);
}

/// Draws the path of a round pen; where strokes overlap, the brighter value wins.
void drawSegment(std::vector<double>& canvas, GlyphPoint from, GlyphPoint to, double pen_radius,
                 double brightness) {
  const double reach = pen_radius + 1.0;
  const auto first = [reach](double a, double b) {
    return std::clamp<std::int64_t>(std::lround(std::floor(std::min(a, b) - reach)), 0, kSide);
  };
  const auto last = [reach](double a, double b) {
    return std::clamp<std::int64_t>(std::lround(std::ceil(std::max(a, b) + reach)), 0, kSide);
  };
  for (std::int64_t row = first(from.y, to.y); row < last(from.y, to.y); ++row) {
    for (std::int64_t column = first(from.x, to.x); column < last(from.x, to.x); ++column) {
      const GlyphPoint centre{static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5};
      const double coverage =
          std::clamp(pen_radius + 0.5 - distanceToSegment(centre, from, to), 0.0, 1.0);
      double& pixel = canvas[static_cast<std::size_t>(row * kSide + column)];
      pixel = std::max(pixel, coverage * brightness);
    }
  }
}

Image8 drawGlyph(std::size_t character, ItemRandom random, double noise) {
  const Pose pose(random);
  const double pen_radius = between(random, 0.9, 1.6);
  const double brightness = kWhite * between(random, 0.8, 1.0);
  std::vector<double> canvas(static_cast<std::size_t>(kSide * kSide), 0.0);
  for (const GlyphStroke& stroke : glyphStrokes(character)) {
    for (std::size_t i = 1; i < stroke.size(); ++i) {
      drawSegment(canvas, pose.apply(stroke[i - 1]), pose.apply(stroke[i]), pen_radius, brightness);
    }
  }
  auto pixels = Array<std::uint8_t>::zeros({kSide, kSide, 1});
  for (std::size_t i = 0; i < canvas.size(); i += 2) {
    const auto pair = random.normalPair();
    for (std::size_t k = 0; k < pair.size(); ++k) {
      const double value = canvas[i + k] + kWhite * noise * pair[k];
      pixels.mutableData()[i + k] =
          static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, kWhite)));
    }
  }
  return {std::move(pixels)};
}

/// The characters in sequence: item i shows character i modulo their number.
std::vector<std::int64_t> cyclicLabels(std::int64_t count, std::int64_t characters) {
  std::vector<std::int64_t> labels(static_cast<std::size_t>(count));
  std::ranges::generate(
      labels, [next = std::int64_t{0}, characters]() mutable { return next++ % characters; });
  return labels;
}

class GlyphDataset : public NumberedDataset {
 public:
  GlyphDataset(DatasetInfo info, std::vector<std::int64_t> labels, std::uint64_t seed, double noise)
      : NumberedDataset(std::move(info), std::move(labels)), seed_(seed), noise_(noise) {}

  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    return Sample(
        drawGlyph(static_cast<std::size_t>(labelAt(index)), ItemRandom(seed_, index), noise_));
  }

 private:
  std::uint64_t seed_;
  double noise_;
};

}  // namespace

Expected<DatasetPtr> openGlyphs(const DatasetSpec& spec) {
  constexpr auto kAll = static_cast<std::int64_t>(kGlyphCharacters.size());
  if (spec.extra.contains("blobs")) {
    return fail(ErrorCode::kInvalidArgument,
                "synthetic:glyphs: blobs is not an option here; state how many of the first "
                "characters to use",
                {datasetSetting("characters", "N")});
  }
  const auto count = integerOption(spec, "n", 1000, 1, kMaxGlyphs);
  const auto seed = integerOption(spec, "seed", 0, 0, INT64_MAX);
  const auto characters = integerOption(spec, "characters", kAll, 2, kAll);
  const auto noise = realOption(spec, "noise", 0.1, 0.0, 10.0);
  for (const auto* const option : {&count, &seed, &characters}) {
    if (!*option) {
      return failWith(*option);
    }
  }
  if (!noise) {
    return failWith(noise);
  }
  DatasetInfo info;
  info.name = spec.location;
  info.spec = toString(spec);
  for (const char character : kGlyphCharacters.substr(0, static_cast<std::size_t>(*characters))) {
    info.class_names.emplace_back(1, character);
  }
  return std::make_shared<const GlyphDataset>(std::move(info), cyclicLabels(*count, *characters),
                                              static_cast<std::uint64_t>(*seed), *noise);
}

}  // namespace dubito
