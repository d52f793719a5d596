// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/active_learning/study.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/studies/active_learning/curve_folder.h"
#include "app/studies/active_learning/experiment_data.h"
#include "app/studies/active_learning/learning_curve.h"
#include "app/studies/active_learning/round.h"
#include "core/base/rank_group.h"
#include "core/base/stopwatch.h"

namespace dubito::study {
namespace {

nlohmann::json conditionsOf(const ActiveLearning& experiment, const RunContext& context) {
  return conditionsOf(experiment.options, experiment.train, experiment.test, context.threads);
}

/// Empty curves in the order of computation.
std::vector<Curve> allCurves(const ActiveLearning& experiment) {
  std::vector<Curve> curves;
  for (std::int64_t seed = 0; seed < experiment.seeds; ++seed) {
    for (const std::string& by : experiment.by) {
      curves.push_back({by, static_cast<std::uint64_t>(seed), {}, {}});
    }
  }
  return curves;
}

/// The same result in all processes; without processes, this one's.
Status agreed(const RunContext& context, const Status& mine) {
  return context.ranks ? agree(*context.ranks, mine) : mine;
}

/// For one curve: the processes share curves, not the work of a round, and only rounds are counted
/// as progress.
RunContext aloneAndQuiet(const RunContext& context) {
  RunContext alone = context;
  alone.ranks = nullptr;
  alone.on_progress = nullptr;
  return alone;
}

/// Claims the folder in the first process, then opens it in the others.
Expected<CurveFolder> claimTogether(const ActiveLearning& experiment, const RunContext& context) {
  const nlohmann::json conditions = conditionsOf(experiment, context);
  const bool leads = !context.ranks || context.ranks->rank() == 0;
  std::optional<Expected<CurveFolder>> folder;
  if (leads) {
    folder.emplace(CurveFolder::claim(experiment.folder, conditions));
  }
  if (Status waited = agreed(context, Status()); !waited) {
    return failWith(waited);
  }
  if (!leads) {
    folder.emplace(CurveFolder::open(experiment.folder, conditions));
  }
  if (Status claimed = agreed(context, *folder ? Status() : Status(failWith(*folder))); !claimed) {
    return failWith(claimed);
  }
  return *std::move(folder);
}

/// The computed parts of the unfinished curves of this process.
Expected<std::vector<Curve>> curvesToCompute(const ActiveLearning& experiment,
                                             const CurveFolder& folder, const RunContext& context) {
  std::vector<Curve> unfinished;
  Status read;
  for (const Curve& empty : allCurves(experiment)) {
    auto curve = folder.read(empty.by, empty.seed);
    if (!curve) {
      read = failWith(curve);
      break;
    }
    if (missingPoints(*curve, experiment.options, experiment.labels) > 0) {
      unfinished.push_back(*std::move(curve));
    }
  }
  // Waits until all processes have read, before any of them writes.
  if (Status all_read = agreed(context, read); !all_read) {
    return failWith(all_read);
  }
  if (!context.ranks) {
    return unfinished;
  }
  std::vector<Curve> share;
  for (std::size_t i = 0; i < unfinished.size(); ++i) {
    if (i % static_cast<std::size_t>(context.ranks->size()) ==
        static_cast<std::size_t>(context.ranks->rank())) {
      share.push_back(std::move(unfinished[i]));
    }
  }
  return share;
}

/// Computes the curves of one process.
class CurveWork {
 public:
  CurveWork(const ActiveLearning& experiment, const CurveFolder& folder, std::vector<Curve> curves,
            const std::function<void(const FinishedCurve&)>& on_finished, RunContext& context)
      : experiment_(experiment),
        folder_(folder),
        curves_(std::move(curves)),
        on_finished_(on_finished),
        context_(context) {
    for (const Curve& curve : curves_) {
      total_ += missingPoints(curve, experiment.options, experiment.labels);
    }
  }

  Status run(const ExperimentData& data) {
    for (Curve& curve : curves_) {
      CurveEvents events;
      events.scratch_path = folder_.fileOf(curve.by, curve.seed, ".pt");
      events.on_point = [this](const Curve& extended) { return save(extended); };
      RunContext alone = aloneAndQuiet(context_);
      if (context_.step(kStage, done_, total_) != Step::kContinue) {
        return cancelled();
      }
      if (Status extended =
              extendCurve(data, experiment_.options, experiment_.labels, curve, events, alone);
          !extended) {
        return extended;
      }
      const double seconds_left =
          watch_.seconds() / static_cast<double>(done_) * static_cast<double>(total_ - done_);
      on_finished_(
          {curve.by, curve.seed, 1.0 - curve.points.back().accuracy, total_ - done_, seconds_left});
    }
    return {};
  }

 private:
  static constexpr const char* kStage = "active learning";

  Status save(const Curve& curve) {
    if (Status written = folder_.write(curve); !written) {
      return written;
    }
    ++done_;
    return context_.step(kStage, done_, total_) == Step::kContinue ? Status() : Status(cancelled());
  }

  const ActiveLearning& experiment_;
  const CurveFolder& folder_;
  std::vector<Curve> curves_;
  const std::function<void(const FinishedCurve&)>& on_finished_;
  RunContext& context_;
  std::int64_t done_ = 0;   ///< points
  std::int64_t total_ = 0;  ///< points
  Stopwatch watch_;
};

}  // namespace

Status ActiveLearning::check() const {
  if (Status checked = options.check(); !checked) {
    return checked;
  }
  if (labels < options.initial || labels > options.pool) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--labels must be between --initial ({}) and --pool ({}), not {}",
                            options.initial, options.pool, labels));
  }
  if (seeds < 1 || by.empty()) {
    return fail(ErrorCode::kInvalidArgument, "choose at least one seed and one acquisition");
  }
  for (const std::string& key : by) {
    if (Status usable = checkAcquisition(key); !usable) {
      return usable;
    }
  }
  return {};
}

Status computeCurves(const ActiveLearning& experiment,
                     const std::function<void(const FinishedCurve&)>& on_finished,
                     RunContext& context) {
  if (Status checked = agreed(context, experiment.check()); !checked) {
    return checked;
  }
  const auto folder = claimTogether(experiment, context);
  if (!folder) {
    return failWith(folder);
  }
  auto curves = curvesToCompute(experiment, *folder, context);
  if (!curves) {
    return failWith(curves);
  }
  RunContext alone = aloneAndQuiet(context);
  const auto data = openExperiment(experiment.train, experiment.test, experiment.options, alone);
  Status done = agreed(context, data ? Status() : Status(failWith(data)));
  if (done) {
    done = CurveWork(experiment, *folder, *std::move(curves), on_finished, context).run(*data);
  }
  if (!done && done.error().code == ErrorCode::kCancelled) {
    done = fail(ErrorCode::kCancelled,
                fmt::format("{}: cancelled; the same command continues", experiment.folder));
  }
  // Any other failure of one process ends the others at once; what they have computed is saved.
  return done || done.error().code == ErrorCode::kCancelled ? agreed(context, done) : done;
}

Expected<std::vector<Curve>> readCurves(const ActiveLearning& experiment,
                                        const RunContext& context) {
  const auto folder = CurveFolder::open(experiment.folder, conditionsOf(experiment, context));
  if (!folder) {
    return failWith(folder);
  }
  std::vector<Curve> curves = allCurves(experiment);
  for (Curve& curve : curves) {
    auto stored = folder->read(curve.by, curve.seed);
    if (!stored) {
      return failWith(stored);
    }
    curve = *std::move(stored);
  }
  return curves;
}

}  // namespace dubito::study
