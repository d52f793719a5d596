// SPDX-License-Identifier: GPL-3.0-or-later
// Times what a person waits for while labels are reviewed in the window: printed as JSON.
//   dubito_review_window_benchmark [--items N] [--photographs N] [--steps N] > FILE
//   resources/measurements.py take FILE --as window/review
// A step begins with the press of a key and ends when the next image is painted; the decision is
// then on the disk. With a pause before each key, as of a person who looks, the next image is
// already in memory; at ten keys a second and without a pause, it is not always.
#include <QDir>
#include <QFile>
#include <QImage>
#include <QKeyEvent>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "app/review/review_page.h"
#include "app/shell/file_drop.h"
#include "app/shell/main_window.h"
#include "app/shell/page_stack.h"
#include "tests/benchmark/invented_run.h"
#include "tests/benchmark/paint_clock.h"
#include "tests/benchmark/step_log.h"
#include "tests/benchmark/window_program.h"

namespace dubito {
namespace {

constexpr std::int64_t kClasses = 10;
/// Different photographs; the other names are links to them.
constexpr std::int64_t kDifferent = 100;
constexpr std::chrono::milliseconds kPause{700};
constexpr std::chrono::milliseconds kBetweenKeys{100};
constexpr std::int64_t kReads = 11;

class ReviewBenchmark {
 public:
  ReviewBenchmark(PaintClock& application, std::int64_t items, std::int64_t photographs, int steps)
      : application_(application), items_(items), photographs_(photographs), steps_(steps) {}

  nlohmann::json run() {
    log_.result()["items"] = items_;
    log_.result()["photographs"] = photographs_;
    settings_.setValue(QStringLiteral("review/folder"), folder_.filePath(QStringLiteral("labels")));
    MainWindow window(settings_);
    window_ = &window;
    window.resize(1280, 800);
    window.show();
    application_.settle(std::chrono::milliseconds(300));
    review("synthetic:glyphs?n=" + std::to_string(items_), "items");
    review(makePhotographs(), "photographs");
    return log_.result();
  }

 private:
  Reviewer& reviewer() { return window_->pages().review().reviewer(); }

  void processUntil(const std::function<bool()>& done) {
    while (!done()) {
      application_.processEvents(QEventLoop::AllEvents, 2);
    }
  }
  void processFor(std::chrono::milliseconds duration) {
    const Clock::time_point end = Clock::now() + duration;
    processUntil([end] { return Clock::now() >= end; });
  }

  /// Photographs of 12 megapixels with noise, which makes them as large as real ones.
  std::string makePhotographs() {
    const QString folder = folder_.filePath(QStringLiteral("photographs"));
    QDir().mkpath(folder);
    std::mt19937 random(1);
    const auto name = [&folder](std::int64_t i) {
      return folder + QStringLiteral("/%1.jpg").arg(i, 6, 10, QLatin1Char('0'));
    };
    QImage image(4000, 3000, QImage::Format_RGB32);
    for (std::int64_t i = 0; i < photographs_; ++i) {
      if (i >= kDifferent) {
        std::filesystem::create_hard_link(name(i % kDifferent).toStdString(),
                                          name(i).toStdString());
        continue;
      }
      for (int y = 0; y < image.height(); ++y) {
        auto* const line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
          const auto noise = static_cast<int>(random() % 32);
          line[x] = qRgb((x / 16 + noise) % 256, (y / 12 + noise) % 256,
                         (static_cast<int>(i) * 2 + noise) % 256);
        }
      }
      if (!image.save(name(i), "JPG", 90)) {
        std::fprintf(stderr, "%s cannot be written\n", qPrintable(name(i)));
        std::exit(1);
      }
    }
    return "folder:" + folder.toStdString();
  }

  void review(const std::string& dataset, const std::string& what) {
    window_->session().clear();
    const std::string path = folder_.filePath(QStringLiteral("run.npz")).toStdString();
    writeInventedRun(kClasses, dataset, path);
    window_->fileDrop().open({QString::fromStdString(path)}, false);
    processUntil([this] { return window_->session().activeAnalysis() != nullptr; });
    application_.settle(std::chrono::milliseconds(1500));
    window_->showPage(PageId::kReview);
    application_.settle(std::chrono::milliseconds(500));

    application_.longest_event_ms = 0.0;
    const auto note = [this, &what](const char* step, const std::vector<double>& times) {
      log_.note((what + ": " + step).c_str(), times);
    };
    note("start a review, to the first image", {timed([this] { reviewer().start(); })});
    for (const char* const queue : {"entropy", "label-errors", "random"}) {
      note((std::string("open the queue ") + queue + ", to its first image").c_str(),
           {timed([this, queue] { reviewer().reviewQueue().choose(queue); })});
    }
    std::vector<double> calm;
    for (int i = 0; i < steps_; ++i) {
      processFor(kPause);
      calm.push_back(decide());
    }
    note("Enter to the next image, a person who looks", calm);
    std::vector<double> steady;
    Clock::time_point next_key = Clock::now();
    for (int i = 0; i < steps_; ++i) {
      next_key += kBetweenKeys;
      processUntil([next_key] { return Clock::now() >= next_key; });
      steady.push_back(decide());
    }
    note("Enter to the next image, at ten keys a second", steady);
    std::vector<double> hasty;
    for (int i = 0; i < steps_; ++i) {
      hasty.push_back(decide());
    }
    note("Enter to the next image, without a pause", hasty);
    // What the times above are to be compared with: reading an item costs this much.
    const DatasetPtr items = reviewer().analysis()->in().dataset;
    std::vector<double> whole;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(kReads, items->size()); ++i) {
      const Clock::time_point begin = Clock::now();
      if (!items->read(i)) {
        std::fprintf(stderr, "item %lld cannot be read\n", static_cast<long long>(i));
        std::exit(1);
      }
      whole.push_back(millisecondsBetween(begin, Clock::now()));
    }
    note("read one item whole, on one thread", whole);
  }

  /// Milliseconds until the reviewer takes decisions about another state than before.
  double timed(const std::function<void()>& act) {
    const Clock::time_point begin = Clock::now();
    act();
    processUntil([this] { return reviewer().takesDecisions(); });
    return millisecondsBetween(begin, Clock::now());
  }
  double decide() {
    const std::size_t before = reviewer().file().labels().size();
    const double time = timed([this] {
      QKeyEvent press(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier);
      QCoreApplication::sendEvent(&window_->pages().review(), &press);
    });
    if (reviewer().file().labels().size() != before + 1) {
      std::fprintf(stderr, "a decision is missing\n");
      std::exit(1);
    }
    return time;
  }

  PaintClock& application_;
  std::int64_t items_;
  std::int64_t photographs_;
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
  std::int64_t photographs = 10000;
  std::int64_t steps = 100;
  const dubito::CountFlag flags[] = {
      {"--items", &items}, {"--photographs", &photographs}, {"--steps", &steps}};
  return dubito::runWindowBenchmark(argc, argv, flags, [&](dubito::PaintClock& application) {
    return dubito::ReviewBenchmark(application, items, photographs, static_cast<int>(steps)).run();
  });
}
