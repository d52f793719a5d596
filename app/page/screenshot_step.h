// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

namespace dubito {

/// A step on the way to the pictures of a page. The window settles after each.
struct ScreenshotStep {
  QString name = {};                ///< of the picture taken after the step; empty: none
  std::function<void()> show = {};  ///< brings the page there; null: it is there
  /// A page that would be busy for long is given this time.
  int seconds = 0;
};

}  // namespace dubito
