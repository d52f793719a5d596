// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/run_computer.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "app/session/error_text.h"
#include "app/workbench/isolated_compute.h"
#include "app/workbench/kept_posterior.h"
#include "core/analysis/join_analyses.h"
#include "core/predict/work_estimate.h"

namespace dubito {
namespace {

constexpr char kIsolated[] = "compute/isolated";

std::string toStd(const QString& text) {
  return text.toStdString();
}

JobSettings jobSettingsOf(const ComputeSettings& settings, int threads) {
  return {.device = settings.device,
          .threads = threads,
          .seed = settings.seed,
          .memory = settings.memory};
}

/// The cached posterior of one computation.
struct KeptState {
  KeptPosterior posterior;
  bool reused = false;  ///< written on the worker before the result is delivered
};

/// A note on the posterior for the user, unless the error of the computation already mentions it.
QString noteOf(const KeptState& kept, const Expected<AnalysisPtr>& analysis) {
  if (analysis) {
    return kept.reused ? RunComputer::tr(
                             "Reused the posterior fitted in an earlier attempt; "
                             "nothing was fitted again")
                       : QString();
  }
  const bool is_mentioned =
      errorText(analysis.error()).contains(QString::fromStdString(kept.posterior.file()));
  return kept.posterior.exists() && !is_mentioned
             ? RunComputer::tr(
                   "The fitted posterior was kept; the next run of this computation "
                   "reuses it")
             : QString();
}

}  // namespace

RunComputer::RunComputer(Session& session, WindowJobs& jobs, Messages& messages,
                         RunEvaluator& evaluator, ComputeSettings& settings, QSettings& stored,
                         QObject* parent)
    : QObject(parent),
      session_(session),
      jobs_(jobs),
      messages_(messages),
      evaluator_(evaluator),
      settings_(settings),
      stored_(stored),
      cli_program_(dubito::cliProgram()),
      queue_(jobs.computeThread()),
      estimate_job_(jobs.computeThread()) {
  settings_.isolated = stored_.value(kIsolated).toBool();
  jobs_.watch(queue_.job());
  connect(&session_, &Session::workspaceChanged, this, &RunComputer::selectSuitableMethod);
  connect(&queue_, &ComputeQueue::changed, this, &RunComputer::computingChanged);
  connect(&jobs_, &WindowJobs::wantedChanged, this, &RunComputer::computingChanged);
}

JobSettings RunComputer::jobSettings() const {
  return jobSettingsOf(settings_, jobs_.threads());
}

bool RunComputer::hasUserRequestedWork() const {
  return queue_.hasUserRequested() || jobs_.hasWanted();
}

void RunComputer::selectSuitableMethod() {
  const ModelPtr model = session_.activeModel();
  if (!model || model == suited_model_.lock()) {
    return;
  }
  // Replace the method only if the user has not chosen it, or if it does not suit the model.
  MethodOptions& method = settings_.method;
  const bool was_suited = methodJson(method) == suited_method_;
  if (was_suited || wouldInsertDropout(method, *model)) {
    method = suitableMethod(*model);
  }
  suited_model_ = model;
  suited_method_ = methodJson(suitableMethod(*model));
}

bool RunComputer::canCompute(QString* reason, bool ensemble) const {
  QString why;
  if (!ensemble && !session_.activeModel()) {
    why = tr("No model is open; open one first");
  } else if (!ensemble && !session_.activeDataset()) {
    why = session_.datasets().empty()
              ? tr("No dataset is open; open one first")
              : tr("No evaluation dataset is open; open one, or set the role of an open dataset "
                   "to test in its menu (Edit dataset…)");
  }
  if (reason != nullptr) {
    *reason = why;
  }
  return why.isEmpty();
}

ComputeRequest RunComputer::requestOf(const ComputeSettings& settings) const {
  ComputeRequest request;
  request.model = session_.activeModel();
  const auto& in = session_.datasets()[static_cast<std::size_t>(session_.activeDatasetPosition())];
  request.in = {toStd(in.name), in.dataset};
  for (const DatasetEntry& entry : session_.oodDatasets()) {
    if (std::ranges::find(settings.excluded_ood, entry.dataset) == settings.excluded_ood.end()) {
      request.ood.push_back({toStd(entry.name), entry.dataset});
    }
  }
  request.method = settings.method;
  request.data = settings.data;
  if (settings.held_out && settings.held_out->whole == in.dataset &&
      settings.held_out->calibration == settings.data.calibration) {
    request.in.dataset = settings.held_out->rest;
    request.note = fmt::format(
        "{} of the {} items of {} were held out at random to calibrate on; the other {} are "
        "evaluated",
        settings.held_out->calibration->size(), in.dataset->size(), request.in.name,
        settings.held_out->rest->size());
  }
  request.predict = settings.predict;
  request.evaluation = settings.evaluation;
  request.memory = settings.memory;
  return request;
}

void RunComputer::estimate(const ComputeSettings& settings) {
  if (!settings.members.empty() || queue_.running() || !canCompute()) {
    estimate_job_.abandon();
    Q_EMIT estimated({});
    return;
  }
  const ComputeRequest request = requestOf(settings);
  estimate_job_.restart<WorkEstimate>(
      tr("Estimating"), jobSettingsOf(settings, jobs_.threads()),
      [request](RunContext& context) {
        std::vector<DatasetPtr> datasets = {request.in.dataset};
        for (const NamedDataset& ood : request.ood) {
          datasets.push_back(ood.dataset);
        }
        return estimateWork(*request.model, datasets, request.method, request.data, request.predict,
                            context);
      },
      this,
      [this](const Expected<WorkEstimate>& estimate) {
        // Report only a lack of memory here; other errors are reported by the computation itself.
        const bool too_large = !estimate && estimate.error().code == ErrorCode::kOutOfMemory;
        Q_EMIT estimated(estimate    ? QString::fromStdString(describe(*estimate))
                         : too_large ? errorText(estimate.error())
                                     : QString());
      });
}

void RunComputer::start(const ComputeSettings& settings, bool wanted) {
  QString reason;
  if (!canCompute(&reason, !settings.members.empty())) {
    not_computed_ << reason;
    Q_EMIT messages_.failed(reason);
    return;
  }
  if (settings.members.empty()) {
    settings_ = settings;
    estimate_job_.abandon();
    addRun(requestOf(settings), settings, wanted);
    return;
  }
  ComputeQueue::Computation computation;
  computation.settings = jobSettingsOf(settings, jobs_.threads());
  computation.wanted = wanted;
  computation.title = tr("Ensemble");
  computation.target = tr("%1 runs").arg(settings.members.size());
  const auto started = std::make_shared<QElapsedTimer>();
  std::vector<AnalysisPtr> members = settings.members;
  std::ranges::transform(members, members.begin(), givenOf);
  computation.work = [settings, members, started](RunContext& context) {
    started->start();
    return joinAnalyses(members, settings.predict, settings.evaluation, context);
  };
  add(std::move(computation), started, nullptr, {});
}

void RunComputer::addRun(const ComputeRequest& request, const ComputeSettings& settings,
                         bool wanted) {
  const bool isolated = settings.isolated && dubito::whyNotIsolated(request).empty();
  const auto entry = std::ranges::find(session_.models(), request.model, &ModelEntry::model);
  ComputeQueue::Computation computation;
  computation.settings = jobSettingsOf(settings, jobs_.threads());
  computation.wanted = wanted;
  computation.title = QString::fromStdString(describe(request.method).label);
  computation.target = tr("%1 · %2").arg(
      entry == session_.models().end() ? QString::fromStdString(request.model->metadata().name)
                                       : entry->name,
      QString::fromStdString(request.in.name));
  const auto started = std::make_shared<QElapsedTimer>();
  const auto kept = std::make_shared<KeptState>(KeptState{KeptPosterior(request, settings.seed)});
  computation.work = [request, isolated, started, kept, program = cli_program_,
                      &reaper = jobs_.childReaper()](RunContext& context) {
    started->start();
    KeptPosterior::Result result = kept->posterior.compute(
        request,
        isolated ? KeptPosterior::Writing::kAfterTheFit : KeptPosterior::Writing::kOnFailure,
        [&](const ComputeRequest& changed) {
          return isolated ? computeIsolated(changed, program, reaper, context)
                          : computeAnalysis(changed, context);
        });
    kept->reused = result.reused;
    return std::move(result.analysis);
  };
  add(std::move(computation), started, request.model,
      [kept](const Expected<AnalysisPtr>& analysis) { return noteOf(*kept, analysis); });
}

void RunComputer::add(ComputeQueue::Computation computation,
                      const std::shared_ptr<QElapsedTimer>& started, const ModelPtr& model,
                      const NoteOf& note_of) {
  computation.deliver = [this, started, model, note_of, target = computation.target,
                         wanted = computation.wanted](const Expected<AnalysisPtr>& analysis) {
    if (!wanted && analysis) {
      for (const AnalysisPart& part : (*analysis)->parts) {
        session_.runFiles().setRepeatable(part.run);
      }
    }
    evaluator_.take(analysis, nullptr, static_cast<double>(started->elapsed()) / 1000.0);
    if (analysis) {
      for (const QString& before : std::exchange(not_computed_, {})) {
        Q_EMIT messages_.withdrawn(before);
      }
    } else if (analysis.error().code != ErrorCode::kCancelled) {
      not_computed_ << errorText(analysis.error());
    }
    if (!analysis && model && analysis.error().remedy.needs_input_size) {
      Q_EMIT inputSizeNeeded(errorText(analysis.error()), model);
    }
    if (const QString note = note_of ? note_of(analysis) : QString(); !note.isEmpty()) {
      Q_EMIT messages_.noticed(tr("%1: %2").arg(target, note));
    }
  };
  queue_.add(std::move(computation));
}

bool RunComputer::canComputeAgain(const Analysis& analysis) {
  const auto has_images = [](const AnalysisPart& part) { return part.dataset != nullptr; };
  return analysis.model && analysis.method && !describe(*analysis.method).needs.any() &&
         std::ranges::all_of(analysis.parts, has_images);
}

void RunComputer::computeAgain(const Analysis& analysis, const ModelPtr& model) {
  ComputeRequest request;
  request.model = model;
  request.in = {analysis.in().name, analysis.in().dataset};
  for (const AnalysisPart& part : std::span(analysis.parts).subspan(1)) {
    request.ood.push_back({part.name, part.dataset});
  }
  request.method = *analysis.method;
  request.predict = settings_.predict;
  request.evaluation = settings_.evaluation;
  request.memory = settings_.memory;
  ComputeSettings settings = settings_;
  settings.seed = analysis.in().run->meta.seed;
  addRun(request, settings, true);
}

QString RunComputer::whyNotIsolated(const ComputeSettings& settings, bool ensemble) const {
  if (ensemble) {
    return tr("An ensemble combines runs in memory, so it is computed in this process");
  }
  return session_.activeModel() && session_.activeDataset()
             ? QString::fromStdString(dubito::whyNotIsolated(requestOf(settings)))
             : QString();
}

void RunComputer::setIsolated(bool isolated) {
  settings_.isolated = isolated;
  stored_.setValue(kIsolated, isolated);
}

}  // namespace dubito
