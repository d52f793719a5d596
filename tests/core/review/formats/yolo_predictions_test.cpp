// SPDX-License-Identifier: GPL-3.0-or-later
// Text files of YOLO next to class folders and alone.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;

class YoloPredictions : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((dir_.path() / "in" / path).parent_path());
    test::writeBytes(dir_.path() / "in" / path, text);
  }
  [[nodiscard]] LabelImport read() const { return test::readLabels("folders", dir_.file("in")); }

  test::TempDir dir_;
};

TEST_F(YoloPredictions, AreReadAsUltralyticsWritesThem) {
  write("a.jpg", "");
  write("labels/a.txt", "0.90 tabby cat\n0.06 dog\n0.04 fox\n");
  write("labels/b.txt", "0.55 dog\r\n0.30 fox\r\n");
  write("labels/c.txt", "");
  write("labels/d.txt", "what is this\n");
  const LabelImport read = this->read();
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("labels/a tabby cat", "labels/b dog"));
  EXPECT_EQ(read.table.rows[0].probability, 0.9F);
  EXPECT_THAT(read.table.rows[0].probs, ElementsAre(0.9F, 0.06F, 0.04F));
  EXPECT_THAT(read.table.rows[1].probs, testing::IsEmpty()) << "not all classes";
  EXPECT_EQ(read.table.rows[1].origin, LabelOrigin::kModel);
  EXPECT_THAT(test::texts(read.notes),
              Contains("text files that are no predictions, left out: 1 ('labels/d.txt')"));
  RunContext context;
  EXPECT_STREQ(recogniseLabels(dir_.file("in"), {}, context).value().format->key, "folders");
}

TEST_F(YoloPredictions, OfNumbersHaveTheNamesOfTheFolder) {
  write("1.txt", "1 0.75\n0 0.25\n");
  EXPECT_THAT(test::pathsAndClasses(read().table), ElementsAre("1 1"));
  write("data.yaml", "path: x\nnc: 2\nnames:\n  0: cat\n  1: 'dog'\nother: 3\n");
  EXPECT_THAT(test::pathsAndClasses(read().table), ElementsAre("1 dog"));
  write("data.yaml", "names: ['cat', \"fox\"]\n");
  EXPECT_THAT(test::pathsAndClasses(read().table), ElementsAre("1 fox"));
  write("classes.txt", "cat\nbird\n");
  EXPECT_THAT(test::pathsAndClasses(read().table), ElementsAre("1 bird"));
}

TEST_F(YoloPredictions, GiveTheImagesOfClassFoldersTheirScores) {
  write("train/cat/1.jpg", "");
  write("val/dog/2.jpg", "");
  write("val/dog/3.jpg", "");
  write("labels/1.txt", "0 0.25\n1 0.75\n");  // another class than the folder
  write("labels/2.txt", "1 0.80\n");
  write("labels/3.txt", "0 0.60\n");
  write("labels/9.txt", "0 1.0\n");
  const LabelImport read = this->read();
  EXPECT_THAT(test::pathsAndClasses(read.table),
              ElementsAre("train/cat/1.jpg cat", "val/dog/2.jpg dog", "val/dog/3.jpg dog"));
  EXPECT_THAT(read.table.rows[0].probs, ElementsAre(0.25F, 0.75F));
  EXPECT_EQ(read.table.rows[1].probability, 0.8F);
  EXPECT_EQ(read.table.rows[2].probability, std::nullopt);
  EXPECT_THAT(test::texts(read.notes), Contains(HasSubstr("left out: 2 ('labels/3', 'labels/9')")));
}

TEST_F(YoloPredictions, OfDetectionsAreShapesAndNoLabels) {
  write("train/images/1.jpg", "");
  write("train/labels/1.txt", "0 0.5 0.5 0.2 0.2\n1 0.5 0.5 0.2 0.2 0.93\n");
  write("data.yaml", "names: [cat, dog]\n");
  const std::string message = test::readError("folders", dir_.file("in"));
  EXPECT_THAT(message, HasSubstr("contains no label"));
  EXPECT_THAT(message, HasSubstr("only whole images are reviewed"));
  EXPECT_THAT(message, HasSubstr(": 2"));
}

TEST_F(YoloPredictions, ReadNothingOutsideOfTheFolder) {
  test::writeBytes(dir_.file("secret.txt"), "secret\nclasses\n");
  write("1.txt", "0 0.9\n");
  fs::create_symlink(dir_.path() / "secret.txt", dir_.path() / "in/classes.txt");
  EXPECT_THAT(test::pathsAndClasses(read().table), ElementsAre("1 0"));
}

TEST_F(YoloPredictions, AreNotTakenForOtherTextFiles) {
  write("cat/1.jpg", "");
  write("cat/Thumbs.db", "");
  write("README.txt", "Hello");
  const LabelImport read = this->read();
  EXPECT_THAT(test::pathsAndClasses(read.table), ElementsAre("1.jpg cat"));
  EXPECT_THAT(test::texts(read.notes),
              ElementsAre("files that are no images, left out: 2 ('README.txt', 'cat/Thumbs.db')"));
}

}  // namespace
}  // namespace dubito
