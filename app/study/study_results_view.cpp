// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_results_view.h"

#include <QComboBox>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "app/words/plot_caption.h"
#include "core/study/study_tables.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"
#include "widgets/card_scroll.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {

StudyResultsView::StudyResultsView(StudyView& view, QWidget* parent)
    : QWidget(parent), view_(view) {
  buildBar();
  auto* const rows = new CardRows(QStringLiteral("studyRows"), this);
  QScrollArea* const scroll = makeCardScroll(rows, this);
  buildCards(*rows);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(bar_);
  layout->addWidget(scroll, 1);
  connect(&view_, &StudyView::opened, this, &StudyResultsView::showStudy);
  connect(&view_, &StudyView::changed, this,
          [this] { open_runs_->setEnabled(view_.study() && !view_.busy()); });
}

QComboBox* StudyResultsView::addList(QHBoxLayout& bar, const QString& title, const char* name) {
  auto* const label = new QLabel(title, bar.parentWidget());
  auto* const list = new QComboBox(bar.parentWidget());
  list->setObjectName(QLatin1String(name));
  list->setAccessibleName(title);
  list->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  label->setBuddy(list);
  bar.addWidget(label);
  bar.addWidget(list);
  return list;
}

void StudyResultsView::buildBar() {
  bar_ = new Card(tr("Study"), this);
  Card* const card = bar_;
  card->setObjectName(QStringLiteral("studyResultsCard"));
  auto* const content = new QWidget(card);
  auto* const bar = new QHBoxLayout(content);
  bar->setContentsMargins(0, 0, 0, 0);
  bar->setSpacing(2 * kGrid);
  targets_ = addList(*bar, tr("Target"), "studyTarget");
  shifts_ = addList(*bar, tr("Shift"), "studyShift");
  seeds_ = addList(*bar, tr("Seed"), "studySeed");
  open_runs_ = new QPushButton(tr("Open runs"), content);
  open_runs_->setObjectName(QStringLiteral("studyOpenRuns"));
  open_runs_->setToolTip(
      tr("Opens the run of the selected row on this target with its OOD runs: all other pages show "
         "it"));
  bar->addWidget(open_runs_);
  bar->addStretch(1);
  card->setContent(content);
  connect(targets_, &QComboBox::currentIndexChanged, this, &StudyResultsView::showTable);
  connect(shifts_, &QComboBox::currentIndexChanged, this, [this] {
    showCurves();
    showGuarantees();
  });
  connect(open_runs_, &QPushButton::clicked, this, &StudyResultsView::openRuns);
}

void StudyResultsView::buildCards(CardRows& rows) {
  const auto make = [this](const QString& title, const char* name) {
    auto* const card = new Card(title, this);
    card->setObjectName(QLatin1String(name));
    return card;
  };
  table_card_ = make(tr("Metrics"), "studyTableCard");
  table_ = new CompareTable(table_card_);
  table_->setObjectName(QStringLiteral("studyTable"));
  table_->setAccessibleName(tr("networks and methods, and their metrics"));
  table_card_->setContent(table_);
  curves_card_ = make(tr("Severity"), "studyCurvesCard");
  curves_ = new CurvePlot(curves_card_);
  curves_->setObjectName(QStringLiteral("studyCurves"));
  curves_card_->setContent(curves_);
  guarantees_card_ = make(tr("Automatic labels"), "studyGuaranteesCard");
  guarantees_plot_ = new CurvePlot(guarantees_card_);
  guarantees_plot_->setObjectName(QStringLiteral("studyGuarantees"));
  guarantees_card_->setContent(guarantees_plot_);
  notes_card_ = make(tr("Findings"), "studyNotesCard");
  auto* const body = new QWidget(notes_card_);
  auto* const column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 3 * kGrid, 0);
  notes_ = new WrappedLabel(body);
  notes_->setObjectName(QStringLiteral("studyNotes"));
  notes_->setTextFormat(Qt::PlainText);
  notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(notes_);
  column->addStretch(1);
  notes_card_->setContent(makeCardScroll(body, notes_card_));
  rows.addRow(2, {{table_card_, 1}});
  rows.addRow(3, {{curves_card_, 5}, {guarantees_card_, 5}, {notes_card_, 4}});

  connect(table_, &CompareTable::failed, this, &StudyResultsView::failed);
  connect(curves_, &CurvePlot::failed, this, &StudyResultsView::failed);
  connect(guarantees_plot_, &CurvePlot::failed, this, &StudyResultsView::failed);
  connect(table_, &CompareTable::rowChosen, this, [this](int shown) {
    selected_ = static_cast<int>(
        studyTableRows(*view_.study(), target(), kinds_[kind_])[static_cast<std::size_t>(shown)]);
    showCurves();
    showGuarantees();
  });
  connect(table_, &CompareTable::rowActivated, this, &StudyResultsView::openRuns);
  connect(table_card_, &Card::choiceMade, this, [this](int index) {
    kind_ = static_cast<std::size_t>(index);
    showTable();
  });
  connect(curves_card_, &Card::choiceMade, this, [this](int index) {
    column_ = static_cast<std::size_t>(index);
    showCurves();
  });
  connect(guarantees_card_, &Card::choiceMade, this, [this](int index) {
    guarantee_ = static_cast<std::size_t>(index);
    showGuarantees();
  });
}

std::size_t StudyResultsView::target() const {
  return static_cast<std::size_t>(std::max(targets_->currentIndex(), 0));
}

std::string StudyResultsView::shift() const {
  return shifts_->currentText().toStdString();
}

std::size_t StudyResultsView::row() const {
  return selected_ >= 0 ? static_cast<std::size_t>(selected_)
                        : view_.study()->baselineRow().value_or(0);
}

void StudyResultsView::showStudy() {
  const StudyFolder& study = *view_.study();
  selected_ = -1;
  bar_->setTitle(QString::fromStdString(study.name));
  const QString folder = QString::fromStdString(study.path);
  bar_->setSubtitle(QStringLiteral("%1 · %2").arg(studySummary(study), QDir(folder).dirName()));
  bar_->setToolTip(folder);
  fillChoices();
  const QString notes = studyNotesText(study);
  notes_->setText(notes);
  notes_card_->setEmptyText(notes.isEmpty() ? tr("No findings, failures or caveats") : QString());
  notes_card_->setFigure(study.failures.empty() ? QString()
                                                : tr("failed: %1").arg(study.failures.size()));
  showTable();
  showCurves();
  showGuarantees();
}

void StudyResultsView::fillChoices() {
  const StudyFolder& study = *view_.study();
  const auto fill = [](QComboBox& list, const QStringList& texts) {
    const QSignalBlocker quiet(list);
    const QString before = list.currentText();
    list.clear();
    list.addItems(texts);
    list.setCurrentIndex(std::max(0, list.findText(before)));
    list.setEnabled(list.count() > 1);
  };
  QStringList targets;
  for (const StudyTarget& one : study.targets) {
    targets << QString::fromStdString(one.name);
  }
  QStringList shifts;
  for (const std::string& one : studyShifts(study)) {
    shifts << QString::fromStdString(one);
  }
  QStringList seeds;
  for (const std::uint64_t seed : study.seeds) {
    seeds << QString::number(seed);
  }
  fill(*targets_, targets);
  fill(*shifts_, shifts);
  fill(*seeds_, seeds);
  kinds_ = studyTableKinds(study);
  kind_ = std::min(kind_, kinds_.size() - 1);
  QStringList titles;
  for (const StudyTableKind kind : kinds_) {
    titles << studyTableTitle(kind);
  }
  table_card_->setChoices(titles);
  table_card_->setChoice(static_cast<int>(kind_));
  QStringList columns;
  for (const StudyColumn& column : studyColumns()) {
    columns << QString::fromStdString(
        columnTitle(column, study.score_misclassified, study.score_ood));
  }
  curves_card_->setChoices(columns);
  curves_card_->setChoice(static_cast<int>(column_));
  guarantees_ = studyGuarantees(study);
  guarantee_ = guarantees_.empty() ? 0 : std::min(guarantee_, guarantees_.size() - 1);
  QStringList guarantees;
  for (const StudyGuarantee& guarantee : guarantees_) {
    guarantees << guaranteeTitle(guarantee);
  }
  guarantees_card_->setChoices(guarantees);
  guarantees_card_->setTitle(tr("Automatic labels"));
  if (!guarantees.isEmpty()) {
    guarantees_card_->setChoice(static_cast<int>(guarantee_));
  }
}

void StudyResultsView::showTable() {
  const StudyFolderPtr& study = view_.study();
  if (!study) {
    return;
  }
  table_->setValue(studyTable(*study, target(), kinds_[kind_]));
  const bool has_rows = !table_->value().rows.empty();
  table_card_->setEmptyText(has_rows ? QString() : tr("This target has no results"));
  table_card_->setSubtitle(studyTableLegend(kinds_[kind_]));
  open_runs_->setEnabled(has_rows && !view_.busy());
}

void StudyResultsView::showCurves() {
  const StudyFolderPtr& study = view_.study();
  if (!study) {
    return;
  }
  const bool has_shift = shifts_->count() > 0;
  curves_card_->setEmptyText(has_shift ? QString()
                                       : tr("No shift has targets of several severities"));
  if (!has_shift) {
    return;
  }
  curves_->setCurves(studyCurves(*study, shift(), column_, selected_));
  setCaptions(
      *curves_card_, *curves_,
      study->rows.size() > kColouredRows
          ? tr("in colour: baseline, best, selected · %1").arg(QString::fromStdString(study->name))
          : tr("mean ± standard deviation over seeds · %1")
                .arg(QString::fromStdString(study->name)));
}

void StudyResultsView::showGuarantees() {
  const StudyFolderPtr& study = view_.study();
  if (!study) {
    return;
  }
  const bool has_shift = shifts_->count() > 0;
  guarantees_card_->setEmptyText(
      guarantees_.empty() ? tr("The study has no automatic labelling")
      : !has_shift        ? tr("No shift has targets of several severities; the table has "
                                      "the numbers of each target")
                          : QString());
  guarantees_card_->setFigure({});
  if (guarantees_.empty()) {
    return;
  }
  const StudyGuarantee& guarantee = guarantees_[guarantee_];
  const BrokenGuarantees broken = brokenGuarantees(*study, row(), guarantee.guaranteed);
  guarantees_card_->setFigure(broken.headline, broken.detail);
  if (has_shift) {
    CurvePlotValue curves = guaranteeCurves(*study, shift(), row(), guarantee);
    if (curves.curves.empty()) {
      guarantees_card_->setEmptyText(tr(
          "No rule labels anything; more calibration items or a lower guarantee may change that"));
    }
    guarantees_plot_->setCurves(std::move(curves));
  }
  setCaptions(*guarantees_card_, *guarantees_plot_, studyRowText(*study, row()));
}

void StudyResultsView::openRuns() {
  const StudyFolderPtr& study = view_.study();
  if (!study || view_.busy() || seeds_->count() == 0 || study->cellAt(row(), target()) == nullptr) {
    return;
  }
  view_.openRuns(row(), target(), study->seeds[static_cast<std::size_t>(seeds_->currentIndex())]);
}

}  // namespace dubito
