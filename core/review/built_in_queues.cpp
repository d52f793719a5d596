// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/built_in_queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/base/collect_parts.h"
#include "core/base/nan.h"
#include "core/base/splitmix64.h"
#include "core/io/join_runs.h"
#include "core/io/log_rest.h"
#include "core/io/run_needs.h"
#include "core/review/acquisition.h"

namespace dubito {
namespace {

/// Farthest-first costs one pass over all features per item.
constexpr std::int64_t kMaxVaried = 1000;
/// Largest batch of BatchBALD, reached with two classes.
constexpr std::int64_t kMaxBatch = 16;

/// Names of the queue by a measure. Measures that are not listed get texts from their description.
struct MeasureQueue {
  const char* measure;
  const char* key;
  const char* name;
  const char* why;
  Required<QueueGroup> group;
  bool needs_draws;
  const char* why_of_labels = "";
};

constexpr std::array kMeasureQueues{
    MeasureQueue{"confidence", "confidence", "least confident first",
                 "The network gives its own prediction a low probability; the least confident "
                 "predictions come first.",
                 QueueGroup::kUnsure, false,
                 "The program gave its label a low score; the lowest scores come first."},
    MeasureQueue{
        "margin", "margin", "close calls first",
        "The two most probable classes are almost equally probable; the closest calls come "
        "first.",
        QueueGroup::kUnsure, false,
        "The program gave two classes almost the same score; the closest calls come first."},
    MeasureQueue{"entropy", "entropy", "unsure first",
                 "The network hesitates between classes; the most uncertain come first.",
                 QueueGroup::kRecommended, false,
                 "The program hesitated between classes; the most uncertain labels come first."},
    MeasureQueue{"expected_entropy", "expected-entropy", "hard to tell first",
                 "Every draw of the network hesitates by itself, so the item may be hard to tell; "
                 "the hardest come first.",
                 QueueGroup::kUnsure, true},
    MeasureQueue{"mutual_information", "bald", "most to learn first",
                 "The draws of the network contradict each other, so a label would teach it "
                 "something; the largest contradiction comes first (BALD).",
                 QueueGroup::kUnsure, true},
    MeasureQueue{"variation_ratio", "variation-ratio", "changing votes first",
                 "Draws of the network predict different classes; the most divided votes come "
                 "first.",
                 QueueGroup::kUnsure, true},
    MeasureQueue{"variance", "variance", "scattered draws first",
                 "The probabilities differ from draw to draw of the network; the most scattered "
                 "come first.",
                 QueueGroup::kUnsure, true}};

std::string dashed(std::string key) {
  std::ranges::replace(key, '_', '-');
  return key;
}

/// The error for a run of labels, which says what is possible without a network.
tl::unexpected<Error> lacksScores(const QueueSource& source, const MeasureInfo& info) {
  const bool some_known = std::ranges::any_of(source.run.confidence.values(),
                                              [](double value) { return !std::isnan(value); });
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: {} of its labels have scores, so there is no {}; choose the queue {}, or "
                  "give the run of a network over the same images",
                  source.inputs.name, some_known ? "only some" : "none", info.name,
                  some_known ? "confidence or random" : "random"));
}

Expected<QueueScores> scoresOfMeasure(Measure measure, const QueueSource& source,
                                      RunContext& context) {
  const MeasureInfo& info = describe(measure);
  auto values = info.compute(source.run, context);
  if (!values && source.run.meta.method == kLabelsMethod) {
    return lacksScores(source, info);
  }
  if (!values) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has no {}, which needs {}; choose another queue",
                            source.inputs.name, info.name, info.needs));
  }
  QueueScores scores{*std::move(values)};
  if (measure == Measure::kConfidence) {
    // Orders items whose confidence rounds to 1: log(1 - confidence) falls as confidence rises.
    const Array<double> log_rest = logRestOf(source.run, context);
    scores.order = Array<double>::zeros(log_rest.shape());
    std::ranges::transform(log_rest.values(), scores.order.mutableData(),
                           [](double rest) { return -rest; });
  }
  return scores;
}

tl::unexpected<Error> noSharedItem(const QueueInputs& inputs) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: has no item in common with {}; use a run over the same dataset",
                          inputs.other_name, inputs.name));
}

Status needsComparableRun(const QueueSource& source, const std::vector<SharedRow>& shared) {
  const QueueInputs& inputs = source.inputs;
  if (Status probs = requireProbabilities(source.run, inputs.name); !probs) {
    return probs;
  }
  if (Status probs = requireProbabilities(*inputs.other, inputs.other_name); !probs) {
    return probs;
  }
  if (shared.empty()) {
    return noSharedItem(inputs);
  }
  return {};
}

/// Whether two runs are compared by the names of their classes: labels of other programs list the
/// same classes in another order, and some have no probabilities.
bool isComparedByName(const Run& run, const Run& other) {
  return run.meta.method == kLabelsMethod || other.meta.method == kLabelsMethod;
}

/// Items to which the runs give classes with different names first.
Expected<QueueScores> scoresOfDifferentNames(const QueueSource& source) {
  const Run& run = source.run;
  const Run& other = *source.inputs.other;
  std::unordered_map<std::int64_t, std::int64_t> rows;
  for (std::int64_t row = 0; row < other.itemCount(); ++row) {
    rows.emplace(other.ids.data()[row], row);
  }
  const auto n = static_cast<std::size_t>(run.itemCount());
  QueueScores scores{Array<double>::fromVector(std::vector<double>(n, kNaN))};
  double* const values = scores.values.mutableData();
  scores.in_first_part.assign(n, 0);
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) {
    const auto found = rows.find(run.ids.data()[i]);
    if (found != rows.end()) {
      any = true;
      scores.in_first_part[i] = run.className(run.predictions.data()[i]) !=
                                        other.className(other.predictions.data()[found->second])
                                    ? 1
                                    : 0;
      values[i] = scores.in_first_part[i];
    }
  }
  if (!any) {
    return noSharedItem(source.inputs);
  }
  return scores;
}

/// Items with different predictions first, each part by the total variation distance.
Expected<QueueScores> scoresOfDisagreement(const QueueSource& source, RunContext& context) {
  const Run& run = source.run;
  if (source.inputs.other == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the queue disagreement compares two runs; give a second run over "
                            "the same items",
                            source.inputs.name));
  }
  const Run& other = *source.inputs.other;
  if (isComparedByName(run, other)) {
    return scoresOfDifferentNames(source);
  }
  const auto joined = joinRuns({run, source.inputs.name}, {other, source.inputs.other_name});
  if (!joined) {
    return failWith(joined);
  }
  const std::vector<SharedRow>& shared = *joined;
  if (Status comparable = needsComparableRun(source, shared); !comparable) {
    return failWith(comparable);
  }
  QueueScores scores{Array<double>::fromVector(
      std::vector<double>(static_cast<std::size_t>(run.itemCount()), kNaN))};
  scores.order = Array<double>::zeros({run.itemCount()});
  scores.in_first_part.assign(static_cast<std::size_t>(run.itemCount()), 0);
  double* const values = scores.values.mutableData();
  double* const order = scores.order.mutableData();
  std::uint8_t* const first = scores.in_first_part.data();
  std::visit(
      [&](const auto& probs, const auto& other_probs) {
        context.parallelFor(
            static_cast<std::int64_t>(shared.size()), kItemsPerPart,
            [&](std::int64_t begin, std::int64_t end) {
              for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
                const SharedRow& row = shared[static_cast<std::size_t>(i)];
                const auto one = probs.row(row.first);
                const auto two = other_probs.row(row.second);
                double distance = 0.0;
                for (std::size_t k = 0; k < one.size(); ++k) {
                  distance += std::abs(static_cast<double>(one[k]) - static_cast<double>(two[k]));
                }
                const bool differ =
                    run.predictions.data()[row.first] != other.predictions.data()[row.second];
                values[row.first] = 0.5 * distance;
                order[row.first] = 0.5 * distance + (differ ? 2.0 : 0.0);  // distances are <= 1
                first[row.first] = differ ? 1 : 0;
              }
            });
      },
      *run.probs, *other.probs);
  return scores;
}

Expected<QueueScores> scoresOfRandom(const QueueSource& source, RunContext& context) {
  const std::uint64_t key = splitmix64(context.seed);
  const Array<std::int64_t>& ids = source.run.ids;
  QueueScores scores{Array<double>::zeros({ids.size()})};
  std::ranges::transform(ids.values(), scores.values.mutableData(), [key](std::int64_t id) {
    const std::uint64_t bits = splitmix64(key ^ splitmix64(static_cast<std::uint64_t>(id)));
    return static_cast<double>(bits >> 11) * 0x1.0p-53;
  });
  return scores;
}

Expected<QueueScores> scoresOfFileOrder(const QueueSource& source, RunContext& /*context*/) {
  std::vector<double> places(static_cast<std::size_t>(source.run.itemCount()));
  std::iota(places.begin(), places.end(), 1.0);
  return QueueScores{Array<double>::fromVector(std::move(places))};
}

/// Items of one suggested class after the other, in the order of the classes, then of the run.
Expected<QueueScores> scoresOfClass(const QueueSource& source, RunContext& /*context*/) {
  const Run& run = source.run;
  QueueScores scores{Array<double>::zeros({run.itemCount()})};
  scores.order = Array<double>::zeros({run.itemCount()});
  const auto n = static_cast<double>(run.itemCount());
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const auto suggested = static_cast<double>(run.predictions.data()[i]);
    scores.values.mutableData()[i] = suggested;
    scores.order.mutableData()[i] = suggested * n + static_cast<double>(i);
  }
  return scores;
}

/// Scores for an order of some rows; all others are left out.
QueueScores scoresOfOrder(std::int64_t items, const std::vector<std::int64_t>& rows,
                          const std::vector<double>& values) {
  std::vector<double> shown(static_cast<std::size_t>(items), kNaN);
  std::vector<double> order(static_cast<std::size_t>(items), kNaN);
  for (std::size_t place = 0; place < rows.size(); ++place) {
    const auto row = static_cast<std::size_t>(rows[place]);
    shown[row] = values[place];
    order[row] = -static_cast<double>(place);
  }
  return {Array<double>::fromVector(std::move(shown)), Array<double>::fromVector(std::move(order))};
}

Expected<QueueScores> scoresOfVaried(const QueueSource& source, RunContext& context) {
  const Run& run = source.run;
  if (source.inputs.features == nullptr) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: the queue varied needs features of the items; choose another queue",
                    source.inputs.name));
  }
  const auto entropy = describe(Measure::kEntropy).compute(run, context);
  std::vector<double> weights(static_cast<std::size_t>(run.itemCount()), 1.0);
  if (entropy) {
    std::ranges::copy(entropy->values(), weights.begin());
  }
  // Rows that cannot be queued must not count as chosen, either.
  for (std::size_t i = 0; i < source.can_queue.size(); ++i) {
    weights[i] = source.can_queue[i] != 0 ? weights[i] : kNaN;
  }
  std::int64_t start = -1;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!std::isnan(weights[i]) &&
        (start < 0 || weights[i] > weights[static_cast<std::size_t>(start)])) {
      start = static_cast<std::int64_t>(i);
    }
  }
  if (start < 0) {
    return scoresOfOrder(run.itemCount(), {}, {});
  }
  const std::int64_t count = source.limit > 0 ? source.limit : kMaxVaried;
  auto order = farthestFirst(*source.inputs.features, start, count, weights, context);
  if (!order) {
    return failWith(order);
  }
  // Nothing comes before the first item.
  order->distance.front() = order->distance.size() > 1 ? order->distance[1] : 0.0;
  QueueScores scores = scoresOfOrder(run.itemCount(), order->rows, order->distance);
  if (source.limit == 0 && count < run.itemCount()) {
    scores.notes.push_back(
        fmt::format("{}: only the first {} items are ordered; choose a limit to get more",
                    source.inputs.name, kMaxVaried));
  }
  return scores;
}

Expected<QueueScores> scoresOfBatchBald(const QueueSource& source, RunContext& context) {
  const Run& run = source.run;
  if (run.drawCount() < 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has no kept draws, which the queue batch-bald needs; choose "
                            "another queue, or keep the draws",
                            source.inputs.name));
  }
  std::vector<std::int64_t> candidates;
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    if (source.can_queue.empty() || source.can_queue[static_cast<std::size_t>(row)] != 0) {
      candidates.push_back(row);
    }
  }
  if (candidates.empty()) {
    return scoresOfOrder(run.itemCount(), {}, {});
  }
  const std::int64_t count = source.limit > 0 ? source.limit : kMaxBatch;
  const auto batch = batchBald(*run.samples, candidates, count, context);
  if (!batch) {
    return failWith(batch);
  }
  QueueScores scores = scoresOfOrder(run.itemCount(), batch->rows, batch->information);
  if (batch->is_limited) {
    scores.notes.push_back(fmt::format(
        "{}: the batch ends after {} items, because more have too many joint labels to enumerate",
        source.inputs.name, batch->rows.size()));
  }
  return scores;
}

}  // namespace

bool hasQueue(Measure measure) {
  return describe(measure).sense != MeasureSense::kApproximationIsWorse;
}

QueueKind queueByMeasure(Measure measure) {
  const MeasureInfo& info = describe(measure);
  QueueKind kind{
      .key = dashed(info.key),
      .name = fmt::format("{} first", highIsCertain(measure) ? fmt::format("low {}", info.name)
                                                             : fmt::format("high {}", info.name)),
      .why = fmt::format("Ordered by {} ({}); the most uncertain come first.", info.name,
                         info.what_it_is),
      .group = QueueGroup::kUnsure,
      .needs = {},
      .needs_text = info.needs,
      .left_out = fmt::format("without {}", info.name),
      .high_first = !highIsCertain(measure),
      .measure = measure,
      .compute = [measure](const QueueSource& source, RunContext& context) {
        return scoresOfMeasure(measure, source, context);
      }};
  const auto named =
      std::ranges::find(kMeasureQueues, std::string_view(info.key),
                        [](const MeasureQueue& queue) { return std::string_view(queue.measure); });
  if (named != kMeasureQueues.end()) {
    kind.key = named->key;
    kind.name = named->name;
    kind.why = named->why;
    kind.why_of_labels = named->why_of_labels;
    kind.group = named->group;
    kind.needs.draws = named->needs_draws;
  }
  return kind;
}

std::vector<QueueKind> otherQueues() {
  return {
      {.key = "disagreement",
       .name = "disagreeing runs first",
       .why = "Two runs contradict each other; items with different predictions come first, the "
              "most different probabilities at the top.",
       .group = QueueGroup::kUnsure,
       .first_part = "images about which the runs disagree",
       .needs = {.other_run = true},
       .needs_text = "a second run over the same items",
       .left_out = "not in the other run",
       .high_first = true,
       .compute = scoresOfDisagreement},
      {.key = "varied",
       .name = "varied first",
       .why = "Each item is as unlike those before it as possible and uncertain, too, so that few "
              "labels cover much of the data.",
       .group = QueueGroup::kAnything,
       .needs = {.features = true},
       .needs_text = "features of the items",
       .left_out = "not ordered",
       .high_first = true,
       .compute = scoresOfVaried},
      {.key = "batch-bald",
       .name = "most to learn together first",
       .why = "These items teach the network most as a batch, without repeating each other "
              "(BatchBALD).",
       .group = QueueGroup::kUnsure,
       .needs = {.draws = true},
       .needs_text = "kept draws",
       .left_out = "not in the batch",
       .high_first = true,
       .compute = scoresOfBatchBald},
      {.key = "file-order",
       .name = "in the order of the files",
       .why = "The images come in the order of their dataset: files by their paths.",
       .group = QueueGroup::kAnything,
       .needs = {},
       .needs_text = "nothing",
       .left_out = "without id",
       .high_first = false,
       .follows_rows = true,
       .compute = scoresOfFileOrder},
      {.key = "by-class",
       .name = "class by class",
       .why = "All images of one suggested class come together, then those of the next; what does "
              "not belong is easy to see.",
       .group = QueueGroup::kAnything,
       .needs = {},
       .needs_text = "nothing",
       .left_out = "without id",
       .high_first = false,
       .follows_rows = true,
       .compute = scoresOfClass},
      {.key = "random",
       .name = "random order",
       .why = "Every item is equally likely to come first, for comparison and for unbiased "
              "estimates.",
       .group = QueueGroup::kAnything,
       .needs = {},
       .needs_text = "nothing",
       .left_out = "without id",
       .high_first = false,
       .compute = scoresOfRandom}};
}

}  // namespace dubito
