// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_samples.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/labs/shared_gaussian.h"
#include "app/pages/lab_bar.h"
#include "app/pages/lab_samples_values.h"
#include "app/pages/lab_set_up.h"
#include "app/pages/plot_caption.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kWorthSetUpWidth = 66 * kGrid;
constexpr int kWorthPlotHeight = 64 * kGrid;
// Data of the entries of the list of Gaussians: the key of a preset, or one of these.
const QString kOfSimplex = QStringLiteral("simplex");
const QString kRandomGaussian = QStringLiteral("random");
/// A closed form and sampling differ most where no Dirichlet fits.
constexpr const char* kFirstGaussian = "unlike-dirichlet";

/// The options of a random Gaussian; without "gaussian", their requirement is always met.
std::vector<Field> randomFields(GaussianChoice& choice) {
  constexpr std::array<std::string_view, 4> kNames{"classes", "spread", "deviation", "factors"};
  std::vector<Field> fields;
  for (Field& field : choice.fields()) {
    if (std::ranges::find(kNames, field.info.name) != kNames.end()) {
      field.info.advanced = false;
      fields.push_back(std::move(field));
    }
  }
  return fields;
}

}  // namespace

LabSamples::LabSamples(WorkerThread& worker, int threads, SharedGaussian& shared, QWidget* parent)
    : LabView(parent), runner_(new WorthRunner(worker, threads, this)), shared_(shared) {
  setObjectName(QStringLiteral("labSamples"));
  random_.gaussian = kRandomGaussian.toStdString();
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(buildSetUp());
  layout->addWidget(buildResults(), 1);
  connectParts();
  showState();
}

LabSamples::~LabSamples() = default;

QWidget* LabSamples::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "worthSetUpCard", kWorthSetUpWidth, this);
  QWidget* const content = set_up->body();
  QVBoxLayout* const layout = &set_up->rows();
  set_up->addHeading(tr("Gaussian over the logits"));
  gaussians_ = new QComboBox(content);
  gaussians_->setObjectName(QStringLiteral("worthGaussian"));
  gaussians_->setAccessibleName(tr("Gaussian"));
  for (const GaussianPreset& preset : gaussianPresets()) {
    gaussians_->addItem(QCoreApplication::translate("Labs", preset.name),
                        QLatin1String(preset.key));
    gaussians_->setItemData(gaussians_->count() - 1,
                            QCoreApplication::translate("Labs", preset.explanation),
                            Qt::ToolTipRole);
  }
  gaussians_->insertSeparator(gaussians_->count());
  gaussians_->addItem(tr("That of the simplex laboratory"), kOfSimplex);
  gaussians_->setItemData(gaussians_->count() - 1,
                          tr("The Gaussian that is shown in the laboratory \"The simplex\"."),
                          Qt::ToolTipRole);
  gaussians_->addItem(tr("Random, many classes"), kRandomGaussian);
  gaussians_->setItemData(gaussians_->count() - 1,
                          tr("Random means and a random covariance, decided by the seed."),
                          Qt::ToolTipRole);
  gaussians_->setCurrentIndex(gaussians_->findData(QLatin1String(kFirstGaussian)));
  layout->addWidget(gaussians_);
  explanation_ = set_up->addText("worthExplanation");
  random_form_ = new OptionsForm(content);
  random_form_->setObjectName(QStringLiteral("worthRandom"));
  random_form_->setFields(randomFields(random_));
  layout->addWidget(random_form_);
  set_up->addHeading(tr("Comparison"));
  form_ = new OptionsForm(content);
  form_->setObjectName(QStringLiteral("worthOptions"));
  form_->setFields(runner_->options().fields());
  layout->addWidget(form_);
  return set_up;
}

QWidget* LabSamples::buildResults() {
  auto* const results = new QWidget(this);
  auto* const layout = new QVBoxLayout(results);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  bar_ = new LabBar(results);
  bar_->setPresetShown(false);
  layout->addWidget(bar_);
  sentence_ = new QLabel(results);
  sentence_->setObjectName(QStringLiteral("worthSentence"));
  sentence_->setFont(uiFont(TypeSize::kTitle, true));
  sentence_->setWordWrap(true);
  sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(sentence_);
  notes_ = new QLabel(results);
  notes_->setObjectName(QStringLiteral("worthNotes"));
  notes_->setProperty("role", QStringLiteral("error"));
  notes_->setWordWrap(true);
  notes_->hide();
  layout->addWidget(notes_);
  const auto addPlot = [this](Card*& card, CurvePlot*& plot, const QString& title,
                              const QString& name) {
    card = new Card(title, this);
    card->setObjectName(name + QStringLiteral("Card"));
    card->setMinimumHeight(kWorthPlotHeight);
    plot = new CurvePlot(card);
    plot->setObjectName(name);
    card->setContent(plot);
    connect(plot, &PlotBase::failed, this, &LabSamples::failed);
  };
  addPlot(samples_card_, by_samples_, tr("By number of samples"), QStringLiteral("worthBySamples"));
  addPlot(time_card_, by_time_, tr("By computing time"), QStringLiteral("worthByTime"));
  auto* const plots = new QHBoxLayout;
  plots->setSpacing(2 * kGrid);
  plots->addWidget(samples_card_, 1);
  plots->addWidget(time_card_, 1);
  layout->addLayout(plots, 1);
  table_card_ = new Card(tr("Closed forms"), results);
  table_card_->setObjectName(QStringLiteral("worthTableCard"));
  table_ = new CompareTable(table_card_);
  table_->setObjectName(QStringLiteral("worthTable"));
  table_card_->setContent(table_);
  layout->addWidget(table_card_);
  return results;
}

void LabSamples::connectParts() {
  bar_->control(*runner_);
  connect(bar_, &LabBar::resetRequested, runner_, &WorthRunner::restart);
  connect(bar_, &LabBar::seedChanged, this, [this](std::uint64_t seed) {
    runner_->setSeed(seed);
    if (gaussians_->currentData().toString() == kRandomGaussian) {
      chooseGaussian();
    }
  });
  connect(gaussians_, &QComboBox::activated, this, &LabSamples::chooseGaussian);
  connect(random_form_, &OptionsForm::edited, this, [this] {
    if (random_form_->check()) {
      chooseGaussian();
    }
  });
  connect(form_, &OptionsForm::edited, this, [this] {
    if (form_->check()) {
      runner_->restart();
    }
  });
  connect(&shared_, &SharedGaussian::changed, this, [this] { shared_changed_ = true; });
  connect(runner_, &WorthRunner::pictureChanged, this, &LabSamples::showPicture);
  connect(runner_, &WorthRunner::stateChanged, this, &LabSamples::showState);
  connect(table_, &CompareTable::failed, this, &LabSamples::failed);
}

void LabSamples::begin() {
  const bool follows = gaussians_->currentData().toString() == kOfSimplex;
  if (!begun_ || (follows && shared_changed_)) {
    begun_ = true;
    chooseGaussian();
  }
}

void LabSamples::chooseGaussian() {
  const QString chosen = gaussians_->currentData().toString();
  explanation_->setText(gaussians_->currentData(Qt::ToolTipRole).toString());
  random_form_->setVisible(chosen == kRandomGaussian);
  if (chosen == kOfSimplex) {
    shared_changed_ = false;
    runner_->setGaussian(shared_.value());
    return;
  }
  GaussianChoice choice = random_;
  choice.gaussian = chosen.toStdString();
  auto gaussian = chosenGaussian(choice, runner_->seed());
  if (!gaussian) {
    Q_EMIT failed(QString::fromStdString(gaussian.error().message));
    return;
  }
  runner_->setGaussian(*std::move(gaussian));
}

void LabSamples::showPicture() {
  const auto& picture = runner_->picture();
  const bool has_curve = picture && !picture->result.mean.empty();
  const QString empty = !runner_->error().isEmpty() ? tr("No result")
                        : has_curve                 ? QString()
                        : runner_->isPlaying()      ? tr("Drawing the true samples…")
                                                    : tr("Press Play or Step");
  for (Card* const card : {samples_card_, time_card_, table_card_}) {
    card->setEmptyText(empty);
    card->setSubtitle({});
  }
  QStringList notes;
  if (!runner_->error().isEmpty()) {
    notes << runner_->error();
  }
  if (picture) {
    for (const std::string& warning : picture->result.warnings) {
      notes << QString::fromStdString(warning);
    }
  }
  notes_->setText(notes.join(u'\n'));
  notes_->setVisible(!notes.isEmpty());
  sentence_->setText(has_curve ? worthSentence(*picture) : QString());
  if (has_curve) {
    by_samples_->setCurves(worthBySamples(*picture));
    by_time_->setCurves(worthByTime(*picture));
    table_->setValue(worthTable(*picture));
    setCaptions(*samples_card_, *by_samples_, worthCaption(*picture));
    setCaptions(
        *time_card_, *by_time_,
        tr("wall time of drawing and counting · a closed form is there after its own time"));
  }
}

void LabSamples::showState() {
  const auto& picture = runner_->picture();
  const QString text = !runner_->error().isEmpty() ? runner_->error()
                       : runner_->isFinished()     ? tr("Finished")
                       : picture && picture->done > 0
                           ? tr("%1 of %2 steps").arg(picture->done).arg(picture->total)
                       : runner_->isPlaying() ? tr("Working")
                                              : tr("Paused");
  bar_->setState(runner_->isPlaying(), !runner_->isFinished(), text);
  bar_->setSeed(runner_->seed());
}

}  // namespace dubito
