// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/samples/lab_samples.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/labs/samples/lab_samples_values.h"
#include "app/labs/simplex/shared_gaussian.h"
#include "app/session/error_text.h"
#include "core/base/json_integer.h"
#include "core/labs/simplex/gaussian_check.h"
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

LabSamples::LabSamples(const LabParts& parts, QWidget* parent)
    : ExperimentView(parts, parent), shared_(parts.gaussian) {
  setObjectName(QStringLiteral("labSamples"));
  random_.gaussian = kRandomGaussian.toStdString();
  QWidget* const set_up = buildSetUp();
  setParts(set_up, buildResults());
  connect(gaussians_, &QComboBox::activated, this, &LabSamples::chooseGaussian);
  connect(random_form_, &OptionsForm::edited, this, [this] {
    if (random_form_->check()) {
      chooseGaussian();
    }
  });
  restartWith(*form_);
  connect(&shared_, &SharedGaussian::changed, this, [this] { shared_changed_ = true; });
  connectRunner();
}

QWidget* LabSamples::buildSetUp() {
  auto* const set_up = new LabSetUp(tr("Set-up"), "worthSetUpCard", kWorthSetUpWidth, this);
  set_up->addHeading(tr("Gaussian over the logits"));
  gaussians_ = set_up->addList(tr("Gaussian"), "worthGaussian");
  addInfos(*gaussians_, gaussianPresets());
  gaussians_->insertSeparator(gaussians_->count());
  const auto add = [this](const QString& name, const QString& key, const QString& explanation) {
    gaussians_->addItem(name, key);
    gaussians_->setItemData(gaussians_->count() - 1, explanation, Qt::ToolTipRole);
  };
  add(tr("That of the simplex laboratory"), kOfSimplex,
      tr("The Gaussian that is shown in the laboratory \"The simplex\"."));
  add(tr("Random, many classes"), kRandomGaussian,
      tr("Random means and a random covariance, decided by the seed."));
  gaussians_->setCurrentIndex(gaussians_->findData(QLatin1String(kFirstGaussian)));
  explanation_ = set_up->addText("worthExplanation");
  random_form_ = set_up->addForm("worthRandom");
  random_form_->setFields(randomFields(random_));
  set_up->addHeading(tr("Comparison"));
  form_ = set_up->addForm("worthOptions");
  form_->setFields(runner().options().fields());
  return set_up;
}

QWidget* LabSamples::buildResults() {
  LabResults* const results = makeResults();
  sentence_ = results->addSentence("worthSentence");
  notes_ = results->addNotes("worthNotes");
  by_samples_ = makeCard<CurvePlot>(tr("By number of samples"), "worthBySamples");
  by_time_ = makeCard<CurvePlot>(tr("By computing time"), "worthByTime");
  results->addCards({by_samples_.card, by_time_.card}, kWorthPlotHeight);
  table_ = makeCard<CompareTable>(tr("Closed forms"), "worthTable");
  results->rows().addWidget(table_.card);
  return results;
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
  const bool is_first = beginsNow();
  if (shared_.sent() != sent_) {
    takeSent();
  } else if (is_first || (chosen() == kOfSimplex && shared_changed_)) {
    chooseGaussian();
  }
}

nlohmann::json LabSamples::setUp() const {
  nlohmann::json set_up = ExperimentView::setUp();
  set_up["gaussian"] = chosen().toStdString();
  set_up["mean"] = runner().experiment().gaussian.mean;
  set_up["covariance"] = runner().experiment().gaussian.covariance;
  set_up["random"] = labOptionsToJson(random_);
  return set_up;
}

nlohmann::json LabSamples::defaults() const {
  nlohmann::json defaults = setUp();
  // The Gaussian comes with begin().
  GaussianChoice choice = random_;
  choice.gaussian = chosen().toStdString();
  if (const auto gaussian = chosenGaussian(choice, runner().seed())) {
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
  const auto seed = integerFrom<std::uint64_t>(set_up.at("seed"));
  if (const auto checked = checkGaussian(shown); index < 0 || !checked) {
    return fail(ErrorCode::kMalformed,
                index < 0 ? "unknown Gaussian " + name : checked.error().message);
  }
  GaussianChoice random = random_;
  SampleWorthOptions options = runner().options();
  Status read = readLabOptions(set_up.at("random"), random);
  read = read ? readLabOptions(set_up.at("options"), options) : read;
  if (!read) {
    return read;
  }
  sent_ = shared_.sent();
  random_ = random;
  gaussians_->setCurrentIndex(index);
  if (chosen() == kOfSimplex) {
    shared_.setValue(shown);
  }
  playWith(options, seed);
  chooseGaussian();
  return {};
}

void LabSamples::setSeed(std::uint64_t seed) {
  runner().setSeed(seed);
  if (chosen() == kRandomGaussian) {
    chooseGaussian();
  }
}

void LabSamples::showOptions() {
  random_form_->reload();
  form_->reload();
}

void LabSamples::chooseGaussian() {
  const auto play = [this](LogitGaussian gaussian) {
    runner().set(&WorthExperiment::gaussian, std::move(gaussian));
  };
  explanation_->setText(gaussians_->currentData(Qt::ToolTipRole).toString());
  random_form_->setVisible(chosen() == kRandomGaussian);
  if (chosen() == kSentGaussian) {
    play(sent_->all);
    return;
  }
  if (chosen() == kOfSimplex) {
    shared_changed_ = false;
    play(shared_.value());
    return;
  }
  GaussianChoice choice = random_;
  choice.gaussian = chosen().toStdString();
  auto gaussian = chosenGaussian(choice, runner().seed());
  if (!gaussian) {
    Q_EMIT failed(errorText(gaussian.error()));
    return;
  }
  play(*std::move(gaussian));
}

void LabSamples::showPicture() {
  const auto& picture = runner().picture();
  const bool has_curve = picture && !picture->result.mean.empty();
  const QString empty = !runner().error().isEmpty() ? tr("No result")
                        : has_curve                 ? QString()
                        : runner().isPlaying()      ? tr("Drawing the true samples…")
                                                    : tr("Press Play or Step");
  for (Card* const card : {by_samples_.card, by_time_.card, table_.card}) {
    card->setEmptyText(empty);
    card->setSubtitle({});
  }
  showNotes(*notes_, runner().error(),
            picture ? picture->result.warnings : std::vector<std::string>());
  sentence_->setText(has_curve ? worthSentence(*picture) : QString());
  if (has_curve) {
    showIn(by_samples_, worthBySamples(*picture), worthCaption(*picture));
    showIn(by_time_, worthByTime(*picture),
           tr("wall time of drawing and counting · a closed form is there after its own time"));
    table_.content->setValue(worthTable(*picture));
  }
}

LabBar::StateTexts LabSamples::stateTexts() const {
  const auto& picture = runner().picture();
  return {.stopped = runner().error(),
          .finished = tr("Finished"),
          .progress = picture && picture->done > 0
                          ? tr("%1 of %2 steps").arg(picture->done).arg(picture->total)
                          : QString()};
}

}  // namespace dubito
