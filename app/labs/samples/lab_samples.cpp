// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/samples/lab_samples.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "app/labs/lab_bar.h"
#include "app/labs/lab_results.h"
#include "app/labs/lab_set_up.h"
#include "app/labs/samples/lab_samples_values.h"
#include "app/labs/simplex/shared_gaussian.h"
#include "app/session/error_text.h"
#include "app/words/plot_caption.h"
#include "core/labs/preset/lab_options.h"
#include "core/labs/simplex/gaussian_check.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kWorthSetUpWidth = 66 * kGrid;
constexpr int kWorthPlotHeight = 64 * kGrid;
// Data of the entries of the list of Gaussians: the key of a preset, or one of these.
const QString kOfSimplex = QStringLiteral("simplex");
const QString kSentGaussian = QStringLiteral("sent");
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
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  connectParts();
  showState();
}

LabSamples::~LabSamples() = default;

QWidget* LabSamples::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "worthSetUpCard", kWorthSetUpWidth, this);
  set_up->addHeading(tr("Gaussian over the logits"));
  gaussians_ = set_up->addList(tr("Gaussian"), "worthGaussian");
  addInfos(*gaussians_, gaussianPresets());
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
  explanation_ = set_up->addText("worthExplanation");
  random_form_ = set_up->addForm("worthRandom");
  random_form_->setFields(randomFields(random_));
  set_up->addHeading(tr("Comparison"));
  form_ = set_up->addForm("worthOptions");
  form_->setFields(runner_->options().fields());
  return set_up;
}

QWidget* LabSamples::buildResults() {
  auto* const results = new LabResults(this);
  bar_ = results->addBar();
  sentence_ = results->addSentence("worthSentence");
  notes_ = results->addNotes("worthNotes");
  makeCard(samples_card_, by_samples_, tr("By number of samples"),
           QStringLiteral("worthBySamples"));
  makeCard(time_card_, by_time_, tr("By computing time"), QStringLiteral("worthByTime"));
  QHBoxLayout* const plots = results->addRow(1);
  for (Card* const card : {samples_card_, time_card_}) {
    card->setMinimumHeight(kWorthPlotHeight);
    plots->addWidget(card, 1);
  }
  makeCard(table_card_, table_, tr("Closed forms"), QStringLiteral("worthTable"));
  results->rows().addWidget(table_card_);
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
}

void LabSamples::takeSent() {
  sent_ = shared_.sent();
  int entry = gaussians_->findData(kSentGaussian);
  if (entry < 0) {
    entry = gaussians_->count();
    gaussians_->addItem(QString(), kSentGaussian);
  }
  gaussians_->setItemText(entry, tr("Item %1").arg(sent_->name));
  gaussians_->setItemData(
      entry, tr("The Gaussian over all %1 logits of an item of a run.").arg(sent_->all.mean.size()),
      Qt::ToolTipRole);
  gaussians_->setCurrentIndex(entry);
  chooseGaussian();
}

void LabSamples::begin() {
  if (shared_.sent() != sent_) {
    begun_ = true;
    takeSent();
    return;
  }
  const bool follows = gaussians_->currentData().toString() == kOfSimplex;
  if (!begun_ || (follows && shared_changed_)) {
    begun_ = true;
    chooseGaussian();
  }
}

nlohmann::json LabSamples::setUp() const {
  const LogitGaussian& shown = runner_->gaussian();
  return {{"gaussian", gaussians_->currentData().toString().toStdString()},
          {"mean", shown.mean},
          {"covariance", shown.covariance},
          {"random", labOptionsToJson(random_)},
          {"seed", runner_->seed()},
          {"options", labOptionsToJson(runner_->options())}};
}

nlohmann::json LabSamples::defaults() const {
  nlohmann::json defaults = setUp();
  // The Gaussian comes with begin().
  GaussianChoice choice = random_;
  choice.gaussian = gaussians_->currentData().toString().toStdString();
  if (const auto gaussian = chosenGaussian(choice, runner_->seed())) {
    defaults["mean"] = gaussian->mean;
    defaults["covariance"] = gaussian->covariance;
  }
  return defaults;
}

Status LabSamples::applySetUp(const nlohmann::json& set_up) {
  const auto name = set_up.at("gaussian").get<std::string>();
  // That of an item is given by its numbers.
  const QString wanted = QString::fromStdString(name);
  const int index = gaussians_->findData(wanted == kSentGaussian ? kOfSimplex : wanted);
  const LogitGaussian shown{set_up.at("mean").get<std::vector<double>>(),
                            set_up.at("covariance").get<std::vector<double>>()};
  const auto seed = set_up.at("seed").get<std::uint64_t>();
  if (const auto checked = checkGaussian(shown); index < 0 || !checked) {
    return fail(ErrorCode::kMalformed,
                index < 0 ? "unknown Gaussian " + name : checked.error().message);
  }
  GaussianChoice random = random_;
  SampleWorthOptions options = runner_->options();
  Status read = readLabOptions(set_up.at("random"), random);
  read = read ? readLabOptions(set_up.at("options"), options) : read;
  if (!read) {
    return read;
  }
  begun_ = true;
  sent_ = shared_.sent();
  random_ = random;
  runner_->options() = options;
  random_form_->reload();
  form_->reload();
  gaussians_->setCurrentIndex(index);
  if (gaussians_->currentData().toString() == kOfSimplex) {
    shared_.setValue(shown);
  }
  runner_->setSeed(seed);
  chooseGaussian();
  return {};
}

void LabSamples::chooseGaussian() {
  const QString chosen = gaussians_->currentData().toString();
  explanation_->setText(gaussians_->currentData(Qt::ToolTipRole).toString());
  random_form_->setVisible(chosen == kRandomGaussian);
  if (chosen == kSentGaussian) {
    runner_->setGaussian(sent_->all);
    return;
  }
  if (chosen == kOfSimplex) {
    shared_changed_ = false;
    runner_->setGaussian(shared_.value());
    return;
  }
  GaussianChoice choice = random_;
  choice.gaussian = chosen.toStdString();
  auto gaussian = chosenGaussian(choice, runner_->seed());
  if (!gaussian) {
    Q_EMIT failed(errorText(gaussian.error()));
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
  showNotes(*notes_, runner_->error(),
            picture ? picture->result.warnings : std::vector<std::string>());
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
  bar_->showState(*runner_,
                  {.stopped = runner_->error(),
                   .finished = tr("Finished"),
                   .progress = picture && picture->done > 0
                                   ? tr("%1 of %2 steps").arg(picture->done).arg(picture->total)
                                   : QString()});
}

}  // namespace dubito
