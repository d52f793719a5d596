// SPDX-License-Identifier: GPL-3.0-or-later
// Times what a person waits for in the window, on a study of a million items: printed as JSON.
//   dubito_window_benchmark [--items N] [--classes K] [--steps N] > FILE
//   resources/measurements.py take FILE --as window/runs --column COLUMN
// A step ends with the last paint event of the plots (or of the gallery) that it caused.
#include <QDir>
#include <QImage>
#include <QMouseEvent>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/shell/file_drop.h"
#include "app/shell/main_window.h"
#include "tests/benchmark/invented_run.h"
#include "tests/benchmark/paint_clock.h"
#include "tests/benchmark/step_log.h"
#include "tests/benchmark/window_program.h"
#include "widgets/card.h"
#include "widgets/histogram_plot.h"
#include "widgets/image_gallery.h"
#include "widgets/qcustomplot_wrapper.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// An even number: the theme is light again.
constexpr int kThemeSwitches = 8;

class WindowBenchmark {
 public:
  WindowBenchmark(PaintClock& application, std::int64_t items, std::int64_t classes, int steps)
      : application_(application), items_(items), classes_(classes), steps_(steps) {}

  nlohmann::json run() {
    log_.result()["items"] = items_;
    log_.result()["classes"] = classes_;
    log_.result()["window"] = "1280x800";
    MainWindow window(settings_);
    window_ = &window;
    window.resize(1280, 800);
    window.show();
    application_.settle(std::chrono::milliseconds(300));
    log_.note("empty window", {});
    load();
    brush();
    dragThreshold();
    walkThroughItems();
    showPages();
    switchThemes();
    scrollGallery();
    openFolder();
    return log_.result();
  }

 private:
  template <class T>
  T& part(const char* name) {
    T* const found = window_->findChild<T*>(QLatin1String(name));
    if (found == nullptr) {
      std::fprintf(stderr, "the window has no %s\n", name);
      std::exit(1);
    }
    return *found;
  }
  void watchPlots() {
    application_.watched = [](const QObject& object) {
      return qobject_cast<const QCustomPlot*>(&object) != nullptr;
    };
  }
  /// Milliseconds from `act` to the last paint that followed it.
  double timed(const std::function<void()>& act, std::chrono::milliseconds quiet) {
    const Clock::time_point begin = Clock::now();
    application_.last_paint = begin;
    act();
    application_.settle(quiet);
    return millisecondsBetween(begin, application_.last_paint);
  }
  void open(const std::string& path, const std::function<bool()>& done) {
    window_->fileDrop().open({QString::fromStdString(path)}, false);
    while (!done()) {
      application_.processEvents(QEventLoop::AllEvents, 5);
      QThread::usleep(200);
    }
  }
  void load() {
    const std::string path = folder_.filePath(QStringLiteral("run.npz")).toStdString();
    writeInventedRun(classes_, "synthetic:glyphs?n=" + std::to_string(items_), path);
    watchPlots();
    const Clock::time_point begin = Clock::now();
    const RunEvaluator& evaluator = window_->workbench().evaluator();
    const auto isShown = [this] { return window_->session().activeAnalysis() != nullptr; };
    const auto awaitPaint = [this] {
      const qint64 before = application_.paints;
      while (application_.paints == before) {
        application_.processEvents(QEventLoop::AllEvents, 5);
      }
    };
    open(path, [&] { return isShown() || evaluator.sample().analysis != nullptr; });
    awaitPaint();
    log_.note("open the run to the first plot",
              {millisecondsBetween(begin, application_.last_paint)});
    if (!isShown()) {
      while (!isShown()) {
        application_.processEvents(QEventLoop::AllEvents, 5);
      }
      awaitPaint();
    }
    log_.note("open the run to the first plot of all items",
              {millisecondsBetween(begin, application_.last_paint)});
    application_.settle(std::chrono::milliseconds(1500));
    log_.note("open the run to the last plot",
              {millisecondsBetween(begin, application_.last_paint)});
  }

  static void mouse(QWidget& widget, QEvent::Type type, const QPointF& at) {
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    const Qt::MouseButtons buttons =
        type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, widget.mapToGlobal(at), button, buttons, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
  }

  void brush() {
    auto& histogram = part<HistogramPlot>("confidenceHistogram");
    auto& plot = *histogram.findChild<QCustomPlot*>();
    histogram.setThreshold(std::nullopt);  // so that the press begins a range
    const QRect area = plot.axisRect()->rect();
    const double y = area.center().y();
    mouse(plot, QEvent::MouseButtonPress, {area.left() + 0.5, y});
    std::vector<double> steps;
    for (int i = 0; i < steps_; ++i) {
      const double x = area.left() + area.width() * (0.2 + 0.75 * (i * 37 % steps_) / steps_);
      steps.push_back(timed(
          [&] {
            mouse(plot, QEvent::MouseMove, {x, y});
          },
          std::chrono::milliseconds(150)));
    }
    log_.note("brush a histogram, mouse down: event to the last of six plots", steps);
    steps = {timed(
        [&] {
          mouse(plot, QEvent::MouseButtonRelease, {area.center().x() * 1.0, y});
        },
        std::chrono::milliseconds(1500))};
    log_.note("release of the mouse: event to the last plot", steps);
    window_->session().listing().clearSelection();
    application_.settle(std::chrono::milliseconds(1000));
  }

  void dragThreshold() {
    auto& histogram = part<HistogramPlot>("entropyHistogram");
    auto& plot = *histogram.findChild<QCustomPlot*>();
    const QRect area = plot.axisRect()->rect();
    const double y = area.center().y();
    mouse(plot, QEvent::MouseButtonPress,
          {plot.xAxis->coordToPixel(histogram.threshold().value_or(0.5)), y});
    std::vector<double> steps;
    for (int i = 0; i < steps_; ++i) {
      const double x = area.left() + area.width() * (0.1 + 0.8 * (i * 37 % steps_) / steps_);
      steps.push_back(timed(
          [&] {
            mouse(plot, QEvent::MouseMove, {x, y});
          },
          std::chrono::milliseconds(100)));
    }
    mouse(plot, QEvent::MouseButtonRelease, {area.center().x() * 1.0, y});
    log_.note("drag a threshold: event to the last of six plots", steps);
  }

  void walkThroughItems() {
    application_.watched = [](const QObject&) { return true; };
    application_.settle(std::chrono::milliseconds(500));
    std::vector<double> steps;
    for (int i = 0; i < steps_ / 4; ++i) {
      steps.push_back(
          timed([this] { window_->session().moveShownItem(1); }, std::chrono::milliseconds(150)));
    }
    log_.note("the next item: key to the last paint of window and inspector", steps);
  }

  void showPages() {
    const std::vector<std::pair<PageId, const char*>> pages{
        {PageId::kImages, "show the Images page, to its last paint"},
        {PageId::kCompare, "show the Compare page, to its last paint"},
        {PageId::kTune, "show the Tune page, to its last paint"},
        {PageId::kShift, "show the Shift page, to its last paint"},
        {PageId::kOverview, "back to the Overview, to its last paint"}};
    for (const auto& [page, name] : pages) {
      log_.note(name, {timed([this, shown = page] { window_->showPage(shown); },
                             std::chrono::milliseconds(1000))});
    }
  }

  void switchThemes() {
    std::vector<double> steps;
    for (int i = 0; i < kThemeSwitches; ++i) {
      steps.push_back(timed(
          [this, i] { applyTheme(application_, i % 2 == 0 ? Theme::darkTheme() : Theme::light()); },
          std::chrono::milliseconds(1000)));
    }
    log_.note("switch the theme on the Overview: to the last paint", steps);
  }

  void scrollGallery() {
    window_->showPage(PageId::kImages);
    ItemQuery query;
    query.group = GroupFilter::kAll;
    window_->session().listing().setQuery(query);
    auto& gallery = part<ImageGallery>("imagesGallery");
    while (gallery.count() != items_) {
      application_.processEvents(QEventLoop::AllEvents, 5);
    }
    application_.watched = [&gallery](const QObject& object) {
      return &object == gallery.viewport();
    };
    application_.settle(std::chrono::milliseconds(500));
    std::vector<double> steps;
    const int top = gallery.verticalScrollBar()->maximum();
    for (int i = 0; i < steps_; ++i) {
      const Clock::time_point begin = Clock::now();
      const qint64 before = application_.paints;
      gallery.verticalScrollBar()->setValue(
          static_cast<int>(static_cast<double>(top) * (i * 37 % steps_ + 1) / (steps_ + 1)));
      while (application_.paints == before) {
        application_.processEvents(QEventLoop::AllEvents, 5);
      }
      steps.push_back(millisecondsBetween(begin, application_.last_paint));
    }
    log_.note("scroll the gallery anywhere: event to its next paint", steps);
  }

  void waitForThumbnails(const ImageGallery& gallery) {
    while (gallery.count() == 0 || !window_->settled() ||
           !gallery.hasThumbnail(gallery.item(0).key)) {
      application_.processEvents(QEventLoop::AllEvents, 5);
      QThread::usleep(200);
    }
  }

  void openFolder() {
    constexpr std::int64_t kImages = 10000;
    QDir(folder_.path()).mkpath(QStringLiteral("images"));
    QImage image(28, 28, QImage::Format_Grayscale8);
    for (std::int64_t i = 0; i < kImages; ++i) {
      image.fill(static_cast<uint>(i % 256));
      image.save(folder_.filePath(QStringLiteral("images/%1.png").arg(i, 5, 10, QLatin1Char('0'))));
    }
    const std::string folder = "folder:" + folder_.filePath(QStringLiteral("images")).toStdString();
    const std::string path = folder_.filePath(QStringLiteral("folder.npz")).toStdString();
    writeInventedRun(classes_, folder, path);
    const Clock::time_point begin = Clock::now();
    open(path, [this] {
      const AnalysisPtr shown = window_->session().activeAnalysis();
      return shown != nullptr && shown->in().run->itemCount() == kImages;
    });
    const auto& gallery = part<ImageGallery>("imagesGallery");
    waitForThumbnails(gallery);
    log_.note("open a run on a folder of 10 000 images: to its thumbnails",
              {millisecondsBetween(begin, Clock::now())});

    window_->session().clear();
    application_.settle(std::chrono::milliseconds(300));
    const Clock::time_point begin_folder = Clock::now();
    open(folder, [this] { return window_->session().activeDataset() != nullptr; });
    waitForThumbnails(gallery);
    log_.note("open a folder of 10 000 images without a run: to its thumbnails",
              {millisecondsBetween(begin_folder, Clock::now())});
  }

  PaintClock& application_;
  std::int64_t items_;
  std::int64_t classes_;
  int steps_;
  QTemporaryDir folder_;
  QSettings settings_{folder_.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
  MainWindow* window_ = nullptr;
  StepLog log_{application_};
};

}  // namespace
}  // namespace dubito

int main(int argc, char** argv) {
  std::int64_t items = 1000000;
  std::int64_t classes = 10;
  std::int64_t steps = 200;
  const dubito::CountFlag flags[] = {
      {"--items", &items}, {"--classes", &classes}, {"--steps", &steps}};
  return dubito::runWindowBenchmark(argc, argv, flags, [&](dubito::PaintClock& application) {
    return dubito::WindowBenchmark(application, items, classes, static_cast<int>(steps)).run();
  });
}
