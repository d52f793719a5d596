// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_builder.h"

#include <algorithm>
#include <stdexcept>

#include "core/io/measures_of_draws.h"
#include "core/io/run_schema.h"
#include "core/io/run_summary.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

/// Writes the entries of `part` along the first axis into `whole`, from entry `first` on.
template <class T>
void put(const Array<T>& part, std::int64_t first, Array<T>& whole) {
  std::ranges::copy(part.values(), whole.mutableRow(first).data());
}

/// Removes the entries behind the first `items` of the axis `item_axis`.
template <class T>
void shorten(Array<T>& values, std::size_t item_axis, std::int64_t items) {
  const std::int64_t reserved = values.extent(item_axis);
  if (item_axis == 0) {
    values = values.slice(0, items);
  } else if (items < reserved) {
    // Every draw is followed by a gap.
    const std::int64_t draws = values.extent(0);
    const std::int64_t row = values.rowSize() / reserved;
    for (std::int64_t t = 1; t < draws; ++t) {
      const T* const from = values.data() + t * reserved * row;
      std::copy(from, from + items * row, values.mutableData() + t * items * row);
    }
    values = values.reshaped({draws * reserved, row})
                 .slice(0, draws * items)
                 .reshaped({draws, items, row});
  }
}

}  // namespace

RunBuilder::RunBuilder(std::int64_t items, const RunShape& shape)
    : capacity_(items), shape_(shape), run_(zeroRun(shape, items)) {}

void RunBuilder::requireRoomFor(std::int64_t items) const {
  if (predicted_ + items > capacity_) {
    throw std::length_error("RunBuilder: more items than reserved");
  }
}

void RunBuilder::addItem(std::int64_t id, std::int64_t label) {
  if (items_ >= capacity_) {
    throw std::length_error("RunBuilder: more items than reserved");
  }
  run_.ids.mutableData()[items_] = id;
  run_.labels.mutableData()[items_] = label;
  ++items_;
}

void RunBuilder::addItemsOf(const Run& run, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    addItem(run.ids.data()[i], run.labels.data()[i]);
  }
}

std::vector<float*> RunBuilder::drawDestinations(std::int64_t items) {
  requireRoomFor(items);
  std::vector<float*> places;
  for (std::int64_t t = 0; t < shape_.draws && shape_.keep_samples; ++t) {
    places.push_back(run_.samples->mutableRow(t).data() + predicted_ * shape_.classes);
  }
  return places;
}

std::int64_t RunBuilder::addRows(const Array<double>& probs, const Array<std::int64_t>& predictions,
                                 const Array<double>& log_rest, const Array<double>& entropy) {
  requireRoomFor(predictions.size());
  const std::int64_t first = predicted_;
  std::ranges::transform(probs.values(),
                         std::get<Array<float>>(*run_.probs).mutableRow(first).data(),
                         [](double prob) { return static_cast<float>(prob); });
  put(predictions, first, run_.predictions);
  put(log_rest, first, *run_.log_rest);
  put(entropy, first, *run_.entropy);
  predicted_ += predictions.size();
  return first;
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
  const std::int64_t first =
      addRows(summary.mean_probs, summary.predictions, summary.log_rest, summary.entropy);
  for (const MeasureOfDraws& measure : kMeasuresOfDraws) {
    if (auto& stored = run_.*measure.in_run) {
      put(summary.*measure.in_summary, first, *stored);
    }
  }
  if (shape_.keep_logits) {
    if (std::ssize(logits) != summary.predictions.size() * shape_.classes) {
      throw std::invalid_argument("RunBuilder::addSummary: the logits do not match the items");
    }
    std::ranges::copy(logits, std::get<Array<float>>(*run_.logits).mutableRow(first).data());
  }
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
  Array<std::int64_t> predictions = Array<std::int64_t>::zeros({linked.probs.extent(0)});
  for (std::int64_t i = 0; i < predictions.size(); ++i) {
    predictions.mutableData()[i] = argmax(linked.probs.row(i));
  }
  const std::int64_t first = addRows(linked.probs, predictions, linked.log_rest, linked.entropy);
  if (run_.expected_entropy) {
    put(linked.expected_entropy.value(), first, *run_.expected_entropy);
    put(linked.mutual_information.value(), first, *run_.mutual_information);
  }
  if (shape_.gaussians) {
    put(logit_mean, first, *run_.logit_mean);
    put(logit_variance, first, *run_.logit_var);
  }
  if (shape_.alpha) {
    put(linked.alpha.value(), first, *run_.alpha);
  }
}

void RunBuilder::addGauge(const HonestyGauge& gauge) {
  if (gauged_ + gauge.bridge.size() > predicted_) {
    throw std::length_error("RunBuilder: more gauges than items");
  }
  put(gauge.bridge, gauged_, *run_.gauge_bridge);
  put(gauge.probit, gauged_, *run_.gauge_probit);
  if (run_.gauge_divergence) {
    put(gauge.divergence, gauged_, *run_.gauge_divergence);
  }
  gauged_ += gauge.bridge.size();
}

Run RunBuilder::finish() && {
  if (predicted_ != items_ || (run_.gauge_bridge && gauged_ != items_)) {
    throw std::logic_error("RunBuilder::finish: items without predictions, or the reverse");
  }
  forEachArrayOf(run_, [this](const RunArrayInfo& info, auto& values) {
    shorten(values, info.axes.itemAxis(), items_);
  });
  run_.confidence = confidenceFromLogRest(*run_.log_rest);
  return std::move(run_);
}

}  // namespace dubito
