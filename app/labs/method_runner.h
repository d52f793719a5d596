// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/labs/method_runner_base.h"
#include "app/session/error_text.h"
#include "core/labs/methods/method_preset.h"

namespace dubito {

/// Lets several methods of a laboratory work on the same data, in turns on one worker thread, and
/// keeps the latest picture of each. Everything can change at any time: what does not fit any more
/// is dropped. GUI thread only.
///
/// `LabKind` names the types and functions of the laboratory: RegressionKind, ClassificationKind.
template <class LabKind>
class MethodRunner : public MethodRunnerBase {
 public:
  using Kind = LabKind;
  using Info = typename Kind::Info;
  using Method = typename Kind::Method;
  using Data = typename Kind::Data;
  using Preset = typename Kind::Preset;
  using Options = typename Kind::Options;
  using Lab = typename Kind::Lab;
  using Picture = typename Kind::Picture;

  /// A chosen method.
  struct Entry {
    const Info* info = nullptr;
    /// Its options; edited in place by forms, then restart(index) applies them.
    std::shared_ptr<Method> method;
    std::shared_ptr<const Picture> picture;  ///< latest; null: none yet
    /// Why the method stopped, as a sentence for the user; empty: it did not.
    QString error;
    /// Number of its colour and dash, which it keeps while it is chosen; no two entries share one.
    int style = 0;
    [[nodiscard]] bool isFinished() const {
      return !error.isEmpty() || (picture && picture->done >= picture->total);
    }
  };

  using MethodRunnerBase::MethodRunnerBase;

  void setMethods(const std::vector<std::string>& keys) override {
    std::vector<Entry> entries;
    std::vector<Turn> turns;
    for (const std::string& key : keys) {
      const Info* const info = Kind::find(key);
      if (info == nullptr) {
        throw std::invalid_argument("MethodRunner::setMethods: unknown method " + key);
      }
      const auto known = std::ranges::find(entries_, info, &Entry::info);
      if (known != entries_.end()) {
        turns.push_back(std::move(turns_[static_cast<std::size_t>(known - entries_.begin())]));
        entries.push_back(std::move(*known));
        known->info = nullptr;
      } else {
        turns.push_back(newTurn());
        entries.push_back({info, info->make(), nullptr, {}, kNoStyle});
      }
    }
    // New methods get the styles that those which stay leave, in the order of their choice.
    for (Entry& entry : entries) {
      if (entry.style == kNoStyle) {
        entry.style = freeStyle(entries);
      }
    }
    entries_ = std::move(entries);
    turns_ = std::move(turns);
    if (std::ranges::find(turns_, working_id_, &Turn::id) == turns_.end()) {
      job().abandon();
    }
    working_ = 0;
    Q_EMIT methodsChanged();
    proceed();
  }
  [[nodiscard]] std::vector<std::string> methodKeys() const override {
    std::vector<std::string> keys;
    for (const Entry& entry : entries_) {
      keys.emplace_back(entry.info->key);
    }
    return keys;
  }
  [[nodiscard]] Method& method(std::size_t index) override { return *entries_[index].method; }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  /// Replaces the data; all methods start again. Invalid data (one class, for example) stop all
  /// methods, with the reason in dataError().
  void setData(Data data) {
    data_ = std::move(data);
    replaceData(Kind::check(data_));
  }
  [[nodiscard]] const Data& data() const { return data_; }
  /// Edited in place by forms.
  [[nodiscard]] Options& options() { return options_; }
  [[nodiscard]] const Options& options() const { return options_; }

  /// Replaces all methods, their options, the shared options and the seed. The data stay.
  void apply(const Preset& preset) {
    job().abandon();
    options_ = preset.options;
    setSeedOfNextStart(preset.seed);
    entries_.clear();
    turns_.clear();
    for (const auto& chosen : preset.methods) {
      entries_.push_back({chosen.info, chosen.method, nullptr, {}, chosen.style});
      turns_.push_back(newTurn());
    }
    working_ = 0;
    Q_EMIT methodsChanged();
    proceed();
  }
  /// Methods, options and seed; the caller adds the data and what is shown of them.
  [[nodiscard]] Preset preset() const {
    Preset preset;
    preset.seed = seed();
    preset.options = options_;
    for (const Entry& entry : entries_) {
      preset.methods.push_back({entry.info, entry.method, entry.style});
    }
    return preset;
  }

  [[nodiscard]] bool isFinished() const override {
    return std::ranges::all_of(entries_, [](const Entry& entry) { return entry.isFinished(); });
  }

 protected:
  /// `earlier` is the picture before; null: none.
  using Paint = std::function<Expected<Picture>(const Lab& lab, bool fine, const Picture* earlier,
                                                RunContext& context)>;

  /// What a slice calls on the worker thread; it owns all that it uses.
  [[nodiscard]] virtual Paint painter() const = 0;
  /// All pictures are out of date, though the state of the methods is not. While `moving`, coarse
  /// pictures are enough.
  void redraw(bool moving) {
    moving_ = moving;
    for (Turn& turn : turns_) {
      turn.wants_picture = true;
    }
    if (only_paints_) {
      job().abandon();
      only_paints_ = false;
    }
    proceed();
  }

  void startSlice() override {
    const int next = nextEntry();
    if (next < 0) {
      return;
    }
    const auto index = static_cast<std::size_t>(next);
    Turn& turn = turns_[index];
    working_ = index;
    working_id_ = turn.id;
    const bool steps = std::exchange(turn.wants_step, false);
    turn.wants_picture = false;
    const bool advances = !entries_[index].isFinished() && (isPlaying() || steps);
    only_paints_ = turn.work && !advances;
    // While anything moves, pictures stay coarse.
    const bool fine = !moving_ && !advances && (!isPlaying() || isFinished());
    const std::shared_ptr<const Method> method = turn.work ? nullptr : copyOf(entries_[index]);
    job().template start<Slice>(
        tr("Laboratory"), jobSettings(),
        [work = turn.work, method, data = turn.work ? nullptr : std::make_shared<const Data>(data_),
         options = options_, seed = seed(), paint = painter(), advances, fine,
         pace = isPlaying() ? speed()
                            : PlaybackSpeed{}](RunContext& context) mutable -> Expected<Slice> {
          if (!work) {
            auto lab = Kind::start(*data, *method, options, seed);
            if (!lab) {
              return failWith(lab);
            }
            work = std::make_shared<Work>();
            work->lab.emplace(*std::move(lab));
          }
          Lab& lab = *work->lab;
          if (advances && lab.done() < lab.total()) {
            UnitPacer& pacer = work->pacer;
            if (Status advanced = pacer.advance(lab, pacer.units(pace, lab.total()), context);
                !advanced) {
              return failWith(advanced);
            }
          }
          auto picture = paint(lab, fine, work->picture.get(), context);
          if (!picture) {
            return failWith(picture);
          }
          work->picture = std::make_shared<const Picture>(*std::move(picture));
          return Slice{work, work->picture, fine};
        },
        this, [this, id = turn.id](const Expected<Slice>& slice) { deliver(id, slice); });
  }

  void drop(std::size_t index) override {
    if (turns_[index].id == working_id_) {
      job().abandon();
    }
    turns_[index] = newTurn();
    Entry& entry = entries_[index];
    entry.error.clear();
    // The old picture stays until the first new one, so that nothing flickers while a point moves.
    if (entry.picture) {
      auto unfinished = std::make_shared<Picture>(*entry.picture);
      unfinished->done = 0;
      unfinished->total = std::max(unfinished->total, std::int64_t{1});
      entry.picture = std::move(unfinished);
    }
  }

  void requestStep() override {
    for (Turn& turn : turns_) {
      turn.wants_step = true;
    }
  }

 private:
  /// What only one thread has at a time: a learner, and how long its units take.
  struct Work {
    std::optional<Lab> lab;
    UnitPacer pacer;
    std::shared_ptr<const Picture> picture;  ///< the latest
  };
  /// What one slice of work gives.
  struct Slice {
    std::shared_ptr<Work> work;
    std::shared_ptr<const Picture> picture;
    bool is_fine = false;
  };
  struct Turn {
    int id = 0;                  ///< new for each start, so that stale slices are recognised
    std::shared_ptr<Work> work;  ///< between slices; null: to be started
    bool wants_step = false;
    bool wants_picture = false;
    bool is_fine = false;  ///< whether the picture is
  };

  static constexpr int kNoStyle = -1;

  [[nodiscard]] Turn newTurn() { return {++last_id_, nullptr, false, false, false}; }

  /// A copy of a method with its options, for the worker thread.
  [[nodiscard]] static std::shared_ptr<const Method> copyOf(const Entry& entry) {
    std::shared_ptr<Method> copy = entry.info->make();
    if (const Status set = fieldsFromJson(fieldsToJson(entry.method->fields()), copy->fields());
        !set) {
      throw std::logic_error("MethodRunner: " + set.error().message);
    }
    return copy;
  }

  void deliver(int id, const Expected<Slice>& slice) {
    only_paints_ = false;
    const auto turn = std::ranges::find(turns_, id, &Turn::id);
    if (turn != turns_.end()) {
      const auto index = static_cast<std::size_t>(turn - turns_.begin());
      if (slice) {
        turn->work = slice->work;
        turn->is_fine = slice->is_fine;
        entries_[index].picture = slice->picture;
      } else if (slice.error().code != ErrorCode::kCancelled) {
        entries_[index].error = errorText(slice.error());
      }
      Q_EMIT pictureChanged(static_cast<int>(index));
    }
    proceedSoon();
  }

  /// The next entry with something to do, after the one that worked last; -1: none. Fine pictures
  /// come when all work is done.
  [[nodiscard]] int nextEntry() const {
    if (!dataError().isEmpty()) {
      return -1;
    }
    const auto next = [this](const auto& has_something) {
      for (std::size_t offset = 1; offset <= entries_.size(); ++offset) {
        const std::size_t index = (working_ + offset) % entries_.size();
        if (entries_[index].error.isEmpty() && has_something(entries_[index], turns_[index])) {
          return static_cast<int>(index);
        }
      }
      return -1;
    };
    const int working = next([this](const Entry& entry, const Turn& turn) {
      // A method that has not shown anything starts even while paused.
      const bool has_work = !entry.isFinished() && (isPlaying() || turn.wants_step);
      return has_work || !turn.work || turn.wants_picture;
    });
    if (working >= 0 || moving_) {
      return working;
    }
    return next([](const Entry& /*entry*/, const Turn& turn) { return !turn.is_fine; });
  }

  Data data_;
  Options options_;
  std::vector<Entry> entries_;
  std::vector<Turn> turns_;  ///< one per entry
  std::size_t working_ = 0;  ///< entry whose slice runs or ran last
  int working_id_ = 0;       ///< id of that turn
  int last_id_ = 0;
  bool moving_ = false;
  bool only_paints_ = false;  ///< whether the running slice changes no state
};

}  // namespace dubito
