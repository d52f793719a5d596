// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/jobs/worker_thread.h"
#include "app/labs/shared_gaussian.h"
#include "core/labs/catalogue/laboratories.h"

class QLabel;
class QStackedWidget;
class QTabBar;

namespace dubito {

class LabView;
class Workbench;

/// The laboratories: small problems on which Bayesian methods can be seen at work. Most are
/// independent of the models and runs of the window. Each is made when it is shown for the first
/// time.
class LabsPage : public QWidget {
  Q_OBJECT
 public:
  /// `workbench` outlives the page.
  explicit LabsPage(Workbench& workbench, QWidget* parent = nullptr);
  ~LabsPage() override;

  void showLaboratory(Laboratory laboratory);
  /// The laboratory shown.
  [[nodiscard]] LabView& shownLaboratory();
  /// Whether the laboratory shown is working.
  [[nodiscard]] bool busy() const;

 Q_SIGNALS:
  void failed(const QString& message);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  /// Makes the laboratory of the chosen tab if there is none yet, shows it and lets it begin.
  void showChosen();

  Workbench& workbench_;
  WorkerThread worker_;      ///< outlives the laboratories
  SharedGaussian gaussian_;  ///< of the simplex laboratory
  QTabBar* tabs_;
  QLabel* explanation_;
  QStackedWidget* stack_;
  std::vector<LabView*> views_;  ///< one per laboratory; null: not shown yet
};

}  // namespace dubito
