// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

namespace dubito {

Theme Theme::light() {
  return {.dark = false,
          .window = QColor(0xF6F7F9),
          .panel = QColor(0xFFFFFF),
          .text = QColor(0x1F2328),
          .muted = QColor(0x59636E),
          .grid = QColor(0xE6E8EB),
          .accent = QColor(0x0072B2),
          .correct = QColor(0x0072B2),
          .misclassified = QColor(0xD55E00),
          .ood = QColor(0xCC79A7),
          .selection = QColor(0x1F2328)};
}

Theme Theme::darkTheme() {
  return {.dark = true,
          .window = QColor(0x16181D),
          .panel = QColor(0x1E2127),
          .text = QColor(0xE6E8EB),
          .muted = QColor(0x9BA3AF),
          .grid = QColor(0x2C3038),
          .accent = QColor(0x56B4E9),
          .correct = QColor(0x56B4E9),
          .misclassified = QColor(0xE69F00),
          .ood = QColor(0xCC79A7),
          .selection = QColor(0xE6E8EB)};
}

}  // namespace dubito
