// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression_runner.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace dubito {
namespace {

/// A copy of `method` with its options, for the worker thread.
std::shared_ptr<const RegressionMethod> copyOf(const RegressionMethodInfo& info,
                                               RegressionMethod& method) {
  std::shared_ptr<RegressionMethod> copy = info.make();
  if (const Status set = fieldsFromJson(fieldsToJson(method.fields()), copy->fields()); !set) {
    throw std::logic_error("RegressionRunner: " + set.error().message);
  }
  return copy;
}

}  // namespace

RegressionRunner::RegressionRunner(WorkerThread& worker, int threads, QObject* parent)
    : QObject(parent), job_(worker), threads_(threads) {
  pause_.setSingleShot(true);
  connect(&pause_, &QTimer::timeout, this, &RegressionRunner::startSlice);
}

RegressionRunner::~RegressionRunner() = default;

void RegressionRunner::setData(RegressionData data) {
  data_ = std::move(data);
  const Status checked = checkRegressionData(data_);
  data_error_ = checked ? QString() : QString::fromStdString(checked.error().message);
  restart();
  Q_EMIT dataChanged();
}

void RegressionRunner::setMethods(const std::vector<std::string>& keys) {
  std::vector<Entry> entries;
  std::vector<Turn> turns;
  for (const std::string& key : keys) {
    const RegressionMethodInfo* const info = findRegressionMethod(key);
    if (info == nullptr) {
      throw std::invalid_argument("RegressionRunner::setMethods: unknown method " + key);
    }
    const auto known = std::ranges::find(entries_, info, &Entry::info);
    if (known != entries_.end()) {
      turns.push_back(std::move(turns_[static_cast<std::size_t>(known - entries_.begin())]));
      entries.push_back(std::move(*known));
      known->info = nullptr;
    } else {
      turns.push_back(newTurn());
      entries.push_back({info, info->make(), nullptr, {}});
    }
  }
  entries_ = std::move(entries);
  turns_ = std::move(turns);
  if (std::ranges::find(turns_, working_id_, &Turn::id) == turns_.end()) {
    job_.abandon();
  }
  working_ = 0;
  Q_EMIT methodsChanged();
  startSlice();
}

void RegressionRunner::apply(const RegressionPreset& preset) {
  job_.abandon();
  entries_.clear();
  turns_.clear();
  for (const RegressionPreset::Method& chosen : preset.methods) {
    entries_.push_back({chosen.info, chosen.method, nullptr, {}});
    turns_.push_back(newTurn());
  }
  options_ = preset.options;
  seed_ = preset.seed;
  working_ = 0;
  Q_EMIT methodsChanged();
  startSlice();
}

RegressionPreset RegressionRunner::preset() const {
  RegressionPreset preset;
  preset.seed = seed_;
  preset.options = options_;
  for (const Entry& entry : entries_) {
    preset.methods.push_back({entry.info, entry.method});
  }
  return preset;
}

void RegressionRunner::setSeed(std::uint64_t seed) {
  seed_ = seed;
  restart();
}

void RegressionRunner::play() {
  playing_ = true;
  startSlice();
  Q_EMIT stateChanged();
}

void RegressionRunner::pause() {
  playing_ = false;
  pause_.stop();
  startSlice();
  Q_EMIT stateChanged();
}

void RegressionRunner::step() {
  playing_ = false;
  for (Turn& turn : turns_) {
    turn.wants_step = true;
  }
  startSlice();
  Q_EMIT stateChanged();
}

void RegressionRunner::drop(std::size_t index) {
  if (turns_[index].id == working_id_) {
    job_.abandon();
  }
  turns_[index] = newTurn();
  Entry& entry = entries_[index];
  entry.error.clear();
  // The old picture stays until the first new one, so that nothing flickers while a point moves.
  if (entry.picture) {
    auto unfinished = std::make_shared<RegressionPicture>(*entry.picture);
    unfinished->done = 0;
    unfinished->total = std::max(unfinished->total, std::int64_t{1});
    entry.picture = std::move(unfinished);
  }
}

void RegressionRunner::restart() {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    drop(i);
  }
  startSlice();
  Q_EMIT stateChanged();
}

void RegressionRunner::restart(std::size_t index) {
  drop(index);
  startSlice();
  Q_EMIT stateChanged();
}

bool RegressionRunner::isFinished() const {
  return std::ranges::all_of(entries_, [](const Entry& entry) { return entry.isFinished(); });
}

bool RegressionRunner::busy() const {
  return isActive(job_.state()) || pause_.isActive();
}

int RegressionRunner::nextEntry() const {
  if (!data_error_.isEmpty()) {
    return -1;
  }
  for (std::size_t offset = 1; offset <= entries_.size(); ++offset) {
    const std::size_t index = (working_ + offset) % entries_.size();
    const Turn& turn = turns_[index];
    // A method that has not shown anything starts even while paused, and old scores are replaced.
    const bool can_wait = turn.work && !turn.old_scores && !turn.wants_step;
    if (!entries_[index].isFinished() && (playing_ || !can_wait)) {
      return static_cast<int>(index);
    }
  }
  return -1;
}

void RegressionRunner::startSlice() {
  if (isActive(job_.state())) {
    return;
  }
  const int next = nextEntry();
  if (next < 0) {
    Q_EMIT stateChanged();
    return;
  }
  const auto index = static_cast<std::size_t>(next);
  Turn& turn = turns_[index];
  working_ = index;
  working_id_ = turn.id;
  const bool steps = std::exchange(turn.wants_step, false);
  const double budget =
      playing_ ? playbackSpeeds()[static_cast<std::size_t>(speed_)].budget_seconds : 0.0;
  const bool starts = !turn.work;
  std::shared_ptr<const RegressionMethod> method;
  std::shared_ptr<const RegressionData> data;
  if (starts) {
    method = copyOf(*entries_[index].info, *entries_[index].method);
    data = std::make_shared<const RegressionData>(data_);
  }
  const bool advances = playing_ || steps;
  JobSettings settings;
  settings.threads = threads_;
  settings.seed = seed_;
  job_.start<Slice>(
      tr("Laboratory"), settings,
      [work = turn.work, method, data, options = options_, seed = seed_, budget,
       advances](RunContext& context) mutable -> Expected<Slice> {
        if (!work) {
          auto lab = RegressionLab::start(*data, *method, options, seed);
          if (!lab) {
            return failWith(lab);
          }
          work = std::make_shared<Work>();
          work->lab = *std::move(lab);
        }
        RegressionLab& lab = *work->lab;
        if (advances && lab.done() < lab.total()) {
          const std::int64_t before = lab.done();
          const Stopwatch watch;
          if (Status advanced = lab.advance(work->pacer.units(budget), context); !advanced) {
            return failWith(advanced);
          }
          work->pacer.measured(lab.done() - before, watch.seconds());
        }
        // Nobody reads numbers that change faster.
        constexpr double kSecondsBetweenScores = 0.5;
        const bool repeats = work->scored && lab.done() < lab.total() && budget > 0.0 &&
                             work->since_scored.seconds() < kSecondsBetweenScores;
        auto picture = lab.picture(context, repeats ? work->scored.get() : nullptr);
        if (!picture) {
          return failWith(picture);
        }
        auto shown = std::make_shared<const RegressionPicture>(*std::move(picture));
        if (!repeats) {
          work->scored = shown;
          work->since_scored = {};
        }
        return Slice{work, std::move(shown), repeats};
      },
      this, [this, id = turn.id](const Expected<Slice>& slice) { deliver(id, slice); });
}

void RegressionRunner::deliver(int id, const Expected<Slice>& slice) {
  const auto turn = std::ranges::find(turns_, id, &Turn::id);
  if (turn != turns_.end()) {
    const auto index = static_cast<std::size_t>(turn - turns_.begin());
    if (slice) {
      turn->work = slice->work;
      turn->old_scores = slice->old_scores;
      entries_[index].picture = slice->picture;
    } else if (slice.error().code != ErrorCode::kCancelled) {
      entries_[index].error = QString::fromStdString(slice.error().message);
    }
    Q_EMIT pictureChanged(static_cast<int>(index));
  }
  const auto& speed = playbackSpeeds()[static_cast<std::size_t>(speed_)];
  pause_.start(playing_ ? speed.pause_milliseconds : 0);
}

}  // namespace dubito
