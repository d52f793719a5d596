// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/class_probability_plot.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/number_text.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kBarHeight = 0.72;
constexpr int kNameWidth = 112;

/// Vertical offset of draw `t` within its row: evenly spread and the same at every repaint (golden
/// ratio).
double jitter(std::int64_t t) {
  const double turn = static_cast<double>(t) * 0.6180339887498949;
  return (turn - std::floor(turn) - 0.5) * 0.8 * kBarHeight;
}

}  // namespace

struct ClassProbabilityPlot::Parts {
  std::vector<QCPBars*> bars;
  std::vector<QCPGraph*> draws;
  std::vector<QCPGraph*> marks;
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

void ClassProbabilityPlot::setMaxClasses(int count) {
  maximum_classes_ = std::max(1, count);
  rebuild();
}

void ClassProbabilityPlot::setScale(Scale scale) {
  scale_ = scale;
  rebuild();
}

bool ClassProbabilityPlot::showsLogits() const {
  return scale_ == Scale::kLogit && value_.logits.rank() == 2 && value_.logits.extent(0) > 0 &&
         value_.logits.extent(1) == static_cast<std::int64_t>(value_.mean_probs.size());
}

std::vector<double> ClassProbabilityPlot::drawsOf(std::size_t c) const {
  const Array<float>& rows = showsLogits() ? value_.logits : value_.samples;
  if (rows.rank() != 2 || rows.extent(1) != static_cast<std::int64_t>(value_.mean_probs.size())) {
    return {};
  }
  std::vector<double> draws;
  for (std::int64_t t = 0; t < rows.extent(0); ++t) {
    draws.push_back(static_cast<double>(rows.row(t)[c]));
  }
  return draws;
}

double ClassProbabilityPlot::markOf(std::size_t c) const {
  if (!showsLogits()) {
    return value_.mean_probs[c];
  }
  const std::vector<double> draws = drawsOf(c);
  return std::accumulate(draws.begin(), draws.end(), 0.0) / static_cast<double>(draws.size());
}

std::pair<double, double> ClassProbabilityPlot::fullRange() const {
  if (!showsLogits()) {
    return {0.0, 1.0};
  }
  double low = 0.0;
  double high = 0.0;
  for (const int shown : shown_) {
    for (const double logit : drawsOf(static_cast<std::size_t>(shown))) {
      if (std::isfinite(logit)) {
        low = std::min(low, logit);
        high = std::max(high, logit);
      }
    }
  }
  constexpr double kRoom = 0.04;
  const double room = kRoom * std::max(high - low, 1.0);
  return {low - room, high + room};
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

void ClassProbabilityPlot::addBar(std::size_t c, double height, const QColor& color,
                                  const QString& name) {
  if (showsLogits()) {
    if (!std::isfinite(markOf(c))) {
      return;  // a masked class has no position; its number shows that
    }
    // A bar starting at 0 would be misleading: only differences of logits matter.
    QCPGraph* const tick = plot().addGraph(plot().xAxis, plot().yAxis);
    tick->setPen(linePen(currentTheme().text, 2.0));
    tick->setAdaptiveSampling(false);  // would treat two points with the same key as noise
    tick->setData({markOf(c), markOf(c)}, {height - 0.5 * kBarHeight, height + 0.5 * kBarHeight},
                  true);
    parts_->marks.push_back(tick);
    return;
  }
  auto* const bar = new QCPBars(plot().yAxis, plot().xAxis);
  bar->setWidth(kBarHeight);
  bar->setPen(linePen(translucent(color, 0.8), 1.0));
  bar->setBrush(translucent(color, 0.28));
  bar->setName(name);
  bar->addData(height, value_.mean_probs[c]);
  parts_->bars.push_back(bar);
}

void ClassProbabilityPlot::addDots(std::size_t c, double height, const QColor& color) {
  const std::vector<double> draws = drawsOf(c);
  if (draws.empty()) {
    return;
  }
  QCPGraph* const dots = plot().addGraph(plot().xAxis, plot().yAxis);
  dots->setLineStyle(QCPGraph::lsNone);
  // A scatter style without a pen uses the graph's pen.
  dots->setPen(Qt::NoPen);
  dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Qt::NoPen),
                                        QBrush(translucent(color, 0.75)), 3.5));
  for (std::size_t t = 0; t < draws.size(); ++t) {
    if (std::isfinite(draws[t])) {
      dots->addData(draws[t], height + jitter(static_cast<std::int64_t>(t)));
    }
  }
  parts_->draws.push_back(dots);
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
    addText(1.0, height, QString::number(markOf(c), 'f', showsLogits() ? 2 : 3),
            uiFont(TypeSize::kSmall), theme.text, Qt::AlignLeft);

    addBar(c, height, color, name);
    addDots(c, height, color);
  }
  const int hidden = hiddenClasses();
  if (hidden > 0) {
    const double height = -static_cast<double>(shown_.size());
    const QString more = tr("%1 more").arg(hidden);
    name_width = std::max(name_width, bold_metrics.horizontalAdvance(more));
    addText(0.0, height, more, uiFont(TypeSize::kBody), theme.muted, Qt::AlignRight);
    if (!showsLogits()) {
      addText(1.0, height, QString::number(hiddenProbability(), 'f', 3), uiFont(TypeSize::kSmall),
              theme.muted, Qt::AlignLeft);
    }
  }

  styleAxis(*x, showsLogits() ? tr("logit (zero mean over classes)") : tr("probability"));
  styleAxis(*y, {});
  x->setTicker(QSharedPointer<RoundTicker>::create(5));
  y->setTicker(fixedTicks({}));
  y->setTicks(false);
  y->setTickLabels(false);
  y->grid()->setVisible(false);
  const int value_width = QFontMetrics(uiFont(TypeSize::kSmall)).horizontalAdvance("0.000");
  plot().axisRect()->setMargins(QMargins(name_width + 8, kGrid, value_width + 14, 0));
  const auto [low, high] = fullRange();
  setFullRange(*x, low, high);
  const std::size_t rows = shown_.size() + (hidden > 0 ? 1 : 0);
  setFullRange(*y, -static_cast<double>(std::max<std::size_t>(rows, 1)) + 0.5, 0.5);
  replotSoon();
}

int ClassProbabilityPlot::hiddenClasses() const {
  return static_cast<int>(value_.mean_probs.size() - shown_.size());
}

double ClassProbabilityPlot::hiddenProbability() const {
  const double all = std::accumulate(value_.mean_probs.begin(), value_.mean_probs.end(), 0.0);
  double shown = 0.0;
  for (const int c : shown_) {
    shown += value_.mean_probs[static_cast<std::size_t>(c)];
  }
  return std::max(0.0, all - shown);
}

PlotTable ClassProbabilityPlot::table() const {
  PlotTable table;
  table.columns = {"class", "draw",
                   showsLogits() ? QStringLiteral("logit") : QStringLiteral("probability")};
  for (const int shown : shown_) {
    const auto c = static_cast<std::size_t>(shown);
    const QString name =
        c < value_.class_names.size() ? value_.class_names[c] : QString::number(shown);
    table.rows.push_back({name, QStringLiteral("mean"), markOf(c)});
    const std::vector<double> draws = drawsOf(c);
    for (std::size_t t = 0; t < draws.size(); ++t) {
      table.rows.push_back({name, QString::number(t), draws[t]});
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
  if (row == static_cast<int>(shown_.size()) && hiddenClasses() > 0) {
    return tr("%1 more classes, total probability %2")
        .arg(hiddenClasses())
        .arg(shortText(hiddenProbability()));
  }
  if (row < 0 || row >= static_cast<int>(shown_.size())) {
    return {};
  }
  const int shown = shown_[static_cast<std::size_t>(row)];
  const auto c = static_cast<std::size_t>(shown);
  QStringList lines;
  lines << tr("class %1: mean probability %2")
               .arg(c < value_.class_names.size() ? value_.class_names[c] : QString::number(shown),
                    shortText(value_.mean_probs[c], 4));
  if (const std::vector<double> draws = drawsOf(c); !draws.empty()) {
    const auto [low, high] = std::ranges::minmax(draws);
    const QString count = countedText(std::ssize(draws), tr("%1 draw"), tr("%1 draws"));
    lines << (showsLogits() ? tr("logit over %1: %2 to %3, mean %4")
                                  .arg(count, shortText(low), shortText(high), shortText(markOf(c)))
                            : tr("%1, range %2 to %3").arg(count, shortText(low), shortText(high)));
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
