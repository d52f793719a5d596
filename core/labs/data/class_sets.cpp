// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/class_sets.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/base/find_by_key.h"
#include "core/base/in_quotes.h"
#include "core/labs/data/csv_place.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

/// Streams of the random numbers: apart from those of the regression laboratory, and test points
/// apart from training points.
constexpr std::uint64_t kClassTrainStream = 2;
constexpr std::uint64_t kClassTestStream = 3;
constexpr std::int64_t kClassTestPoints = 400;

ClassPoints classPointsOf(const ClassSetInfo& info, const ClassSetOptions& options,
                          std::int64_t classes, std::int64_t count, std::uint64_t seed,
                          std::uint64_t stream) {
  std::vector<double> uniforms(2 * static_cast<std::size_t>(count));
  std::vector<double> normals(uniforms.size());
  KeyedRandom(seed, LabSite::kDataInputs, stream).uniforms(0, uniforms);
  KeyedRandom(seed, LabSite::kDataNoise, stream).normals(0, normals);
  const double noise = options.noise.value_or(info.noise);
  ClassPoints points;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::size_t at = 2 * static_cast<std::size_t>(i);
    double place[2] = {0.0, 0.0};
    info.shape(i % classes, classes, &uniforms[at], place);
    points.add(place[0] + noise * normals[at], place[1] + noise * normals[at + 1], i % classes);
  }
  return points;
}

void blobs(std::int64_t c, std::int64_t /*classes*/, const double* /*uniforms*/, double* place) {
  place[0] = c % 2 == 0 ? -2.5 : 2.5;
  place[1] = c / 2 == 0 ? -2.5 : 2.5;
}

void moons(std::int64_t c, std::int64_t /*classes*/, const double* uniforms, double* place) {
  const double angle = std::numbers::pi * uniforms[0];
  const double side = c == 0 ? 1.0 : -1.0;
  place[0] = side * (2.6 * std::cos(angle) - 1.3);
  place[1] = side * (2.6 * std::sin(angle) - 0.65);
}

void circle(std::int64_t c, std::int64_t /*classes*/, const double* uniforms, double* place) {
  const double angle = 2.0 * std::numbers::pi * uniforms[0];
  // Even over the area of the inner disc.
  const double radius = c == 0 ? 1.5 * std::sqrt(uniforms[1]) : 3.5;
  place[0] = radius * std::cos(angle);
  place[1] = radius * std::sin(angle);
}

void exclusiveOr(std::int64_t c, std::int64_t /*classes*/, const double* uniforms, double* place) {
  // A quadrant of its class: both on the same side of 0, or not.
  const double side = uniforms[0] < 0.5 ? -1.0 : 1.0;
  const double share = 2.0 * uniforms[0] - (uniforms[0] < 0.5 ? 0.0 : 1.0);
  place[0] = side * (0.5 + 3.5 * share);
  place[1] = (c == 0 ? side : -side) * (0.5 + 3.5 * uniforms[1]);
}

void spiral(std::int64_t c, std::int64_t classes, const double* uniforms, double* place) {
  const double share = uniforms[0];
  const double angle = 2.0 * std::numbers::pi *
                       (static_cast<double>(c) / static_cast<double>(classes) + 0.6 * share);
  const double radius = 0.6 + 4.2 * share;
  place[0] = radius * std::cos(angle);
  place[1] = radius * std::sin(angle);
}

}  // namespace

const std::vector<ClassSetInfo>& classSets() {
  static const std::vector<ClassSetInfo> sets{
      {"blobs", "Four blobs", "Four Gaussians around (\u00b12.5, \u00b12.5).", 0.7, 4, blobs},
      {"moons", "Two moons", "Two half circles that reach into each other.", 0.3, 2, moons},
      {"circle", "Circle", "A disc inside a ring.", 0.25, 2, circle},
      {"xor", "Exclusive or",
       "Four squares; opposite ones are of one class, so no straight border separates them.", 0.15,
       2, exclusiveOr},
      {"spiral", "Spiral", "Arms that turn around each other, one class per arm.", 0.12, 0,
       spiral}};
  return sets;
}

Expected<ClassData> openClassData(const std::string& specification, const ClassSetOptions& options,
                                  std::uint64_t seed, RunContext& context) {
  if (specification.starts_with(kCsvScheme)) {
    return openClassFile(specification, context);
  }
  const ClassSetInfo* const found = findByKey(classSets(), specification);
  if (found == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: unknown data; use {}csv:FILE", inQuotes(specification),
                            keysOf(classSets())));
  }
  const std::int64_t classes = found->classes == 0 ? options.arms : found->classes;
  ClassData data;
  data.name = found->name;
  data.class_names = numberedClasses(classes);
  data.train = classPointsOf(*found, options, classes, options.points, seed, kClassTrainStream);
  data.test = classPointsOf(*found, options, classes, kClassTestPoints, seed, kClassTestStream);
  if (const Status checked = checkClassData(data); !checked) {
    return failWith(checked);
  }
  return data;
}

}  // namespace dubito
