// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace dubito {

/// Kind of an error; the text for the user is in Error::message.
enum class ErrorCode {
  kInvalidArgument,  ///< an option or specification that makes no sense
  kNotFound,         ///< a file, key or item that does not exist
  kMalformed,        ///< a file whose content violates its format
  kUnsupported,      ///< well-formed, but not supported by this program
  kReadFailed,       ///< the operating system refused to read
  kWriteFailed,      ///< the operating system refused to write
  kOutOfMemory,      ///< more memory than available, or than the budget allows
  kCancelled,        ///< the user cancelled: an outcome, not a failure
  kInternal,         ///< a library's exception that reached the job boundary
};

/// An error that a user can cause. `message` is one sentence: the thing (file, row, option), the
/// reason and, after a semicolon, the remedy. `context` has details for the log that nobody needs
/// to act.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string context = {};
};

/// A value or an Error. Contract violations (bugs of the caller) throw instead.
template <class T>
using Expected = tl::expected<T, Error>;

/// Success without a value, or an Error.
using Status = Expected<void>;

/// `return fail(ErrorCode::kNotFound, "...")` from a function that returns any Expected<T>.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string context = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(context)});
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
