// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metric_table.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>

#include "widgets/help_topic.h"
#include "widgets/metric_table_model.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kLineHeight = 5 * kGrid;

/// Headings: the group name across the full width, its scores on a line below, and a thin rule
/// above every group but the first.
class GroupDelegate : public QStyledItemDelegate {
 public:
  explicit GroupDelegate(QTableView* view) : QStyledItemDelegate(view), view_(view) {}

  /// A group name may extend over other columns, so it does not require width.
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override {
    const auto* model = qobject_cast<const MetricTableModel*>(index.model());
    const bool heading = model != nullptr && model->isHeading(index.row());
    return heading && index.column() == 0 ? QSize(0, kLineHeight)
                                          : QStyledItemDelegate::sizeHint(option, index);
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const auto* model = qobject_cast<const MetricTableModel*>(index.model());
    if (model == nullptr || !model->isHeading(index.row())) {
      QStyledItemDelegate::paint(painter, withoutFocus(option), index);
      return;
    }
    const int margin =
        view_->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, view_) + 1;
    QRect line = option.rect.adjusted(margin, 0, -margin, 0);
    line.setTop(line.bottom() - kLineHeight + 1);
    const bool is_name = index.column() == 0;
    if (is_name) {
      line.setRight(view_->viewport()->width() - margin);
      if (model->hasScores(index.row())) {
        line.translate(0, -kLineHeight);
      }
    }
    painter->setFont(index.data(Qt::FontRole).value<QFont>());
    painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
    const QString text =
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, line.width());
    const Qt::Alignment place = (is_name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
    painter->drawText(line, static_cast<int>(place), text);
    if (index.row() > 0) {
      painter->setPen(currentTheme().grid);
      painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    }
  }

 private:
  /// The whole row is selected; a focus frame around one cell would be misleading.
  static QStyleOptionViewItem withoutFocus(QStyleOptionViewItem option) {
    option.state &= ~QStyle::State_HasFocus;
    return option;
  }

  QTableView* view_;
};

}  // namespace

MetricTable::MetricTable(QWidget* parent) : QTableView(parent), model_(new MetricTableModel(this)) {
  setObjectName(QStringLiteral("metricTable"));
  setAccessibleName(tr("metrics"));
  setModel(model_);
  setItemDelegate(new GroupDelegate(this));
  setShowGrid(false);
  setWordWrap(false);
  setFrameShape(QFrame::NoFrame);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  horizontalHeader()->hide();
  verticalHeader()->hide();
  verticalHeader()->setMinimumSectionSize(5 * kGrid);
  verticalHeader()->setDefaultSectionSize(kLineHeight);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  exporter_ = new Exporter({.table = [this] { return table(); },
                            .picture = {},
                            .title = [] { return tr("Metrics"); },
                            .as_document = true},
                           this);
  connect(exporter_, &Exporter::failed, this, &MetricTable::failed);
  // Help shows the row under the mouse, or the last selected one.
  setMouseTracking(true);
  const auto point = [this](const QModelIndex& index) { setHelpTopic(*this, topicAt(index)); };
  connect(this, &QAbstractItemView::entered, this, point);
  connect(selectionModel(), &QItemSelectionModel::currentChanged, this, point);
}

QString MetricTable::topicAt(const QModelIndex& index) const {
  if (!index.isValid() || model_->isHeading(index.row())) {
    return {};
  }
  const int column = std::max(index.column(), model_->firstValueColumn(index.row()));
  const MetricTableRow* const row = model_->metricAt(model_->index(index.row(), column));
  return row == nullptr ? QString() : row->topic;
}

void MetricTable::setRows(std::vector<MetricTableRow> rows) {
  // While a selection is dragged, figures of equal length change.
  if (model_->setValues(rows)) {
    return;
  }
  clearSpans();
  model_->setRows(std::move(rows));
  layOut();
}

const std::vector<MetricTableRow>& MetricTable::rows() const {
  return model_->rows();
}

void MetricTable::layOut() {
  // Equal width for all value columns, as far as the names leave room.
  const int columns = model_->columnCount() - 1;
  std::vector<int> widths;
  int widest = 0;
  int figures = 0;
  for (int column = 1; column <= columns; ++column) {
    widths.push_back(sizeHintForColumn(column));
    widest = std::max(widest, widths.back() + 2 * kGrid);
    figures += widths.back();
  }
  // Only names that cannot extend over other columns count here.
  int names = 0;
  const QFontMetrics metrics(uiFont(TypeSize::kSmall));
  for (int line = 0; line < model_->rowCount(); ++line) {
    if (!model_->isHeading(line) && model_->firstValueColumn(line) == 1) {
      names = std::max(names, metrics.horizontalAdvance(model_->index(line, 0).data().toString()));
    }
  }
  names += 4 * kGrid;
  // Elide long names instead of taking space from neighbouring cards.
  constexpr int kMaxNamesWidth = 20 * kGrid;
  if (const int needed = std::min(names, kMaxNamesWidth) + figures; needed != needed_width_) {
    needed_width_ = needed;
    updateGeometry();
  }
  const int room = viewport()->width() - names;
  horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (int column = 1; column <= columns; ++column) {
    const int width = widths[static_cast<std::size_t>(column) - 1];
    setColumnWidth(column, std::clamp(room / columns, width, std::max(widest, width)));
  }
  for (int line = 0; line < model_->rowCount(); ++line) {
    const int first = model_->firstValueColumn(line);
    if (columnSpan(line, 0) != first) {
      setSpan(line, 0, 1, first);
    }
    const int lines = model_->hasScores(line) ? 2 : 1;
    const int gap = model_->isHeading(line) && line > 0 ? 2 * kGrid : 0;
    setRowHeight(line, lines * kLineHeight + gap);
  }
}

QSize MetricTable::minimumSizeHint() const {
  return {needed_width_ + verticalScrollBar()->sizeHint().width(),
          QTableView::minimumSizeHint().height()};
}

void MetricTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  layOut();
}

PlotTable MetricTable::table() const {
  PlotTable table;
  table.columns = {"group", "metric", "score", "value"};
  for (const MetricTableRow& row : rows()) {
    table.rows.push_back({row.group, row.name, row.score, row.value});
    table.texts.push_back({row.group, row.name, row.score, row.value_text});
  }
  return table;
}

void MetricTable::contextMenuEvent(QContextMenuEvent* event) {
  exporter_->popUp(event->globalPos());
}

void MetricTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    exporter_->copyText(QStringLiteral("csv"));
    return;
  }
  QTableView::keyPressEvent(event);
}

}  // namespace dubito
