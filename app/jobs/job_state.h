// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>

namespace dubito {

/// Life cycle of a job.
enum class JobState {
  kIdle,        ///< never started
  kQueued,      ///< waiting for the worker
  kRunning,     ///< running on the worker
  kCancelling,  ///< cancellation requested; ends after the current batch
  kSucceeded,
  kFailed,
  kCancelled,
};

[[nodiscard]] constexpr bool isActive(JobState state) {
  return state == JobState::kQueued || state == JobState::kRunning ||
         state == JobState::kCancelling;
}
[[nodiscard]] constexpr bool canStart(JobState state) {
  return !isActive(state);
}
[[nodiscard]] constexpr bool canCancel(JobState state) {
  return state == JobState::kQueued || state == JobState::kRunning;
}
[[nodiscard]] constexpr bool canStopEarly(JobState state) {
  return state == JobState::kRunning;
}

}  // namespace dubito

Q_DECLARE_METATYPE(dubito::JobState)
