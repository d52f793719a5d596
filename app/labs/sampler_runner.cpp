// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/sampler_runner.h"

#include <algorithm>
#include <utility>

namespace dubito {

const std::vector<PlaybackSpeed>& samplerSpeeds() {
  static const std::vector<PlaybackSpeed> speeds{
      {QT_TRANSLATE_NOOP("Labs", "Slow"),
       QT_TRANSLATE_NOOP("Labs", "One transition at a time, four per second"), 0.0, 250, 1},
      {QT_TRANSLATE_NOOP("Labs", "Normal"),
       QT_TRANSLATE_NOOP("Labs", "Five transitions per picture"), 0.0, 25, 5},
      {QT_TRANSLATE_NOOP("Labs", "Fast"), QT_TRANSLATE_NOOP("Labs", "200 transitions per picture"),
       0.0, 25, 200}};
  return speeds;
}

SamplerRunner::SamplerRunner(WorkerThread& worker, int threads, QObject* parent)
    : QObject(parent), job_(worker), threads_(threads) {
  pause_.setSingleShot(true);
  connect(&pause_, &QTimer::timeout, this, &SamplerRunner::startSlice);
}

SamplerRunner::~SamplerRunner() = default;

const PlaybackSpeed& SamplerRunner::speed() const {
  return samplerSpeeds()[static_cast<std::size_t>(speed_)];
}

void SamplerRunner::setSeed(std::uint64_t seed) {
  seed_ = seed;
  restart();
}

void SamplerRunner::setPlace(std::optional<std::array<double, 2>> place) {
  place_ = place;
  restart();
}

void SamplerRunner::play() {
  playing_ = true;
  startSlice();
}

void SamplerRunner::pause() {
  playing_ = false;
  pause_.stop();
  Q_EMIT stateChanged();
}

void SamplerRunner::step() {
  playing_ = false;
  wants_step_ = true;
  startSlice();
}

void SamplerRunner::restart() {
  job_.abandon();
  pause_.stop();
  work_.reset();
  wants_step_ = false;
  error_.clear();
  startSlice();
}

bool SamplerRunner::isFinished() const {
  return !error_.isEmpty() || (work_ && picture_ && picture_->transitions >= kMaxTransitions);
}

bool SamplerRunner::busy() const {
  return isActive(job_.state()) || pause_.isActive();
}

void SamplerRunner::startSlice() {
  const bool has_work = !isFinished() && (playing_ || wants_step_ || !work_);
  if (isActive(job_.state()) || !has_work) {
    Q_EMIT stateChanged();
    return;
  }
  const bool one_unit = std::exchange(wants_step_, false);
  const bool advances = playing_ || one_unit;
  JobSettings settings;
  settings.threads = threads_;
  settings.seed = seed_;
  job_.start<Slice>(
      tr("Laboratory"), settings,
      [work = work_, scene = scene_, options = options_, seed = seed_, place = place_,
       per_picture = speed().units, advances,
       one_unit](RunContext& context) mutable -> Expected<Slice> {
        if (!work) {
          auto lab = SamplerLab::start(options, seed, place);
          if (!lab) {
            return failWith(lab);
          }
          work = std::make_shared<SamplerLab>(*std::move(lab));
          if (!scene || !scene->isOf(options, seed)) {
            auto made = makeSamplerScene(options, seed, context);
            if (!made) {
              return failWith(made);
            }
            scene = *std::move(made);
          }
        }
        SamplerLab& lab = *work;
        if (advances) {
          const std::int64_t units =
              one_unit ? 1 : std::min(per_picture, kMaxTransitions - lab.transitions());
          if (Status advanced = lab.advance(units, context); !advanced) {
            return failWith(advanced);
          }
        }
        return Slice{work, scene, std::make_shared<const SamplerPicture>(lab.picture())};
      },
      this, [this](const Expected<Slice>& slice) { deliver(slice); });
  Q_EMIT stateChanged();
}

void SamplerRunner::deliver(const Expected<Slice>& slice) {
  if (slice) {
    work_ = slice->work;
    scene_ = slice->scene;
    picture_ = slice->picture;
    pause_.start(playing_ ? speed().pause_milliseconds : 0);
  } else if (slice.error().code != ErrorCode::kCancelled) {
    error_ = QString::fromStdString(slice.error().message);
  }
  Q_EMIT pictureChanged();
  Q_EMIT stateChanged();
}

}  // namespace dubito
