// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train/head_trainer.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

#include "app/files/recent_files.h"
#include "app/session/error_text.h"
#include "app/session/messages.h"
#include "app/session/session.h"
#include "app/workbench/run_computer.h"
#include "core/base/grouped_digits.h"
#include "core/base/stopwatch.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// Epochs may take a millisecond; plots are not drawn more often than this.
constexpr int kDrawnEvery = 80;  // ms

bool isSameFile(const std::string& a, const std::string& b) {
  std::error_code unknown;
  return fs::weakly_canonical(a, unknown) == fs::weakly_canonical(b, unknown);
}

}  // namespace

void HeadCourse::add(HeadEpoch epoch) {
  newest = std::exchange(epoch.reliability, {});
  if (epoch.is_best) {
    best_epoch = epoch.epoch;
    kept = newest;
  }
  if (!epoch.drop_rates.empty()) {
    drop_rates.push_back(std::exchange(epoch.drop_rates, {}));
  }
  epochs.push_back(std::move(epoch));
}

/// Data from the computing thread.
struct HeadTrainer::Feed {
  std::mutex mutex;  ///< guards the members below
  std::vector<HeadEpoch> fresh = {};
  /// The training was cancelled too late: the file that it replaced is gone.
  bool has_replaced = false;
};

namespace {

/// Trains, saves and opens a head. A new file is removed if the training is cancelled meanwhile.
Expected<std::shared_ptr<const TrainedHead>> trainedHead(const HeadRequest& request,
                                                         const HeadEpochEvent& on_epoch,
                                                         bool& has_replaced, RunContext& context) {
  const Stopwatch watch;
  std::error_code unknown;
  const bool is_new = !fs::exists(request.path, unknown);
  auto report = trainHead(*request.backbone, *request.dataset, request.options, request.batch,
                          request.path, context, on_epoch);
  if (!report) {
    return failWith(report);
  }
  const auto model = loadModel(request.path, {}, context);
  if (context.cancelRequested()) {
    if (is_new) {
      fs::remove(request.path, unknown);
    }
    has_replaced = !is_new;
    return cancelled();
  }
  if (!model) {
    return failWith(model);
  }
  return std::make_shared<const TrainedHead>(
      TrainedHead{request, *std::move(report), *model, watch.seconds()});
}

}  // namespace

HeadTrainer::HeadTrainer(Session& session, WindowJobs& jobs, Messages& messages,
                         RunComputer& computer, RecentFiles& recent, QObject* parent)
    : QObject(parent),
      session_(session),
      jobs_(jobs),
      messages_(messages),
      computer_(computer),
      recent_(recent),
      job_(jobs.computeThread()) {
  jobs_.watch(job_, WindowJobs::Outcome::kWanted);
  timer_.setInterval(kDrawnEvery);
  connect(&timer_, &QTimer::timeout, this, &HeadTrainer::takeEpochs);
  connect(&job_, &Job::stateChanged, this, &HeadTrainer::changed);
  connect(&job_, &Job::progressChanged, this, [this](const Progress& progress) {
    if (!fits_directly_ && !request_.options.isNetwork() && progress.stage == kTrainingHeadStage) {
      fits_directly_ = true;
      Q_EMIT changed();
    }
    Q_EMIT progressed(progress);
  });
}

HeadTrainer::~HeadTrainer() = default;

bool HeadTrainer::canStop() const {
  return canStopEarly(job_.state()) && (fits_directly_ || course_.best_epoch > 0);
}

void HeadTrainer::start(const HeadRequest& request) {
  if (training()) {
    return;
  }
  if (isSameFile(request.path, request.backbone->path())) {
    Q_EMIT failed(tr("%1: is the file of the backbone, which would be lost; choose another file")
                      .arg(QString::fromStdString(request.path)));
    return;
  }
  request_ = request;
  course_ = {};
  trained_ = nullptr;
  fits_directly_ = false;
  feed_ = std::make_shared<Feed>();
  JobSettings settings = computer_.jobSettings();
  settings.seed = request.seed;
  using TrainedPtr = std::shared_ptr<const TrainedHead>;
  job_.start<TrainedPtr>(
      tr("Training a head"), settings,
      [request, feed = feed_](RunContext& context) {
        bool has_replaced = false;
        auto trained = trainedHead(
            request,
            [&feed](const HeadEpoch& epoch) {
              const std::lock_guard lock(feed->mutex);
              feed->fresh.push_back(epoch);
            },
            has_replaced, context);
        const std::lock_guard lock(feed->mutex);
        feed->has_replaced = has_replaced;
        return trained;
      },
      this, [this](const Expected<TrainedPtr>& trained) { deliver(trained); });
  timer_.start();
  Q_EMIT courseChanged();
}

void HeadTrainer::stop() {
  if (canStop()) {
    job_.stopEarly();
  }
}

void HeadTrainer::takeEpochs() {
  std::vector<HeadEpoch> fresh;
  {
    const std::lock_guard lock(feed_->mutex);
    fresh.swap(feed_->fresh);
  }
  if (fresh.empty()) {
    return;
  }
  const bool is_first = course_.epochs.empty();
  for (HeadEpoch& epoch : fresh) {
    course_.add(std::move(epoch));
  }
  Q_EMIT courseChanged();
  if (is_first) {
    Q_EMIT changed();
  }
}

void HeadTrainer::deliver(const Expected<std::shared_ptr<const TrainedHead>>& trained) {
  timer_.stop();
  takeEpochs();
  const bool has_replaced = [this] {
    const std::lock_guard lock(feed_->mutex);
    return feed_->has_replaced;
  }();
  if (trained) {
    trained_ = *trained;
    open(*trained_);
    Q_EMIT saved();
  } else if (trained.error().code != ErrorCode::kCancelled) {
    Q_EMIT failed(errorText(trained.error()));
  } else if (has_replaced) {
    Q_EMIT messages_.noticed(
        tr("%1: was replaced just before the training was cancelled; it has the new head")
            .arg(QString::fromStdString(request_.path)));
  }
  Q_EMIT changed();
}

void HeadTrainer::open(const TrainedHead& trained) {
  const QString name = QString::fromStdString(trained.model->metadata().name);
  const std::string& path = trained.request.path;
  const auto same = std::ranges::find_if(session_.models(), [&path](const ModelEntry& entry) {
    return isSameFile(entry.model->path(), path);
  });
  if (same == session_.models().end()) {
    session_.addModel(name, trained.model);
  } else {
    session_.replaceModel(ModelPtr(same->model), name, trained.model);
  }
  recent_.add(QString::fromStdString(path));
  for (const std::string& note : trained.report.notes) {
    Q_EMIT messages_.noticed(noteText(note));
  }
  jobs_.setDoneText(tr("Trained %1 on %2 items in %3 s")
                        .arg(name, QString::fromStdString(groupedDigits(trained.report.items)))
                        .arg(trained.seconds, 0, 'f', 1));
}

}  // namespace dubito
