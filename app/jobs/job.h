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

/// Settings of a job's RunContext.
struct JobSettings {
  Device device;
  int threads = 1;
  std::uint64_t seed = 0;
  Precedence precedence = Precedence::kUsual;
  /// The budget is determined when the job starts.
  MemoryOptions memory;
};

/// Runs one piece of work at a time on a worker thread; started, observed and cancelled from the
/// GUI thread, which it never blocks. The event loop delivers the result by value to a receiver.
/// Results that are no longer needed (job restarted or destroyed, receiver gone) are dropped.
/// Exceptions in the work are delivered as an Error.
class Job : public QObject {
  Q_OBJECT

 public:
  /// `worker` must outlive the job.
  explicit Job(WorkerThread& worker, QObject* parent = nullptr);
  /// Cancels running work and drops its result; does not wait.
  ~Job() override;

  template <class R>
  using Work = std::function<Expected<R>(RunContext&)>;
  template <class R>
  using Deliver = std::function<void(Expected<R>)>;

  /// Starts `work`; returns false if the job is active. Calls `deliver` once with the result, or
  /// with ErrorCode::kCancelled, if `receiver` still exists.
  template <class R>
  bool start(const QString& title, const JobSettings& settings, Work<R> work, QObject* receiver,
             Deliver<R> deliver) {
    if (!canStart(state_)) {
      return false;
    }
    const std::shared_ptr<Token> token = begin(title);
    const QPointer<QObject> target(receiver);
    worker_.post(
        token->control,
        [this, token, target, settings, title, work = std::move(work),
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
        },
        settings.precedence);
    return true;
  }

  /// Like start, but cancels active work and drops its result: the newest request wins.
  template <class R>
  void restart(const QString& title, const JobSettings& settings, Work<R> work, QObject* receiver,
               Deliver<R> deliver) {
    abandon();
    start<R>(title, settings, std::move(work), receiver, std::move(deliver));
  }

  /// Requests cancellation; the receiver gets ErrorCode::kCancelled. Returns at once.
  void cancel();
  /// Requests an early stop; the receiver gets a partial result. Returns at once.
  void stopEarly();
  /// Cancels active work; its result is never delivered.
  void abandon();

  [[nodiscard]] JobState state() const { return state_; }
  [[nodiscard]] const QString& title() const { return title_; }

 Q_SIGNALS:
  void stateChanged(dubito::JobState state);
  /// The work has finished, and its receiver, if it still exists, has the result.
  void delivered();
  /// Emitted at most 25 times per second, and less often if the GUI thread is busy; intermediate
  /// values are skipped.
  void progressChanged(const dubito::Progress& progress);

 private:
  struct Token;
  std::shared_ptr<Token> begin(const QString& title);
  RunContext makeContext(const std::shared_ptr<Token>& token, const JobSettings& settings);
  void setState(JobState state);
  void finish(std::optional<ErrorCode> error);
  void showProgress(Token& token);

  /// State of one start, shared by the GUI thread and the worker.
  struct Token {
    std::shared_ptr<RunControl> control = std::make_shared<RunControl>();
    WorkerThread* worker = nullptr;
    bool stale = false;  ///< the result is no longer needed; GUI thread only
    std::mutex mutex;    ///< guards the members below
    Progress latest;
    bool announced = false;  ///< a notification of `latest` is pending
  };

  WorkerThread& worker_;
  std::shared_ptr<Token> token_;
  JobState state_ = JobState::kIdle;
  QString title_;
};

}  // namespace dubito
