// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_course_card.h"

#include <fmt/format.h>

#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "app/labs/lab_values.h"
#include "app/labs/regression/lab_covariance_values.h"
#include "app/labs/regression/lab_regression_values.h"
#include "app/words/plot_caption.h"
#include "widgets/card_scroll.h"
#include "widgets/covariance_plot.h"
#include "widgets/curve_plot.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kCourseHeight = 24 * kGrid;

/// In presets, in the order of the choices of the title.
constexpr std::array<const char*, 4> kViewKeys{"course", "prior", "posterior", "input"};

nlohmann::json jsonOf(const LabCourseCard::Chosen& chosen) {
  return {{"view", kViewKeys[static_cast<std::size_t>(chosen.view)]},
          {"course_of", chosen.course_of},
          {"input", chosen.input ? nlohmann::json(*chosen.input) : nlohmann::json()}};
}

}  // namespace

LabCourseCard::LabCourseCard(const RegressionRunner& runner, QWidget* parent)
    : Card({}, parent), runner_(runner) {
  setObjectName(QStringLiteral("labCourseCard"));
  auto* const plots = new QWidget(this);
  // Not a stack: a hidden plot must not ask for room.
  (new QVBoxLayout(plots))->setContentsMargins(0, 0, 0, 0);
  setContent(plots);
  course_ = addPlot<CurvePlot>(QStringLiteral("labCourse"));
  course_->setMinimumHeight(kCourseHeight);
  matrix_ = addPlot<CovariancePlot>(QStringLiteral("labCovarianceMatrix"));
  matrix_->setMinimumSize(kMinReadablePlot);
  with_input_ = addPlot<CurvePlot>(QStringLiteral("labCovarianceCurves"));
  with_input_->setMinimumSize(kMinReadablePlot);
  connect(matrix_, &CovariancePlot::hovered, this, &LabCourseCard::setInput);
  connect(this, &Card::choiceMade, this, [this](int index) {
    chosen_.view = static_cast<View>(index);
    showMethods();
  });
  showMethods();
}

template <class Plot>
Plot* LabCourseCard::addPlot(const QString& name) {
  auto* const plot = new Plot(content());
  plot->setObjectName(name);
  plot->hide();
  content()->layout()->addWidget(plot);
  connect(plot, &Plot::failed, this, &LabCourseCard::failed);
  return plot;
}

nlohmann::json LabCourseCard::chosen() const {
  return jsonOf(chosen_);
}

nlohmann::json LabCourseCard::chosenAtFirst() {
  return jsonOf({});
}

Expected<LabCourseCard::Chosen> LabCourseCard::parse(const nlohmann::json& chosen) {
  const auto key = chosen.at("view").get<std::string>();
  const auto found = std::ranges::find(kViewKeys, std::string_view(key));
  if (found == kViewKeys.end()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("There is no view \"{}\" of the regression laboratory; correct "
                            "\"details\" in the preset",
                            key));
  }
  Chosen parsed;
  parsed.view = static_cast<View>(found - kViewKeys.begin());
  parsed.course_of = chosen.at("course_of").get<std::string>();
  if (const nlohmann::json& input = chosen.at("input"); !input.is_null()) {
    parsed.input = input.get<double>();
  }
  return parsed;
}

void LabCourseCard::choose(Chosen chosen) {
  chosen_ = std::move(chosen);
  choices_shown_.clear();  // the title shows another choice
  showMethods();
}

void LabCourseCard::setCourseOf(std::string key) {
  chosen_.course_of = std::move(key);
  showMethods();
}

void LabCourseCard::setInput(double x) {
  chosen_.input = x;
  const RegressionRunner::Entry* const entry = covarianceEntryOf(runner_);
  if (entry != nullptr && chosen_.view != View::kCourse) {
    showCovariance(*entry);
  }
}

const RegressionRunner::Entry* LabCourseCard::courseEntry() const {
  const auto& entries = runner_.entries();
  auto shown = std::ranges::find(entries, std::string_view(chosen_.course_of),
                                 [](const auto& entry) { return entry.info->key; });
  if (shown == entries.end()) {
    shown = std::ranges::find_if(entries,
                                 [](const auto& entry) { return !courseOf(entry).curves.empty(); });
  }
  return shown == entries.end() ? nullptr : &*shown;
}

void LabCourseCard::showMethods() {
  const RegressionRunner::Entry* const with_covariance = covarianceEntryOf(runner_);
  const RegressionRunner::Entry* const with_course = courseEntry();
  showChoices(with_course == nullptr ? tr("Course")
                                     : tr("Course of %1").arg(labText(with_course->info->name)),
              with_covariance != nullptr);
  if (with_covariance != nullptr && chosen_.view != View::kCourse) {
    showCovariance(*with_covariance);
  } else {
    showCourse();
  }
}

void LabCourseCard::showChoices(const QString& course_title, bool has_covariance) {
  const QStringList choices = has_covariance
                                  ? QStringList{course_title, tr("Prior covariance"),
                                                tr("Posterior covariance"), tr("Covariance with x")}
                                  : QStringList();
  // Otherwise a list that is open would close.
  if (choices != choices_shown_) {
    choices_shown_ = choices;
    setChoices(choices, {tr("Course"), tr("Prior cov."), tr("Posterior cov."), tr("Cov. with x")});
    if (has_covariance) {
      setChoice(static_cast<int>(chosen_.view));
    }
  }
  if (!has_covariance) {
    setTitle(course_title);
    setShortTitle(tr("Course"));
  }
}

void LabCourseCard::showOnly(const QWidget* plot) {
  for (QWidget* const one : {static_cast<QWidget*>(course_), static_cast<QWidget*>(matrix_),
                             static_cast<QWidget*>(with_input_)}) {
    one->setVisible(one == plot);
  }
}

void LabCourseCard::showCourse() {
  showOnly(course_);
  const RegressionRunner::Entry* const shown = courseEntry();
  if (shown == nullptr) {
    setSubtitle({});
    setEmptyText(tr("No method has recorded its steps"));
    return;
  }
  CurvePlotValue course = courseOf(*shown);
  setEmptyText(course.curves.empty()
                   ? tr("%1 has recorded no steps").arg(labText(shown->info->name))
                   : QString());
  setCaptions(*this, *course_, tr("of the row chosen"));
  if (!course.curves.empty()) {
    course_->setCurves(std::move(course));
  }
}

void LabCourseCard::showCovariance(const RegressionRunner::Entry& entry) {
  const FunctionCovariance& covariance = *entry.picture->covariance;
  const std::size_t index =
      chosen_.input ? covarianceInput(covariance, *chosen_.input) : covariance.x.size() / 2;
  const QString input = QStringLiteral("%1 = %2").arg(
      QString::fromStdString(runner_.data().x_label), shortText(covariance.x[index], 3));
  const QString name = labText(entry.info->name);
  const bool has_points = runner_.data().train.size() > 0;
  if (chosen_.view == View::kWithInput) {
    showOnly(with_input_);
    setEmptyText({});
    with_input_->setCurves(covarianceCurvesOf(runner_, entry, index));
    setCaptions(*this, *with_input_,
                has_points
                    ? tr("covariance with %1 · %2 · follows the mouse").arg(input, name)
                    : tr("covariance with %1 · %2 · prior, without points").arg(input, name));
    return;
  }
  const bool is_prior = chosen_.view == View::kPrior;
  showOnly(matrix_);
  QString missing;
  if (!is_prior && covariance.posterior.empty()) {
    missing = has_points ? tr("%1 has not used the points yet; press Play").arg(name)
                         : tr("Without points, the covariance is that of the prior; add a point");
  }
  setEmptyText(missing);
  matrix_->setValue(covarianceMatrixOf(
      runner_, covariance, is_prior ? CovarianceKind::kPrior : CovarianceKind::kPosterior));
  matrix_->setMark(covariance.x[index]);
  setCaptions(*this, *matrix_,
              is_prior ? tr("k(x, x′) · %1").arg(name)
                       : tr("of f given the points, without the noise · %1").arg(name));
}

}  // namespace dubito
