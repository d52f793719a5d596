// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QSettings>
#include <QStringList>
#include <cstdio>
#include <cstdlib>

#include "app/arguments.h"
#include "app/batch/batch.h"
#include "app/batch/screenshots.h"
#include "app/shell/file_drop.h"
#include "app/shell/main_window.h"
#include "app/shell/review_alone.h"
#include "app/shell/theme_choice.h"
#include "app/shell/tour.h"
#include "core/base/hidden_passwords.h"
#include "core/base/process_time.h"

namespace {

QStringList toList(const std::vector<std::string>& texts) {
  QStringList list;
  for (const std::string& text : texts) {
    list << QString::fromStdString(text);
  }
  return list;
}

bool isSet(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

int main(int argc, char** argv) {
  const dubito::ParsedArguments parsed = dubito::parseArguments(argc, argv);
  if (parsed.exit_status) {
    return *parsed.exit_status;
  }
  dubito::hidePasswords(argc, argv);
  const dubito::Arguments& arguments = parsed.arguments;
  const bool batch = arguments.report_dir || arguments.study_dir || arguments.screenshots_dir ||
                     arguments.figures_dir;
  if (batch || (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY"))) {
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
  }
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("dubito"));
  QApplication::setApplicationDisplayName(QStringLiteral("Dubito"));
  QApplication::setApplicationVersion(QStringLiteral(DUBITO_VERSION));
  QApplication::setOrganizationName(QStringLiteral("dubito"));

  QSettings settings;
  const QString theme = QString::fromStdString(arguments.theme);
  const auto choice =
      theme.isEmpty() ? (batch ? dubito::ThemeChoice::kLight : dubito::savedThemeChoice(settings))
                      : dubito::parseThemeChoice(theme);
  dubito::applyThemeChoice(application, choice);

  const dubito::BatchInput input{toList(arguments.files), toList(arguments.ood_files)};
  if (arguments.report_dir) {
    return dubito::runReport(input, QString::fromStdString(*arguments.report_dir));
  }
  if (arguments.study_dir) {
    return dubito::runStudyReport(QString::fromStdString(*arguments.study_dir));
  }
  if (arguments.screenshots_dir) {
    const QSize size(arguments.window_size[0], arguments.window_size[1]);
    return dubito::runScreenshots(input, QString::fromStdString(*arguments.screenshots_dir), size);
  }
  if (arguments.figures_dir) {
    return dubito::runFigures(QString::fromStdString(*arguments.figures_dir),
                              QSize(arguments.window_size[0], arguments.window_size[1]));
  }
  using Rest = dubito::MainWindow::Rest;
  dubito::MainWindow window(settings, arguments.review ? Rest::kAtOnce : Rest::kAfterFirstPaint);
  if (arguments.review) {
    window.reviewAlone().show(true);
  }
  if (arguments.print_startup_time) {
    QObject::connect(&window, &dubito::MainWindow::firstPainted, &window, [] {
      std::fprintf(stderr, "first paint %.3f s\n", dubito::secondsSinceStart());
    });
  }
  // Open files after the window is visible.
  QObject::connect(&window, &dubito::MainWindow::ready, &window, [&window, &input] {
    if (input.files.isEmpty() && input.ood_files.isEmpty()) {
      if (window.reviewAlone().isOn()) {
        return;  // its start page lists what can be continued
      }
      window.workbench().opener().openDemo();
      window.tour().startOnce();
    } else {
      window.fileDrop().open(input.files, false);
      window.fileDrop().open(input.ood_files, true);
    }
  });
  window.show();
  return QApplication::exec();
}
