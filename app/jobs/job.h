// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "app/jobs/guard.h"
#include "app/jobs/job_state.h"
#include "app/jobs/worker_thread.h"
#include "core/base/expected.h"
#include "core/base/memory_budget.h"
#include "core/base/run_context.h"

namespace dubito {

/// What a job's RunContext is set up with.
struct JobSettings {
  Device device;
  int threads = 1;
  std::uint64_t seed = 0;
  /// Its budget is found when the job begins.
  MemoryOptions memory;
};

/// One piece of work at a time on a worker thread, started, watched and cancelled from the GUI
/// thread. The result comes back by value to a receiver, from the event loop; nothing ever waits.
/// A result that is no longer wanted (the job was started anew or destroyed, the receiver is gone)
/// is dropped. Every exception of the work arrives as an Error.
class Job : public QObject {
  Q_OBJECT

 public:
  /// `worker` must outlive the job.
  explicit Job(WorkerThread& worker, QObject* parent = nullptr);
  /// Cancels what runs and drops its result; does not wait.
  ~Job() override;

  template <class R>
  using Work = std::function<Expected<R>(RunContext&)>;
  template <class R>
  using Deliver = std::function<void(Expected<R>)>;

  /// Starts `work`; false where the job is active. `deliver` is called once with the result, or
  /// with ErrorCode::kCancelled, while `receiver` lives.
  template <class R>
  bool start(const QString& title, const JobSettings& settings, Work<R> work, QObject* receiver,
             Deliver<R> deliver) {
    if (!canStart(state_)) {
      return false;
    }
    const std::shared_ptr<Token> token = begin(title);
    const QPointer<QObject> target(receiver);
    worker_.post(token->control, [this, token, target, settings, title, work = std::move(work),
                                  deliver = std::move(deliver)]() mutable {
      RunContext context = makeContext(token, settings);
      auto result = std::make_shared<Expected<R>>(cancelled());
      if (!token->control->cancelRequested()) {
        *result = guarded<R>(title.toStdString(), work, context);
      }
      if (token->control->cancelRequested()) {
        *result = cancelled();
      }
      token->worker->reply([this, token, target, result, deliver = std::move(deliver)] {
        if (token->stale) {
          return;
        }
        const QPointer<Job> self(this);
        finish(*result ? std::optional<ErrorCode>() : result->error().code);
        if (target) {
          deliver(std::move(*result));
        }
        if (self) {
          Q_EMIT self->delivered();
        }
      });
    });
    return true;
  }

  /// As start, but what is active is cancelled and its result dropped: the newest request wins.
  template <class R>
  void restart(const QString& title, const JobSettings& settings, Work<R> work, QObject* receiver,
               Deliver<R> deliver) {
    abandon();
    start<R>(title, settings, std::move(work), receiver, std::move(deliver));
  }

  /// Asks the work to end without a result. Returns at once.
  void cancel();
  /// Asks the work to finish with what is there. Returns at once.
  void stopEarly();
  /// Cancels and forgets what is active; its result is never delivered.
  void abandon();

  [[nodiscard]] JobState state() const { return state_; }
  [[nodiscard]] const QString& title() const { return title_; }

 Q_SIGNALS:
  void stateChanged(dubito::JobState state);
  /// The work has ended and its receiver, if it lives, has the result.
  void delivered();
  /// At most 25 times a second, and only the newest: a busy GUI thread gets fewer.
  void progressChanged(const dubito::Progress& progress);

 private:
  struct Token;
  std::shared_ptr<Token> begin(const QString& title);
  RunContext makeContext(const std::shared_ptr<Token>& token, const JobSettings& settings);
  void setState(JobState state);
  void finish(std::optional<ErrorCode> error);
  void showProgress(Token& token);

  /// What the GUI thread and the worker share of one start.
  struct Token {
    std::shared_ptr<RunControl> control = std::make_shared<RunControl>();
    WorkerThread* worker = nullptr;
    bool stale = false;  ///< read and written on the GUI thread alone
    std::mutex mutex;    ///< guards what follows
    Progress latest;
    bool announced = false;  ///< a message about `latest` is under way
  };

  WorkerThread& worker_;
  std::shared_ptr<Token> token_;
  JobState state_ = JobState::kIdle;
  QString title_;
};

}  // namespace dubito
