// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/inspector/why_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QSlider>
#include <QThread>
#include <QVBoxLayout>
#include <algorithm>

#include "app/session/error_text.h"
#include "app/words/words.h"
#include "core/attribution/attribution_methods.h"
#include "widgets/muted_label.h"
#include "widgets/signed_map.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr auto kMethodKey = "inspector/why_method";
constexpr auto kOpacityKey = "inspector/why_opacity";
constexpr int kUsualOpacity = 80;
// Values of the class chooser that follow the item.
constexpr qint64 kPredicted = -1;
constexpr qint64 kLabelled = -2;
// Values of the chooser of what is explained; others are draws.
constexpr qint64 kNetwork = -1;
constexpr qint64 kSpread = -2;
constexpr qint64 kInformation = -3;
// More would make a list that nobody scrolls.
constexpr std::int64_t kMaxListed = 1000;

QComboBox* makeChooser(const char* name, const QString& what, QWidget* parent) {
  auto* const box = new QComboBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setProperty("role", QStringLiteral("plain"));
  box->setFocusPolicy(Qt::TabFocus);  // clicking must not move the keyboard focus
  box->setAccessibleName(what);
  box->setToolTip(what);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(6);
  return box;
}

QLabel* makeLegendText(const char* name, QWidget* parent) {
  auto* const label = new QLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setTextFormat(Qt::PlainText);
  label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  return label;
}

QPixmap swatch(const QColor& color) {
  QPixmap square(2 * kGrid, 2 * kGrid);
  square.fill(color);
  return square;
}

void choose(QComboBox& box, const QVariant& value) {
  const QSignalBlocker silent(box);
  box.setCurrentIndex(std::max(0, box.findData(value)));
}

}  // namespace

WhyPanel::WhyPanel(WorkerThread& compute_thread, QSettings& settings, QWidget* parent)
    : QWidget(parent), job_(compute_thread), settings_(settings) {
  setObjectName(QStringLiteral("whyPanel"));
  makeControls();
  for (const AttributionMethod& known : allAttributionMethods()) {
    method_->addItem(QString::fromStdString(known.label), QString::fromStdString(known.key));
    method_->setItemData(method_->count() - 1, QString::fromStdString(known.summary),
                         Qt::ToolTipRole);
  }
  choose(*method_, settings_.value(QLatin1String(kMethodKey)));
  opacity_->setValue(settings_.value(QLatin1String(kOpacityKey), kUsualOpacity).toInt());

  connect(toggle_, &QPushButton::toggled, this, &WhyPanel::showState);
  connect(method_, &QComboBox::currentIndexChanged, this, [this] {
    settings_.setValue(QLatin1String(kMethodKey), method_->currentData());
    showState();
  });
  for (QComboBox* const box : {class_, of_}) {
    connect(box, &QComboBox::currentIndexChanged, this, &WhyPanel::showState);
  }
  connect(opacity_, &QSlider::valueChanged, this, [this](int value) {
    settings_.setValue(QLatin1String(kOpacityKey), value);
    drawMap();
  });
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
    if (isOn() && item_) {
      showLegend(question());
      drawMap();
    }
  });
  showState();
}

void WhyPanel::makeControls() {
  toggle_ = new QPushButton(tr("Why?"), this);
  toggle_->setObjectName(QStringLiteral("whyToggle"));
  toggle_->setCheckable(true);
  toggle_->setFocusPolicy(Qt::TabFocus);
  toggle_->setToolTip(tr("Shows which pixels matter for a class, over the image (%1)")
                          .arg(QKeySequence(key()).toString(QKeySequence::NativeText)));
  method_ = makeChooser("whyMethod", tr("How the pixels that matter are found"), this);
  details_ = new QWidget(this);
  class_ = makeChooser("whyClass", tr("The class that is explained"), details_);
  of_ = makeChooser("whyOf", tr("The network, one draw, or where the draws disagree"), details_);
  opacity_ = new QSlider(Qt::Horizontal, details_);
  opacity_->setObjectName(QStringLiteral("whyOpacity"));
  opacity_->setRange(10, 100);
  opacity_->setFixedWidth(16 * kGrid);
  opacity_->setFocusPolicy(Qt::TabFocus);
  opacity_->setAccessibleName(tr("Opacity of the map"));
  opacity_->setToolTip(opacity_->accessibleName());
  for_mark_ = new QLabel(details_);
  for_text_ = makeLegendText("whyFor", details_);
  against_mark_ = new QLabel(details_);
  against_text_ = makeLegendText("whyAgainst", details_);
  note_ = makeMutedLabel(QStringLiteral("whyNote"), this);

  auto* const first = new QHBoxLayout;
  first->setSpacing(2 * kGrid);
  first->addWidget(toggle_, 0, Qt::AlignLeft);
  first->addWidget(method_, 1);
  auto* const second = new QHBoxLayout;
  second->setSpacing(2 * kGrid);
  second->addWidget(class_, 1);
  second->addWidget(of_, 1);
  auto* const third = new QHBoxLayout;
  third->setSpacing(kGrid);
  third->addWidget(for_mark_);
  third->addWidget(for_text_, 3);
  third->addWidget(against_mark_);
  third->addWidget(against_text_, 2);
  third->addWidget(opacity_);
  auto* const of_details = new QVBoxLayout(details_);
  of_details->setContentsMargins(0, 0, 0, 0);
  of_details->setSpacing(kGrid);
  of_details->addLayout(second);
  of_details->addLayout(third);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGrid);
  layout->addLayout(first);
  layout->addWidget(details_);
  layout->addWidget(note_);
}

void WhyPanel::setItem(const AnalysisPtr& analysis, ItemRef item) {
  const bool is_other_run = analysis_ != analysis;
  analysis_ = analysis;
  item_ = item;
  if (is_other_run) {
    cache_.keepOnly(analysis_);
    fillTargets();
  }
  fillClasses();
  showState();
}

void WhyPanel::fillTargets() {
  const QSignalBlocker silent(*of_);
  const QVariant before = of_->currentData();
  of_->clear();
  of_->addItem(tr("without dropout"), kNetwork);
  const std::int64_t draws = explainableDraws(*analysis_);
  if (draws > 1) {
    of_->addItem(tr("spread of the draws"), kSpread);
    of_->setItemData(of_->count() - 1,
                     tr("Where the draws disagree: which pixels raise the standard deviation of "
                        "the class probability"),
                     Qt::ToolTipRole);
    of_->addItem(tr("mutual information"), kInformation);
    of_->setItemData(of_->count() - 1,
                     tr("Where the draws disagree about all classes: which pixels raise the mutual "
                        "information of class and draw"),
                     Qt::ToolTipRole);
  }
  for (std::int64_t t = 0; t < std::min(draws, kMaxListed); ++t) {
    of_->addItem(tr("draw %1").arg(t + 1), static_cast<qint64>(t));
  }
  choose(*of_, before);
  of_->setVisible(draws > 0);
}

void WhyPanel::fillClasses() {
  const QSignalBlocker silent(*class_);
  const QVariant before = class_->currentData();
  const Run& run = *analysis_->partOf(*item_).run;
  class_->clear();
  class_->addItem(
      tr("predicted: %1").arg(className(*analysis_, run.predictions.data()[item_->row])),
      kPredicted);
  if (const QString label = trueClassName(*analysis_, *item_); !label.isEmpty()) {
    class_->addItem(tr("label: %1").arg(label), kLabelled);
  }
  for (std::int64_t k = 0; k < std::min(run.classCount(), kMaxListed); ++k) {
    class_->addItem(className(*analysis_, k), static_cast<qint64>(k));
  }
  choose(*class_, before);
}

AttributionTarget WhyPanel::target() const {
  const Run& run = *analysis_->partOf(*item_).run;
  const qint64 wanted = class_->currentData().toLongLong();
  const qint64 of = of_->currentData().toLongLong();
  AttributionTarget target;
  if (of == kInformation) {
    target.mutual_information = true;  // of all classes
    return target;
  }
  target.class_number = wanted == kPredicted  ? run.predictions.data()[item_->row]
                        : wanted == kLabelled ? run.labels.data()[item_->row]
                                              : wanted;
  target.spread = of == kSpread;
  if (of >= 0) {
    target.draw = of;
  }
  return target;
}

WhyQuestion WhyPanel::question() const {
  WhyQuestion question{analysis_, *item_, target(), {}};
  question.options.method = method_->currentData().toString().toStdString();
  return question;
}

void WhyPanel::toggle() {
  if (toggle_->isVisible()) {
    toggle_->toggle();
  }
}

bool WhyPanel::isOn() const {
  return toggle_->isChecked();
}

void WhyPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showState();
}

void WhyPanel::showState() {
  const QString missing = item_ ? whyMissing(*analysis_, *item_) : QString();
  const bool shows_map = item_ && missing.isEmpty() && isOn();
  toggle_->setVisible(missing.isEmpty());
  method_->setVisible(shows_map);
  details_->setVisible(shows_map);
  class_->setEnabled(of_->currentData() != kInformation);
  if (shows_map) {
    ask();
    return;
  }
  job_.abandon();
  map_ = {};
  showNote(missing);
  Q_EMIT overlayChanged(false, {});
}

void WhyPanel::ask() {
  const WhyQuestion question = this->question();
  showLegend(question);
  job_.abandon();  // of another item, perhaps with many passes to go
  if (const Attribution* const known = cache_.find(question)) {
    showAnswer(*known);
    return;
  }
  map_ = {};
  drawMap();
  if (!isVisible()) {
    return;  // showEvent() asks again
  }
  showNote(tr("finding the pixels that matter…"));
  JobSettings settings;
  settings.threads = std::max(1, QThread::idealThreadCount());
  job_.submit<Attribution>(
      tr("Pixels that matter"), settings,
      [question](RunContext& context) { return explainPixels(question, context); }, this,
      [this, question](Expected<Attribution> answer) {
        if (answer) {
          cache_.put(question, *answer);
        }
        if (!isOn() || !item_ || !(this->question() == question)) {
          return;
        }
        if (answer) {
          showAnswer(*answer);
        } else if (answer.error().code != ErrorCode::kCancelled) {
          showNote(errorText(answer.error()));
        }
      });
}

void WhyPanel::showAnswer(const Attribution& answer) {
  map_ = answer.map;
  QStringList lines = {whyDetails(question(), answer)};
  for (const std::string& note : answer.notes) {
    lines << noteText(note);
  }
  showNote(lines.join(QLatin1Char('\n')));
  drawMap();
}

void WhyPanel::showLegend(const WhyQuestion& question) {
  const QString name = className(*analysis_, question.target.class_number);
  const Theme& theme = currentTheme();
  for_mark_->setPixmap(swatch(signColors(theme).positive));
  against_mark_->setPixmap(swatch(signColors(theme).negative));
  const AttributionTarget& target = question.target;
  for_text_->setText(target.mutual_information ? tr("raises the mutual information")
                     : target.spread           ? tr("raises the spread of %1").arg(name)
                                               : tr("speaks for %1").arg(name));
  for_text_->setToolTip(for_text_->text());
  against_text_->setText(target.isOfAllDraws() ? tr("lowers it") : tr("against"));
}

void WhyPanel::showNote(const QString& text) {
  note_->setText(text);
  note_->setVisible(!text.isEmpty());
}

void WhyPanel::drawMap() {
  constexpr double kPerCent = 100.0;
  Q_EMIT overlayChanged(isOn(), signedMapImage(map_, currentTheme(), opacity_->value() / kPerCent));
}

}  // namespace dubito
