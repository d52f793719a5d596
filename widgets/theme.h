// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace dubito {

/// The colours of the window and their meanings; one place for all pages.
struct Theme {
  bool dark = false;
  QColor window, panel, text, muted, grid, accent;
  QColor correct, misclassified, ood;
  QColor selection;  ///< selection and threshold: the text colour

  [[nodiscard]] static Theme light();
  [[nodiscard]] static Theme darkTheme();
};

}  // namespace dubito
