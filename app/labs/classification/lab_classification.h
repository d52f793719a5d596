// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "app/jobs/worker_thread.h"
#include "app/labs/classification/classification_runner.h"
#include "app/labs/lab_view.h"

class QCheckBox;
class QComboBox;

namespace dubito {

class Card;
class ClassMapPlot;
class ColorScale;
class CompareTable;
class LabBar;
class LabClassificationData;
class LabMethodList;
class ValueSlider;
struct ClassMapInfo;
template <class Plot>
class LabPointGrid;

/// The classification laboratory: points of several classes, one map per method, and a table of
/// scores.
class LabClassification : public LabView {
  Q_OBJECT
 public:
  /// `worker` must outlive this. `threads`: how many threads a method may use.
  LabClassification(WorkerThread& worker, int threads, QWidget* parent = nullptr);
  ~LabClassification() override;

  void begin() override;
  [[nodiscard]] bool busy() const override;
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  [[nodiscard]] ClassificationRunner& runner() { return *runner_; }

 private:
  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  [[nodiscard]] QWidget* buildMapBar(QWidget* parent);
  void connectParts();
  /// One card with a map per chosen method.
  void placePlots();
  void showPlot(std::size_t index);
  void showAllPlots();
  /// The ends of the colours and the meaning of the chosen map.
  void showMapChoice();
  void showTable();
  void showState();
  [[nodiscard]] const ClassMapInfo& chosenMap() const;
  /// Makes the data the user's own: the test points no longer belong to them.
  [[nodiscard]] ClassData ownData() const;
  void addPoint(double x1, double x2);
  void movePoint(int index, double x1, double x2);
  void erasePoint(int index);
  void setOwnData(ClassData edited);

  ClassificationRunner* runner_;
  bool begun_ = false;
  QTimer table_timer_;  ///< the table follows the maps at a slower pace

  LabBar* bar_;
  LabClassificationData* data_;
  LabMethodList* methods_;
  QComboBox* maps_;
  ColorScale* scale_;
  QCheckBox* functions_;
  ValueSlider* zoom_;
  LabPointGrid<ClassMapPlot>* plots_;
  Card* table_card_;
  CompareTable* table_;
};

}  // namespace dubito
