// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/card.h"
#include "widgets/plot_base.h"

namespace dubito {

/// Sets one subtitle for the card and, with the title, for exports of the plot.
inline void setCaptions(Card& card, PlotBase& plot, const QString& line) {
  card.setSubtitle(line);
  plot.setCaption(card.title(), line);
}

}  // namespace dubito
