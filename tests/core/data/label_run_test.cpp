// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of other programs: their images, classes and scores, in every format.
#include "core/data/sources/label_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/data/sources/annotations_dataset.h"
#include "core/data/sources/file_fingerprint.h"
#include "core/data/sources/moved_items.h"
#include "core/data/sources/relocate_run.h"
#include "core/io/run_file.h"
#include "core/io/run_needs.h"
#include "core/review/formats/label_format.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class LabelRuns : public testing::Test {
 protected:
  /// Writes a file below the folder of the test; images are those with a usual ending.
  void write(const std::string& path, const std::string& bytes = "image") {
    const std::filesystem::path file = dir_.path() / path;
    std::filesystem::create_directories(file.parent_path());
    test::writeBytes(file, bytes);
  }

  Expected<AnnotatedImages> read(const std::string& labels, const std::string& images = {},
                                 const std::string& format = {}) {
    RunContext context;
    return readAnnotatedImages({.labels = dir_.file(labels),
                                .images = images.empty() ? std::string() : dir_.file(images),
                                .format = format},
                               context);
  }

  dubito::Run runOf(const std::string& labels, const std::string& images = {}) {
    RunContext context;
    auto result = readLabelRun(
        {.labels = dir_.file(labels), .images = images.empty() ? std::string() : dir_.file(images)},
        context);
    EXPECT_OK(result);
    return result ? *std::move(result) : dubito::Run();
  }

  std::string errorOf(const std::string& labels, const std::string& images = {}) {
    const auto result = read(labels, images);
    EXPECT_FALSE(result);
    return result ? std::string() : result.error().message;
  }

  test::TempDir dir_;
};

/// "a/1.png cat 0.9" for each image.
std::vector<std::string> linesOf(const AnnotatedImages& images) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < images.paths.size(); ++i) {
    const LabelRow& row = images.rows[i];
    std::string line =
        images.paths[i] + ' ' + images.class_names.at(static_cast<std::size_t>(*row.class_id));
    if (row.probability) {
      line += ' ' + std::to_string(std::lround(100.0 * static_cast<double>(*row.probability)));
    }
    lines.push_back(line);
  }
  return lines;
}

/// A label file with a/1.png cat, a/2.png dog, of which the first has the score 0.9 if the format
/// has scores, and the missing b/3.png.
struct FormatCase {
  std::string key;
  std::string file;
  std::string text;
  bool has_scores = false;
};

class LabelRunFormats : public LabelRuns, public testing::WithParamInterface<FormatCase> {};

TEST_P(LabelRunFormats, FindImagesClassesAndScores) {
  const FormatCase& format = GetParam();
  write("a/1.png");
  write("a/2.png");
  write(format.file, format.text);
  const auto images = read(format.file);
  ASSERT_OK(images);
  EXPECT_EQ(images->format, format.key);
  EXPECT_THAT(linesOf(*images), format.has_scores ? ElementsAre("a/1.png cat 90", "a/2.png dog 60")
                                                  : ElementsAre("a/1.png cat", "a/2.png dog"));
  EXPECT_THAT(images->not_found, ElementsAre("b/3.png"));
  EXPECT_THAT(images->ambiguous, IsEmpty());
}

const FormatCase kFormatCases[] = {
    {"csv", "l.csv", "file,label,score\na/1.png,cat,0.9\na/2.png,dog,0.6\nb/3.png,cat,1\n", true},
    {"imagefolder", "l.jsonl",
     R"({"file_name": "a/1.png", "label": "cat", "score": 0.9}
{"file_name": "a/2.png", "label": "dog", "score": 0.6}
{"file_name": "b/3.png", "label": "cat"}
)",
     true},
    {"label-studio", "l.json",
     R"([{"data": {"image": "/data/local-files/?d=a/1.png"}, "predictions": [{"score": 0.9,
 "result": [{"from_name": "c", "value": {"choices": ["cat"]}}]}]},
{"data": {"image": "a%2F2.png"}, "predictions": [{"score": 0.6,
 "result": [{"from_name": "c", "value": {"choices": ["dog"]}}]}]},
{"data": {"image": "b/3.png"}, "annotations": [{
 "result": [{"from_name": "c", "value": {"choices": ["cat"]}}]}]}])",
     true},
    {"label-studio", "min.json",
     R"([{"id": 1, "image": "/data/local-files/?d=a/1.png", "choice": "cat", "annotator": 7},
{"id": 2, "image": "a\\2.png", "choice": "dog"}, {"id": 3, "image": "b/3.png", "choice": "cat"}])"},
    {"csv", "studio.csv",
     "image,id,choice,annotator,lead_time\n/data/local-files/?d=a/1.png,1,cat,7,3.5\n"
     "s3://bucket/a/2.png,2,dog,7,1\nb/3.png,3,cat,7,1\n"},
    {"cvat", "annotations.xml",
     R"(<?xml version="1.0"?><annotations><image id="0" name="a/1.png"><tag label="cat"/></image>
<image id="1" name="a/2.PNG"><tag label="dog"/></image>
<image id="2" name="b/3.png"><tag label="cat"/></image></annotations>)"},
    {"fiftyone", "samples.json",
     R"({"samples": [
{"filepath": "/x/a/1.png", "ground_truth": {"_cls": "Classification", "label": "cat", "confidence": 0.9}},
{"filepath": "/x/a/2.png", "ground_truth": {"_cls": "Classification", "label": "dog", "confidence": 0.6}},
{"filepath": "b/3.png", "ground_truth": {"_cls": "Classification", "label": "cat"}}]})",
     true},
    {"coco", "coco.json",
     R"({"images": [{"id": 1, "file_name": "a/1.png"}, {"id": 2, "file_name": "a/2.png"},
{"id": 3, "file_name": "b/3.png"}],
"categories": [{"id": 5, "name": "cat"}, {"id": 6, "name": "dog"}],
"annotations": [{"image_id": 1, "category_id": 5, "score": 0.9},
{"image_id": 2, "category_id": 6, "score": 0.6}, {"image_id": 3, "category_id": 5},
{"image_id": 1, "category_id": 99}, {"image_id": 2, "category_id": 5, "bbox": [1, 2, 3, 4]}]})",
     true},
};
INSTANTIATE_TEST_SUITE_P(All, LabelRunFormats, testing::ValuesIn(kFormatCases),
                         [](const auto& each) {
                           std::string name = each.param.file;
                           std::erase(name, '.');
                           return name;
                         });

TEST_F(LabelRuns, OfLabelmeFolders) {
  write("a/1.png");
  write("a/2.png");
  write("a/1.json",
        R"({"flags": {"cat": true, "dog": false}, "imagePath": "1.png", "shapes": []})");
  write("a/2.json",
        R"({"flags": {"cat": false, "dog": true}, "imagePath": "2.png", "shapes": []})");
  const auto images = read(".");
  ASSERT_OK(images);
  EXPECT_EQ(images->format, "labelme");
  EXPECT_THAT(linesOf(*images), ElementsAre("a/1.png cat", "a/2.png dog"));
}

TEST_F(LabelRuns, OfClassFoldersWithAndWithoutSplits) {
  for (const char* const path :
       {"x/cat/1.png", "x/dog/1.png", "y/train/cat/1.png", "y/val/dog/1.png", "y/val/cat/2.JPG"}) {
    write(path);
  }
  const auto plain = read("x");
  ASSERT_OK(plain);
  EXPECT_THAT(linesOf(*plain), ElementsAre("cat/1.png cat", "dog/1.png dog"));
  const auto splits = read("y");
  ASSERT_OK(splits);
  EXPECT_THAT(linesOf(*splits),
              ElementsAre("train/cat/1.png cat", "val/cat/2.JPG cat", "val/dog/1.png dog"));
  EXPECT_THAT(splits->class_names, ElementsAre("cat", "dog"));
}

TEST_F(LabelRuns, NeverGuessBetweenFilesOfOneName) {
  write("a/1.png");
  write("b/1.png");
  write("c/2.png");
  write("l.csv",
        "file,label\n1.png,cat\nelsewhere/2.png,dog\nother/2.png,cat\n"
        "c/../../../etc/passwd,cat\na/1.png,dog\n");
  const auto images = read("l.csv");
  ASSERT_OK(images);
  EXPECT_THAT(linesOf(*images), ElementsAre("a/1.png dog"));
  EXPECT_THAT(images->ambiguous,
              testing::UnorderedElementsAre("1.png", "elsewhere/2.png", "other/2.png"));
  EXPECT_THAT(images->not_found, ElementsAre("c/../../../etc/passwd"));
}

TEST_F(LabelRuns, PreferTheRelativePathToTheFileName) {
  write("a/1.png");
  write("l.csv", "file,label\nb/1.png,dog\na/1.png,cat\n");
  const auto images = read("l.csv");
  ASSERT_OK(images);
  EXPECT_THAT(linesOf(*images), ElementsAre("a/1.png cat"));
  EXPECT_THAT(images->not_found, ElementsAre("b/1.png"));
}

TEST_F(LabelRuns, UnderstandPathsOfOtherSystems) {
  for (const char* const path : {"a/1.png", "a/my photo.png", "a/3.jpg", "a/100%25.png"}) {
    write(path);
  }
  write("l.csv",
        "file,label\nC:\\data\\a\\1.png,cat\na/my%20photo.png,dog\na/3.JPG,cat\n"
        "a/100%25.png,dog\n");
  const auto images = read("l.csv");
  ASSERT_OK(images);
  EXPECT_THAT(linesOf(*images),
              ElementsAre("a/1.png cat", "a/100%25.png dog", "a/3.jpg cat", "a/my photo.png dog"));
  EXPECT_THAT(images->not_found, IsEmpty());
}

TEST_F(LabelRuns, FindRenamedImagesByTheirHash) {
  write("p/new name.png", "bytes of the image");
  RunContext context;
  const auto print = fingerprintOf(dir_.file("p/new name.png"), context);
  ASSERT_OK(print);
  write("l.jsonl",
        "{\"format\": \"dubito-labels\", \"schema_version\": 1, \"classes\": "
        "[{\"id\": 0, \"name\": \"cat\"}]}\n"
        "{\"path\": \"old.png\", \"class_id\": 0, \"content_hash\": \"file:" +
            print->hash + "\"}\n");
  const auto images = read("l.jsonl", "p");
  ASSERT_OK(images);
  EXPECT_THAT(linesOf(*images), ElementsAre("new name.png cat"));
}

TEST_F(LabelRuns, ListWhatHasNoUsableLabel) {
  write("1.png");
  write("2.png");
  write("3.png");
  write("l.csv", "file,label\n1.png,cat\n2.png,\n3.png,?\n");
  const auto images = read("l.csv");
  ASSERT_OK(images);
  EXPECT_THAT(linesOf(*images), ElementsAre("1.png cat"));
  const dubito::Run run = runOf("l.csv");
  EXPECT_THAT(textsOf(run.meta.notes), Contains("rows without a label: 2"));
  EXPECT_THAT(textsOf(run.meta.notes),
              Contains("images without a label, left out: 2 ('2.png', '3.png')"));
}

TEST_F(LabelRuns, CountRepeatedRowsOnce) {
  write("1.png");
  write("2.png");
  write("3.png");
  write("l.csv",
        "file,label,score\n1.png,cat,0.7\n1.png,cat,0.7\n2.png,cat,\n2.png,dog,\n"
        "3.png,cat,0.25\n3.png,dog,0.75\n");
  const auto images = read("l.csv");
  ASSERT_OK(images);
  EXPECT_THAT(linesOf(*images), ElementsAre("1.png cat 70", "2.png cat", "3.png dog 75"));
  EXPECT_THAT(images->rows[2].probs, ElementsAre(0.25F, 0.75F));
  const dubito::Run run = runOf("l.csv");
  EXPECT_THAT(textsOf(run.meta.notes),
              Contains("images with different labels and no majority; the first counts: 1 "
                       "('2.png: cat, dog')"));
}

TEST_F(LabelRuns, OfSeveralPersonsHaveTheMajority) {
  write("1.png");
  write("2.png");
  write("3.png");
  write("l.csv",
        "file,label,annotator,score\n1.png,cat,ann,0.9\n1.png,dog,ben,0.6\n1.png,dog,cem,0.7\n"
        "2.png,dog,ann,0.6\n2.png,cat,ben,0.9\n3.png,cat,ann,0.9\n");
  const auto images = read("l.csv");
  ASSERT_OK(images);
  EXPECT_THAT(linesOf(*images), ElementsAre("1.png dog 60", "2.png dog 60", "3.png cat 90"));
  const dubito::Run run = runOf("l.csv");
  EXPECT_THAT(textsOf(run.meta.notes),
              Contains("images with different labels; the majority counts: 1 "
                       "('1.png: cat, dog')"));
  EXPECT_THAT(textsOf(run.meta.notes),
              Contains("images with different labels and no majority; the first "
                       "counts: 1 ('2.png: cat, dog')"));
}

/// Several annotations of a Label Studio task, and several categories of a COCO image.
TEST_F(LabelRuns, OfOneFileWithSeveralOpinions) {
  write("1.png");
  write("l.json", R"([{"data": {"image": "1.png"}, "annotations": [
    {"completed_by": 1, "result": [{"from_name": "c", "value": {"choices": ["cat"]}}]},
    {"completed_by": 2, "result": [{"from_name": "c", "value": {"choices": ["dog"]}}]},
    {"completed_by": 3, "result": [{"from_name": "c", "value": {"choices": ["dog"]}}]}]}])");
  EXPECT_THAT(linesOf(read("l.json").value()), ElementsAre("1.png dog"));
  write("c.json", R"({"images": [{"id": 1, "file_name": "1.png"}],
    "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}],
    "annotations": [{"image_id": 1, "category_id": 2}, {"image_id": 1, "category_id": 1}]})");
  EXPECT_THAT(linesOf(read("c.json").value()), ElementsAre("1.png dog"));
  EXPECT_THAT(textsOf(runOf("c.json").meta.notes),
              Contains(HasSubstr("no majority; the first counts: 1")));
}

TEST_F(LabelRuns, CountShapesNextToLabels) {
  write("1.png");
  write("c.json", R"({"images": [{"id": 1, "file_name": "1.png"}],
    "categories": [{"id": 1, "name": "cat"}], "annotations": [{"image_id": 1, "category_id": 1},
    {"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4]}]})");
  EXPECT_THAT(textsOf(runOf("c.json").meta.notes),
              Contains("boxes, polygons and other shapes, left untouched: only whole images are "
                       "reviewed, and an export from this file writes the shapes back: 1"));
}

/// References to images as they occur in real exports.
TEST_F(LabelRuns, UnderstandReferencesOfManyKinds) {
  const std::pair<const char*, const char*> cases[] = {
      {"photos/cat 1.png", "file:///home/ann/photos/cat%201.png"},
      {"photos/cat 1.png", "https://example.org/photos/cat%201.png?token=a#top"},
      {"photos/cat 1.png", "photos\\cat 1.PNG"},
      {"photos/cat 1.png", "D:\\photos\\cat 1.png"},
      {"photos/cat 1.png", "./photos//cat 1.png"},
      {"photos/cat 1.png", "photos/cat 1"},
      {"photos/cat 1.png", "gs://bucket/x/photos/cat+1.png"},  // a plus is a plus
      {"a.png", "/data/upload/3/0f1e2d3c-a.png"},
      {"a.png", "\\\\server\\share\\a.png"},
      {"\xC3\xA4.png", "%C3%A4.png"},
  };
  for (const auto& [file, reference] : cases) {
    SCOPED_TRACE(reference);
    const test::TempDir dir;
    std::filesystem::create_directories((dir.path() / file).parent_path());
    test::writeBytes(dir.path() / file, "image");
    test::writeBytes(dir.path() / "other.png", "image");
    test::writeBytes(dir.path() / "l.csv",
                     "file;label\r\n\"" + std::string(reference) + "\";cat\r\n");
    RunContext context;
    const auto images = readAnnotatedImages({.labels = dir.file("l.csv")}, context);
    const bool is_found = std::string(reference).find('+') == std::string::npos;
    ASSERT_EQ(images.has_value(), is_found);
    if (is_found) {
      EXPECT_THAT(images->paths, ElementsAre(file));
    }
  }
}

/// The folder may move: ids are hashes of the paths in it.
TEST_F(LabelRuns, HaveTheSameItemsInAnotherFolder) {
  for (const char* const path :
       {"here/a/1.png", "here/2.png", "there/x/a/1.png", "there/x/2.png"}) {
    write(path, std::string("image ") + path);
  }
  write("l.csv", "file,label\na/1.png,cat\n2.png,dog\n");
  const dubito::Run here = runOf("l.csv", "here");
  const dubito::Run there = runOf("l.csv", "there/x");
  EXPECT_TRUE(std::ranges::equal(here.ids.values(), there.ids.values()));
  EXPECT_TRUE(std::ranges::equal(here.labels.values(), there.labels.values()));
  EXPECT_NE(here.meta.dataset_spec, there.meta.dataset_spec);
}

TEST_F(LabelRuns, AreRelocatedWithTheirImages) {
  for (const char* const path : {"here/a/1.png", "here/2.png"}) {
    write(path);
  }
  write("l.csv", "file,label\na/1.png,cat\n2.png,dog\n");
  dubito::Run run = runOf("l.csv", "here");
  const std::string before = run.meta.dataset_spec;
  std::filesystem::rename(dir_.path() / "here", dir_.path() / "moved");
  const std::vector<std::int64_t> ids(run.ids.values().begin(), run.ids.values().end());
  RunContext context;
  const Status gone = relocateRun(run, dir_.file("here"), context);
  ASSERT_FALSE(gone);
  EXPECT_THAT(gone.error().message, HasSubstr(dir_.file("here")));
  EXPECT_EQ(run.meta.dataset_spec, before);
  ASSERT_OK(relocateRun(run, dir_.file("moved"), context));
  EXPECT_EQ(run.meta.dataset_spec,
            "annotations:" + dir_.file("l.csv") + ',' + dir_.file("moved") + "?format=csv");
  EXPECT_EQ(run.meta.dataset_name, "moved");
  EXPECT_THAT(run.ids.values(), testing::ElementsAreArray(ids));
  EXPECT_THAT(textsOf(run.meta.notes), Contains(HasSubstr("the images are now in")));

  std::filesystem::remove(dir_.path() / "moved/2.png");
  const Status fewer = relocateRun(run, dir_.file("moved"), context);
  ASSERT_FALSE(fewer);
  EXPECT_THAT(fewer.error().message, HasSubstr("does not have 1 of the 2 items of the run"));
  // Any array has the row numbers 0 and 1.
  dubito::Run rows;
  rows.ids = Array<std::int64_t>::fromVector({0, 1});
  rows.labels = Array<std::int64_t>::fromVector({2, 1});
  const Status other = relocateRun(rows, "synthetic:blobs?blobs=3&n=6&seed=1", context);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("has other labels for 1 of the 2 items"));
}

/// Renamed images of a store are found by the hash that each decision has.
TEST_F(LabelRuns, FindMovedItemsByTheirContent) {
  write("p/new 1.png", "one");
  write("p/2.png", "two");
  write("p/same a.png", "same");
  write("p/same b.png", "same");
  RunContext context;
  const auto dataset = openDataset("folder:" + dir_.file("p"), context);
  ASSERT_OK(dataset);
  LabelTable table;
  const auto add = [&](const std::string& path, const std::string& like) {
    LabelRow row;
    row.path = path;
    row.content_hash = "file:" + fingerprintOf(dir_.file(like), context).value().hash;
    table.rows.push_back(row);
  };
  add("old 1.png", "p/new 1.png");
  add("2.png", "p/2.png");
  add("old same.png", "p/same a.png");
  add("old 2.png", "p/2.png");  // its item has a label
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < (*dataset)->size(); ++i) {
    names.push_back((*dataset)->itemName(i));
  }
  RowMatches matches = matchRows(table, (*dataset)->ids(), names);
  ASSERT_OK(matchMovedItems(table, **dataset, matches, context));
  const auto idOf = [&](const std::string& name) {
    return (*dataset)
        ->ids()[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
  };
  EXPECT_THAT(matches.items,
              ElementsAre(idOf("new 1.png"), idOf("2.png"), std::nullopt, std::nullopt));
  EXPECT_EQ(matches.by_hash, 1);
  EXPECT_THAT(matches.unmatched, ElementsAre("old same.png", "old 2.png"));
}

/// A file that is not there is gone, not unreadable.
TEST_F(LabelRuns, NameImagesThatAreGoneOrDamaged) {
  write("1.png", "no image at all");
  write("2.png");
  RunContext context;
  const auto dataset = openDataset("folder:" + dir_.path().string(), context);
  ASSERT_OK(dataset);
  std::filesystem::remove(dir_.path() / "2.png");
  const auto damaged = (*dataset)->read(0);
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, HasSubstr(dir_.file("1.png")));
  EXPECT_THAT(damaged.error().message, testing::Not(HasSubstr("is gone")));
  const auto gone = (*dataset)->read(1);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(gone.error().message, testing::StartsWith(dir_.file("2.png") + ": is gone; "));
}

TEST_F(LabelRuns, HaveTheScoresOfAllClasses) {
  write("1.png");
  write("2.png");
  write("l.csv", "file,label,p_cat,p_dog\n1.png,cat,0.75,0.25\n2.png,cat,0.125,0.875\n");
  const dubito::Run run = runOf("l.csv");
  EXPECT_EQ(run.meta.method, kLabelsMethod);
  ASSERT_EQ(run.classCount(), 2);
  EXPECT_EQ(run.prob(1, 1), 0.875);
  EXPECT_THAT(run.labels.values(), ElementsAre(0, 0));
  EXPECT_THAT(run.predictions.values(), ElementsAre(0, 1));
}

TEST_F(LabelRuns, SpreadTheRestOfOneScoreEvenly) {
  for (const char* const path : {"1.png", "2.png", "3.png"}) {
    write(path);
  }
  write("l.csv", "file,label,score\n1.png,a,0.8\n2.png,b,1\n3.png,c,0.4\n");
  const dubito::Run run = runOf("l.csv");
  ASSERT_EQ(run.classCount(), 3);
  EXPECT_NEAR(run.prob(0, 1), 0.1, 1e-6);
  EXPECT_EQ(run.prob(1, 1), 1.0);
  EXPECT_THAT(run.predictions.values(), ElementsAre(0, 1, 2));
}

TEST_F(LabelRuns, HaveNoConfidenceWithoutScores) {
  write("1.png");
  write("2.png");
  write("l.csv", "file,label\n1.png,cat\n2.png,dog\n");
  const dubito::Run run = runOf("l.csv");
  EXPECT_FALSE(run.probs);
  EXPECT_TRUE(std::isnan(run.confidence.data()[0]));
  EXPECT_FALSE(hasConfidence(run));
  RunContext context;
  ASSERT_OK(writeRun(run, dir_.file("run.npz"), context));
  const auto again = readRun(dir_.file("run.npz"), context);
  ASSERT_OK(again);
  EXPECT_TRUE(std::isnan(again->confidence.data()[1]));
  EXPECT_EQ(again->meta.class_names, (std::vector<std::string>{"cat", "dog"}));
}

TEST_F(LabelRuns, LeaveOutScoresThatAreNoProbabilityOfTheLabel) {
  write("1.png");
  write("2.png");
  write("l.csv", "file,label,score\n1.png,cat,0.2\n2.png,dog,0.9\n");
  const dubito::Run run = runOf("l.csv");
  EXPECT_FALSE(run.probs);
  EXPECT_TRUE(std::isnan(run.confidence.data()[0]));
  EXPECT_NEAR(run.confidence.data()[1], 0.9, 1e-6);
  EXPECT_THAT(textsOf(run.meta.notes), Contains(HasSubstr("1 of 2 scores are below 1/2")));
}

TEST_F(LabelRuns, NameTheFileTheReasonAndTheRemedy) {
  write("l.csv", "file,label\n1.png,cat\n");
  EXPECT_THAT(errorOf("l.csv"), HasSubstr("give the folder of its images"));
  EXPECT_EQ(read("l.csv").error().remedy, Remedy{.needs_images = true});
  write("p/2.png");
  EXPECT_THAT(errorOf("l.csv", "p"), HasSubstr("the first would be '1.png'"));
  EXPECT_THAT(errorOf("none.csv"), HasSubstr("check the path"));
  EXPECT_FALSE(read("none.csv").error().remedy.needs_images);
  EXPECT_THAT(errorOf("l.csv", "none"), HasSubstr("no such folder"));
  write("bad.json", "{\"categories\": [}");
  EXPECT_THAT(errorOf("bad.json"), HasSubstr("line 1"));
  write("notes.txt", "hello");
  EXPECT_THAT(errorOf("notes.txt"), HasSubstr("does not look like labels of a known program"));
}

}  // namespace
}  // namespace dubito
