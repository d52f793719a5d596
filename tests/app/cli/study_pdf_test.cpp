// SPDX-License-Identifier: GPL-3.0-or-later
// The program of the window as a child process, played by shell scripts.
#include "app/cli/networks/study_pdf.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class StudyPdf : public testing::Test {
 protected:
  /// A program that does `commands` of a shell.
  [[nodiscard]] std::string program(const std::string& commands) const {
    const std::string path = folder_.file("dubito");
    test::writeBytes(path, "#!/bin/sh\n" + commands + "\n");
    chmod(path.c_str(), 0755);
    return path;
  }
  [[nodiscard]] std::string study() const { return folder_.path().string(); }
  [[nodiscard]] std::string failureOf(const std::string& program,
                                      milliseconds limit = seconds(60)) const {
    const Status made = makeStudyPdf(program, study(), limit, RunContext());
    EXPECT_FALSE(made);
    return made ? "" : made.error().message;
  }

  test::TempDir folder_;
};

TEST_F(StudyPdf, AsksForTheReportOfTheFolder) {
  ASSERT_OK(makeStudyPdf(program("echo \"$1 $2 $#\" > \"$2/report.pdf\"; echo done >&2"), study(),
                         seconds(60), RunContext()));
  EXPECT_EQ(test::readBytes(study() + "/report.pdf"), "--study-report " + study() + " 2\n");
}

TEST_F(StudyPdf, TheChildHasNoScreenAndNoLauncher) {
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  setenv("PMIX_RANK", "0", 1);
  setenv("QT_QPA_PLATFORM", "xcb", 1);
  setenv("DUBITO_TEST_KEPT", "yes", 1);
  const Status made = makeStudyPdf(program("env > \"$2/env\""), study(), seconds(60), RunContext());
  for (const char* const name :
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "QT_QPA_PLATFORM", "DUBITO_TEST_KEPT"}) {
    unsetenv(name);
  }
  ASSERT_OK(made);
  const std::string variables = test::readBytes(study() + "/env");
  EXPECT_THAT(variables, Not(HasSubstr("OMPI_")));
  EXPECT_THAT(variables, Not(HasSubstr("PMIX_")));
  EXPECT_THAT(variables, Not(HasSubstr("xcb")));
  EXPECT_THAT(variables, HasSubstr("QT_QPA_PLATFORM=offscreen"));
  EXPECT_THAT(variables, HasSubstr("DUBITO_TEST_KEPT=yes"));
}

TEST_F(StudyPdf, TheChildHasNoOtherOpenFiles) {
  const int file = open(folder_.path().c_str(), O_RDONLY);  // without O_CLOEXEC
  ASSERT_OK(
      makeStudyPdf(program("ls /proc/$$/fd > \"$2/files\""), study(), seconds(60), RunContext()));
  close(file);
  const std::string files = test::readBytes(study() + "/files");
  EXPECT_THAT(files, Not(HasSubstr("\n" + std::to_string(file) + "\n")));
}

TEST_F(StudyPdf, WithoutTheProgramTheReasonIsOneLine) {
  EXPECT_EQ(failureOf(study() + "/none"),
            study() + "/report.pdf: not written (" + study() +
                "/none, which makes it, is not installed); write it later with dubito "
                "--study-report");
}

TEST_F(StudyPdf, AFailureIsTheLastLineOfTheProgram) {
  EXPECT_THAT(failureOf(program("echo first; echo the reason >&2; exit 1")),
              HasSubstr("not written (the reason);"));
  EXPECT_THAT(failureOf(program("exit 3")), HasSubstr("dubito failed without a message"));
  EXPECT_THAT(failureOf(program("kill -9 $$")), HasSubstr("dubito failed without a message"));
  const std::string path = program("");
  chmod(path.c_str(), 0644);
  EXPECT_THAT(failureOf(path), HasSubstr("cannot be started: Permission denied"));
}

TEST_F(StudyPdf, OutputOfAnyLengthIsRead) {
  ASSERT_OK(makeStudyPdf(program("yes | head -c 300000"), study(), seconds(60), RunContext()));
}

TEST_F(StudyPdf, ASlowProgramIsEnded) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(failureOf(program("exec sleep 60"), milliseconds(300)),
              HasSubstr("took longer than 1 s"));
  // Also if it has closed its output.
  EXPECT_THAT(failureOf(program("exec sleep 60 > /dev/null 2>&1"), milliseconds(300)),
              HasSubstr("took longer than 1 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(30));
}

TEST_F(StudyPdf, CanBeCancelled) {
  const auto control = std::make_shared<RunControl>();
  control->requestCancel();
  const Status made =
      makeStudyPdf(program("exec sleep 60"), study(), seconds(60), RunContext(control));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito::cli
