// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/item_runs_table.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStyledItemDelegate>
#include <cmath>

#include "widgets/theme.h"
#include "widgets/theme_follower.h"

namespace dubito {
namespace {

enum Column { kRun, kPredicted, kConfidence, kEntropy, kMutualInformation, kColumns };
constexpr int kFigureWidth = 11 * kGrid;
constexpr int kPredictedWidth = 15 * kGrid;

/// Highlights the row of the shown run without the selected text colour, which would hide the
/// colours for correct and wrong.
class ColouredRow : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  /// Names can wrap; a gap separates the runs.
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, 2 * kGrid);
  }

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (option->state.testFlag(QStyle::State_Selected)) {
      option->state.setFlag(QStyle::State_Selected, false);
      option->backgroundBrush = currentTheme().highlight;
    }
  }
};

/// The same number of decimals within a column, so that values compare at a glance.
QString figureText(double value, int decimals) {
  return std::isnan(value) ? shortText(value) : QString::number(value, 'f', decimals);
}

QString predictedText(const ItemRunRow& run) {
  const QString sign = !run.correct   ? QString()
                       : *run.correct ? QStringLiteral("✓ ")
                                      : QStringLiteral("✗ ");
  return sign + run.label_predicted;
}

}  // namespace

ItemRunsTable::ItemRunsTable(QWidget* parent) : QTableWidget(0, kColumns, parent) {
  setObjectName(QStringLiteral("itemRunsTable"));
  setAccessibleName(tr("this item in all runs"));
  setProperty("role", QStringLiteral("compact"));
  setItemDelegate(new ColouredRow(this));
  exporter_ = new Exporter({.table = [this] { return table(); },
                            .picture = {},
                            .title = [] { return tr("Item in all runs"); },
                            .as_document = true},
                           this);
  setHorizontalHeaderLabels({tr("run"), tr("class"), tr("conf."), tr("H"), tr("MI")});
  const std::pair<int, QString> explanations[] = {
      {kRun, tr("runs that contain this item; click to show a run")},
      {kPredicted, tr("predicted class: ✓ correct, ✗ wrong")},
      {kConfidence, tr("largest mean probability")},
      {kEntropy, tr("entropy of the mean probabilities: the total uncertainty, nats")},
      {kMutualInformation, tr("mutual information: disagreement between draws, nats")}};
  for (const auto& [column, text] : explanations) {
    horizontalHeaderItem(column)->setToolTip(text);
    horizontalHeaderItem(column)->setFont(uiFont(TypeSize::kSmall));
    horizontalHeaderItem(column)->setTextAlignment(
        (column >= kConfidence ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  QHeaderView& header = *horizontalHeader();
  header.setSectionResizeMode(QHeaderView::Fixed);
  header.setSectionResizeMode(kRun, QHeaderView::Stretch);
  header.setMinimumSectionSize(kFigureWidth);
  header.setHighlightSections(false);
  setColumnWidth(kPredicted, kPredictedWidth);
  for (const int column : {kConfidence, kEntropy, kMutualInformation}) {
    setColumnWidth(column, kFigureWidth);
  }
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  setFont(uiFont(TypeSize::kSmall));
  setWordWrap(true);
  setShowGrid(false);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setFocusPolicy(Qt::TabFocus);  // clicking must not move the keyboard focus
  connect(this, &QTableWidget::cellClicked, this, [this](int row) { Q_EMIT runChosen(row); });
  new ThemeFollower(*this, [this] { fill(); });
}

void ItemRunsTable::setRuns(std::vector<ItemRunRow> runs) {
  runs_ = std::move(runs);
  fill();
}

void ItemRunsTable::fill() {
  const Theme& theme = currentTheme();
  setRowCount(static_cast<int>(runs_.size()));
  for (int row = 0; row < rowCount(); ++row) {
    const ItemRunRow& run = runs_[static_cast<std::size_t>(row)];
    const auto put = [&](int column, const QString& text, const QString& tooltip) {
      auto* const cell = new QTableWidgetItem(text);
      cell->setToolTip(tooltip);
      cell->setTextAlignment((column >= kConfidence ? Qt::AlignRight : Qt::AlignLeft) |
                             Qt::AlignVCenter);
      cell->setFont(uiFont(TypeSize::kSmall, run.shown && column <= kPredicted));
      setItem(row, column, cell);
      return cell;
    };
    put(kRun, run.name,
        run.shown ? tr("%1\n%2\nrun shown").arg(run.name, run.detail)
                  : QStringLiteral("%1\n%2").arg(run.name, run.detail));
    auto* const predicted = put(kPredicted, predictedText(run),
                                !run.correct   ? run.label_predicted
                                : *run.correct ? tr("%1: correct").arg(run.label_predicted)
                                               : tr("%1: wrong").arg(run.label_predicted));
    predicted->setForeground(!run.correct   ? theme.text
                             : *run.correct ? theme.correct
                                            : theme.misclassified);
    put(kConfidence, figureText(run.confidence, 3), exactText(run.confidence));
    put(kEntropy, figureText(run.entropy, 2), tr("%1 nats").arg(exactText(run.entropy)));
    put(kMutualInformation, figureText(run.mutual_information, 3),
        std::isnan(run.mutual_information) ? tr("this run has no draws")
                                           : tr("%1 nats").arg(exactText(run.mutual_information)));
    if (run.shown) {
      setCurrentCell(row, kRun);
    }
  }
}

PlotTable ItemRunsTable::table() const {
  PlotTable table;
  table.columns = {"run",        "detail",  "predicted",          "correct",
                   "confidence", "entropy", "mutual_information", "shown"};
  for (const ItemRunRow& run : runs_) {
    table.rows.push_back({run.name, run.detail, run.label_predicted,
                          run.correct ? QVariant(*run.correct ? 1 : 0) : QVariant(QString()),
                          run.confidence, run.entropy, run.mutual_information, run.shown ? 1 : 0});
  }
  return table;
}

void ItemRunsTable::contextMenuEvent(QContextMenuEvent* event) {
  exporter_->popUp(event->globalPos());
}

void ItemRunsTable::keyPressEvent(QKeyEvent* event) {
  const bool is_return = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (is_return && currentRow() >= 0) {
    Q_EMIT runChosen(currentRow());
    return;
  }
  // Do not let letters jump to rows; the window uses them.
  if (!event->text().isEmpty() && event->text().front().isPrint()) {
    event->ignore();
    return;
  }
  QTableWidget::keyPressEvent(event);
}

}  // namespace dubito
