// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/synthetic.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "core/data/items/item_random.h"
#include "core/data/sources/array_dataset.h"
#include "core/data/sources/glyphs.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxItems = 10'000'000;
constexpr double kMaxNoise = 1000.0;

struct Point {
  double x = 0.0;
  double y = 0.0;
};

/// Centre of blob `label` of `blobs`, evenly spaced on a circle of radius 3, the first on the
/// diagonal.
Point blobCentre(std::int64_t label, std::int64_t blobs) {
  constexpr double kRadius = 3.0;
  const double angle =
      2.0 * std::numbers::pi * (static_cast<double>(label) / static_cast<double>(blobs) + 0.125);
  return {kRadius * std::cos(angle), kRadius * std::sin(angle)};
}

/// A point on the upper half circle around (0, 0) or on the lower one around (1, 0.5).
Point moonPoint(std::int64_t label, double share) {
  const double angle = std::numbers::pi * share;
  return label == 0 ? Point{std::cos(angle), std::sin(angle)}
                    : Point{1.0 - std::cos(angle), 0.5 - std::sin(angle)};
}

Expected<DatasetPtr> openSynthetic(const DatasetSpec& spec) {
  if (spec.location == "glyphs") {
    return openGlyphs(spec);
  }
  const bool moons = spec.location == "moons";
  if (!moons && spec.location != "blobs") {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("synthetic:{}: there is no such dataset; use synthetic:blobs, "
                            "synthetic:moons or synthetic:glyphs",
                            spec.location));
  }
  if (moons && spec.extra.contains("blobs")) {
    return fail(ErrorCode::kInvalidArgument,
                "synthetic:moons: there are always two moons; remove the option blobs");
  }
  if (spec.extra.contains("characters")) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("synthetic:{}: only glyphs have the option characters; remove it",
                            spec.location));
  }
  const auto count = integerOption(spec, "n", 1000, 1, kMaxItems);
  const auto seed = integerOption(spec, "seed", 0, 0, INT64_MAX);
  const auto classes = integerOption(spec, "blobs", moons ? 2 : 4, 2, 1000);
  const auto noise = realOption(spec, "noise", moons ? 0.1 : 1.0, 0.0, kMaxNoise);
  for (const auto* const option : {&count, &seed, &classes}) {
    if (!*option) {
      return failWith(*option);
    }
  }
  if (!noise) {
    return failWith(noise);
  }
  auto points = Array<float>::zeros({*count, 2});
  std::vector<std::int64_t> labels;
  labels.reserve(static_cast<std::size_t>(*count));
  for (std::int64_t item = 0; item < *count; ++item) {
    const std::int64_t label = item % *classes;
    ItemRandom random(static_cast<std::uint64_t>(*seed), item);
    const auto [noise_x, noise_y] = random.normalPair();
    const Point centre = moons ? moonPoint(label, random.uniform()) : blobCentre(label, *classes);
    points.mutableRow(item)[0] = static_cast<float>(centre.x + *noise * noise_x);
    points.mutableRow(item)[1] = static_cast<float>(centre.y + *noise * noise_y);
    labels.push_back(label);
  }
  DatasetInfo info;
  info.name = spec.location;
  info.spec = toString(spec);
  return std::make_shared<const ArrayDataset>(std::move(info), std::move(points),
                                              std::move(labels));
}

class SyntheticKind : public DatasetKind {
 public:
  [[nodiscard]] std::string scheme() const override { return "synthetic"; }
  [[nodiscard]] std::string location() const override { return "NAME"; }
  [[nodiscard]] std::string label() const override { return "synthetic items"; }
  [[nodiscard]] std::vector<DatasetExample> examples() const override {
    return {
        {"synthetic:glyphs?n=1000&seed=1&noise=0.1", "drawn digits and letters in random poses"},
        {"synthetic:glyphs?characters=10&n=1000&seed=1", "drawn digits"},
        {"synthetic:blobs?n=400&seed=1", "points in two dimensions"},
        {"synthetic:moons?n=400&seed=1", "points in two dimensions"}};
  }
  [[nodiscard]] std::vector<DatasetOption> options() const override {
    return {{{.name = "n", .label = "Number", .help = "how many items are drawn"}},
            {{.name = "seed", .label = "Seed", .help = "a different seed draws different items"}},
            {{.name = "noise", .label = "Noise", .help = "standard deviation of the noise"}},
            {{.name = "blobs", .label = "Blobs", .help = "number of classes"}, "blobs"},
            {{.name = "characters",
              .label = "Characters",
              .help = "number of classes, taken in order from 0-9 and A-Z"},
             "glyphs"}};
  }
  [[nodiscard]] std::vector<std::string> patterns() const override { return {}; }
  [[nodiscard]] bool claimsName(const std::string& /*name*/) const override { return false; }
  [[nodiscard]] Expected<MatchConfidence> recognise(
      const PathToRecognise& /*path*/) const override {
    return MatchConfidence::kNone;
  }
  [[nodiscard]] std::vector<std::string> files(const std::string& /*location*/) const override {
    return {};
  }
  [[nodiscard]] std::vector<SourcePart> parts(const DatasetSpec& spec) const override {
    std::string key = "synthetic:" + spec.location;
    for (const auto& [name, value] : spec.extra) {
      // The number of items does not affect the first ones.
      key += name == "n" ? "" : "&" + name + "=" + value;
    }
    return {{key}};
  }
  [[nodiscard]] Expected<DatasetPtr> open(const DatasetSpec& spec,
                                          RunContext& /*context*/) const override {
    return openSynthetic(spec);
  }
  [[nodiscard]] std::string classCountOption(const std::string& location) const override {
    return location == "moons" ? "" : location == "glyphs" ? "characters" : "blobs";
  }
};

}  // namespace

std::shared_ptr<const DatasetKind> syntheticKind() {
  static const auto kind = std::make_shared<const SyntheticKind>();
  return kind;
}

}  // namespace dubito
