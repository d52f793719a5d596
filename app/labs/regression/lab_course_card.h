// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "app/labs/regression/regression_runner.h"
#include "core/base/expected.h"
#include "widgets/card.h"

namespace dubito {

class CovariancePlot;
class CurvePlot;

/// The card next to the scores of the regression laboratory. It shows what a method recorded over
/// its steps; if a method has covariances, its title offers them, too: the matrix of the prior,
/// that of the posterior, and the covariances with one input, which follows the mouse.
class LabCourseCard : public Card {
  Q_OBJECT
 public:
  /// `runner` outlives this.
  explicit LabCourseCard(const RegressionRunner& runner, QWidget* parent = nullptr);

  /// The methods or their pictures changed.
  void showMethods();
  /// Shows the course of the method `key`; without it, that of the first method that has one.
  void setCourseOf(std::string key);
  /// The input with which covariances are shown; at first the middle of the axis.
  void setInput(double x);

  /// What is chosen to be shown, for a preset: the view, the method and the input.
  [[nodiscard]] nlohmann::json chosen() const;
  /// chosen() of a new card.
  [[nodiscard]] static nlohmann::json chosenAtFirst();
  /// In the order of the choices of the title.
  enum class View { kCourse, kPrior, kPosterior, kWithInput };
  struct Chosen {
    View view = View::kCourse;    ///< without covariances the course is shown
    std::string course_of = {};   ///< key of a method; empty: no row was chosen
    std::optional<double> input;  ///< nullopt: the middle of the axis
  };
  /// What chosen() returned. kInvalidArgument for an unknown view. Throws nlohmann's exceptions for
  /// wrong types.
  [[nodiscard]] static Expected<Chosen> parse(const nlohmann::json& chosen);
  void choose(Chosen chosen);

 Q_SIGNALS:
  /// An export failed; `message` is shown to the user.
  void failed(const QString& message);

 private:
  /// Makes a plot named `name`, hidden.
  template <class Plot>
  Plot* addPlot(const QString& name);
  /// What the title offers, if there are covariances.
  void showChoices(const QString& course_title, bool has_covariance);
  void showCourse();
  void showCovariance(const RegressionRunner::Entry& entry);
  void showOnly(const QWidget* plot);
  [[nodiscard]] const RegressionRunner::Entry* courseEntry() const;

  const RegressionRunner& runner_;
  Chosen chosen_;
  QStringList choices_shown_;  ///< empty: the title is a text
  CurvePlot* course_;
  CovariancePlot* matrix_;
  CurvePlot* with_input_;
};

}  // namespace dubito
