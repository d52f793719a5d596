// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <functional>
#include <new>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// The Error that stands for an exception of `title`: its first line for people, all of it as
/// context.
[[nodiscard]] Error errorFromException(const std::string& title, const std::exception& exception);
/// The Error for something thrown that is no std::exception.
[[nodiscard]] Error errorFromUnknown(const std::string& title);

/// Runs `work` and turns whatever it throws into an Error: the border that no exception crosses.
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
