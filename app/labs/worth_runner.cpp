// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/worth_runner.h"

#include <utility>

#include "core/base/stopwatch.h"

namespace dubito {

WorthRunner::WorthRunner(WorkerThread& worker, int threads, QObject* parent)
    : QObject(parent), job_(worker), threads_(threads) {
  pause_.setSingleShot(true);
  connect(&pause_, &QTimer::timeout, this, &WorthRunner::startSlice);
}

WorthRunner::~WorthRunner() = default;

void WorthRunner::setGaussian(LogitGaussian gaussian) {
  gaussian_ = std::move(gaussian);
  restart();
}

void WorthRunner::setSeed(std::uint64_t seed) {
  seed_ = seed;
  restart();
}

void WorthRunner::play() {
  playing_ = true;
  startSlice();
  Q_EMIT stateChanged();
}

void WorthRunner::pause() {
  playing_ = false;
  pause_.stop();
  Q_EMIT stateChanged();
}

void WorthRunner::step() {
  playing_ = false;
  wants_step_ = true;
  startSlice();
  Q_EMIT stateChanged();
}

void WorthRunner::restart() {
  job_.abandon();
  pause_.stop();
  work_.reset();
  picture_.reset();
  error_.clear();
  wants_step_ = false;
  Q_EMIT pictureChanged();
  startSlice();
  Q_EMIT stateChanged();
}

void WorthRunner::startSlice() {
  if (isActive(job_.state()) || gaussian_.mean.empty() || isFinished() ||
      !(playing_ || wants_step_)) {
    Q_EMIT stateChanged();
    return;
  }
  const bool one_unit = std::exchange(wants_step_, false) || !playing_;
  const double budget =
      one_unit ? 0.0 : playbackSpeeds()[static_cast<std::size_t>(speed_)].budget_seconds;
  JobSettings settings;
  settings.threads = threads_;
  settings.seed = seed_;
  job_.start<Slice>(
      tr("Laboratory"), settings,
      [work = work_, gaussian = gaussian_, options = options_, seed = seed_, budget,
       one_unit](RunContext& context) mutable -> Expected<Slice> {
        if (!work) {
          auto lab = SampleWorth::start(gaussian, options, seed);
          if (!lab) {
            return failWith(lab);
          }
          work = std::make_shared<Work>();
          work->lab = *std::move(lab);
        }
        SampleWorth& lab = *work->lab;
        const std::int64_t before = lab.done();
        const Stopwatch watch;
        if (Status advanced = lab.advance(one_unit ? 1 : work->pacer.units(budget), context);
            !advanced) {
          return failWith(advanced);
        }
        work->pacer.measured(lab.done() - before, watch.seconds());
        return Slice{work, std::make_shared<const WorthPicture>(
                               WorthPicture{lab.result(), lab.times(), lab.done(), lab.total()})};
      },
      this, [this](const Expected<Slice>& slice) { deliver(slice); });
}

void WorthRunner::deliver(const Expected<Slice>& slice) {
  if (slice) {
    work_ = slice->work;
    picture_ = slice->picture;
  } else if (slice.error().code != ErrorCode::kCancelled) {
    error_ = QString::fromStdString(slice.error().message);
  }
  Q_EMIT pictureChanged();
  pause_.start(playing_ ? playbackSpeeds()[static_cast<std::size_t>(speed_)].pause_milliseconds
                        : 0);
}

}  // namespace dubito
