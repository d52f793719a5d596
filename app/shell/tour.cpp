// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/tour.h"

#include <QSettings>
#include <array>

#include "app/shell/card_places.h"
#include "app/shell/main_window.h"
#include "widgets/theme.h"
#include "widgets/tour_overlay.h"

namespace dubito {
namespace {

constexpr const char* kSeen = "tour/seen";

struct Stop {
  PageId page;
  const char* target;  ///< object name
  const char* title;
  const char* text;
};

constexpr std::array<Stop, 6> kStops = {{
    {PageId::kOverview, "entropyHistogramCard",
     QT_TRANSLATE_NOOP("dubito::Tour", "How uncertain is the network, and when?"),
     QT_TRANSLATE_NOOP(
         "dubito::Tour",
         "%1 correct, %2 misclassified, %3 out of distribution (OOD): a kind of image it has never "
         "seen. A good network is uncertain (to the right) when it is wrong. Drag over a range: "
         "all panels and the images follow. Press Esc to clear.")},
    {PageId::kOverview, "reliabilityPlotCard",
     QT_TRANSLATE_NOOP("dubito::Tour", "Can you trust its confidence?"),
     QT_TRANSLATE_NOOP(
         "dubito::Tour",
         "Of the items predicted with 80 % confidence, 80 % should be correct, "
         "which puts the point on the diagonal. Below it the network is overconfident. Click a bin "
         "to see its images; the number in the title is the calibration error.")},
    {PageId::kImages, "imagesRows",
     QT_TRANSLATE_NOOP("dubito::Tour", "Which mistakes is it most confident about?"),
     QT_TRANSLATE_NOOP("dubito::Tour",
                       "Misclassified images, most confident first: mistakes that no confidence "
                       "threshold would catch. Click a cell of the confusion matrix to list the "
                       "images of one class predicted as another.")},
    {PageId::kImages, "itemInspector", QT_TRANSLATE_NOOP("dubito::Tour", "Why this one?"),
     QT_TRANSLATE_NOOP(
         "dubito::Tour",
         "The selected image, its measures (hover for formulas), and the predictions of the "
         "individual draws: scattered dots mean that the draws disagree, so the network lacks "
         "knowledge. Use the left and right arrow keys for other images.")},
    {PageId::kOverview, "pageTabs", QT_TRANSLATE_NOOP("dubito::Tour", "What to do next"),
     QT_TRANSLATE_NOOP(
         "dubito::Tour",
         "Review: label the images that matter most with one key each, or let the network label "
         "those that it is sure of, with a guarantee. Tune and Shift: calibrate it, and see what "
         "changed images do to it. Train: a new head in seconds, which can learn its own dropout. "
         "Study: networks and methods on shifted data. Labs: small problems on which every method "
         "can be watched at work.")},
    {PageId::kOverview, "computeButton", QT_TRANSLATE_NOOP("dubito::Tour", "Try your own network"),
     QT_TRANSLATE_NOOP(
         "dubito::Tour",
         "Drop a model and a folder of images anywhere on the window, then choose a "
         "method: MC dropout, Laplace, ensembles, temperature scaling. Compare shows the runs side "
         "by side. F1 explains every measure, Ctrl+K finds every command.")},
}};

}  // namespace

Tour::Tour(MainWindow& window, QSettings& settings)
    : QObject(&window), window_(window), settings_(settings) {
  setObjectName(QStringLiteral("tour"));
  connect(&window_.session(), &Session::activeAnalysisChanged, this, &Tour::startIfWanted);
  connect(&window_, &MainWindow::pageChanged, this, [this] {
    // Its text is about another page than the one that the user has chosen.
    if (stop_ >= 0 && window_.page() != kStops[static_cast<std::size_t>(stop_)].page) {
      end();
    }
    startIfWanted();
  });
  connect(&window_.workbench().evaluator(), &RunEvaluator::analysed, this, [this] {
    if (wanted_) {
      window_.workbench().jobs().setDoneText(
          tr("The results are ready: open Overview to see them"));
    }
  });
  connect(&window_.session().listing(), &ItemListing::itemsChanged, this, &Tour::showFirst);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &Tour::showText);
}

int Tour::stopCount() {
  return static_cast<int>(kStops.size());
}

void Tour::start() {
  if (window_.session().activeAnalysis()) {
    go(0);
    return;
  }
  wanted_ = true;
  window_.showPage(PageId::kOverview);
  if (!window_.workbench().jobs().busy()) {
    window_.workbench().opener().openDemo();
  }
}

void Tour::startIfWanted() {
  // Whoever works on another page meanwhile is not taken away from it.
  if (wanted_ && window_.session().activeAnalysis() && window_.page() == PageId::kOverview) {
    wanted_ = false;
    go(0);
  }
}

void Tour::startOnce() {
  if (!settings_.value(QLatin1String(kSeen), false).toBool()) {
    start();
  }
}

void Tour::end() {
  wanted_ = false;
  stop_ = -1;
  listMistakes(false);
  settings_.setValue(QLatin1String(kSeen), true);
  if (overlay_ != nullptr) {
    overlay_->hide();
    window_.setFocus();
  }
}

void Tour::showFirst() {
  Session& session = window_.session();
  if (stop_ >= 0 && kStops[static_cast<std::size_t>(stop_)].page == PageId::kImages &&
      session.listing().items() && !session.listing().items()->empty()) {
    session.listing().setPrimary(session.listing().items()->front());
  }
}

void Tour::go(int stop) {
  if (stop < 0 || stop >= stopCount()) {
    end();
    return;
  }
  if (overlay_ == nullptr) {
    overlay_ = new TourOverlay(&window_);
    connect(overlay_, &TourOverlay::nextRequested, this, [this] { go(stop_ + 1); });
    connect(overlay_, &TourOverlay::backRequested, this, [this] { go(stop_ - 1); });
    connect(overlay_, &TourOverlay::endRequested, this, &Tour::end);
  }
  stop_ = stop;
  const Stop& here = kStops[static_cast<std::size_t>(stop)];
  window_.setComputeOpen(false);
  window_.cardPlaces().endEnlarged();
  window_.showPage(here.page);
  listMistakes(here.page == PageId::kImages);
  showText();
}

void Tour::listMistakes(bool wanted) {
  Session& session = window_.session();
  if (wanted) {
    if (!before_) {
      before_ = session.listing().query();
    }
    ItemQuery query;
    query.group = GroupFilter::kMisclassified;
    query.sort = Measure::kConfidence;
    session.listing().setQuery(query);
    showFirst();
  } else if (before_) {
    session.listing().setQuery(*before_);
    before_.reset();
  }
}

void Tour::showText() {
  if (overlay_ == nullptr || stop_ < 0) {
    return;
  }
  const Stop& here = kStops[static_cast<std::size_t>(stop_)];
  // Coloured dots instead of colour names, which depend on the theme.
  const auto dot = [](ColorRole role) {
    return QStringLiteral("<span style=\"color:%1\">⬤</span>")
        .arg(currentTheme().color(role).name());
  };
  QString text = tr(here.text);
  if (text.contains(QLatin1String("%1"))) {
    text = text.arg(dot(ColorRole::kCorrect), dot(ColorRole::kMisclassified), dot(ColorRole::kOod));
  }
  overlay_->showStop(window_.findChild<QWidget*>(QLatin1String(here.target)), tr(here.title), text,
                     stop_ + 1, stopCount());
}

}  // namespace dubito
