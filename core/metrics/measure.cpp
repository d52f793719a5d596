// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/measure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <variant>

#include "core/base/nan.h"
#include "core/base/registry.h"
#include "core/measures/draw_measures.h"
#include "core/measures/entropy.h"
#include "core/measures/measures.h"
#include "core/measures/of_items.h"

namespace dubito {
namespace {

double one(std::int64_t /*classes*/) {
  return 1.0;
}
double unbounded(std::int64_t /*classes*/) {
  return std::numeric_limits<double>::infinity();
}
double logOfClasses(std::int64_t classes) {
  return classes > 0 ? std::log(static_cast<double>(classes)) : kNaN;
}
double allButOneOfClasses(std::int64_t classes) {
  return classes > 0 ? 1.0 - 1.0 / static_cast<double>(classes) : kNaN;
}

template <std::optional<Array<double>> Run::*kMember>
std::optional<Array<double>> stored(const Run& run, const RunContext& /*context*/) {
  return run.*kMember;
}

/// Stored with the run, else computed by `kMeasure` from kept draws; nothing for a single draw.
template <std::optional<Array<double>> Run::*kMember,
          Array<double> (*kMeasure)(const Array<float>&, const RunContext&)>
std::optional<Array<double>> ofDraws(const Run& run, const RunContext& context) {
  if (run.*kMember) {
    return run.*kMember;
  }
  return run.drawCount() > 1 ? std::optional(kMeasure(*run.samples, context)) : std::nullopt;
}

Array<double> expectedEntropies(const Array<float>& samples, const RunContext& context) {
  return summariseDraws(samples, context).expected_entropy;
}

Array<double> mutualInformations(const Array<float>& samples, const RunContext& context) {
  return summariseDraws(samples, context).mutual_information;
}

/// `measure` of every row of probabilities; each part of the rows has its own copy.
template <class Measure>
Array<double> ofRows(const RealArray& probs, const RunContext& context, Measure measure) {
  return std::visit(
      [&](const auto& table) {
        return computePerItem(table.extent(0), context, [&] {
          return [&table, measure](std::int64_t i) mutable { return measure(table.row(i)); };
        });
      },
      probs);
}

std::optional<Array<double>> confidences(const Run& run, const RunContext& /*context*/) {
  const bool any_known =
      std::ranges::any_of(run.confidence.values(), [](double value) { return !std::isnan(value); });
  return any_known || run.itemCount() == 0 ? std::optional(run.confidence) : std::nullopt;
}

std::optional<Array<double>> margins(const Run& run, const RunContext& context) {
  if (!run.probs) {
    return std::nullopt;
  }
  return ofRows(*run.probs, context, [](auto row) { return marginOf(row); });
}

std::optional<Array<double>> entropies(const Run& run, const RunContext& context) {
  if (run.entropy || !run.probs) {
    return run.entropy;
  }
  return ofRows(*run.probs, context, EntropyCalculator());
}

// Indexed by Measure.
constexpr std::array<MeasureInfo, kBuiltInMeasures> kMeasures{{
    {.key = "confidence",
     .name = "confidence",
     .short_name = "confidence",
     .symbol = "confidence",
     .unit = "",
     .axis_label = "max probability",
     .sense = MeasureSense::kCertain,
     .is_default = true,
     .axis_reaches_bound = true,
     .what_it_is = "largest mean probability",
     .meaning = "The probability that the network assigns to its own prediction, averaged over the "
                "draws if there are any. A calibrated network is correct as often as its "
                "confidence says. Many networks are overconfident.",
     .equation = "conf = maxₖ p̄(k), p̄ = (1/T) Σₜ pₜ",
     .range = "1/K to 1",
     .source = "Feng (thesis), eq. 4.1",
     .needs = "predictions",
     .upper_bound = one,
     .compute = confidences},
    {.key = "margin",
     .name = "margin",
     .short_name = "margin",
     .symbol = "margin",
     .unit = "",
     .axis_label = "difference of probabilities",
     .sense = MeasureSense::kCertain,
     .is_default = false,
     .axis_reaches_bound = false,
     .what_it_is = "largest minus second largest mean probability",
     .meaning = "The lead of the prediction over the second most probable class. Near 0, the "
                "network cannot decide between two classes, however improbable the others are.",
     .equation = "margin = p̄₍₁₎ − p̄₍₂₎, p̄₍₁₎ ≥ p̄₍₂₎ ≥ … the sorted mean probabilities",
     .range = "0 to 1",
     .source = "Scheffer, Decomain and Wrobel 2001",
     .needs = "probabilities",
     .upper_bound = one,
     .compute = margins},
    {.key = "entropy",
     .name = "entropy",
     .short_name = "entropy",
     .symbol = "entropy H",
     .unit = "nats",
     .axis_label = "nats",
     .sense = MeasureSense::kUncertain,
     .is_default = true,
     .axis_reaches_bound = true,
     .what_it_is = "entropy H of the mean probabilities: the total uncertainty",
     .meaning = "How spread out the mean probabilities are: 0 if one class has probability 1, ln K "
                "if all classes are equally probable. It measures the total uncertainty, whether "
                "the item is ambiguous or the network lacks knowledge.",
     .equation = "H[p̄] = −Σₖ p̄(k) ln p̄(k)",
     .range = "0 to ln K, nats",
     .source = "Feng (thesis), eq. 4.2; Gal 2019 (lectures)",
     .needs = "probabilities or entropies",
     .upper_bound = logOfClasses,
     .compute = entropies},
    {.key = "expected_entropy",
     .name = "expected entropy",
     .short_name = "E[H]",
     .symbol = "aleatoric E[H]",
     .unit = "nats",
     .axis_label = "nats",
     .sense = MeasureSense::kUncertain,
     .is_default = false,
     .axis_reaches_bound = false,
     .what_it_is = "mean entropy E[H] of the draws: the aleatoric part",
     .meaning = "The average entropy of the draws: the uncertainty that remains for each single "
                "network drawn from the posterior. This is the aleatoric part, the ambiguity of "
                "the item itself, which more training data would not reduce.",
     .equation = "E[H] = (1/T) Σₜ H[pₜ]",
     .range = "0 to H, nats",
     .source = "Gal 2019 (lectures); closed form for a Dirichlet",
     .needs = "draws or a distribution of the probabilities (MC dropout, Laplace, ensembles)",
     .upper_bound = logOfClasses,
     .compute = ofDraws<&Run::expected_entropy, expectedEntropies>},
    {.key = "mutual_information",
     .name = "mutual information",
     .short_name = "MI",
     .symbol = "epistemic MI",
     .unit = "nats",
     .axis_label = "nats",
     .sense = MeasureSense::kUncertain,
     .is_default = true,
     .axis_reaches_bound = false,
     .what_it_is = "H − E[H]: disagreement between draws, the epistemic part",
     .meaning = "How much the draws disagree: 0 if all give the same probabilities, however spread "
                "out. This is the epistemic part, which more training data could reduce; it is "
                "high for images unlike the training data.",
     .equation = "MI = H[p̄] − (1/T) Σₜ H[pₜ]",
     .range = "0 to H, nats",
     .source = "Houlsby et al. 2011 (BALD); Feng (thesis), eq. 4.3; Gal 2019 (lectures)",
     .needs = "draws or a distribution of the probabilities (MC dropout, Laplace, ensembles)",
     .upper_bound = logOfClasses,
     .compute = ofDraws<&Run::mutual_information, mutualInformations>},
    {.key = "variation_ratio",
     .name = "variation ratio",
     .short_name = "variation ratio",
     .symbol = "variation ratio",
     .unit = "",
     .axis_label = "share of draws",
     .sense = MeasureSense::kUncertain,
     .is_default = false,
     .axis_reaches_bound = false,
     .what_it_is = "share of draws that do not predict the modal class",
     .meaning = "The share of draws that predict a class other than the most frequent one. Only "
                "the predicted classes count: 0 if every draw predicts the same class, with "
                "whatever probability.",
     .equation = "VR = 1 − (votes of the modal class)/T",
     .range = "0 to 1 − 1/K",
     .source = "Freeman 1965; Gal 2019 (lectures)",
     .needs = "several draws (MC dropout, drawn weights, ensembles)",
     .upper_bound = allButOneOfClasses,
     .compute = ofDraws<&Run::variation_ratio, variationRatios>},
    {.key = "variance",
     .name = "variance",
     .short_name = "variance",
     .symbol = "variance",
     .unit = "",
     .axis_label = "variance",
     .sense = MeasureSense::kUncertain,
     .is_default = false,
     .axis_reaches_bound = false,
     .what_it_is = "sum over the classes of the variance over the draws",
     .meaning = "The variance of each class probability over the draws, summed over the classes. "
                "Like mutual information it measures disagreement, but it is less sensitive to "
                "changes of small probabilities.",
     .equation = "V = Σₖ (1/T) Σₜ (pₜ(k) − p̄(k))²",
     .range = "0 to 1 − 1/K",
     .source = "Smith and Gal 2018, who take the mean over the classes",
     .needs = "several draws (MC dropout, drawn weights, ensembles)",
     .upper_bound = allButOneOfClasses,
     .compute = ofDraws<&Run::variance, drawVariances>},
    {.key = "gauge_bridge",
     .name = "bridge error",
     .short_name = "bridge error",
     .symbol = "bridge error",
     .unit = "",
     .axis_label = "difference of probabilities",
     .sense = MeasureSense::kApproximationIsWorse,
     .is_default = false,
     .axis_reaches_bound = false,
     .what_it_is =
         "largest |p(bridge) − p(draws)| over the classes, from the same Gaussian over logits",
     .meaning = "Approximation error (honesty gauge): how far the probabilities of the Laplace "
                "bridge deviate from the average over draws of the same Gaussian, which they "
                "approximate. 0: exact; 0.01: one of the probabilities is off by 0.01.",
     .equation = "maxₖ |α(k)/α₀ − mean of softmax(z)(k)|, z ~ N(μ, Σ)",
     .range = "0 to 1",
     .source = "bridge: Hobbhahn (thesis), eq. 2.7",
     .needs = "the honesty gauge of a Laplace approximation",
     .upper_bound = one,
     .compute = stored<&Run::gauge_bridge>},
    {.key = "gauge_probit",
     .name = "probit error",
     .short_name = "probit error",
     .symbol = "probit error",
     .unit = "",
     .axis_label = "difference of probabilities",
     .sense = MeasureSense::kApproximationIsWorse,
     .is_default = false,
     .axis_reaches_bound = false,
     .what_it_is =
         "largest |p(probit) − p(draws)| over the classes, from the same Gaussian over logits",
     .meaning = "Approximation error (honesty gauge): how far the probabilities of the probit "
                "approximation deviate from the average over draws of the same Gaussian, which "
                "they approximate. 0: exact; 0.01: one of the probabilities is off by 0.01.",
     .equation = "maxₖ |softmax(μ/√(1 + π/8 diag Σ))(k) − mean of softmax(z)(k)|, z ~ N(μ, Σ)",
     .range = "0 to 1",
     .source = "probit: MacKay 1992; Hobbhahn (thesis), 3",
     .needs = "the honesty gauge of a Laplace approximation",
     .upper_bound = one,
     .compute = stored<&Run::gauge_probit>},
    {.key = "gauge_divergence",
     .name = "bridge divergence",
     .short_name = "bridge divergence",
     .symbol = "bridge KL",
     .unit = "nats",
     .axis_label = "nats",
     .sense = MeasureSense::kApproximationIsWorse,
     .is_default = false,
     .axis_reaches_bound = false,
     .what_it_is = "KL divergence of the bridge's Dirichlet from the density of softmax(z)",
     .meaning = "Approximation error (honesty gauge): the information lost if Dir(α) replaces the "
                "distribution of the probabilities. 0 means that both are identical; the shape "
                "counts, not only the mean. Computed for three classes.",
     .equation = "KL(q‖Dir(α)) = ∫ q ln(q/Dir(α)), q the density of softmax(z), z ~ N(μ, Σ)",
     .range = "0 to infinity, nats",
     .source = "bridge: Hobbhahn (thesis), eq. 2.7",
     .needs = "the honesty gauge of a Laplace approximation of three classes",
     .upper_bound = unbounded,
     .compute = stored<&Run::gauge_divergence>},
}};

#ifndef __SANITIZE_ADDRESS__  // with sanitizers, GCC 12 does not know that no function is at null
static_assert(std::ranges::all_of(kMeasures,
                                  [](const MeasureInfo& info) { return isComplete(info); }));
#endif

Registry<Measure, MeasureInfo>& measureRegistry() {
  static Registry<Measure, MeasureInfo> measures(kMeasures);
  return measures;
}

}  // namespace

const std::vector<Measure>& allMeasures() {
  return measureRegistry().ids();
}

const MeasureInfo& describe(Measure measure) {
  return measureRegistry().info(measure);
}

std::optional<Measure> measureOfKey(std::string_view key) {
  return measureRegistry().find(key);
}

Measure addMeasure(const MeasureInfo& info) {
  return measureRegistry().add(info);
}

std::vector<Measure> defaultMeasures() {
  std::vector<Measure> usual;
  std::ranges::copy_if(allMeasures(), std::back_inserter(usual),
                       [](Measure measure) { return describe(measure).is_default; });
  return usual;
}

std::string directionOf(Measure measure) {
  switch (describe(measure).sense) {
    case MeasureSense::kCertain:
      return "higher: more certain";
    case MeasureSense::kUncertain:
      return "higher: more uncertain";
    case MeasureSense::kApproximationIsWorse:
      return "higher: the approximation is worse";
  }
  throw std::invalid_argument("directionOf: invalid sense");
}

bool highIsCertain(Measure measure) {
  return describe(measure).sense == MeasureSense::kCertain;
}

Expected<std::vector<Measure>> measuresOfKeys(const std::string& keys) {
  std::vector<Measure> measures;
  const auto add = [&measures](Measure measure) {
    if (std::ranges::find(measures, measure) == measures.end()) {
      measures.push_back(measure);
    }
  };
  for (std::size_t begin = 0; begin <= keys.size();) {
    const std::size_t end = std::min(keys.find(',', begin), keys.size());
    const std::string key = keys.substr(begin, end - begin);
    begin = end + 1;
    if (const auto measure = measureOfKey(key)) {
      add(*measure);
    } else if (key == "all") {
      for (const Measure each : allMeasures()) {
        if (describe(each).sense != MeasureSense::kApproximationIsWorse) {
          add(each);
        }
      }
    } else {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("\"{}\" is not a measure; use all, or a comma-separated list of {}",
                              key, keysText(allMeasures())));
    }
  }
  return measures;
}

std::vector<std::string> keysOf(const std::vector<Measure>& measures) {
  std::vector<std::string> keys;
  std::ranges::transform(measures, std::back_inserter(keys),
                         [](Measure measure) { return describe(measure).key; });
  return keys;
}

std::string keysText(const std::vector<Measure>& measures) {
  return fmt::format("{}", fmt::join(keysOf(measures), ", "));
}

std::optional<double> axisEnd(Measure measure, std::int64_t classes) {
  const MeasureInfo& info = describe(measure);
  const double bound = info.upper_bound(classes);
  return info.axis_reaches_bound && std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

}  // namespace dubito
