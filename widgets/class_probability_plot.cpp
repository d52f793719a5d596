// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/class_probability_plot.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kBarHeight = 0.72;
constexpr int kNameWidth = 112;

/// A place across the row for draw `t`, spread evenly and the same at every repaint (golden ratio).
double jitter(std::int64_t t) {
  const double turn = static_cast<double>(t) * 0.6180339887498949;
  return (turn - std::floor(turn) - 0.5) * 0.8 * kBarHeight;
}

}  // namespace

struct ClassProbabilityPlot::Parts {
  std::vector<QCPBars*> bars;
  std::vector<QCPGraph*> draws;
  std::vector<QCPItemText*> texts;
};

ClassProbabilityPlot::ClassProbabilityPlot(QWidget* parent)
    : PlotBase(parent), parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("classProbabilityPlot"));
  plot().axisRect()->setAutoMargins(QCP::msBottom);
  rebuild();
}

ClassProbabilityPlot::~ClassProbabilityPlot() = default;

void ClassProbabilityPlot::setProbabilities(ItemProbabilities value) {
  value_ = std::move(value);
  rebuild();
}

void ClassProbabilityPlot::setMaximumClasses(int count) {
  maximum_classes_ = std::max(1, count);
  rebuild();
}

void ClassProbabilityPlot::chooseClasses() {
  const int classes = static_cast<int>(value_.mean_probs.size());
  shown_.resize(static_cast<std::size_t>(classes));
  std::iota(shown_.begin(), shown_.end(), 0);
  std::stable_sort(shown_.begin(), shown_.end(), [this](int a, int b) {
    return value_.mean_probs[static_cast<std::size_t>(a)] >
           value_.mean_probs[static_cast<std::size_t>(b)];
  });
  if (classes <= maximum_classes_) {
    return;
  }
  const int label = static_cast<int>(value_.label_true);
  const auto last = shown_.begin() + maximum_classes_;
  const bool missing =
      label >= 0 && label < classes && std::find(shown_.begin(), last, label) == last;
  shown_.erase(last, shown_.end());
  if (missing) {
    shown_.back() = label;
  }
}

void ClassProbabilityPlot::rebuild() {
  const Theme& theme = currentTheme();
  chooseClasses();
  plot().clearPlottables();
  plot().clearItems();
  *parts_ = Parts{};
  QCPAxis* const x = plot().xAxis;
  QCPAxis* const y = plot().yAxis;

  const QFontMetrics bold_metrics(uiFont(TypeSize::kBody, true));
  int name_width = 0;
  const auto addText = [&](double ratio_x, double row, const QString& text, const QFont& font,
                           const QColor& color, Qt::Alignment alignment) {
    auto* item = new QCPItemText(&plot());
    item->setClipToAxisRect(false);
    item->setSelectable(false);
    item->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    item->position->setCoords(ratio_x, row);
    item->setPositionAlignment(alignment | Qt::AlignVCenter);
    item->setPadding(QMargins(6, 0, 6, 0));
    item->setText(text);
    item->setFont(font);
    item->setColor(color);
    parts_->texts.push_back(item);
  };
  const bool has_draws =
      value_.samples.rank() == 2 &&
      value_.samples.extent(1) == static_cast<std::int64_t>(value_.mean_probs.size());
  for (std::size_t row = 0; row < shown_.size(); ++row) {
    const auto c = static_cast<std::size_t>(shown_[row]);
    const double height = -static_cast<double>(row);
    const bool predicted = shown_[row] == value_.label_predicted;
    const bool is_true = shown_[row] == value_.label_true;
    const bool wrong = predicted && value_.label_true >= 0 && !is_true;
    const QColor color = wrong ? theme.misclassified : is_true ? theme.correct : theme.muted;
    const QString mark = QString(predicted ? QStringLiteral("▸ ") : QString()) +
                         (is_true ? QStringLiteral("✓ ") : QString());
    const QString name =
        mark + (c < value_.class_names.size() ? value_.class_names[c] : QString::number(c));
    const QString shown_name = bold_metrics.elidedText(name, Qt::ElideRight, kNameWidth);
    name_width = std::max(name_width, bold_metrics.horizontalAdvance(shown_name));
    addText(0.0, height, shown_name, uiFont(TypeSize::kBody, predicted || is_true), theme.text,
            Qt::AlignRight);
    addText(1.0, height, QString::number(value_.mean_probs[c], 'f', 3), uiFont(TypeSize::kSmall),
            theme.text, Qt::AlignLeft);

    auto* bar = new QCPBars(y, x);
    bar->setWidth(kBarHeight);
    bar->setPen(QPen(translucent(color, 0.8), 1.0));
    bar->setBrush(translucent(color, 0.28));
    bar->setName(name);
    bar->addData(height, value_.mean_probs[c]);
    parts_->bars.push_back(bar);
    if (has_draws) {
      QCPGraph* dots = plot().addGraph(x, y);
      dots->setLineStyle(QCPGraph::lsNone);
      // A scatter style without a pen takes the graph's.
      dots->setPen(Qt::NoPen);
      dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Qt::NoPen),
                                            QBrush(translucent(color, 0.75)), 3.5));
      for (std::int64_t t = 0; t < value_.samples.extent(0); ++t) {
        dots->addData(static_cast<double>(value_.samples.row(t)[c]), height + jitter(t));
      }
      parts_->draws.push_back(dots);
    }
  }

  styleAxis(*x, tr("probability"));
  styleAxis(*y, {});
  x->setTicker(QSharedPointer<RoundTicker>::create(5));
  y->setTicker(fixedTicks({}));
  y->setTicks(false);
  y->setTickLabels(false);
  y->grid()->setVisible(false);
  const int value_width = QFontMetrics(uiFont(TypeSize::kSmall)).horizontalAdvance("0.000");
  plot().axisRect()->setMargins(QMargins(name_width + 8, kGrid, value_width + 14, 0));
  setFullRange(*x, 0.0, 1.0);
  setFullRange(*y, -static_cast<double>(std::max<std::size_t>(shown_.size(), 1)) + 0.5, 0.5);
  replotSoon();
}

PlotTable ClassProbabilityPlot::table() const {
  PlotTable table;
  table.columns = {"class", "draw", "probability"};
  const bool has_draws = !parts_->draws.empty();
  for (const int shown : shown_) {
    const auto c = static_cast<std::size_t>(shown);
    const QString name =
        c < value_.class_names.size() ? value_.class_names[c] : QString::number(shown);
    table.rows.push_back({name, QStringLiteral("mean"), value_.mean_probs[c]});
    for (std::int64_t t = 0; has_draws && t < value_.samples.extent(0); ++t) {
      table.rows.push_back(
          {name, QString::number(t), static_cast<double>(value_.samples.row(t)[c])});
    }
  }
  return table;
}

QString ClassProbabilityPlot::hoverText(const QPointF& position) const {
  const QRect rect = plot().axisRect()->rect();
  if (position.y() < rect.top() || position.y() > rect.bottom()) {
    return {};
  }
  const auto row = static_cast<int>(std::lround(-plot().yAxis->pixelToCoord(position.y())));
  if (row < 0 || row >= static_cast<int>(shown_.size())) {
    return {};
  }
  const int shown = shown_[static_cast<std::size_t>(row)];
  const auto c = static_cast<std::size_t>(shown);
  QStringList lines;
  lines << tr("class %1: mean probability %2")
               .arg(c < value_.class_names.size() ? value_.class_names[c] : QString::number(shown),
                    shortText(value_.mean_probs[c], 4));
  if (!parts_->draws.empty() && value_.samples.extent(0) > 0) {
    double low = 1.0;
    double high = 0.0;
    for (std::int64_t t = 0; t < value_.samples.extent(0); ++t) {
      const auto p = static_cast<double>(value_.samples.row(t)[c]);
      low = std::min(low, p);
      high = std::max(high, p);
    }
    lines << tr("%L1 draws from %2 to %3")
                 .arg(value_.samples.extent(0))
                 .arg(shortText(low), shortText(high));
  }
  if (shown == value_.label_predicted) {
    lines << tr("▸ predicted");
  }
  if (shown == value_.label_true) {
    lines << tr("✓ true label");
  }
  return lines.join(u'\n');
}

}  // namespace dubito
