// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/file_opener.h"

#include <QFileInfo>
#include <algorithm>
#include <memory>
#include <utility>

#include "app/files/label_source.h"
#include "app/files/save_metadata.h"
#include "app/session/error_text.h"
#include "app/session/store_images.h"
#include "app/workbench/demo.h"
#include "core/analysis/attach_images.h"
#include "core/data/sources/annotated_images.h"
#include "core/data/sources/annotations_dataset.h"
#include "core/data/sources/dataset_label_run.h"
#include "core/data/sources/dataset_spec.h"
#include "core/io/run_needs.h"

namespace dubito {
namespace {

constexpr char kConfined[] = "models/confine_unknown";
constexpr char kKnownModels[] = "models/known";
constexpr int kMaxKnownModels = 200;

}  // namespace

FileOpener::FileOpener(Session& session, WindowJobs& jobs, Messages& messages,
                       RunEvaluator& evaluator, RunComputer& computer, QSettings& stored,
                       QObject* parent)
    : QObject(parent),
      session_(session),
      jobs_(jobs),
      messages_(messages),
      evaluator_(evaluator),
      computer_(computer),
      stored_(stored),
      recent_(stored),
      open_job_(jobs.fileThread()),
      model_job_(jobs.computeThread()),
      late_job_(jobs.computeThread()),
      metadata_job_(jobs.computeThread()),
      sharing_metadata_job_(jobs.fileThread()),
      reopen_job_(jobs.fileThread()),
      attach_job_(jobs.fileThread()) {
  for (Job* const job : {&open_job_, &model_job_, &late_job_, &metadata_job_,
                         &sharing_metadata_job_, &reopen_job_, &attach_job_}) {
    jobs_.watch(*job);
  }
  connect(&session_, &Session::workspaceChanged, this, &FileOpener::withdrawDatasetNotes);
  connect(&jobs_, &WindowJobs::cancelled, this, [this] {
    waiting_to_open_.clear();
    compute_when_opened_ = false;
    if (!std::exchange(after_the_run_, {}).empty()) {
      Q_EMIT waitingChanged();
    }
  });
}

void FileOpener::open(const std::vector<OpenRequest>& requests) {
  std::vector<OpenRequest> files;
  for (const OpenRequest& request : requests) {
    const FileKind kind =
        request.kind == FileKind::kUnknown ? guessFileKind(request.specification) : request.kind;
    if (kind == FileKind::kWorkspace) {
      Q_EMIT workspaceRequested(QString::fromStdString(request.specification));
    } else if (kind == FileKind::kStudy) {
      Q_EMIT studyRequested(QString::fromStdString(request.specification));
    } else if (kind == FileKind::kLab) {
      Q_EMIT labRequested(QString::fromStdString(request.specification));
    } else {
      files.push_back(request);
    }
  }
  if (!files.empty()) {
    waiting_to_open_.push_back(files);
    startOpening();
  }
}

void FileOpener::attachImages(const std::string& specification) {
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
          messages_.report(part.error());
          return;
        }
        evaluator_.inTurn([this, base, part = *std::move(part)] {
          std::vector<AnalysisPart> parts = base->parts;
          parts.front() = part;
          evaluator_.evaluate(std::move(parts), base);
        });
      });
}

void FileOpener::reviewDataset() {
  const DatasetPtr dataset = session_.activeDataset();
  if (!dataset) {
    return;
  }
  const auto run = datasetLabelRun(*dataset);
  if (!run) {
    messages_.report(run.error());
    return;
  }
  const OpenedRun opened{
      .run = std::make_shared<const Run>(*run), .dataset = dataset, .is_repeatable = true};
  if (!showOpenLabels(opened)) {
    addOpenedRun({{dataset->info().spec, FileKind::kLabels, false, {}}, Opened(opened)}, opened);
  }
}

void FileOpener::openDemo() {
  const std::optional<std::filesystem::path> samples = findSamples();
  if (!samples) {
    Q_EMIT messages_.failed(
        tr("datasets/samples: the demo is not installed with this program; open your own "
           "model and dataset"));
    return;
  }
  compute_when_opened_ = true;
  open(demoRequests(*samples));
}

void FileOpener::saveModelMetadata(const ModelPtr& model, const ModelMetadata& metadata) {
  const QString name = QString::fromStdString(metadata.name);
  const bool started = loadAgain(
      tr("Saving the preprocessing"),
      [path = model->path(), metadata](RunContext& context, bool shares_torch) {
        return saveMetadata(path, metadata, context, shares_torch);
      },
      [this, model, name](const Expected<ModelPtr>& opened) {
        const QString path = QString::fromStdString(model->path());
        if (const QString before = not_saved_.take(path); !before.isEmpty()) {
          Q_EMIT messages_.withdrawn(before);
        }
        if (!opened) {
          not_saved_[path] = errorText(opened.error());
          messages_.report(opened.error());
          return;
        }
        const auto entry = std::ranges::find(session_.models(), model, &ModelEntry::model);
        if (entry != session_.models().end()) {
          // Keep a name given by the user.
          const bool is_own = entry->name == QString::fromStdString(model->metadata().name);
          session_.replaceModel(model, is_own && !name.isEmpty() ? name : entry->name, *opened);
        }
        jobs_.setDoneText(
            tr("Saved: %1").arg(QString::fromStdString((*opened)->metadata().source)));
        Q_EMIT metadataSaved(model, *opened);
      });
  if (!started) {
    Q_EMIT messages_.failed(
        tr("%1: its preprocessing is being saved; try again when that has finished")
            .arg(QString::fromStdString(model->path())));
  }
}

void FileOpener::resizeImages(const ModelPtr& model, std::int64_t height, std::int64_t width) {
  ModelMetadata metadata = model->metadata();
  metadata.preprocessing.height = height;
  metadata.preprocessing.width = width;
  metadata.preprocessing.resize = "shorter-side";
  metadata.preprocessing.resize_to = 0;
  auto* const once = new QObject(this);
  connect(this, &FileOpener::metadataSaved, once,
          [this, once, model](const ModelPtr& before, const ModelPtr& now) {
            once->deleteLater();
            if (before == model && session_.activeModel() == now) {
              computer_.compute(computer_.settings());
            }
          });
  connect(&messages_, &Messages::failed, once, &QObject::deleteLater);
  saveModelMetadata(model, metadata);
}

void FileOpener::closeDemo() {
  cancelAutomaticWork();
  session_.closeDemo();
}

void FileOpener::cancelAutomaticWork() {
  compute_when_opened_ = false;
  computer_.cancelAutomatic();
}

void FileOpener::openWithOutput(const std::string& path, const std::string& key) {
  const bool started = loadAgain(
      tr("Opening 1 file"),
      [path, key](RunContext& context, bool shares_torch) {
        return saveOutputKey(path, key, context, shares_torch);
      },
      [this, path](const Expected<ModelPtr>& opened) {
        addOpened({{{path, FileKind::kModel, false, {}},
                    opened ? Expected<Opened>(*opened) : Expected<Opened>(failWith(opened))}});
      });
  if (!started) {
    Q_EMIT messages_.failed(
        tr("%1: another model's metadata is being saved; try again when that has "
           "finished")
            .arg(QString::fromStdString(path)));
  }
}

bool FileOpener::loadAgain(const QString& title, Loading load, Job::Deliver<ModelPtr> deliver) {
  if (isActive(metadata_job_.state()) || isActive(sharing_metadata_job_.state())) {
    return false;
  }
  const auto load_alone = [this, title, load, deliver] {
    metadata_job_.start<ModelPtr>(
        title, jobs_.settings(), [load](RunContext& context) { return load(context, false); }, this,
        deliver);
  };
  if (!jobs_.computeThread().busy()) {
    load_alone();
    return true;
  }
  return sharing_metadata_job_.start<ModelPtr>(
      title, jobs_.settings(), [load](RunContext& context) { return load(context, true); }, this,
      [load_alone, deliver](Expected<ModelPtr> model) {
        if (!model && model.error().code == ErrorCode::kBusy) {
          load_alone();
        } else {
          deliver(std::move(model));
        }
      });
}

void FileOpener::reopenDataset(const DatasetPtr& before, const QString& name,
                               const std::string& specification) {
  std::erase_if(waiting_to_reopen_,
                [&before](const Reopening& other) { return other.before == before; });
  waiting_to_reopen_.push_back({before, name, specification});
  startReopening();
}

void FileOpener::startReopening() {
  if (waiting_to_reopen_.empty() || isActive(reopen_job_.state())) {
    return;
  }
  const Reopening next = std::move(waiting_to_reopen_.front());
  waiting_to_reopen_.pop_front();
  reopen_job_.start<DatasetPtr>(
      tr("Opening %1").arg(next.name), jobs_.settings(),
      [specification = next.specification](RunContext& context) {
        return openDataset(specification, context);
      },
      this,
      [this, next](const Expected<DatasetPtr>& dataset) {
        if (!dataset) {
          messages_.report(dataset.error());
        } else if (session_.replaceDataset(next.before, next.name, *dataset)) {
          for (Reopening& later : waiting_to_reopen_) {
            later.before = later.before == next.before ? *dataset : later.before;
          }
        } else {
          Q_EMIT messages_.failed(
              tr("%1: was changed or closed while it was being reopened; edit it again")
                  .arg(next.name));
        }
        startReopening();
      });
}

void FileOpener::startOpening() {
  if (waiting_to_open_.empty() || isActive(open_job_.state()) || isActive(model_job_.state())) {
    return;
  }
  const std::vector<OpenRequest> requests = std::move(waiting_to_open_.front());
  waiting_to_open_.pop_front();
  const bool has_model = std::any_of(requests.begin(), requests.end(), [](const OpenRequest& r) {
    return (r.kind == FileKind::kUnknown ? guessFileKind(r.specification) : r.kind) ==
           FileKind::kModel;
  });
  // Models are audited by running them: on the thread where torch runs, or next to what it
  // computes.
  ModelOpening models = modelOpening();
  models.shares_torch = jobs_.computeThread().busy();
  Job& job = has_model && !models.shares_torch ? model_job_ : open_job_;
  const QString title = requests.size() == 1 && !requests.front().name.empty()
                            ? tr("Opening %1").arg(QString::fromStdString(requests.front().name))
                        : requests.size() == 1 ? tr("Opening 1 file")
                                               : tr("Opening %1 files").arg(requests.size());
  job.start<std::vector<OpenResult>>(
      title, jobs_.settings(),
      [requests, models](RunContext& context) { return openFiles(requests, models, context); },
      this,
      [this](Expected<std::vector<OpenResult>> results) {
        if (results) {
          addOpened(*results);
        } else {
          compute_when_opened_ = false;
          messages_.report(results.error());
        }
        startOpening();
      });
}

std::vector<QString> FileOpener::afterTheRun() const {
  std::vector<QString> names;
  for (const auto& request : after_the_run_) {
    names.push_back(
        request->name.empty()
            ? QFileInfo(QString::fromStdString(request->specification)).completeBaseName()
            : QString::fromStdString(request->name));
  }
  return names;
}

void FileOpener::openAfterTheRun(const OpenRequest& request) {
  after_the_run_.push_back(std::make_shared<const OpenRequest>(request));
  Q_EMIT waitingChanged();
  startLate();
}

void FileOpener::startLate() {
  if (after_the_run_.empty() || isActive(late_job_.state())) {
    return;
  }
  late_job_.start<std::vector<OpenResult>>(
      tr("Opening 1 file"), jobs_.settings(),
      [request = after_the_run_.front(), models = modelOpening()](RunContext& context) {
        return openFiles({*request}, models, context);
      },
      this,
      [this, request = after_the_run_.front()](const Expected<std::vector<OpenResult>>& results) {
        // Not there any more if it was cancelled.
        if (std::erase(after_the_run_, request) > 0) {
          Q_EMIT waitingChanged();
        }
        if (results) {
          addOpened(*results);
        } else {
          messages_.report(results.error());
        }
        startLate();
      });
}

ModelOpening FileOpener::modelOpening() {
  ModelOpening opening;
  if (stored_.value(kConfined, true).toBool()) {
    opening.program = computer_.cliProgram();
    opening.reaper = &jobs_.childReaper();
    for (const QString& key : stored_.value(kKnownModels).toStringList()) {
      opening.known.insert(key.toStdString());
    }
  }
  return opening;
}

void FileOpener::rememberModel(const std::string& path) {
  QStringList known = stored_.value(kKnownModels).toStringList();
  const QString key = QString::fromStdString(modelKey(path));
  known.removeAll(key);
  known.prepend(key);
  stored_.setValue(kKnownModels, known.mid(0, kMaxKnownModels));
}

void FileOpener::addOpened(const std::vector<OpenResult>& results) {
  bool complete = true;
  bool own = false;
  for (const OpenResult& result : results) {
    const QString specification = QString::fromStdString(result.request.specification);
    if (!result.opened && openWithKnownImages(result)) {
      continue;
    }
    if (!result.opened && result.opened.error().code == ErrorCode::kBusy) {
      openAfterTheRun(result.request);
      complete = false;
      continue;
    }
    if (!result.opened) {
      complete = false;
      recent_.remove(specification);
      const Error& error = result.opened.error();
      const QString message = errorText(error);
      messages_.report(error);
      not_opened_[specification] = message;
      if (!error.remedy.outputs.empty()) {
        Q_EMIT outputChoiceNeeded(specification, error.remedy.outputs);
      }
      if (error.remedy.needs_images) {
        Q_EMIT imagesNeeded(specification, message);
      }
      if (!error.remedy.lines.empty()) {
        Q_EMIT messages_.linesOffered(message, QString::fromStdString(error.remedy.lines));
      }
      continue;
    }
    if (const QString before = not_opened_.take(specification); !before.isEmpty()) {
      Q_EMIT messages_.withdrawn(before);
    }
    const QString name = QString::fromStdString(displayName(result.request, *result.opened));
    const auto* const run = std::get_if<OpenedRun>(&*result.opened);
    const bool labels = run != nullptr && run->run->meta.method == kLabelsMethod;
    own = own || (!result.request.demo && !labels);
    if (const auto* const model = std::get_if<ModelPtr>(&*result.opened)) {
      session_.addModel(name, *model, result.request.demo);
      if (!result.request.demo) {
        rememberModel((*model)->path());
      }
    } else if (const auto* const dataset = std::get_if<DatasetPtr>(&*result.opened)) {
      const bool ood = result.request.ood || (*dataset)->info().role == Role::kOod;
      session_.addDataset(name, *dataset, ood, result.request.demo);
      if (!result.note.empty()) {
        dataset_notes_.emplace_back(*dataset, QString::fromStdString(result.note));
        Q_EMIT messages_.noticed(dataset_notes_.back().second);
      }
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
    computer_.computeAutomatically();
  }
}

void FileOpener::withdrawDatasetNotes() {
  const std::vector<DatasetEntry>& open = session_.datasets();
  const auto is_closed = [&open](const auto& note) {
    return std::ranges::find(open, note.first.lock(), &DatasetEntry::dataset) == open.end();
  };
  std::vector<QString> closed;
  for (const auto& note : dataset_notes_) {
    if (is_closed(note)) {
      closed.push_back(note.second);
    }
  }
  std::erase_if(dataset_notes_, is_closed);
  for (const QString& text : closed) {
    Q_EMIT messages_.withdrawn(text);
  }
}

bool FileOpener::openWithKnownImages(const OpenResult& result) {
  const std::string& store = result.request.specification;
  const QString folder = result.opened.error().remedy.needs_images
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

void FileOpener::rememberImages(const OpenRequest& request, const OpenedRun& opened) {
  const auto spec = parseDatasetSpec(request.specification);
  if (!opened.store.empty() && spec && spec->scheme == kAnnotationsScheme) {
    StoreImages(stored_).remember(QString::fromStdString(opened.store),
                                  QString::fromStdString(annotationSource(*spec).images));
  }
}

bool FileOpener::showOpenLabels(const OpenedRun& opened) {
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
  Q_EMIT evaluator_.labelsOpened(QString::fromStdString(opened.store));
  return true;
}

void FileOpener::addImagesOf(const QString& name, const OpenedRun& opened) {
  if (opened.run->meta.method == kLabelsMethod && opened.dataset) {
    session_.addDataset(name, opened.dataset, false);
  }
}

void FileOpener::addOpenedRun(const OpenResult& result, const OpenedRun& opened) {
  evaluator_.inTurn([this, request = result.request, opened] {
    const std::string name = displayName(request, Opened(opened));
    RunContext context;
    const AnalysisPtr active = givenOf(session_.activeAnalysis());
    if (request.ood && !active) {
      Q_EMIT messages_.failed(
          tr("%1: OOD predictions need in-distribution predictions to compare with; open "
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
      evaluator_.setStore(part.run, opened.store);
    } else {
      session_.runFiles().setFile(part.run, request.specification);
    }
    parts.push_back(std::move(part));
    evaluator_.evaluate(std::move(parts), request.ood ? active : nullptr);
  });
}

}  // namespace dubito
