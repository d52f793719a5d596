// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/simplex/lab_simplex.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/jobs/window_jobs.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/labs/simplex/lab_simplex_gaussian.h"
#include "app/labs/simplex/lab_simplex_values.h"
#include "app/labs/simplex/shared_gaussian.h"
#include "app/session/error_text.h"
#include "core/base/json_integer.h"
#include "core/labs/preset/lab_options.h"
#include "core/labs/simplex/gaussian_check.h"
#include "widgets/card_scroll.h"
#include "widgets/number_text.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {
namespace {

constexpr std::size_t kMaxShownLogits = 3;
constexpr int kGaussianWidth = 66 * kGrid;
constexpr int kTextWidth = 58 * kGrid;
constexpr int kPlotHeight = 62 * kGrid;
/// In a narrower page, the texts are next to the table instead of the pictures.
constexpr int kWidthForTexts = 1100;
/// The ellipse that is dragged encloses one standard deviation.
constexpr double kDeviations = 1.0;
constexpr std::int64_t kEllipsePoints = 96;
// Limits of dragging, within the ranges of the sliders.
constexpr double kMaxPlaneMean = 8.0;
constexpr double kMaxPlaneDeviation = 5.0;

/// Sets the choices only if they differ: a list that is open stays open while results arrive.
void showChoices(Card& card, const QStringList& titles, int choice) {
  if (card.property("choices").toStringList() != titles || titles.isEmpty()) {
    card.setProperty("choices", titles);
    card.setChoices(titles);
  }
  if (!titles.isEmpty()) {
    card.setChoice(choice);
  }
}

}  // namespace

LabSimplex::LabSimplex(const LabParts& parts, QWidget* parent)
    : LabView(parent), job_(parts.worker), threads_(parts.jobs.threads()), shared_(parts.gaussian) {
  setObjectName(QStringLiteral("labSimplex"));
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  connectParts();
}

QWidget* LabSimplex::buildSetUp() {
  auto* const set_up =
      new LabSetUp(tr("Gaussian over the logits"), "simplexSetUpCard", kGaussianWidth, this);
  gaussian_ = new LabSimplexGaussian(set_up->body());
  set_up->rows().addWidget(gaussian_);
  seed_ = set_up
              ->addNumber(tr("Seed"), "simplexSeed",
                          tr("Decides the samples: the same seed gives the same picture"))
              .second;
  form_ = set_up->addForm("simplexOptions");
  form_->setFields(options_.fields());
  return set_up;
}

LabSimplex::Pictures LabSimplex::makePictures(const QString& name) {
  auto* const card = new Card({}, this);
  card->setObjectName(name + QStringLiteral("Card"));
  auto* const stack = new QStackedWidget(card);
  const Pictures pictures{card, stack, makeContent<SimplexPlot>(name, stack),
                          makeContent<CurvePlot>(name + QStringLiteral("Line"), stack)};
  stack->addWidget(pictures.triangle);
  stack->addWidget(pictures.line);
  card->setContent(stack);
  return pictures;
}

QWidget* LabSimplex::buildResults() {
  auto* const results = new LabResults(this);
  warnings_ = results->addNotes("simplexWarnings");
  exact_ = makePictures(QStringLiteral("simplexExact"));
  dirichlet_ = makePictures(QStringLiteral("simplexDirichlet"));
  upper_ = results->addCards({exact_.card, dirichlet_.card}, kPlotHeight);
  table_ = makeCard<CompareTable>(tr("Approximations"), "simplexTable");
  text_card_ = new Card(tr("What the bridges change"), results);
  text_card_->setObjectName(QStringLiteral("simplexTextCard"));
  texts_ = new WrappedLabel;
  texts_->setObjectName(QStringLiteral("simplexTexts"));
  texts_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  texts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text_card_->setContent(makeCardScroll(texts_, text_card_));
  text_card_->setFixedWidth(kTextWidth);
  upper_->addWidget(text_card_);
  lower_ = results->addRow();
  lower_->addWidget(table_.card, 1);
  return results;
}

void LabSimplex::connectParts() {
  connect(gaussian_, &LabSimplexGaussian::edited, this, &LabSimplex::takeGaussian);
  connect(gaussian_, &LabSimplexGaussian::presetChosen, this, [this] { takeGaussian(false); });
  connect(seed_, &QSpinBox::valueChanged, this, [this] { analyse(false); });
  connect(form_, &OptionsForm::edited, this, [this] {
    if (form_->check()) {
      analyse(false);
    }
  });
  connect(exact_.triangle, &SimplexPlot::handleMoved, this, &LabSimplex::dragEllipse);
  connect(exact_.triangle, &SimplexPlot::handleReleased, this, [this] { takeGaussian(false); });
  connect(exact_.card, &Card::choiceMade, this, [this](int view) {
    exact_.triangle->setView(static_cast<SimplexPlot::View>(view));
    showExact();
  });
  connect(dirichlet_.card, &Card::choiceMade, this, &LabSimplex::chooseRow);
  // Queued: the choice replaces the content of the table.
  connect(table_.content, &CompareTable::rowChosen, this, &LabSimplex::chooseRow,
          Qt::QueuedConnection);
}

void LabSimplex::begin() {
  const bool is_first = !std::exchange(begun_, true);
  if (shared_.sent() != sent_) {
    sent_ = shared_.sent();
    gaussian_->setExplained(sent_->likeliest, sent_->explanation);
    takeGaussian(false);
  } else if (is_first) {
    takeGaussian(false);
  }
}

void LabSimplex::takeGaussian(bool moving) {
  plane_ = planeGaussian(gaussian_->value());
  analyse(moving);
}

nlohmann::json LabSimplex::setUp() const {
  return {{"mean", gaussian_->value().mean},
          {"covariance", gaussian_->value().covariance},
          {"seed", seed_->value()},
          {"options", labOptionsToJson(options_)}};
}

Status LabSimplex::applySetUp(const nlohmann::json& set_up) {
  const LogitGaussian gaussian{set_up.at("mean").get<std::vector<double>>(),
                               set_up.at("covariance").get<std::vector<double>>()};
  const auto seed = integerFrom<int>(set_up.at("seed"));
  const auto checked = checkGaussian(gaussian);
  if (!checked || gaussian.mean.size() > kMaxShownLogits) {
    return fail(ErrorCode::kMalformed, checked ? "more than 3 logits" : checked.error().message);
  }
  if (Status read = readLabOptions(set_up.at("options"), options_); !read) {
    return read;
  }
  begun_ = true;
  sent_ = shared_.sent();
  form_->reload();
  seed_->setValue(seed);
  gaussian_->setValue(gaussian);
  takeGaussian(false);
  return {};
}

void LabSimplex::setPresented(bool presented) {
  LabView::setPresented(presented);
  text_card_->setVisible(!presented);  // for readers; an audience needs large triangles
}

void LabSimplex::resizeEvent(QResizeEvent* event) {
  LabView::resizeEvent(event);
  QHBoxLayout* const wanted = width() < kWidthForTexts ? lower_ : upper_;
  if (wanted->indexOf(text_card_) < 0) {
    (wanted == lower_ ? upper_ : lower_)->removeWidget(text_card_);
    wanted->addWidget(text_card_);
  }
}

void LabSimplex::analyse(bool moving) {
  shared_.setValue(gaussian_->value());
  showEllipse();
  JobSettings settings;
  settings.threads = threads_;
  settings.seed = static_cast<std::uint64_t>(seed_->value());
  job_.submit<ResultPtr>(
      tr("Laboratory"), settings,
      [gaussian = gaussian_->value(), options = moving ? options_.whileDragging() : options_](
          RunContext& context) -> Expected<ResultPtr> {
        return analyseSimplex(gaussian, options, context).map([](SimplexResult result) {
          return std::make_shared<const SimplexResult>(std::move(result));
        });
      },
      this, [this](const Expected<ResultPtr>& result) { deliver(result); });
}

void LabSimplex::deliver(const Expected<ResultPtr>& result) {
  if (result) {
    result_ = *result;
  } else if (result.error().code != ErrorCode::kCancelled) {
    result_.reset();
    showNotes(*warnings_, errorText(result.error()));
  }
  showResult();
}

void LabSimplex::dragEllipse(int handle, const Triple& probs) {
  auto point = planePointOfProbs(probs);
  if (handle == 0) {
    const double length = std::hypot(point[0], point[1]);
    const double scale = std::min(1.0, kMaxPlaneMean / std::max(length, kMaxPlaneMean));
    plane_.mean = {scale * point[0], scale * point[1]};
  } else {
    const auto axis = static_cast<std::size_t>(handle - 1);
    plane_ = withAxisEnd(plane_, axis, point, kDeviations);
    plane_.deviation.at(axis) = std::min(plane_.deviation.at(axis), kMaxPlaneDeviation);
  }
  gaussian_->setValue(withPlane(gaussian_->value(), plane_));
  analyse(true);
}

void LabSimplex::showEllipse() {
  if (gaussian_->value().mean.size() != 3) {
    return;
  }
  exact_.triangle->setOutline(
      ellipseOnTriangle(plane_, kDeviations, kEllipsePoints),
      {probsOfPlanePoint(plane_.mean), probsOfPlanePoint(axisEnd(plane_, 0, kDeviations)),
       probsOfPlanePoint(axisEnd(plane_, 1, kDeviations))});
}

void LabSimplex::showResult() {
  const QString refused = result_ ? QString() : tr("This Gaussian cannot be used.");
  setEmptyText({exact_.card, dirichlet_.card, table_.card}, refused);
  if (!result_) {
    texts_->clear();
    return;
  }
  showNotes(*warnings_, {}, result_->warnings);
  const auto& all = result_->approximations;
  if (!shown_) {
    const auto centred = std::ranges::find_if(
        all, [](const auto& one) { return one.form.bridge == BridgeVariant::kCentred; });
    shown_ = static_cast<std::size_t>(centred - all.begin());
  }
  const int page = result_->classes() == 3 ? 0 : 1;
  exact_.stack->setCurrentIndex(page);
  dirichlet_.stack->setCurrentIndex(page);
  showExact();
  showApproximation();
  QStringList texts{transformText(*result_), propositionText(*result_)};
  texts.removeAll({});
  texts_->setText(texts.join(QStringLiteral("\n\n")));
}

void LabSimplex::showExact() {
  if (!result_) {
    return;
  }
  if (result_->classes() == 3) {
    showChoices(*exact_.card, {tr("Exact distribution"), tr("Histogram of the samples")},
                static_cast<int>(exact_.triangle->view()));
    SimplexValue value = exactTriangle(*result_);
    value.outline = exact_.triangle->value().outline;
    value.handles = exact_.triangle->value().handles;
    value.outline_name = tr("± 1σ (drag)");
    exact_.triangle->setValue(std::move(value));
  } else {
    showChoices(*exact_.card, {}, 0);
    exact_.card->setTitle(tr("Exact distribution and Beta"));
  }
  const QString caption =
      tr("mean %1 · %2 samples")
          .arg(numbersOf(result_->moments.mean), countText(result_->samples.extent(0)));
  PlotBase& plot =
      result_->classes() == 3 ? static_cast<PlotBase&>(*exact_.triangle) : *exact_.line;
  setCaptions(*exact_.card, plot, caption);
}

void LabSimplex::showApproximation() {
  const std::size_t shown = *shown_;
  const auto& all = result_->approximations;
  QStringList names;
  for (const SimplexApproximation& one : all) {
    names << approximationName(one.form);
  }
  showChoices(*dirichlet_.card, names, static_cast<int>(shown));
  const QString caption = approximationCaption(*result_, shown);
  if (result_->classes() == 3) {
    dirichlet_.triangle->setValue(dirichletTriangle(*result_, shown));
    setCaptions(*dirichlet_.card, *dirichlet_.triangle, caption);
  } else {
    exact_.line->setCurves(probabilityLines(*result_, shown));
    showIn({dirichlet_.card, dirichlet_.line}, logitLines(*result_, shown), caption);
  }
  table_.content->setValue(approximationTable(*result_, shown));
}

void LabSimplex::chooseRow(int row) {
  if (!result_ || row < 0 || static_cast<std::size_t>(row) == shown_) {
    return;
  }
  shown_ = static_cast<std::size_t>(row);
  showApproximation();
}

}  // namespace dubito
