// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "app/jobs/newest_job.h"
#include "app/labs/lab_view.h"
#include "core/labs/simplex/simplex_lab.h"
#include "core/labs/simplex/zero_sum_plane.h"

class QHBoxLayout;
class QLabel;
class QSpinBox;
class QStackedWidget;

namespace dubito {

class Card;
class CompareTable;
class CurvePlot;
class LabSimplexGaussian;
class OptionsForm;
class SharedGaussian;
class SimplexPlot;
struct SentGaussian;

/// The laboratory of the Laplace Bridge: a Gaussian over two or three logits, the exact
/// distribution of its softmax, and the Dirichlets that approximate it. Everything follows the
/// sliders and the ellipse at once.
class LabSimplex : public LabView {
  Q_OBJECT
 public:
  /// `worker` and `shared`, which gets every Gaussian that is shown, must outlive this.
  LabSimplex(WorkerThread& worker, int threads, SharedGaussian& shared, QWidget* parent = nullptr);
  ~LabSimplex() override;

  void begin() override;
  [[nodiscard]] bool busy() const override { return job_.busy(); }
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  /// The latest result; null: none yet, or the input was refused.
  [[nodiscard]] const std::shared_ptr<const SimplexResult>& result() const { return result_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  using ResultPtr = std::shared_ptr<const SimplexResult>;

  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  void connectParts();
  /// The Gaussian changed; `moving`: it will change again at once.
  void analyse(bool moving);
  void deliver(const Expected<ResultPtr>& result);
  void dragEllipse(int handle, const Triple& probs);
  void showResult();
  void showExact();
  void showApproximation();
  void showEllipse();
  void chooseRow(int row);
  /// Shows the Gaussian that was sent to the laboratories, if there is a new one.
  void takeSent();

  NewestJob job_;
  int threads_;
  SharedGaussian& shared_;
  std::shared_ptr<const SentGaussian> sent_;  ///< the last one that was taken over
  SimplexOptions options_;
  ResultPtr result_;
  PlaneGaussian plane_;  ///< of the Gaussian shown; its axes keep their numbers while dragged
  /// Index of the approximation in the right picture; nullopt before the first result.
  std::optional<std::size_t> shown_;
  bool begun_ = false;

  LabSimplexGaussian* gaussian_;
  QSpinBox* seed_;
  OptionsForm* form_;
  QLabel* warnings_;
  Card* exact_card_;
  Card* dirichlet_card_;
  Card* table_card_;
  QStackedWidget* exact_stack_;
  QStackedWidget* dirichlet_stack_;
  SimplexPlot* exact_;
  SimplexPlot* dirichlet_;
  CurvePlot* exact_line_;
  CurvePlot* dirichlet_line_;
  Card* text_card_;
  QHBoxLayout* upper_;
  QHBoxLayout* lower_;
  CompareTable* table_;
  QLabel* texts_;
};

}  // namespace dubito
