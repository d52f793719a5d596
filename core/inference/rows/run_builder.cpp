// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/rows/run_builder.h"

#include <algorithm>
#include <stdexcept>

#include "core/io/run_summary.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

template <class T>
void append(std::vector<T>& to, const Array<T>& from) {
  to.insert(to.end(), from.values().begin(), from.values().end());
}

}  // namespace

RunBuilder::RunBuilder(std::int64_t items, const RunShape& shape)
    : capacity_(items), shape_(shape) {
  shape_.splits_entropy = shape.splits_entropy || shape.draws > 0;
  if (shape_.keep_samples) {
    samples_ = Array<float>::zeros({shape_.draws, items, shape_.classes});
  }
}

void RunBuilder::addItem(std::int64_t id, std::int64_t label) {
  ids_.push_back(id);
  labels_.push_back(label);
}

void RunBuilder::addMean(std::span<const double> mean) {
  std::transform(mean.begin(), mean.end(), std::back_inserter(probs_),
                 [](double prob) { return static_cast<float>(prob); });
}

std::vector<float*> RunBuilder::drawDestinations(std::int64_t items) {
  if (done_ + items > capacity_) {
    throw std::length_error("RunBuilder: more items than reserved");
  }
  std::vector<float*> places;
  for (std::int64_t t = 0; t < shape_.draws && shape_.keep_samples; ++t) {
    places.push_back(samples_.mutableData() + (t * capacity_ + done_) * shape_.classes);
  }
  return places;
}

Expected<PredictiveSummary> RunBuilder::summarise(const DrawRows& logits,
                                                  const RunContext& context) {
  const std::vector<float*> places = drawDestinations(logits.items);
  PredictiveSummary summary = summariseLogits(logits, places, context);
  if (context.cancelRequested()) {
    return cancelled();
  }
  return summary;
}

void RunBuilder::addSummary(const PredictiveSummary& summary, std::span<const float> logits) {
  addMean(summary.mean_probs.values());
  append(predictions_, summary.predictions);
  append(log_rest_, summary.log_rest);
  append(entropy_, summary.entropy);
  if (shape_.splits_entropy) {
    append(expected_entropy_, summary.expected_entropy);
    append(mutual_information_, summary.mutual_information);
  }
  if (shape_.draws > 1) {
    append(variation_ratio_, summary.variation_ratio);
    append(variance_, summary.variance);
  }
  if (shape_.keep_logits) {
    logits_.insert(logits_.end(), logits.begin(), logits.end());
  }
  done_ += summary.entropy.size();
}

Status RunBuilder::addDraws(const Array<float>& probs, const RunContext& context) {
  const std::vector<float*> places = drawDestinations(probs.extent(1));
  const PredictiveSummary summary = summariseProbs(probs, context);
  if (context.cancelRequested()) {
    return Status(cancelled());
  }
  for (std::size_t t = 0; t < places.size(); ++t) {
    std::ranges::copy(probs.row(static_cast<std::int64_t>(t)), places[t]);
  }
  addSummary(summary);
  return {};
}

void RunBuilder::addGaussians(const Array<float>& logit_mean, const Array<float>& logit_variance,
                              const LinkedPredictions& linked) {
  addMean(linked.probs.values());
  for (std::int64_t i = 0; i < linked.probs.extent(0); ++i) {
    predictions_.push_back(argmax(linked.probs.row(i)));
  }
  append(log_rest_, linked.log_rest);
  append(entropy_, linked.entropy);
  if (shape_.splits_entropy) {
    append(expected_entropy_, linked.expected_entropy.value());
    append(mutual_information_, linked.mutual_information.value());
  }
  append(logit_mean_, logit_mean);
  append(logit_var_, logit_variance);
  if (shape_.alpha) {
    append(alpha_, linked.alpha.value());
  }
  done_ += logit_mean.extent(0);
}

void RunBuilder::addGauge(const HonestyGauge& gauge) {
  append(gauge_bridge_, gauge.bridge);
  append(gauge_probit_, gauge.probit);
  append(gauge_divergence_, gauge.divergence);
}

Run RunBuilder::finish() && {
  Run run;
  const std::int64_t items = itemCount();
  run.predictions = Array<std::int64_t>::fromVector(std::move(predictions_));
  run.log_rest = Array<double>::fromVector(std::move(log_rest_));
  run.confidence = confidenceFromLogRest(*run.log_rest);
  run.probs = Array<float>::fromVector({items, shape_.classes}, std::move(probs_));
  run.ids = Array<std::int64_t>::fromVector(std::move(ids_));
  run.labels = Array<std::int64_t>::fromVector(std::move(labels_));
  run.entropy = Array<double>::fromVector(std::move(entropy_));
  if (shape_.splits_entropy) {
    run.expected_entropy = Array<double>::fromVector(std::move(expected_entropy_));
    run.mutual_information = Array<double>::fromVector(std::move(mutual_information_));
  }
  if (shape_.draws > 1) {
    run.variation_ratio = Array<double>::fromVector(std::move(variation_ratio_));
    run.variance = Array<double>::fromVector(std::move(variance_));
  }
  if (shape_.keep_logits) {
    run.logits = Array<float>::fromVector({items, shape_.classes}, std::move(logits_));
  }
  if (shape_.gaussians) {
    run.logit_mean = Array<float>::fromVector({items, shape_.classes}, std::move(logit_mean_));
    run.logit_var = Array<float>::fromVector({items, shape_.classes}, std::move(logit_var_));
  }
  if (shape_.alpha) {
    run.alpha = Array<double>::fromVector({items, shape_.classes}, std::move(alpha_));
  }
  if (shape_.gauge) {
    run.gauge_bridge = Array<double>::fromVector(std::move(gauge_bridge_));
    run.gauge_probit = Array<double>::fromVector(std::move(gauge_probit_));
    if (hasDivergence(shape_.classes)) {
      run.gauge_divergence = Array<double>::fromVector(std::move(gauge_divergence_));
    }
  }
  if (shape_.keep_samples) {
    if (items < capacity_) {
      // Unusable items left a gap at the end of every draw.
      for (std::int64_t t = 1; t < shape_.draws; ++t) {
        const float* const from = samples_.data() + t * capacity_ * shape_.classes;
        std::copy(from, from + items * shape_.classes,
                  samples_.mutableData() + t * items * shape_.classes);
      }
      samples_ = samples_.reshaped({shape_.draws * capacity_, shape_.classes})
                     .slice(0, shape_.draws * items)
                     .reshaped({shape_.draws, items, shape_.classes});
    }
    run.samples = samples_;
  }
  return run;
}

}  // namespace dubito
