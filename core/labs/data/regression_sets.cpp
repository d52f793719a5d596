// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/regression_sets.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "core/base/find_by_key.h"
#include "core/labs/data/regression_files.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

/// Streams of the random numbers: test points differ from training points.
constexpr std::uint64_t kTrainStream = 0;
constexpr std::uint64_t kTestStream = 1;
constexpr std::int64_t kTestPoints = 200;

RegressionPoints pointsOf(const RegressionSetInfo& set, std::int64_t count, std::uint64_t seed,
                          std::uint64_t stream) {
  const auto n = static_cast<std::size_t>(count);
  std::vector<double> uniforms(2 * n);
  std::vector<double> noise(n);
  KeyedRandom(seed, LabSite::kDataInputs, stream).uniforms(0, uniforms);
  KeyedRandom(seed, LabSite::kDataNoise, stream).normals(0, noise);
  RegressionPoints points;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = set.input(uniforms[2 * i], uniforms[2 * i + 1]);
    points.x.push_back(x);
    points.y.push_back(set.truth(x) + set.noise_std(x) * noise[i]);
  }
  return points;
}

/// N(0, 4), cut to [-4, 4], from its quantile function.
double truncatedNormal(double u, double /*v*/) {
  // 2 z is cut at 4, so the distribution function of z covers erf(sqrt 2) of [0, 1].
  const double central = (2.0 * u - 1.0) * std::erf(std::numbers::sqrt2);
  return 2.0 * std::numbers::sqrt2 * boost::math::erf_inv(central);
}

double evenly(double u, double /*v*/) {
  return -4.0 + 8.0 * u;
}

/// Uniform on [-4, -1] and [1, 4].
double withGap(double u, double v) {
  return v < 0.5 ? -4.0 + 3.0 * u : 1.0 + 3.0 * u;
}

}  // namespace

RegressionData RegressionSetInfo::make(std::int64_t points, std::uint64_t seed) const {
  RegressionData data;
  data.name = name;
  data.train = pointsOf(*this, points, seed, kTrainStream);
  data.test = pointsOf(*this, kTestPoints, seed, kTestStream);
  data.truth = truth;
  if (has_constant_noise) {
    data.noise_std = noise_std(0.0);
  }
  data.shown = {-6.0, 6.0};
  return data;
}

const std::vector<RegressionSetInfo>& regressionSets() {
  static const std::vector<RegressionSetInfo> sets{
      {"sine", "Sine", "y = 100 sin x + 10 e; most inputs lie near 0 (Chan 2019, section 4.1).",
       truncatedNormal, [](double x) { return 100.0 * std::sin(x); }, [](double) { return 10.0; }},
      {"gap", "Sine with a gap", "y = sin 1.5 x + 0.1 e, without inputs between -1 and 1.", withGap,
       [](double x) { return std::sin(1.5 * x); }, [](double) { return 0.1; }},
      {"cubic", "Cubic", "y = x^3 + 3 e on [-4, 4]; grows outside the data.", evenly,
       [](double x) { return x * x * x; }, [](double) { return 3.0; }},
      {"heteroscedastic", "Noise that grows",
       "y = sin x + e, with a standard deviation of e from 0.05 at -4 to 0.45 at 4.", evenly,
       [](double x) { return std::sin(x); }, [](double x) { return 0.05 + 0.1 * (x + 4.0) / 2.0; },
       false}};
  return sets;
}

Expected<RegressionData> openRegressionData(const std::string& specification, std::int64_t points,
                                            std::uint64_t seed, RunContext& context) {
  const RegressionSetInfo* const found = findByKey(regressionSets(), specification);
  Expected<RegressionData> data =
      found == nullptr
          ? openRegressionFile(specification, context)
          : Expected<RegressionData>(found->make(std::max(points, std::int64_t{0}), seed));
  if (!data) {
    return data;
  }
  if (const Status checked = checkRegressionData(*data); !checked) {
    return failWith(checked);
  }
  return data;
}

}  // namespace dubito
