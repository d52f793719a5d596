// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curve_legend_qcp.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {

namespace {

constexpr int kIconWidth = 18;
constexpr int kIconGap = 6;
constexpr QMargins kMargins(4, 3, 4, 3);
/// Pixels of a line not available to the name.
constexpr int kAroundName = kIconWidth + kIconGap + kMargins.left() + kMargins.right();

/// The layout rounds to whole pixels; a name one pixel too wide would be elided.
constexpr int kLineSlack = 4;

}  // namespace

CurveLegend::CurveLegend() {
  setBorderPen(Qt::NoPen);
  setMargins(kMargins);
  setRowSpacing(0);
  setColumnSpacing(12);
  setIconSize(kIconWidth, 10);
  setIconTextPadding(kIconGap);
}

void CurveLegend::setEntries(const QString& heading, std::vector<LegendEntry> entries) {
  const Theme& theme = currentTheme();
  heading_ = heading;
  heading_text_ = nullptr;
  clear();
  setFont(uiFont(TypeSize::kSmall));
  setTextColor(theme.text);
  setBrush(translucent(theme.panel, 0.85));
  if (!heading.isEmpty()) {
    auto* text = new QCPTextElement(parentPlot(), heading, uiFont(TypeSize::kSmall));
    text->setTextColor(theme.muted);
    text->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    text->setLayer(layer());
    addElement(0, 0, text);
    heading_text_ = text;
  }
  entries_ = std::move(entries);
  for (const LegendEntry& entry : entries_) {
    if (!entry.name.isEmpty()) {
      auto* item = new QCPPlottableLegendItem(this, entry.graph);
      // Without it the descenders are clipped at the lower edge of the item.
      item->setMargins(QMargins(0, 0, 0, 2));
      addItem(item);
    }
  }
  // Curves with the same legend size leave the legend in place.
  if (fitted_width_ > 0) {
    nameGraphs(fitted_width_, fitted_shortened_);
  }
}

int CurveLegend::fullWidth() const {
  const QFontMetrics metrics(font());
  int widest = 0;
  for (const LegendEntry& entry : entries_) {
    widest = std::max(widest, metrics.horizontalAdvance(entry.name));
  }
  return kAroundName + widest + metrics.horizontalAdvance(QStringLiteral("  0.0000")) + kLineSlack;
}

CurveLegend::Columns CurveLegend::columnsIn(int width) const {
  const QFontMetrics metrics(font());
  std::vector<int> widths;
  if (heading_text_ != nullptr) {
    widths.push_back(metrics.horizontalAdvance(heading_text_->text()));
  }
  for (const LegendEntry& entry : entries_) {
    widths.push_back(kIconWidth + kIconGap + metrics.horizontalAdvance(entry.graph->name()));
  }
  for (std::size_t count = widths.size(); count > 1; --count) {
    std::vector<int> widest(count, 0);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widest[i % count] = std::max(widest[i % count], widths[i] + kLineSlack);
    }
    const int used = std::accumulate(widest.begin(), widest.end(),
                                     static_cast<int>(count - 1) * columnSpacing());
    if (used <= width) {
      return {static_cast<int>(count), used};
    }
  }
  return {1, width};
}

void CurveLegend::arrange(FillOrder order, int wrap) {
  if (order == fillOrder() && wrap == this->wrap()) {
    return;
  }
  QList<QCPLayoutElement*> elements;
  for (int i = 0; i < elementCount(); ++i) {
    if (elementAt(i) != nullptr) {
      elements << elementAt(i);
    }
  }
  for (QCPLayoutElement* const element : elements) {
    take(element);
  }
  simplify();
  setFillOrder(order, false);
  setWrap(wrap);
  for (QCPLayoutElement* const element : elements) {
    addElement(element);
  }
}

void CurveLegend::fitTo(int width, bool shortened) {
  arrange(foRowsFirst, 0);
  setMargins(kMargins);
  nameGraphs(width, shortened);
}

void CurveLegend::fitLines(int width) {
  nameGraphs(width, true);
  Columns columns = columnsIn(width);
  const int max_columns = columns.count;
  nameGraphs(width, false);
  columns = columnsIn(width);
  if (columns.count < max_columns) {
    nameGraphs(width, true);
    columns = columnsIn(width);
  }
  arrange(foColumnsFirst, columns.count);
  // Otherwise the columns would share the full width.
  setMargins(QMargins(0, 0, width - columns.width, kMargins.bottom()));
}

void CurveLegend::nameGraphs(int width, bool shortened) {
  fitted_width_ = width;
  fitted_shortened_ = shortened;
  const QFontMetrics metrics(font());
  if (heading_text_ != nullptr) {
    // Drop the ranking from the heading if it does not fit; the subtitle states it too.
    const int room = width - kMargins.left() - kMargins.right();
    heading_text_->setText(metrics.horizontalAdvance(heading_) <= room
                               ? heading_
                               : heading_.section(QLatin1Char(' '), 0, 0));
  }
  const auto tailOf = [](const LegendEntry& entry) {
    return entry.summary.isEmpty() ? QString() : QStringLiteral("  ") + entry.summary;
  };
  const auto fitted = [&](const LegendEntry& entry, const QString& name) {
    const int room = width - kAroundName - metrics.horizontalAdvance(tailOf(entry));
    return metrics.elidedText(name, Qt::ElideRight, std::max(room, 24));
  };
  const bool whole = !shortened && std::ranges::all_of(entries_, [&](const LegendEntry& entry) {
    return fitted(entry, entry.name) == entry.name;
  });
  for (const LegendEntry& entry : entries_) {
    const bool shortens = !whole && !entry.short_name.isEmpty();
    const QString name = fitted(entry, shortens ? entry.short_name : entry.name);
    entry.graph->setName(name + tailOf(entry));
  }
}

CurveLegend* addLegendAbove(QCustomPlot& plot) {
  auto* const legend = new CurveLegend;
  plot.plotLayout()->insertRow(0);
  plot.plotLayout()->addElement(0, 0, legend);
  plot.plotLayout()->setRowStretchFactor(0, 0.001);
  legend->setLayer(QStringLiteral("legend"));
  return legend;
}

}  // namespace dubito
