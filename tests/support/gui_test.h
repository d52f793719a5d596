// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QTest>
#include <cstdio>
#include <cstdlib>

#include "tests/support/temp_dir.h"

namespace dubito::test {

/// Any warning of Qt that a test does not announce with QTest::ignoreMessage fails the program:
/// most of them are wrong connections, layouts or models.
class WarningGuard {
 public:
  WarningGuard() { previous() = qInstallMessageHandler(&WarningGuard::handle); }
  ~WarningGuard() { qInstallMessageHandler(previous()); }
  WarningGuard(const WarningGuard&) = delete;
  WarningGuard& operator=(const WarningGuard&) = delete;
  [[nodiscard]] static int count() { return counter(); }

 private:
  static int& counter() {
    static int count = 0;
    return count;
  }
  static QtMessageHandler& previous() {
    static QtMessageHandler handler = nullptr;
    return handler;
  }
  static void handle(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    // The offscreen platform says this of every window that is activated or resized.
    if (text.startsWith("This plugin does not support")) {
      return;
    }
    if (type != QtDebugMsg && type != QtInfoMsg) {
      ++counter();
      std::fprintf(stderr, "unexpected message of Qt: %s\n", qPrintable(text));
    }
    if (previous() != nullptr) {
      previous()(type, context, text);
    }
  }
};

/// Runs one QTest object after another on the offscreen platform (unless the caller chose one).
template <class... Tests>
int runGuiTests(int argc, char** argv) {
  const TempDir runtime_dir;
  setenv("XDG_RUNTIME_DIR", runtime_dir.path().c_str(), 1);
  setenv("QT_QPA_PLATFORM", "offscreen", 0);
  QApplication application(argc, argv);
  int failures = 0;
  const auto run = [&](auto&& test) { failures += QTest::qExec(&test, argc, argv); };
  const WarningGuard guard;
  (run(Tests{}), ...);
  return failures + WarningGuard::count() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace dubito::test

/// main() of a GUI test program for the given QTest classes.
#define DUBITO_GUI_TEST_MAIN(...)                              \
  int main(int argc, char** argv) {                            \
    return dubito::test::runGuiTests<__VA_ARGS__>(argc, argv); \
  }
