// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <functional>
#include <new>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// Error for an exception in job `title`: its first line as message, the full text as context.
[[nodiscard]] Error errorFromException(const std::string& title, const std::exception& exception);
/// Error for a thrown object that is not a std::exception.
[[nodiscard]] Error errorFromUnknown(const std::string& title);

/// Runs `work` and converts anything it throws to an Error. No exception passes this point.
template <class R>
[[nodiscard]] Expected<R> guarded(const std::string& title,
                                  const std::function<Expected<R>(RunContext&)>& work,
                                  RunContext& context) {
  try {
    return work(context);
  } catch (const std::exception& exception) {
    return tl::unexpected<Error>(errorFromException(title, exception));
  } catch (...) {
    return tl::unexpected<Error>(errorFromUnknown(title));
  }
}

}  // namespace dubito
