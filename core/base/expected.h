// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "core/base/remedy.h"

namespace dubito {

/// Kind of an error; the text for the user is in Error::message.
enum class ErrorCode {
  kInvalidArgument,  ///< an invalid option or specification
  kNotFound,         ///< a file, key or item that does not exist
  kMalformed,        ///< a file whose content violates its format
  kUnsupported,      ///< well-formed, but not supported by this program
  kReadFailed,       ///< the operating system reported a read error
  kWriteFailed,      ///< the operating system reported a write error
  kOutOfMemory,      ///< more memory than available, or than the budget allows
  kCancelled,        ///< the user cancelled: an outcome, not a failure
  kInternal,         ///< an unexpected exception or failure
  kBusy,             ///< needs what other work uses; possible when that has ended
  kUsage,            ///< arguments of a command that do not fit together
};

/// An error to report to the user. `message` is one sentence: the subject (file, row, option), the
/// reason and, after a semicolon, the remedy, which `remedy` holds as data. Options are called by
/// their meaning; the command line and the window add flags and labels (flag_text, error_text).
/// `context` has technical details for the log only.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string context = {};
  Remedy remedy = {};
};

/// A value or an Error. Contract violations (bugs in the caller) throw instead.
template <class T>
using Expected = tl::expected<T, Error>;

/// Success without a value, or an Error.
using Status = Expected<void>;

/// `return fail(ErrorCode::kNotFound, "...")` from a function that returns any Expected<T>.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string context = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(context)});
}

/// As above, with the settings that the message speaks of.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::vector<Setting> settings,
                                                std::string context = {}) {
  return tl::unexpected<Error>(
      Error{code, std::move(message), std::move(context), Remedy{.settings = std::move(settings)}});
}

/// The error about a part of `subject`: "SUBJECT: MESSAGE", with the same remedy.
[[nodiscard]] inline tl::unexpected<Error> failOf(const std::string& subject, Error error) {
  error.message = subject + ": " + error.message;
  return tl::unexpected<Error>(std::move(error));
}

/// Passes on the error of an Expected of another type.
template <class T>
[[nodiscard]] tl::unexpected<Error> failWith(const Expected<T>& failed) {
  return tl::unexpected<Error>(failed.error());
}

[[nodiscard]] inline tl::unexpected<Error> cancelled() {
  return fail(ErrorCode::kCancelled, "cancelled");
}

}  // namespace dubito
