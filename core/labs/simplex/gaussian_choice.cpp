// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/gaussian_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include "core/base/find_by_key.h"
#include "core/base/in_quotes.h"
#include "core/base/info_keys.h"
#include "core/labs/random/keyed_random.h"
#include "core/labs/simplex/gaussian_check.h"

namespace dubito {
namespace {

constexpr const char* kGiven = "given";
constexpr const char* kDirichlet = "dirichlet";
constexpr const char* kRandom = "random";

std::vector<std::string> choiceNames() {
  std::vector<std::string> names = infoKeys(gaussianPresets());
  names.insert(names.end(), {kGiven, kDirichlet, kRandom});
  return names;
}

Expected<LogitGaussian> givenGaussian(const GaussianChoice& choice) {
  const auto mean = parseNumbers(choice.mean, "the mean", setting("mean"));
  if (!mean) {
    return failWith(mean);
  }
  const auto covariance = parseNumbers(choice.covariance, "the covariance", setting("covariance"));
  if (!covariance) {
    return failWith(covariance);
  }
  const std::size_t classes = mean->size();
  if (covariance->size() != classes) {
    return LogitGaussian{*mean, *covariance};
  }
  LogitGaussian gaussian{*mean, std::vector<double>(classes * classes)};
  for (std::size_t k = 0; k < classes; ++k) {
    gaussian.covariance[k * classes + k] = (*covariance)[k];
  }
  return gaussian;
}

Expected<LogitGaussian> gaussianOfAlphas(const std::string& text) {
  const auto alpha = parseNumbers(text, "alpha", setting("alpha"));
  if (!alpha) {
    return failWith(alpha);
  }
  constexpr double kMin = 1e-3;
  constexpr double kMax = 1e9;
  if (alpha->size() < 2 ||
      !std::ranges::all_of(*alpha, [](double a) { return a >= kMin && a <= kMax; })) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("alpha is {}; give two or more numbers between {} and {}",
                            inQuotes(text), kMin, kMax),
                {setting("alpha")});
  }
  return dirichletToLogitGaussian(*alpha);
}

LogitGaussian randomGaussian(const GaussianChoice& choice, std::uint64_t seed) {
  const auto classes = static_cast<std::size_t>(choice.classes);
  const auto factors = static_cast<std::size_t>(choice.factors);
  const KeyedRandom random(seed, LabSite::kLogitGaussian);
  LogitGaussian gaussian{std::vector<double>(classes), std::vector<double>(classes * classes)};
  random.normals(0, gaussian.mean);
  for (double& value : gaussian.mean) {
    value *= choice.spread;
  }
  std::vector<double> factor(classes * factors);
  std::vector<double> own(classes);
  random.normals(1, factor);
  random.uniforms(2, own);
  const double variance = choice.deviation * choice.deviation;
  const double common = factors == 0 ? 0.0 : variance / (2.0 * static_cast<double>(factors));
  const double separate = factors == 0 ? variance : 0.5 * variance;
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      double sum = 0.0;
      for (std::size_t r = 0; r < factors; ++r) {
        sum += factor[k * factors + r] * factor[l * factors + r];
      }
      gaussian.covariance[k * classes + l] = common * sum;
      gaussian.covariance[l * classes + k] = common * sum;
    }
    gaussian.covariance[k * classes + k] -= separate * std::log(own[k]);
  }
  return gaussian;
}

}  // namespace

const std::vector<GaussianPreset>& gaussianPresets() {
  static const std::vector<GaussianPreset> presets{
      {"dirichlet-like", "Like a Dirichlet",
       "The Gaussian of Dir(8, 3, 2): every bridge of centred logits returns this Dirichlet.",
       dirichletToLogitGaussian(std::vector{8.0, 3.0, 2.0})},
      {"wide", "Same mode, wide", "The Gaussian of Dir(2, 2, 6) (Hobbhahn 2020, figure 1.1).",
       dirichletToLogitGaussian(std::vector{2.0, 2.0, 6.0})},
      {"narrow", "Same mode, narrow",
       "The Gaussian of Dir(11, 11, 51) (Hobbhahn 2020, figure 1.1): the mode of 'wide', "
       "but much more certain.",
       dirichletToLogitGaussian(std::vector{11.0, 11.0, 51.0})},
      {"flat",
       "Flat",
       "Correlated logits with almost equal means.",
       {{0.2, 0.0, -0.1}, {0.5, 0.2, 0.1, 0.2, 0.6, 0.1, 0.1, 0.1, 0.4}}},
      {"unlike-dirichlet",
       "Unlike a Dirichlet",
       "The most likely class is as uncertain as the others, which no Dirichlet describes.",
       {{2.0, 0.0, -0.5}, {0.4, 0.1, 0.0, 0.1, 0.5, 0.1, 0.0, 0.1, 0.6}}},
      {"independent",
       "Independent logits",
       "Independent logits with different variances: conditioning on a zero sum changes the "
       "distribution most.",
       {{1.5, 0.5, 0.0}, {2.0, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.8}}},
      {"singular",
       "Singular",
       "All uncertainty lies in one direction, so the distribution has no density.",
       {{0.5, 0.0, 0.0}, {1.0, -1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, 0.0}}},
      {"two-classes", "Two classes",
       "The Gaussian of Beta(4, 1.5): the bridge on a line (Hobbhahn 2020, figure 2.1).",
       dirichletToLogitGaussian(std::vector{4.0, 1.5})}};
  return presets;
}

std::vector<Field> GaussianChoice::fields() {
  const auto requires_gaussian = [this](const char* wanted) {
    return allUnless(gaussian == wanted, {setting("gaussian", wanted)});
  };
  return {
      field(&gaussian, "gaussian", "Gaussian",
            "a preset, or given: mean and covariance, dirichlet: the Gaussian that approximates "
            "Dir(alpha), random: any number of classes",
            {.choices = choiceNames()}),
      field(&mean, "mean", "Mean", "means of the logits, separated by commas",
            {.unmet_requirement = requires_gaussian(kGiven)}),
      field(&covariance, "covariance", "Covariance",
            "rows of the covariance of the logits, separated by semicolons, or the variances alone",
            {.unmet_requirement = requires_gaussian(kGiven)}),
      field(&alpha, "alpha", "Alpha", "parameters of the Dirichlet, separated by commas",
            {.unmet_requirement = requires_gaussian(kDirichlet)}),
      field(&classes, "classes", "Classes", "number of logits",
            {.min = 2,
             .max = static_cast<double>(kMaxLogits),
             .unmet_requirement = requires_gaussian(kRandom)}),
      field(&spread, "spread", "Spread of the means",
            "standard deviation of the means of the logits",
            {.min = 0.0, .max = 100.0, .unmet_requirement = requires_gaussian(kRandom)}),
      field(&deviation, "deviation", "Deviation", "typical standard deviation of a logit",
            {.min = 1e-6, .max = 100.0, .unmet_requirement = requires_gaussian(kRandom)}),
      field(&factors, "factors", "Factors",
            "number of factors that correlate the logits; 0: independent logits",
            {.min = 0,
             .max = 100,
             .unmet_requirement = requires_gaussian(kRandom),
             .advanced = true}),
  };
}

Status GaussianChoice::check() const {
  if (Status checked = checkFieldsOf(*this); !checked || gaussian == kRandom) {
    return checked;
  }
  const auto chosen = chosenGaussian(*this, 0);
  return chosen ? Status() : Status(failWith(chosen));
}

Expected<LogitGaussian> chosenGaussian(const GaussianChoice& choice, std::uint64_t seed) {
  if (choice.gaussian == kGiven) {
    return givenGaussian(choice);
  }
  if (choice.gaussian == kDirichlet) {
    return gaussianOfAlphas(choice.alpha);
  }
  if (choice.gaussian == kRandom) {
    return randomGaussian(choice, seed);
  }
  if (const GaussianPreset* const preset = findByKey(gaussianPresets(), choice.gaussian)) {
    return preset->gaussian;
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("there is no Gaussian called {}; choose a preset, given, dirichlet or "
                          "random",
                          inQuotes(choice.gaussian)));
}

Expected<std::vector<double>> parseNumbers(const std::string& text, const std::string& what,
                                           const Setting& option) {
  constexpr std::string_view kSeparators = ",; \t\r\n";
  std::vector<double> values;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (true) {
    while (at != end && kSeparators.find(*at) != std::string_view::npos) {
      ++at;
    }
    if (at == end) {
      break;
    }
    double value = 0.0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() ||
        (next != end && kSeparators.find(*next) == std::string_view::npos)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} is {}; give numbers separated by commas", what, inQuotes(text)),
                  {option});
    }
    values.push_back(value);
    at = next;
  }
  if (values.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is empty; give numbers separated by commas", what), {option});
  }
  return values;
}

std::string numbersText(std::span<const double> values, std::size_t columns) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) {
      text += i % columns == 0 ? "; " : ", ";
    }
    text += fmt::format("{}", values[i]);
  }
  return text;
}

}  // namespace dubito
