// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>

namespace dubito {

/// Where a job is in its life.
enum class JobState {
  kIdle,        ///< never started
  kQueued,      ///< waits for the worker
  kRunning,     ///< the worker is at it
  kCancelling,  ///< asked to end; ends after the batch it is at
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
