// SPDX-License-Identifier: GPL-3.0-or-later
// The window program as users start it: a process with arguments.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QRegularExpression>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "tests/core/study/sample_study.h"
#include "tests/support/matchers.h"
#include "tests/support/run_tests.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

struct Outcome {
  int status = -1;
  QString output;
  QString errors;
};

QProcessEnvironment environmentWithout(const test::TempDir& home) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.remove("DISPLAY");
  environment.remove("WAYLAND_DISPLAY");
  environment.remove("QT_QPA_PLATFORM");
  environment.insert("XDG_CONFIG_HOME", QString::fromStdString(home.path().string()));
  environment.insert("XDG_RUNTIME_DIR", QString::fromStdString(home.path().string()));
  return environment;
}

Outcome run(const QStringList& arguments) {
  const test::TempDir home;
  const test::TempDir temporary;
  QProcess process;
  QProcessEnvironment environment = environmentWithout(home);
  environment.insert("TMPDIR", QString::fromStdString(temporary.path().string()));
  process.setProcessEnvironment(environment);
  process.start(DUBITO_PROGRAM, arguments);
  Outcome outcome;
  if (process.waitForFinished(240000) && process.exitStatus() == QProcess::NormalExit) {
    outcome.status = process.exitCode();
  }
  process.kill();
  process.waitForFinished();
  outcome.output = QString::fromUtf8(process.readAllStandardOutput());
  outcome.errors = QString::fromUtf8(process.readAllStandardError());
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
  return outcome;
}

QString sample(const char* name, const char* range) {
  const std::string base = (test::sourceDir() / "datasets/samples" / name).string();
  return QString::fromStdString("idx:" + base + "-images-idx3-ubyte.gz," + base +
                                "-labels-idx1-ubyte.gz?items=" + range);
}

TEST(ProgramTest, HelpAndVersionAnswerWithoutAWindow) {
  const Outcome help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_TRUE(help.output.contains("--report"));
  const Outcome version = run({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.output.startsWith("dubito "));
}

TEST(ProgramTest, AMistakeInTheArgumentsIsStatusTwo) {
  EXPECT_EQ(run({"--no-such-option"}).status, 2);
  EXPECT_EQ(run({"--theme", "pink"}).status, 2);
}

TEST(ProgramTest, AReportOfFilesIsComputedWithoutADisplay) {
  const test::TempDir dir;
  const Outcome report =
      run({"--report", QString::fromStdString(dir.file("out")),
           QString::fromStdString((test::sourceDir() / "tests/data/models/scripted.pt").string()),
           sample("mnist-2000", "0:40"), "--ood", sample("kmnist-1000", "0:30")});
  EXPECT_EQ(report.status, 0) << report.errors.toStdString();
  for (const char* const file : {"overview.png", "images.png", "report.html", "report.pdf",
                                 "metrics.csv", "evaluation.json"}) {
    EXPECT_GT(std::filesystem::file_size(dir.path() / "out" / file), 100U) << file;
    EXPECT_TRUE(report.errors.contains(file)) << file;
  }
}

TEST(ProgramTest, TwoWindowsOnOneFolderAndOneConfigurationDoNotDisturbEachOther) {
  const test::TempDir home;
  const test::TempDir dir;
  const QString folder = QString::fromStdString(dir.path().string());
  const QString model =
      QString::fromStdString((test::sourceDir() / "tests/data/models/scripted.pt").string());
  // Both read the same files, write into the same folder, and keep the same settings.
  std::array<QProcess, 2> windows;
  for (QProcess& window : windows) {
    window.setProcessEnvironment(environmentWithout(home));
    window.start(DUBITO_PROGRAM, {"--report", folder + "/out", model, sample("mnist-2000", "0:200"),
                                  "--ood", sample("kmnist-1000", "0:100")});
  }
  for (QProcess& window : windows) {
    ASSERT_TRUE(window.waitForFinished(240000));
    EXPECT_EQ(window.exitStatus(), QProcess::NormalExit);
    EXPECT_EQ(window.exitCode(), 0) << window.readAllStandardError().toStdString();
  }
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path() / "out")) {
    names.insert(entry.path().filename().string());
    EXPECT_GT(entry.file_size(), 100U) << entry.path();
  }
  for (const char* const file : {"overview.png", "report.html", "metrics.csv", "evaluation.json"}) {
    EXPECT_EQ(names.count(file), 1U) << file;
  }
  // What is half-written has another name: nothing of it is left.
  for (const std::string& name : names) {
    EXPECT_THAT(name, Not(HasSubstr(".tmp")));
  }
}

TEST(ProgramTest, AReportOfAMissingFileFailsAndNamesIt) {
  const test::TempDir dir;
  const Outcome report = run({"--report", QString::fromStdString(dir.file("out")),
                              QString::fromStdString(dir.file("gone.npz"))});
  EXPECT_EQ(report.status, 1);
  EXPECT_TRUE(report.errors.contains("gone.npz"));
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "out"));
}

TEST(ProgramTest, AReportOfImagesWithoutAModelSaysWhatIsMissing) {
  const test::TempDir dir;
  const Outcome report =
      run({"--report", QString::fromStdString(dir.file("out")), "synthetic:glyphs?n=10"});
  EXPECT_EQ(report.status, 1);
  EXPECT_TRUE(report.errors.contains("nothing to show")) << report.errors.toStdString();
  EXPECT_TRUE(report.errors.contains("a model and a dataset"));
}

TEST(ProgramTest, AReportOfABrokenWorkspaceSaysWhatIsWrongWithIt) {
  const test::TempDir dir;
  const std::string workspace = dir.file("broken.dubito");
  std::ofstream(workspace) << "{]";
  const Outcome report =
      run({"--report", QString::fromStdString(dir.file("out")), QString::fromStdString(workspace)});
  EXPECT_EQ(report.status, 1);
  EXPECT_TRUE(report.errors.contains("broken.dubito")) << report.errors.toStdString();
  EXPECT_FALSE(report.errors.contains("nothing to show"));
}

TEST(ProgramTest, TheReportOfAStudyIsMadeWithoutADisplay) {
  const test::TempDir dir;
  test::writeSampleStudy(dir.file("study"));
  const Outcome report = run({"--study-report", QString::fromStdString(dir.file("study"))});
  EXPECT_EQ(report.status, 0) << report.errors.toStdString();
  EXPECT_EQ(report.errors.toStdString(), dir.file("study/report.pdf") + "\n");
  EXPECT_TRUE(test::readBytes(dir.file("study/report.pdf")).starts_with("%PDF"));
}

TEST(ProgramTest, AFolderWithoutAStudyIsOneClearError) {
  const test::TempDir dir;
  const Outcome report = run({"--study-report", QString::fromStdString(dir.file("none"))});
  EXPECT_EQ(report.status, 1);
  EXPECT_EQ(
      report.errors.toStdString(),
      dir.file("none") + ": is not a study folder (it has no table.json); run dubito-cli study\n");
  EXPECT_FALSE(std::filesystem::exists(dir.file("none")));
}

TEST(ProgramTest, TheFirstPaintIsReported) {
  const test::TempDir home;
  QProcess process;
  process.setProcessEnvironment(environmentWithout(home));
  process.start(DUBITO_PROGRAM, {"--print-startup-time"});
  QString errors;
  QElapsedTimer patience;
  patience.start();
  const QRegularExpression line("first paint ([0-9.]+) s");
  QRegularExpressionMatch match;
  while (!match.hasMatch() && patience.elapsed() < 60000) {
    process.waitForReadyRead(1000);
    errors += QString::fromUtf8(process.readAllStandardError());
    match = line.match(errors);
  }
  process.kill();
  process.waitForFinished();
  ASSERT_TRUE(match.hasMatch()) << errors.toStdString();
  // A machine that builds and tests at once may be slow; the figure itself is in the log.
  std::printf("%s\n", qPrintable(match.captured(0)));
  EXPECT_GT(match.captured(1).toDouble(), 0.0);
}

}  // namespace
}  // namespace dubito

int main(int argc, char** argv) {
  QCoreApplication application(argc, argv);
  return dubito::test::runTests(argc, argv);
}
