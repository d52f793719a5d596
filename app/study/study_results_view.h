// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/study/study_curve_values.h"
#include "app/study/study_table_values.h"
#include "app/study/study_view.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace dubito {

class Card;
class CardRows;
class CompareTable;
class CurvePlot;

/// A finished study: its table on a target, curves over severity, guaranteed and kept precision of
/// automatic labels, notes and failures. Its runs can be opened.
class StudyResultsView : public QWidget {
  Q_OBJECT
 public:
  /// `view` must outlive the widget.
  explicit StudyResultsView(StudyView& view, QWidget* parent);

 Q_SIGNALS:
  void failed(const QString& message);

 private:
  void buildBar();
  QComboBox* addList(QHBoxLayout& bar, const QString& title, const char* name);
  void buildCards(CardRows& rows);
  void showStudy();
  void fillChoices();
  void showTable();
  void showCurves();
  void showGuarantees();
  void openRuns();
  [[nodiscard]] std::size_t target() const;
  [[nodiscard]] std::string shift() const;
  /// The row that is selected in the table, or the baseline.
  [[nodiscard]] std::size_t row() const;

  StudyView& view_;
  int selected_ = -1;  ///< row of the study; -1: none was selected
  std::vector<StudyTableKind> kinds_;
  std::size_t kind_ = 0;    ///< in kinds_
  std::size_t column_ = 0;  ///< of studyColumns()
  std::vector<StudyGuarantee> guarantees_;
  std::size_t guarantee_ = 0;  ///< in guarantees_

  Card* bar_ = nullptr;
  QComboBox* targets_ = nullptr;
  QComboBox* shifts_ = nullptr;
  QComboBox* seeds_ = nullptr;
  QPushButton* open_runs_ = nullptr;
  Card* table_card_ = nullptr;
  CompareTable* table_ = nullptr;
  Card* curves_card_ = nullptr;
  CurvePlot* curves_ = nullptr;
  Card* guarantees_card_ = nullptr;
  CurvePlot* guarantees_plot_ = nullptr;
  Card* notes_card_ = nullptr;
  QLabel* notes_ = nullptr;
};

}  // namespace dubito
