// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/open_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <variant>

#include "core/data/pixels/image_file.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

TEST(OpenFileTest, ATableOfImagesIsADatasetAndOneOfProbabilitiesARun) {
  RunContext context;
  const test::TempDir dir;
  const std::string table = (dir.path() / "table.csv").string();
  std::ofstream(dir.path() / "a.png") << "not looked at before it is shown";
  std::ofstream(table) << "path,label,site\na.png,cat,north\n";
  const auto manifest = openFile({table, FileKind::kUnknown, false, {}}, {}, context);
  if (const Status photographs = canReadPhotographs(); photographs) {
    ASSERT_OK(manifest);
    ASSERT_TRUE(std::holds_alternative<DatasetPtr>(*manifest));
    EXPECT_EQ(std::get<DatasetPtr>(*manifest)->attributes()[0].name, "site");
  } else {
    EXPECT_THAT(manifest.error().message, HasSubstr("photographs"));
  }
  std::ofstream(table) << "path,label,prob_0,prob_1\na.png,0,0.25,0.75\n";
  const auto run = openFile({table, FileKind::kUnknown, false, {}}, {}, context);
  ASSERT_OK(run);
  EXPECT_TRUE(std::holds_alternative<OpenedRun>(*run));
}

TEST(OpenFileTest, ADatasetOpenedAsOodHasThatRoleAndNoKnownLabels) {
  RunContext context;
  for (const bool ood : {false, true}) {
    const auto opened = openFile({"synthetic:blobs?n=5", FileKind::kDataset, ood, {}}, {}, context);
    ASSERT_OK(opened);
    const DatasetPtr& dataset = std::get<DatasetPtr>(*opened);
    EXPECT_EQ(dataset->info().role, ood ? Role::kOod : Role::kTest);
    EXPECT_EQ(dataset->labels()[1], ood ? -1 : 1);
  }
}

TEST(OpenFileTest, ErrorsNameTheFile) {
  RunContext context;
  const test::TempDir dir;
  const std::string text_file = (dir.path() / "letter.txt").string();
  std::ofstream(text_file) << "hello";
  const std::string broken_model = (dir.path() / "net.pt").string();
  std::ofstream(broken_model) << "this is no archive";
  for (const std::string& path : {text_file, broken_model, (dir.path() / "missing.npz").string()}) {
    const Expected<Opened> opened = openFile({path, FileKind::kUnknown, false, {}}, {}, context);
    ASSERT_FALSE(opened) << path;
    EXPECT_THAT(opened.error().message, HasSubstr(path));
    EXPECT_NE(opened.error().message.find(';'), std::string::npos) << opened.error().message;
  }
}

}  // namespace
}  // namespace dubito
