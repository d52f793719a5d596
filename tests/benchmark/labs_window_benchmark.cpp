// SPDX-License-Identifier: GPL-3.0-or-later
// Times what a class waits for in front of the laboratories: printed as JSON.
//   dubito_labs_window_benchmark [--patience SECONDS]
#include <QListWidget>
#include <QSettings>
#include <QTemporaryDir>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "app/labs/lab_view.h"
#include "app/labs/labs_page.h"
#include "app/shell/main_window.h"
#include "app/shell/page_stack.h"
#include "core/labs/catalogue/laboratories.h"
#include "tests/benchmark/paint_clock.h"
#include "tests/benchmark/step_log.h"
#include "tests/benchmark/window_program.h"
#include "widgets/class_map_plot.h"
#include "widgets/qcustomplot_wrapper.h"

namespace dubito {
namespace {

class LabsBenchmark {
 public:
  LabsBenchmark(PaintClock& application, std::int64_t patience_seconds)
      : application_(application), patience_(patience_seconds) {}

  nlohmann::json run() {
    log_.result()["window"] = "1280x800";
    window_.resize(1280, 800);
    window_.show();
    window_.showPage(PageId::kLabs);
    fitEveryMethod();
    openEveryLaboratory();
    drawMapsWhileTraining();
    return log_.result();
  }

 private:
  LabsPage& page() { return window_.pages().labs(); }
  /// Handles events until `done` or the patience ends; returns milliseconds.
  double wait(const std::function<bool()>& done) {
    const Clock::time_point begin = Clock::now();
    do {
      application_.processEvents(QEventLoop::AllEvents, 5);
      QThread::usleep(200);
    } while (!done() && Clock::now() - begin < patience_);
    return millisecondsBetween(begin, Clock::now());
  }
  QListWidget& methods(const char* name) {
    auto* const list = page().shownLaboratory().findChild<QListWidget*>(QLatin1String(name));
    if (list == nullptr) {
      std::fprintf(stderr, "the laboratory has no %s\n", name);
      std::exit(1);
    }
    return *list;
  }

  /// Each method of the regression laboratory alone, on its first data.
  void fitEveryMethod() {
    page().showLaboratory(Laboratory::kRegressionMethods);
    QListWidget& list = methods("labMethods");
    for (int row = 0; row < list.count(); ++row) {
      list.item(row)->setCheckState(Qt::Unchecked);
    }
    wait([this] { return !page().busy(); });
    for (int row = 0; row < list.count(); ++row) {
      QListWidgetItem& method = *list.item(row);
      method.setCheckState(Qt::Checked);
      const std::string name = method.text().toStdString();
      log_.note(("regression, " + name + ": chosen to fitted").c_str(),
                {wait([this] { return !page().busy(); })});
      method.setCheckState(Qt::Unchecked);
    }
  }

  void openEveryLaboratory() {
    application_.watched = [](const QObject& object) {
      return qobject_cast<const QCustomPlot*>(&object) != nullptr;
    };
    for (const LaboratoryInfo& info : laboratories()) {
      if (info.id == Laboratory::kUci || info.id == Laboratory::kReferral ||
          info.id == Laboratory::kRegressionMethods) {
        continue;  // a table; needs a run; shown already
      }
      const qint64 before = application_.paints;
      const Clock::time_point begin = Clock::now();
      page().showLaboratory(info.id);
      wait([&] { return application_.paints > before; });
      log_.note((std::string(info.tab) + ": opened to its first picture").c_str(),
                {millisecondsBetween(begin, application_.last_paint)});
    }
  }

  /// How often maps are painted while all methods of the classification laboratory learn.
  void drawMapsWhileTraining() {
    page().showLaboratory(Laboratory::kClassificationMethods);
    QListWidget& list = methods("classMethods");
    for (int row = 0; row < list.count(); ++row) {
      list.item(row)->setCheckState(Qt::Checked);
    }
    application_.watched = [](const QObject& object) {
      return qobject_cast<const ClassMapPlot*>(object.parent()) != nullptr;
    };
    application_.longest_event_ms = 0.0;
    const qint64 before = application_.paints;
    const double milliseconds = wait([this] { return !page().busy(); });
    log_.result()["maps painted per second while all methods learn"] =
        1000.0 * static_cast<double>(application_.paints - before) / milliseconds;
    log_.result()["longest time without an answer meanwhile (ms)"] = application_.longest_event_ms;
    log_.note("classification: all methods learn", {milliseconds});
  }

  PaintClock& application_;
  std::chrono::seconds patience_;
  QTemporaryDir folder_;
  QSettings settings_{folder_.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
  MainWindow window_{settings_};
  StepLog log_{application_};
};

}  // namespace
}  // namespace dubito

int main(int argc, char** argv) {
  std::int64_t patience = 60;
  const dubito::CountFlag flags[] = {{"--patience", &patience}};
  return dubito::runWindowBenchmark(argc, argv, flags, [&](dubito::PaintClock& application) {
    return dubito::LabsBenchmark(application, patience).run();
  });
}
