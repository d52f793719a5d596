// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QStringList>
#include <QTest>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace dubito::test {

/// The child of `root` with that object name; ends the program if there is none.
template <class T>
T& partOf(const QObject& root, const char* name) {
  T* const found = root.findChild<T*>(QLatin1String(name));
  if (found == nullptr) {
    qFatal("%s has no %s", qPrintable(root.objectName()), name);
  }
  return *found;
}

/// Delivers events, layouts and paints until none follows from another. What has not happened by
/// then needs a timer or another thread, or does not happen.
inline void deliverEvents() {
  QEventLoop loop;
  const QDeadlineTimer limit(5000);  // of events that cause each other without end
  while (loop.processEvents() && !limit.hasExpired()) {
  }
}

/// Lines of a QTest log with Qt warnings that no test announced with QTest::ignoreMessage, mostly
/// invalid connections, layouts or painters. The offscreen platform's warning about activating or
/// resizing windows is ignored.
inline int unexpectedWarnings(const std::string& log) {
  int count = 0;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    const bool warning = line.starts_with("QWARN") || line.starts_with("QCRITICAL");
    if (warning && line.find("This plugin does not support") == std::string::npos) {
      ++count;
    }
  }
  return count;
}

/// Runs QTest objects in turn on the offscreen platform (unless the environment sets another one).
/// An unexpected Qt warning is a failure.
template <class... Tests>
int runGuiTests(int argc, char** argv) {
  const TempDir runtime_dir;
  setenv("XDG_RUNTIME_DIR", runtime_dir.path().c_str(), 1);
  setenv("QT_QPA_PLATFORM", "offscreen", 0);
  QApplication application(argc, argv);
  int failures = 0;
  const auto run = [&](auto&& test) {
    const std::string log = runtime_dir.file("log.txt");
    QStringList arguments = QCoreApplication::arguments();
    arguments << "-o" << QString::fromStdString(log) + ",txt"
              << "-o"
              << "-,txt";
    failures += QTest::qExec(&test, arguments) + unexpectedWarnings(log);
  };
  (run(Tests{}), ...);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace dubito::test

/// main() of a GUI test program for the given QTest classes.
#define DUBITO_GUI_TEST_MAIN(...)                              \
  int main(int argc, char** argv) {                            \
    return dubito::test::runGuiTests<__VA_ARGS__>(argc, argv); \
  }
