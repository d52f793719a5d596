// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace dubito {

/// What kind of thing went wrong; the text for people is in Error::message.
enum class ErrorCode {
  kInvalidArgument,  ///< an option or specification that cannot be meant
  kNotFound,         ///< a file, key or item that does not exist
  kMalformed,        ///< a file whose content breaks its format
  kUnsupported,      ///< well-formed, but not something this program can work with
  kReadFailed,       ///< the operating system refused to read
  kWriteFailed,      ///< the operating system refused to write
  kOutOfMemory,      ///< more memory than there is, or than the budget allows
  kCancelled,        ///< the user cancelled: an outcome, not a fault
  kInternal,         ///< an exception of a library that reached the job boundary
};

/// An error that a user can cause. `message` is one sentence that names the thing (file, row,
/// option), the reason and, after a semicolon, the remedy. `context` holds details for a log, never
/// needed to act.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string context = {};
};

/// A value or an Error. Contract breaks (a caller's bug) throw instead.
template <class T>
using Expected = tl::expected<T, Error>;

/// Success without a value, or an Error.
using Status = Expected<void>;

/// `return fail(ErrorCode::kNotFound, "...")` from a function that returns any Expected<T>.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string context = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(context)});
}

/// Hands an error on from an Expected of another type.
template <class T>
[[nodiscard]] tl::unexpected<Error> failWith(const Expected<T>& failed) {
  return tl::unexpected<Error>(failed.error());
}

[[nodiscard]] inline tl::unexpected<Error> cancelled() {
  return fail(ErrorCode::kCancelled, "cancelled");
}

}  // namespace dubito
