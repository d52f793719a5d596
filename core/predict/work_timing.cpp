// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/data/images/input_bytes.h"
#include "core/data/sources/dataset_view.h"
#include "core/methods/laplace/prior_search_items_torch.h"
#include "core/predict/prediction_loop_torch.h"
#include "core/predict/work_timing_torch.h"

namespace dubito {
namespace {

// Trial fits grow until they take this long.
constexpr double kLongFit = 0.3;
constexpr double kMaxFitSeconds = 4.0;
constexpr std::int64_t kItemsForSlope = 2048;
constexpr std::int64_t kFirstItems = 8;

/// The context without progress and ranks: estimates are local to this process.
RunContext quiet(const RunContext& context) {
  RunContext inner(context.control());
  inner.device = context.device;
  inner.threads = context.threads;
  inner.seed = context.seed;
  inner.memory_budget_bytes = context.memory_budget_bytes;
  return inner;
}

/// Receives every batch as a part and records its time.
class BatchClock : public PartSink {
 public:
  [[nodiscard]] bool isDue(std::int64_t /*items*/,
                           std::chrono::steady_clock::time_point /*start_time*/) const override {
    return true;
  }
  [[nodiscard]] Status take(ComputedPart part) override {
    const double seconds = watch_.lap();
    if (part.findings.items > 0) {
      seconds_.push_back(seconds);
    }
    return {};
  }
  [[nodiscard]] const std::vector<double>& seconds() const { return seconds_; }

 private:
  Stopwatch watch_;
  std::vector<double> seconds_;
};

class PredictionTimer {
 public:
  PredictionTimer(const Model& model, DatasetPtr dataset, const PredictOptions& options,
                  const RunContext& context)
      : model_(model), dataset_(std::move(dataset)), options_(options), context_(quiet(context)) {}

  /// Times `count` batches of `batch` items, or as many as there are.
  [[nodiscard]] Expected<BatchTimes> time(const MethodOptions& method, std::int64_t batch,
                                          std::int64_t count) {
    const std::int64_t items = std::min(batch, dataset_->size());
    const std::int64_t end = std::min(dataset_->size(), items * count) / items * items;
    PredictOptions options = options_;
    options.batch = items;
    const Stopwatch watch;
    const auto prepared = PreparedPrediction::of(model_, *dataset_, method, options, context_);
    if (!prepared) {
      return failWith(prepared);
    }
    const double setup = watch.seconds();
    BatchClock clock;
    if (const auto run = PredictionLoop(**prepared).run(0, end, items, clock); !run) {
      return failWith(run);
    }
    if (clock.seconds().empty()) {
      return fail(ErrorCode::kMalformed, "none of the first items could be read");
    }
    return separateStart(items, setup, clock.seconds());
  }

 private:
  const Model& model_;
  DatasetPtr dataset_;
  PredictOptions options_;
  RunContext context_;
};

/// Seconds for `items` items, timed one at a time because one takes long: a line through two
/// numbers of draws, whose slope is at most their mean.
Expected<SecondsRange> ofLongItems(PredictionTimer& timer, const MethodOptions& method,
                                   std::int64_t items, double of_draw) {
  const std::int64_t draws = drawsOf(method);
  const auto few = std::clamp<std::int64_t>(std::llround(kTimedSeconds / of_draw), 2,
                                            std::max<std::int64_t>(2, draws / 2));
  const auto first = timer.time(withDraws(method, few), 1, 2);
  const auto second = first ? timer.time(withDraws(method, 2 * few), 1, 2) : first;
  if (!second) {
    return failWith(second);
  }
  const double max_slope = second->mean() / static_cast<double>(2 * few);
  const double slope = std::clamp((second->mean() - first->mean()) / static_cast<double>(few),
                                  0.3 * max_slope, max_slope);
  const auto count = static_cast<double>(items);
  const auto further = static_cast<double>(draws - 2 * few);
  return SecondsRange{count * (second->mean() + further * 0.7 * slope),
                      second->once + count * (second->mean() + further * slope),
                      second->once + count * (second->mean() + further * max_slope)};
}

/// The same fraction of `dataset` as `count` is of `whole`, rounded up.
Expected<DatasetPtr> partOf(const DatasetPtr& dataset, std::int64_t count, std::int64_t whole,
                            const RunContext& context) {
  if (!dataset || count >= whole) {
    return dataset;
  }
  const double share = static_cast<double>(count) / static_cast<double>(whole);
  const auto items =
      static_cast<std::int64_t>(std::ceil(share * static_cast<double>(dataset->size())));
  return firstItems(dataset, items, context);
}

}  // namespace

Expected<DatasetPtr> firstItems(const DatasetPtr& dataset, std::int64_t count,
                                const RunContext& context) {
  const auto first = firstReadable(*dataset, context);
  if (!first) {
    return failWith(first);
  }
  if (*first == dataset->size()) {
    return dataset;
  }
  std::vector<std::int64_t> rows(
      static_cast<std::size_t>(std::min(count, dataset->size() - *first)));
  std::iota(rows.begin(), rows.end(), *first);
  return DatasetPtr(std::make_shared<const DatasetView>(dataset, rows, dataset->info()));
}

Expected<SecondsRange> timePrediction(const Model& model, const DatasetPtr& dataset,
                                      const MethodOptions& method, std::int64_t items,
                                      std::int64_t batch, const PredictOptions& options,
                                      const RunContext& context) {
  const auto readable = firstItems(dataset, dataset->size(), context);
  if (!readable) {
    return failWith(readable);
  }
  PredictionTimer timer(model, *readable, options, context);
  const std::int64_t draws = drawsOf(method);
  constexpr std::int64_t kFewDraws = 2;
  if (draws > 2 * kFewDraws) {
    const auto few = timer.time(withDraws(method, kFewDraws), 1, 2);
    if (!few) {
      return failWith(few);
    }
    const double of_draw = few->mean() / static_cast<double>(kFewDraws);
    if (of_draw * static_cast<double>(draws) > kTimedSeconds) {
      return ofLongItems(timer, method, items, of_draw);
    }
  }
  return timeBatches(
      [&](std::int64_t size, std::int64_t count) { return timer.time(method, size, count); }, items,
      std::min(batch, (*readable)->size()));
}

Expected<TimedFit> timeFit(const Model& model, const MethodOptions& method, const MethodData& data,
                           const PredictOptions& options, const RunContext& context) {
  const DatasetPtr& main = data.fit ? data.fit : data.calibration;
  const bool is_saved =
      !data.posterior_path.empty() && std::filesystem::exists(data.posterior_path);
  if (!main) {
    RunContext inner = quiet(context);
    const Stopwatch watch;
    auto ready = prepareMethod(model, method, data, options, inner);
    const double seconds = watch.seconds();
    return ready ? Expected<TimedFit>(TimedFit{{seconds, seconds, seconds}, *std::move(ready)})
                 : Expected<TimedFit>(failWith(ready));
  }
  const std::int64_t all = main->size();
  TimedFit timed{{}, method};
  const auto fitTo = [&](std::int64_t items) -> Expected<double> {
    MethodData part = data;
    part.allow_same_split = true;  // the fit itself reports shared items
    part.evaluated.clear();
    if (!is_saved) {
      part.posterior_path.clear();  // a posterior of a few items must not be saved
    }
    for (const DatasetPtr& set : data.evaluated) {
      const auto some = partOf(set, items, all, context);
      if (!some) {
        return failWith(some);
      }
      part.evaluated.push_back(*some);
    }
    const auto fit = partOf(data.fit, items, all, context);
    // Priors are chosen on at most this many items.
    const auto reduced = data.calibration && data.fit
                             ? firstItems(data.calibration, PriorSearchItems::kMaxItems, context)
                             : Expected<DatasetPtr>(data.calibration);
    const auto calibration = reduced ? partOf(*reduced, items, all, context) : reduced;
    if (!fit || !calibration) {
      return failWith(!fit ? fit : calibration);
    }
    // A saved posterior of other items would be refused.
    part.fit = is_saved ? nullptr : *fit;
    part.calibration = *calibration;
    RunContext inner = quiet(context);
    const Stopwatch watch;
    auto ready = prepareMethod(model, method, part, options, inner);
    if (!ready) {
      return failWith(ready);
    }
    timed.method = *std::move(ready);
    return watch.seconds();
  };
  const Stopwatch since;
  std::int64_t few = std::min(all, kFirstItems);
  auto warm_up = fitTo(few);
  auto of_few = warm_up && *warm_up < kTimedSeconds ? fitTo(few) : warm_up;
  if (!of_few) {
    return failWith(of_few);
  }
  std::int64_t many = few;
  double of_many = *of_few;
  const auto mayGoOn = [&] {
    return since.seconds() < kMaxFitSeconds ||
           (many < kItemsForSlope && of_many < 0.5 * kMaxFitSeconds);
  };
  const auto tells = [&](double seconds) {
    return seconds - *of_few >= std::max(kLongFit, 0.5 * *of_few);
  };
  bool told = false;
  while (many < all && !told && mayGoOn()) {
    // One-off work (decompositions, the prior search) hides the cost per item: only many more items
    // reveal it.
    constexpr std::int64_t kGrowth = 8;
    many = std::min(all, kGrowth * many);
    const auto more = fitTo(many);
    if (!more) {
      return failWith(more);
    }
    of_many = *more;
    if (many < all && tells(of_many)) {
      // A brief slowdown of the machine looks the same, but does not repeat.
      const auto again = fitTo(many);
      if (!again) {
        return failWith(again);
      }
      of_many = std::min(of_many, *again);
      told = tells(of_many);
    }
  }
  if (many == all) {
    timed.seconds = {of_many, of_many, of_many};
    return timed;
  }
  // One-off work lies between none and all of the smaller fit. If the two fits differ by no more
  // than noise on a busy machine, the whole range stays open.
  const double max_slope = of_many / static_cast<double>(many);
  const double slope =
      many > few ? std::clamp((of_many - *of_few) / static_cast<double>(many - few), 0.0, max_slope)
                 : max_slope;
  const auto further = static_cast<double>(all - many);
  timed.seconds = {
      of_many + further * (told || many == few ? 0.7 * slope : 0.0), of_many + further * slope,
      of_many + further * (told ? std::min(max_slope, 1.5 * slope + 0.2 * max_slope) : max_slope)};
  return timed;
}

}  // namespace dubito
