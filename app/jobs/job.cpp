// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/job.h"

#include <mutex>

namespace dubito {

Job::Job(WorkerThread& worker, QObject* parent) : QObject(parent), worker_(worker) {}

Job::~Job() {
  if (token_) {
    token_->stale = true;
    token_->control->requestCancel();
  }
}

std::shared_ptr<Job::Token> Job::begin(const QString& title) {
  token_ = std::make_shared<Token>();
  token_->worker = &worker_;
  title_ = title;
  setState(JobState::kQueued);
  return token_;
}

RunContext Job::makeContext(const std::shared_ptr<Token>& token, const JobSettings& settings) {
  // Runs on the worker: `this` is only used in replies, after checking that the token is not stale.
  RunContext context(token->control);
  context.device = settings.device;
  context.threads = settings.threads;
  context.seed = settings.seed;
  context.memory_budget_bytes = settings.memory.budget();
  context.on_progress = [this, token](const Progress& progress) {
    {
      const std::lock_guard lock(token->mutex);
      token->latest = progress;
      if (token->announced) {
        return;
      }
      token->announced = true;
    }
    token->worker->reply([this, token] {
      if (!token->stale) {
        showProgress(*token);
      }
    });
  };
  token->worker->reply([this, token] {
    if (!token->stale && state_ == JobState::kQueued) {
      setState(JobState::kRunning);
    }
  });
  return context;
}

void Job::showProgress(Token& token) {
  Progress latest;
  {
    const std::lock_guard lock(token.mutex);
    latest = token.latest;
    token.announced = false;
  }
  if (isActive(state_)) {
    Q_EMIT progressChanged(latest);
  }
}

void Job::cancel() {
  if (canCancel(state_)) {
    token_->control->requestCancel();
    setState(JobState::kCancelling);
  }
}

void Job::stopEarly() {
  if (canStopEarly(state_)) {
    token_->control->requestStopEarly();
  }
}

void Job::abandon() {
  if (isActive(state_)) {
    token_->stale = true;
    token_->control->requestCancel();
    token_.reset();
    setState(JobState::kCancelled);
  }
}

void Job::setState(JobState state) {
  if (state_ != state) {
    state_ = state;
    Q_EMIT stateChanged(state);
  }
}

void Job::finish(std::optional<ErrorCode> error) {
  token_.reset();
  if (!error) {
    setState(JobState::kSucceeded);
  } else {
    setState(*error == ErrorCode::kCancelled ? JobState::kCancelled : JobState::kFailed);
  }
}

}  // namespace dubito
