// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "app/cli/command.h"
#include "tests/core/data/ramp_kind.h"
#include "tests/support/matchers.h"

namespace dubito::cli {
namespace {

TEST(DatasetHelp, CommandsNameAllKinds) {
  test::addRampKind();
  for (Command (*const declare)(CLI::App&) : {predictCommand, laplaceCommand, trainCommand}) {
    CLI::App app;
    static_cast<void>(declare(app));
    const std::string help = app.help();
    for (const char* const form :
         {"idx:IMAGES[,LABELS]", "cifar10:FILE[,FILE...]", "folder:DIR", "npz:FILE", "csv:FILE",
          "labels:STORE", "annotations:LABELS[,IMAGES]", "synthetic:NAME", "ramp:FILE"}) {
      EXPECT_THAT(help, HasSubstr(form)) << form << "\n" << help;
    }
  }
}

}  // namespace
}  // namespace dubito::cli
