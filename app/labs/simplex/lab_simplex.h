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

class CompareTable;
class LabSimplexGaussian;
class OptionsForm;
class SimplexPlot;
struct SentGaussian;

/// The laboratory of the Laplace Bridge: a Gaussian over two or three logits, the exact
/// distribution of its softmax, and the Dirichlets that approximate it. Everything follows the
/// sliders and the ellipse at once.
class LabSimplex : public LabView {
 public:
  /// `parts.gaussian` gets every Gaussian that is shown.
  explicit LabSimplex(const LabParts& parts, QWidget* parent = nullptr);

  void begin() override;
  [[nodiscard]] bool busy() const override { return job_.busy(); }
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  void setPresented(bool presented) override;
  /// The latest result; null: none yet, or the input was refused.
  [[nodiscard]] const std::shared_ptr<const SimplexResult>& result() const { return result_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  using ResultPtr = std::shared_ptr<const SimplexResult>;

  /// A card for distributions over three classes, or over two.
  struct Pictures {
    Card* card;
    QStackedWidget* stack;
    SimplexPlot* triangle;
    CurvePlot* line;
  };

  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  [[nodiscard]] Pictures makePictures(const QString& name);
  void connectParts();
  /// Takes the Gaussian of the editor over, and its ellipse; `moving` as in analyse().
  void takeGaussian(bool moving);
  /// The Gaussian changed; `moving`: it will change again at once.
  void analyse(bool moving);
  void deliver(const Expected<ResultPtr>& result);
  void dragEllipse(int handle, const Triple& probs);
  void showResult();
  void showExact();
  void showApproximation();
  void showEllipse();
  void chooseRow(int row);

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
  Pictures exact_;
  Pictures dirichlet_;
  Card* text_card_;
  QHBoxLayout* upper_;
  QHBoxLayout* lower_;
  LabCard<CompareTable> table_;
  QLabel* texts_;
};

}  // namespace dubito
