// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/tour.h"

#include <QSettings>
#include <array>

#include "app/window/card_places.h"
#include "app/window/main_window.h"
#include "widgets/tour_overlay.h"

namespace dubito {
namespace {

constexpr const char* kSeen = "tour/seen";

struct Stop {
  MainWindow::Page page;
  const char* target;  ///< object name
  const char* title;
  const char* text;
};

constexpr std::array<Stop, 5> kStops = {{
    {MainWindow::Page::kOverview, "entropyHistogramCard",
     QT_TRANSLATE_NOOP("dubito::Tour", "How unsure is the network, and of what?"),
     QT_TRANSLATE_NOOP("dubito::Tour",
                       "Blue items are right, vermilion ones wrong, purple ones are of a kind that "
                       "it never saw. A good network is unsure (to the right) where it is wrong. "
                       "Drag over a range: every panel and the images follow. Esc shows all "
                       "again.")},
    {MainWindow::Page::kOverview, "reliabilityPlotCard",
     QT_TRANSLATE_NOOP("dubito::Tour", "Can its confidence be believed?"),
     QT_TRANSLATE_NOOP("dubito::Tour",
                       "Of the items that it is 80 % sure of, 80 % should be right: points on the "
                       "diagonal. Below it the network is overconfident. Click a bin to see its "
                       "images; the small figure is the calibration error.")},
    {MainWindow::Page::kImages, "imagesCard",
     QT_TRANSLATE_NOOP("dubito::Tour", "Which images is it most wrongly sure of?"),
     QT_TRANSLATE_NOOP("dubito::Tour",
                       "Show: misclassified, sorted by confidence, largest first. The first "
                       "twenty are the mistakes that no threshold on the confidence would catch. "
                       "The confusion matrix beside it filters by what is taken for what.")},
    {MainWindow::Page::kImages, "itemInspector", QT_TRANSLATE_NOOP("dubito::Tour", "Why this one?"),
     QT_TRANSLATE_NOOP("dubito::Tour",
                       "The chosen image, every measure of it (hover for the formula), and what "
                       "the single draws said: scattered dots mean that the draws disagree, that "
                       "is, the network lacks knowledge. Left and right keys walk on.")},
    {MainWindow::Page::kOverview, "computeButton",
     QT_TRANSLATE_NOOP("dubito::Tour", "Now with your own network"),
     QT_TRANSLATE_NOOP("dubito::Tour",
                       "Drop a TorchScript file and a folder of images anywhere on the window, "
                       "then compute with another method: MC dropout, Laplace, ensembles, "
                       "temperature. Compare puts the runs side by side. F1 lists the keys, "
                       "Ctrl+K finds every command.")},
}};

}  // namespace

Tour::Tour(MainWindow& window, QSettings& settings)
    : QObject(&window), window_(window), settings_(settings) {
  setObjectName(QStringLiteral("tour"));
  connect(&window_.session(), &Session::activeAnalysisChanged, this, [this] {
    if (wanted_ && window_.session().activeAnalysis()) {
      wanted_ = false;
      go(0);
    }
  });
  connect(&window_.session(), &Session::itemsChanged, this, &Tour::showFirst);
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
  if (!window_.workbench().busy()) {
    window_.workbench().openDemo();
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
  settings_.setValue(QLatin1String(kSeen), true);
  if (overlay_ != nullptr) {
    overlay_->hide();
    window_.setFocus();
  }
}

void Tour::showFirst() {
  Session& session = window_.session();
  if (stop_ >= 0 && kStops[static_cast<std::size_t>(stop_)].page == MainWindow::Page::kImages &&
      session.items() && !session.items()->empty()) {
    session.setPrimary(session.items()->front());
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
  Session& session = window_.session();
  if (here.page == MainWindow::Page::kImages) {
    ItemQuery query;
    query.group = GroupFilter::kMisclassified;
    query.sort = Measure::kConfidence;
    session.setQuery(query);
    showFirst();
  }
  overlay_->showStop(window_.findChild<QWidget*>(QLatin1String(here.target)), tr(here.title),
                     tr(here.text), stop + 1, stopCount());
}

}  // namespace dubito
