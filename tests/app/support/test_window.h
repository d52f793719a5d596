// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QTest>
#include <memory>

#include "app/shell/error_banner.h"
#include "app/shell/main_window.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"

namespace dubito::test {

/// What a test of the real window begins and ends with: a folder, settings in it, and a window of
/// 1280 x 800. QTest classes inherit from it in addition to QObject.
class TestWindow {
 protected:
  static constexpr int kPatience = 60000;
  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<MainWindow> window_;

  void openFolder() {
    dir_ = std::make_unique<TempDir>();
    settings_ = std::make_unique<QSettings>(QString::fromStdString(dir_->file("settings.ini")),
                                            QSettings::IniFormat);
    // A process for each file that a test opens would take most of its time; open_model_test and
    // hostile_drop_test have it.
    settings_->setValue(QStringLiteral("models/confine_unknown"), false);
  }
  /// A new window over the same settings; the one before is gone.
  void openWindow() {
    window_.reset();
    window_ = std::make_unique<MainWindow>(*settings_);
    window_->resize(1280, 800);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
  }
  void closeAll() {
    window_.reset();
    settings_.reset();
    dir_.reset();
  }

  template <class T>
  T& part(const char* name) {
    return partOf<T>(*window_, name);
  }
  Session& session() { return window_->session(); }
  /// What the banner says, but that the labels of made-up images do not fit: they do not.
  QStringList otherMessages() {
    QStringList left = part<ErrorBanner>("errorBanner").messages();
    left.removeIf([](const QString& message) {
      return message.contains("The labels or the preprocessing do not seem to fit");
    });
    return left;
  }
  void showSample() {
    session().addAnalysis(sampleAnalysis());
    QTRY_VERIFY(session().listing().items() != nullptr);
  }
};

}  // namespace dubito::test
