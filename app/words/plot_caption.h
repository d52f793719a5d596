// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/card.h"
#include "widgets/plot_base.h"

namespace dubito {

/// Sets `line` as the subtitle of the card. Exports of the plot show the card's title, its headline
/// figure, which must be set before, and `line`.
inline void setCaptions(Card& card, PlotBase& plot, const QString& line) {
  card.setSubtitle(line);
  plot.setCaption(card.title(), line, card.figure());
}

}  // namespace dubito
