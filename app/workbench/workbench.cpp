// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/workbench.h"

#include <QElapsedTimer>
#include <algorithm>
#include <thread>
#include <utility>

#include "app/files/label_source.h"
#include "app/files/save_metadata.h"
#include "app/session/store_images.h"
#include "app/session/window_words.h"
#include "app/workbench/demo.h"
#include "app/workbench/kept_posterior.h"
#include "core/analysis/attach_images.h"
#include "core/analysis/join_analyses.h"
#include "core/base/grouped_digits.h"
#include "core/base/offered_lines.h"
#include "core/data/images/input_size_error.h"
#include "core/data/sources/annotated_images.h"
#include "core/data/sources/annotations_dataset.h"
#include "core/data/sources/dataset_label_run.h"
#include "core/data/sources/dataset_spec.h"
#include "core/inference/estimate/work_estimate.h"
#include "core/io/known_notes.h"
#include "core/io/run_needs.h"
#include "core/metrics/label_fit.h"

namespace dubito {
namespace {

constexpr char kIsolated[] = "compute/isolated";
constexpr char kConfined[] = "models/confine_unknown";
constexpr char kKnownModels[] = "models/known";
constexpr int kMaxKnownModels = 200;

std::string toStd(const QString& text) {
  return text.toStdString();
}

JobSettings jobSettingsOf(const ComputeSettings& settings, int threads) {
  return {settings.device, threads, settings.seed, settings.memory};
}

/// The cached posterior of one computation.
struct KeptState {
  KeptPosterior posterior;
  bool reused = false;  ///< written on the worker before the result is delivered
};

/// A note on the posterior for the user, unless the error of the computation already mentions it.
QString noteOf(const KeptState& kept, const Expected<AnalysisPtr>& analysis) {
  if (analysis) {
    return kept.reused ? Workbench::tr(
                             "Reused the posterior fitted in an earlier attempt; "
                             "nothing was fitted again")
                       : QString();
  }
  const bool is_mentioned =
      analysis.error().message.find(kept.posterior.file()) != std::string::npos;
  return kept.posterior.exists() && !is_mentioned
             ? Workbench::tr(
                   "The fitted posterior was kept; the next run of this computation "
                   "reuses it")
             : QString();
}

}  // namespace

Workbench::Workbench(Session& session, QSettings& settings, QObject* parent)
    : QObject(parent),
      session_(session),
      stored_(settings),
      recent_(settings),
      threads_(static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))),
      queue_(compute_thread_),
      estimate_job_(compute_thread_),
      open_job_(file_thread_),
      model_job_(compute_thread_),
      metadata_job_(compute_thread_),
      reopen_job_(file_thread_),
      attach_job_(file_thread_),
      analyse_job_(list_thread_),
      list_job_(list_thread_),
      brushing_(session, threads_) {
  compute_settings_.isolated = stored_.value(kIsolated).toBool();
  cli_program_ = cliProgram();
  watch(queue_.job());
  watch(open_job_);
  watch(model_job_);
  watch(metadata_job_);
  watch(reopen_job_);
  watch(attach_job_);
  watch(analyse_job_);
  connect(&session_.listing(), &ItemListing::queryChanged, this, &Workbench::listItems);
  connect(&session_, &Session::workspaceChanged, this, &Workbench::selectSuitableMethod);
  connect(&queue_, &ComputeQueue::changed, this, &Workbench::computingChanged);
}

Workbench::~Workbench() = default;

JobSettings Workbench::jobSettings() const {
  return jobSettingsOf(compute_settings_, threads_);
}

void Workbench::watch(Job& job, Outcome outcome) {
  watched_.push_back(&job);
  if (outcome == Outcome::kWanted) {
    wanted_.push_back(&job);
    connect(&job, &Job::stateChanged, this, &Workbench::computingChanged);
  }
  connect(&job, &QObject::destroyed, this, [this, &job] {
    std::erase(watched_, &job);
    std::erase(wanted_, &job);
  });
  connect(&job, &Job::stateChanged, this, [this, &job](JobState state) {
    if (state == JobState::kQueued) {
      Q_EMIT jobStarted(job.title());
    }
  });
  connect(&job, &Job::delivered, this, [this, &job] {
    if (busy()) {
      return;
    }
    if (job.state() == JobState::kCancelled) {
      last_text_ = tr("%1: cancelled").arg(job.title());
    } else if (job.state() == JobState::kFailed) {
      last_text_ = tr("%1: failed").arg(job.title());
    }
    Q_EMIT jobFinished(std::exchange(last_text_, {}));
  });
  connect(&job, &Job::progressChanged, this, &Workbench::jobProgress);
}

bool Workbench::busy() const {
  return std::any_of(watched_.begin(), watched_.end(),
                     [](const Job* job) { return isActive(job->state()); });
}

bool Workbench::hasUserRequestedWork() const {
  return queue_.hasUserRequested() ||
         std::any_of(wanted_.begin(), wanted_.end(),
                     [](const Job* job) { return isActive(job->state()); });
}

void Workbench::cancel() {
  waiting_to_open_.clear();
  compute_when_opened_ = false;
  for (Job* const job : watched_) {
    job->cancel();
  }
}

void Workbench::stopEarly() {
  queue_.job().stopEarly();
}

void Workbench::report(const Error& error) {
  if (error.code != ErrorCode::kCancelled) {
    Q_EMIT failed(QString::fromStdString(error.message));
  }
}

// --- opening -----------------------------------------------------------------------------------

void Workbench::open(const std::vector<OpenRequest>& requests) {
  std::vector<OpenRequest> files;
  for (const OpenRequest& request : requests) {
    const FileKind kind =
        request.kind == FileKind::kUnknown ? guessFileKind(request.specification) : request.kind;
    if (kind == FileKind::kWorkspace) {
      Q_EMIT workspaceRequested(QString::fromStdString(request.specification));
    } else if (kind == FileKind::kStudy) {
      Q_EMIT studyRequested(QString::fromStdString(request.specification));
    } else {
      files.push_back(request);
    }
  }
  if (!files.empty()) {
    waiting_to_open_.push_back(files);
    startOpening();
  }
}

void Workbench::attachImages(const std::string& specification) {
  const AnalysisPtr base = givenOf(session_.activeAnalysis());
  if (!base) {
    return;
  }
  attach_job_.restart<AnalysisPart>(
      tr("Attaching images"), {},
      [run = base->in().run, name = base->in().name,
       specification](RunContext& context) -> Expected<AnalysisPart> {
        const auto dataset = openDataset(specification, context);
        if (!dataset) {
          return failWith(dataset);
        }
        auto attached = dubito::attachImages(run, name, **dataset);
        if (!attached) {
          return failWith(attached);
        }
        return makePart(name, std::move(attached->run), *dataset, context);
      },
      this,
      [this, base](Expected<AnalysisPart> part) {
        if (!part) {
          report(part.error());
          return;
        }
        waiting_to_analyse_.emplace_back([this, base, part = *std::move(part)] {
          std::vector<AnalysisPart> parts = base->parts;
          parts.front() = part;
          startAnalysing(std::move(parts), base);
        });
        startNextAnalysis();
      });
}

void Workbench::reviewDataset() {
  const DatasetPtr dataset = session_.activeDataset();
  if (!dataset) {
    return;
  }
  const auto run = datasetLabelRun(*dataset);
  if (!run) {
    report(run.error());
    return;
  }
  const OpenedRun opened{
      .run = std::make_shared<const Run>(*run), .dataset = dataset, .is_repeatable = true};
  if (!showOpenLabels(opened)) {
    addOpenedRun({{dataset->info().spec, FileKind::kLabels, false, {}}, Opened(opened)}, opened);
  }
}

void Workbench::openDemo() {
  const std::optional<std::filesystem::path> samples = findSamples();
  if (!samples) {
    Q_EMIT failed(
        tr("datasets/samples: the demo is not installed with this program; open your own "
           "model and dataset"));
    return;
  }
  compute_when_opened_ = true;
  open(demoRequests(*samples));
}

void Workbench::saveModelMetadata(const ModelPtr& model, const ModelMetadata& metadata) {
  const QString name = QString::fromStdString(metadata.name);
  JobSettings settings;
  settings.threads = threads_;
  const bool started = metadata_job_.start<ModelPtr>(
      tr("Saving the preprocessing"), settings,
      [path = model->path(), metadata](RunContext& context) {
        return saveMetadata(path, metadata, context);
      },
      this,
      [this, model, name](const Expected<ModelPtr>& opened) {
        if (!opened) {
          report(opened.error());
          return;
        }
        const auto entry = std::ranges::find(session_.models(), model, &ModelEntry::model);
        if (entry != session_.models().end()) {
          // Keep a name given by the user.
          const bool is_own = entry->name == QString::fromStdString(model->metadata().name);
          session_.replaceModel(model, is_own && !name.isEmpty() ? name : entry->name, *opened);
        }
        last_text_ = tr("Saved: %1").arg(QString::fromStdString((*opened)->metadata().source));
        Q_EMIT metadataSaved(model, *opened);
      });
  if (!started) {
    Q_EMIT failed(tr("%1: its preprocessing is being saved; try again when that has finished")
                      .arg(QString::fromStdString(model->path())));
  }
}

void Workbench::resizeImages(const ModelPtr& model, std::int64_t height, std::int64_t width) {
  ModelMetadata metadata = model->metadata();
  metadata.preprocessing.height = height;
  metadata.preprocessing.width = width;
  metadata.preprocessing.resize = "shorter-side";
  metadata.preprocessing.resize_to = 0;
  auto* const once = new QObject(this);
  connect(this, &Workbench::metadataSaved, once,
          [this, once, model](const ModelPtr& before, const ModelPtr& now) {
            once->deleteLater();
            if (before == model && session_.activeModel() == now) {
              compute(compute_settings_);
            }
          });
  connect(this, &Workbench::failed, once, &QObject::deleteLater);
  saveModelMetadata(model, metadata);
}

void Workbench::closeDemo() {
  cancelAutomaticWork();
  session_.closeDemo();
}

void Workbench::cancelAutomaticWork() {
  compute_when_opened_ = false;
  queue_.cancelAutomatic();
}

void Workbench::openWithOutput(const std::string& path, const std::string& key) {
  JobSettings settings;
  settings.threads = threads_;
  const bool started = metadata_job_.start<ModelPtr>(
      tr("Opening 1 file"), settings,
      [path, key](RunContext& context) { return saveOutputKey(path, key, context); }, this,
      [this, path](const Expected<ModelPtr>& opened) {
        addOpened({{{path, FileKind::kModel, false, {}},
                    opened ? Expected<Opened>(*opened) : Expected<Opened>(failWith(opened))}});
      });
  if (!started) {
    Q_EMIT failed(tr("%1: another model's metadata is being saved; try again when that has "
                     "finished")
                      .arg(QString::fromStdString(path)));
  }
}

void Workbench::reopenDataset(const DatasetPtr& before, const QString& name,
                              const std::string& specification) {
  std::erase_if(waiting_to_reopen_,
                [&before](const Reopening& other) { return other.before == before; });
  waiting_to_reopen_.push_back({before, name, specification});
  startReopening();
}

void Workbench::startReopening() {
  if (waiting_to_reopen_.empty() || isActive(reopen_job_.state())) {
    return;
  }
  const Reopening next = std::move(waiting_to_reopen_.front());
  waiting_to_reopen_.pop_front();
  JobSettings settings;
  settings.threads = threads_;
  reopen_job_.start<DatasetPtr>(
      tr("Opening %1").arg(next.name), settings,
      [specification = next.specification](RunContext& context) {
        return openDataset(specification, context);
      },
      this,
      [this, next](const Expected<DatasetPtr>& dataset) {
        if (!dataset) {
          report(dataset.error());
        } else if (session_.replaceDataset(next.before, next.name, *dataset)) {
          for (Reopening& later : waiting_to_reopen_) {
            later.before = later.before == next.before ? *dataset : later.before;
          }
        } else {
          Q_EMIT failed(tr("%1: was changed or closed while it was being reopened; edit it again")
                            .arg(next.name));
        }
        startReopening();
      });
}

void Workbench::startOpening() {
  if (waiting_to_open_.empty() || isActive(open_job_.state()) || isActive(model_job_.state())) {
    return;
  }
  const std::vector<OpenRequest> requests = std::move(waiting_to_open_.front());
  waiting_to_open_.pop_front();
  const bool has_model = std::any_of(requests.begin(), requests.end(), [](const OpenRequest& r) {
    return (r.kind == FileKind::kUnknown ? guessFileKind(r.specification) : r.kind) ==
           FileKind::kModel;
  });
  // Models are audited by running them, so they are opened on the thread where torch runs.
  Job& job = has_model ? model_job_ : open_job_;
  const QString title = requests.size() == 1 && !requests.front().name.empty()
                            ? tr("Opening %1").arg(QString::fromStdString(requests.front().name))
                        : requests.size() == 1 ? tr("Opening 1 file")
                                               : tr("Opening %1 files").arg(requests.size());
  JobSettings settings;
  settings.threads = threads_;
  job.start<std::vector<OpenResult>>(
      title, settings,
      [requests, models = modelOpening()](RunContext& context) {
        return openFiles(requests, models, context);
      },
      this,
      [this](Expected<std::vector<OpenResult>> results) {
        if (results) {
          addOpened(*results);
        } else {
          compute_when_opened_ = false;
          report(results.error());
        }
        startOpening();
      });
}

ModelOpening Workbench::modelOpening() {
  ModelOpening opening;
  if (stored_.value(kConfined, true).toBool()) {
    opening.program = cli_program_;
    opening.reaper = &child_reaper_;
    for (const QString& key : stored_.value(kKnownModels).toStringList()) {
      opening.known.insert(toStd(key));
    }
  }
  return opening;
}

void Workbench::rememberModel(const std::string& path) {
  QStringList known = stored_.value(kKnownModels).toStringList();
  const QString key = QString::fromStdString(modelKey(path));
  known.removeAll(key);
  known.prepend(key);
  stored_.setValue(kKnownModels, known.mid(0, kMaxKnownModels));
}

void Workbench::addOpened(const std::vector<OpenResult>& results) {
  bool complete = true;
  bool own = false;
  for (const OpenResult& result : results) {
    const QString specification = QString::fromStdString(result.request.specification);
    if (!result.opened && openWithKnownImages(result)) {
      continue;
    }
    if (!result.opened) {
      complete = false;
      recent_.remove(specification);
      report(result.opened.error());
      not_opened_[specification] = QString::fromStdString(result.opened.error().message);
      if (const auto options = outputOptionsFromError(result.opened.error()); !options.empty()) {
        Q_EMIT outputChoiceNeeded(specification, options);
      }
      if (lacksImages(result.opened.error())) {
        Q_EMIT imagesNeeded(specification, QString::fromStdString(result.opened.error().message));
      }
      if (const std::string lines = offeredLines(result.opened.error()); !lines.empty()) {
        Q_EMIT linesOffered(QString::fromStdString(result.opened.error().message),
                            QString::fromStdString(lines));
      }
      continue;
    }
    if (const QString before = not_opened_.take(specification); !before.isEmpty()) {
      Q_EMIT withdrawn(before);
    }
    const QString name = QString::fromStdString(displayName(result.request, *result.opened));
    const auto* const run = std::get_if<OpenedRun>(&*result.opened);
    const bool labels = run != nullptr && run->run->meta.method == kLabelsMethod;
    own = own || (!result.request.demo && !labels);
    if (!result.note.empty()) {
      Q_EMIT noticed(QString::fromStdString(result.note));
    }
    if (const auto* const model = std::get_if<ModelPtr>(&*result.opened)) {
      session_.addModel(name, *model, result.request.demo);
      if (!result.request.demo) {
        rememberModel((*model)->path());
      }
    } else if (const auto* const dataset = std::get_if<DatasetPtr>(&*result.opened)) {
      const bool ood = result.request.ood || (*dataset)->info().role == Role::kOod;
      session_.addDataset(name, *dataset, ood, result.request.demo);
    } else {
      const auto& opened = std::get<OpenedRun>(*result.opened);
      rememberImages(result.request, opened);
      if (!showOpenLabels(opened)) {
        addImagesOf(name, opened);
        addOpenedRun(result, opened);
      }
    }
    if (result.request.name.empty()) {
      recent_.add(specification);
    }
  }
  if (own && session_.hasDemo()) {
    Q_EMIT demoConflictFound();
  }
  if (std::exchange(compute_when_opened_, false) && complete) {
    startComputing(compute_settings_, false);
  }
}

bool Workbench::openWithKnownImages(const OpenResult& result) {
  const std::string& store = result.request.specification;
  const QString folder = lacksImages(result.opened.error())
                             ? StoreImages(stored_).folderOf(QString::fromStdString(store))
                             : QString();
  if (folder.isEmpty()) {
    return false;
  }
  OpenRequest again = result.request;
  again.specification = labelsWithImages(store, folder.toStdString());
  open({again});
  return true;
}

void Workbench::rememberImages(const OpenRequest& request, const OpenedRun& opened) {
  const auto spec = parseDatasetSpec(request.specification);
  if (!opened.store.empty() && spec && spec->scheme == kAnnotationsScheme) {
    StoreImages(stored_).remember(QString::fromStdString(opened.store),
                                  QString::fromStdString(annotationSource(*spec).images));
  }
}

bool Workbench::showOpenLabels(const OpenedRun& opened) {
  const Run& run = *opened.run;
  if (run.meta.method != kLabelsMethod) {
    return false;
  }
  const std::vector<AnalysisPtr>& open = session_.analyses();
  const auto found = std::ranges::find_if(open, [&run](const AnalysisPtr& analysis) {
    const Run& other = *analysis->in().run;
    return other.meta.method == kLabelsMethod && other.meta.dataset_spec == run.meta.dataset_spec &&
           std::ranges::equal(other.ids.values(), run.ids.values()) &&
           std::ranges::equal(other.labels.values(), run.labels.values()) &&
           std::ranges::equal(other.predictions.values(), run.predictions.values());
  });
  if (found == open.end()) {
    return false;
  }
  session_.setActiveAnalysis(static_cast<int>(found - open.begin()));
  Q_EMIT labelsOpened(QString::fromStdString(opened.store));
  return true;
}

void Workbench::addImagesOf(const QString& name, const OpenedRun& opened) {
  if (opened.run->meta.method == kLabelsMethod && opened.dataset) {
    session_.addDataset(name, opened.dataset, false);
  }
}

void Workbench::addOpenedRun(const OpenResult& result, const OpenedRun& opened) {
  waiting_to_analyse_.emplace_back([this, request = result.request, opened] {
    const std::string name = displayName(request, Opened(opened));
    RunContext context;
    const AnalysisPtr active = givenOf(session_.activeAnalysis());
    if (request.ood && !active) {
      Q_EMIT failed(tr("%1: OOD predictions need in-distribution predictions to compare with; open "
                       "those first")
                        .arg(QString::fromStdString(request.specification)));
      return;
    }
    std::vector<AnalysisPart> parts;
    if (request.ood) {
      parts = active->parts;
    }
    AnalysisPart part;
    part.name = name;
    part.run = opened.run;
    part.dataset = opened.dataset;
    if (opened.is_repeatable) {
      session_.runFiles().setRepeatable(part.run);
      stores_[part.run] = opened.store;
    } else {
      session_.runFiles().setFile(part.run, request.specification);
    }
    parts.push_back(std::move(part));
    startAnalysing(std::move(parts), request.ood ? active : nullptr);
  });
  startNextAnalysis();
}

void Workbench::startNextAnalysis() {
  if (!waiting_to_analyse_.empty() && canStart(analyse_job_.state())) {
    const auto next = std::move(waiting_to_analyse_.front());
    waiting_to_analyse_.pop_front();
    next();
  }
}

void Workbench::selectSuitableMethod() {
  const ModelPtr model = session_.activeModel();
  if (!model || model == suited_model_.lock()) {
    return;
  }
  // Replace the method only if the user has not chosen it, or if it does not suit the model.
  MethodOptions& method = compute_settings_.method;
  const bool was_suited = methodJson(method) == suited_method_;
  if (was_suited || wouldInsertDropout(method, *model)) {
    method = suitableMethod(*model);
  }
  suited_model_ = model;
  suited_method_ = methodJson(suitableMethod(*model));
}

// --- computing ---------------------------------------------------------------------------------

bool Workbench::canCompute(QString* reason, bool ensemble) const {
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

ComputeRequest Workbench::requestOf(const ComputeSettings& settings) const {
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
  request.predict = settings.predict;
  request.evaluation = settings.evaluation;
  request.memory = settings.memory;
  return request;
}

void Workbench::estimate(const ComputeSettings& settings) {
  if (!settings.members.empty() || queue_.running() || !canCompute()) {
    estimate_job_.abandon();
    Q_EMIT estimated({});
    return;
  }
  const ComputeRequest request = requestOf(settings);
  estimate_job_.restart<WorkEstimate>(
      tr("Estimating"), jobSettingsOf(settings, threads_),
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
                         : too_large ? windowText(estimate.error().message)
                                     : QString());
      });
}

void Workbench::compute(const ComputeSettings& settings) {
  startComputing(settings, true);
}

void Workbench::startComputing(const ComputeSettings& settings, bool wanted) {
  QString reason;
  if (!canCompute(&reason, !settings.members.empty())) {
    Q_EMIT failed(reason);
    return;
  }
  ComputeQueue::Computation computation;
  computation.settings = jobSettingsOf(settings, threads_);
  computation.wanted = wanted;
  const auto started = std::make_shared<QElapsedTimer>();
  std::shared_ptr<KeptState> kept;
  if (!settings.members.empty()) {
    computation.title = tr("Ensemble");
    computation.target = tr("%1 runs").arg(settings.members.size());
    std::vector<AnalysisPtr> members = settings.members;
    std::ranges::transform(members, members.begin(), givenOf);
    computation.work = [settings, members, started](RunContext& context) {
      started->start();
      return joinAnalyses(members, settings.predict, settings.evaluation, context);
    };
  } else {
    compute_settings_ = settings;
    estimate_job_.abandon();
    const ComputeRequest request = requestOf(settings);
    const bool isolated = settings.isolated && whyNotIsolated(settings, false).isEmpty();
    computation.title = QString::fromStdString(describe(settings.method).label);
    computation.target = tr("%1 · %2").arg(
        session_.models()[static_cast<std::size_t>(session_.activeModelPosition())].name,
        QString::fromStdString(request.in.name));
    kept = std::make_shared<KeptState>(KeptState{KeptPosterior(request, settings.seed)});
    computation.work = [this, request, isolated, started, kept](RunContext& context) {
      started->start();
      KeptPosterior::Result result = kept->posterior.compute(
          request,
          isolated ? KeptPosterior::Writing::kAfterTheFit : KeptPosterior::Writing::kOnFailure,
          [&](const ComputeRequest& changed) {
            return isolated ? computeIsolated(changed, cli_program_, child_reaper_, context)
                            : computeAnalysis(changed, context);
          });
      kept->reused = result.reused;
      return std::move(result.analysis);
    };
  }
  computation.deliver = [this, started, wanted, kept,
                         model = session_.activeModel()](const Expected<AnalysisPtr>& analysis) {
    if (!wanted && analysis) {
      for (const AnalysisPart& part : (*analysis)->parts) {
        session_.runFiles().setRepeatable(part.run);
      }
    }
    handleAnalysis(analysis, nullptr, static_cast<double>(started->elapsed()) / 1000.0);
    const bool failed = !analysis && analysis.error().code != ErrorCode::kCancelled;
    const QString before = std::exchange(
        not_computed_, failed ? QString::fromStdString(analysis.error().message) : QString());
    if (analysis && !before.isEmpty()) {
      Q_EMIT withdrawn(before);
    }
    if (!analysis && model && needsInputSize(analysis.error())) {
      Q_EMIT inputSizeNeeded(QString::fromStdString(analysis.error().message), model);
    }
    if (const QString note = kept ? noteOf(*kept, analysis) : QString(); !note.isEmpty()) {
      Q_EMIT noticed(note);
    }
  };
  queue_.add(std::move(computation));
}

QString Workbench::whyNotIsolated(const ComputeSettings& settings, bool ensemble) const {
  if (ensemble) {
    return tr("An ensemble combines runs in memory, so it is computed in this process");
  }
  return session_.activeModel() && session_.activeDataset()
             ? QString::fromStdString(dubito::whyNotIsolated(requestOf(settings)))
             : QString();
}

void Workbench::setIsolated(bool isolated) {
  compute_settings_.isolated = isolated;
  stored_.setValue(kIsolated, isolated);
}

void Workbench::reevaluate(const EvaluationOptions& options) {
  const AnalysisPtr active = givenOf(session_.activeAnalysis());
  if (!active || isActive(analyse_job_.state())) {
    return;
  }
  compute_settings_.evaluation = options;
  startAnalysing(active->parts, active);
}

void Workbench::startAnalysing(std::vector<AnalysisPart> parts, const AnalysisPtr& base) {
  std::vector<ModelPtr> models;
  if (!base) {
    for (const ModelEntry& entry : session_.models()) {
      models.push_back(entry.model);
    }
  }
  const std::string file = session_.runFiles().fileOf(parts.front().run);
  const EvaluationOptions options = compute_settings_.evaluation;
  JobSettings settings;
  settings.threads = threads_;
  QElapsedTimer timer;
  timer.start();
  analyse_job_.start<AnalysisPtr>(
      tr("Evaluating"), settings,
      [parts = std::move(parts), base, models = std::move(models), file,
       options](RunContext& context) {
        std::vector<AnalysisPart> complete;
        for (const AnalysisPart& part : parts) {
          complete.push_back(part.has(Measure::kConfidence)
                                 ? part
                                 : makePart(part.name, part.run, part.dataset, context));
        }
        return base ? analyse(std::move(complete), base->model, base->method, options, context)
                    : analyseOpened(std::move(complete), file, models, options, context);
      },
      this,
      [this, base, timer](const Expected<AnalysisPtr>& analysis) {
        handleAnalysis(analysis, base, static_cast<double>(timer.elapsed()) / 1000.0);
        startNextAnalysis();
      });
}

void Workbench::handleAnalysis(const Expected<AnalysisPtr>& analysis, const AnalysisPtr& base,
                               double seconds) {
  if (!analysis) {
    report(analysis.error());
    return;
  }
  const std::vector<AnalysisPtr>& present = session_.analyses();
  const auto place = std::ranges::find(present, base, givenOf);
  if (base && place == present.end()) {
    return;  // closed in the meantime
  }
  if (base) {
    session_.replaceAnalysis(static_cast<std::size_t>(place - present.begin()), *analysis);
  } else {
    session_.addAnalysis(*analysis);
  }
  // All parts share the model, so the notes of the first apply to all.
  std::vector<std::string> notes = notesOfRun(*(*analysis)->in().run);
  if ((*analysis)->in().run->meta.method == kLabelsMethod) {
    // Who opens labels knows where they come from; tables and reports say it.
    eraseNotes(notes, kLabelSourceNote);
    eraseNotes(notes, kLabelScoresNote);
  }
  for (const std::string& note : notes) {
    Q_EMIT noticed(QString::fromStdString(note));
  }
  for (const AnalysisPart& part : (*analysis)->parts) {
    const std::vector<SkippedItem>& skipped = part.run->meta.skipped;
    if (!skipped.empty()) {
      Q_EMIT noticed(tr("%1: %2 items skipped; the first was %3 (%4)")
                         .arg(QString::fromStdString(part.name),
                              QString::fromStdString(groupedDigits(std::ssize(skipped))),
                              QString::fromStdString(skipped.front().name),
                              QString::fromStdString(skipped.front().reason)));
    }
  }
  last_text_ = tr("%1: %2 items in %3 s")
                   .arg(QString::fromStdString((*analysis)->name),
                        QString::fromStdString(groupedDigits((*analysis)->itemCount())))
                   .arg(seconds, 0, 'f', 1);
  Q_EMIT analysed();
  if (!base) {
    offerReview(**analysis);
  }
}

void Workbench::offerReview(const Analysis& analysis) {
  const auto known = stores_.find(analysis.in().run);
  const std::string store = known == stores_.end() ? std::string() : known->second;
  std::erase_if(stores_, [&](const auto& entry) {
    return entry.first.expired() || entry.first.lock() == analysis.in().run;
  });
  if (analysis.in().run->meta.method == kLabelsMethod) {
    Q_EMIT labelsOpened(QString::fromStdString(store));
  }
}

// --- lists -------------------------------------------------------------------------------------

void Workbench::listItems() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (!analysis) {
    list_job_.abandon();
    return;
  }
  list_job_.restart<ItemList>(
      tr("Sorting"), {},
      [analysis, query = session_.listing().query()](RunContext&) -> Expected<ItemList> {
        return std::make_shared<const std::vector<ItemRef>>(findItems(*analysis, query));
      },
      this,
      [this](Expected<ItemList> items) {
        if (items) {
          session_.listing().setItems(*items);
        } else {
          report(items.error());
        }
      });
}

}  // namespace dubito
