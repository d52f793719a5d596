// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of other tools on the command line: convert, review import, export and classes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/labels/label_store.h"
#include "core/review/formats/label_format.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A grey PNG of one pixel.
constexpr unsigned char kPixel[] = {0x89, 'P', 'N',  'G',  0x0D, 0x0A, 0x1A, 0x0A, 0,    0, 0, 0x0D,
                                    'I',  'H', 'D',  'R',  0,    0,    0,    1,    0,    0, 0, 1,
                                    8,    0,   0,    0,    0,    0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0,
                                    0x0A, 'I', 'D',  'A',  'T',  0x78, 0x9C, 0x63, 0x68, 0, 0, 0,
                                    0x82, 0,   0x81, 0x77, 0xCD, 0x72, 0xB6, 0,    0,    0, 0, 'I',
                                    'E',  'N', 'D',  0xAE, 0x42, 0x60, 0x82};

class CliLabelFiles : public testing::Test {
 protected:
  void SetUp() override {
    // Each image has bytes of its own.
    for (const char* const path : {"photos/a/1.png", "photos/a/2.png", "photos/b/3.png"}) {
      write(path, std::string(reinterpret_cast<const char*>(kPixel), sizeof(kPixel)) + path);
    }
  }

  void write(const std::string& path, const std::string& bytes) {
    fs::create_directories((dir_.path() / path).parent_path());
    test::writeBytes(dir_.file(path), bytes);
  }

  [[nodiscard]] static test::ProcessResult cli(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), DUBITO_CLI);
    return test::runProcess(arguments);
  }

  /// The report of a command of `review`.
  static json ok(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }

  [[nodiscard]] json convert(const std::string& labels, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"convert", dir_.file(labels),    "--images", photos_,
                                       "-o",      dir_.file("run.npz"), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }

  [[nodiscard]] static std::string refused(const std::vector<std::string>& arguments, int code) {
    const auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, code) << result.out << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    return result.err;
  }

  /// "1: dog ann" for each present label, by item name of the decision.
  [[nodiscard]] static std::vector<std::string> labelsOf(const std::string& place) {
    const auto store = LabelStore::open(place, StoreMode::kReadOnly);
    EXPECT_OK(store);
    const std::vector<LabelClass> classes = (*store)->classes().value();
    std::vector<std::string> lines;
    const std::vector<PresentLabel> labels = (*store)->labels().value();
    for (const PresentLabel& label : labels) {
      lines.push_back((label.class_id ? findClass(classes, *label.class_id)->name : "-") + ' ' +
                      label.annotator);
    }
    std::ranges::sort(lines);
    return lines;
  }

  test::TempDir dir_;
  std::string photos_ = dir_.file("photos");
};

struct ConvertCase {
  std::string name;
  std::string format;
  std::string file;
  std::string text;
};

/// a/1.png is a cat, a/2.png a dog, and c/4.png is not there.
const ConvertCase kCases[] = {
    {"csv", "csv", "l.csv",
     "\xEF\xBB\xBF"
     "file;label;score\r\na\\1.png;cat;90\r\na/2.png;dog;60\r\nc/4.png;cat;\r\n"},
    {"jsonl", "imagefolder", "metadata.jsonl",
     R"({"file_name": "a/1.png", "label": "cat", "score": 0.9}
{"file_name": "a/2.png", "label": "dog", "score": null}
{"file_name": "c/4.png", "label": "cat"}
)"},
    {"labelstudio", "label-studio", "export.json",
     R"([{"id": 1, "file_upload": "0a1b2c3d-1.png", "data": {"image": "/data/upload/1/0a1b2c3d-1.png"},
"annotations": [{"result": [{"from_name": "c", "value": {"choices": ["cat"]}}]}]},
{"id": 2, "data": {"image": "/data/local-files/?d=x/photos/a/2.png"}, "annotations": [{
"result": [{"from_name": "c", "value": {"choices": ["dog"]}}]}], "predictions": []},
{"id": 3, "data": {"image": "https://x.org/c/4.png?t=1"}, "annotations": [{
"result": [{"from_name": "c", "value": {"choices": ["cat"]}}]}]}])"},
    {"cvat", "cvat", "annotations.xml",
     R"(<annotations><image id="0" name="a/1.png"><tag label="cat"/></image>
<image id="1" name="a/2.png"><tag label="dog"/></image>
<image id="2" name="c/4.png"><tag label="cat"/></image></annotations>)"},
    {"fiftyone", "fiftyone", "samples.json",
     R"({"samples": [{"filepath": "/old/photos/a/1.png", "ground_truth": {"_cls": "Classification",
"label": "cat"}}, {"filepath": "C:\\old\\photos\\a\\2.png", "ground_truth": {"_cls": "Classification",
"label": "dog"}}, {"filepath": "c/4.png", "ground_truth": {"_cls": "Classification", "label": "cat"}}]})"},
    {"coco", "coco", "coco.json",
     R"({"images": [{"id": 1, "file_name": "a/1.png"}, {"id": 2, "file_name": "2.png"},
{"id": 4, "file_name": "c/4.png"}], "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}],
"annotations": [{"image_id": 1, "category_id": 1, "bbox": []}, {"image_id": 2, "category_id": 2},
{"image_id": 4, "category_id": 1}]})"},
};

class CliConvertLabels : public CliLabelFiles, public testing::WithParamInterface<ConvertCase> {};

TEST_P(CliConvertLabels, FindImagesAndSayWhatIsMissing) {
  const ConvertCase& each = GetParam();
  write("labels/" + each.file, each.text);
  const json report = convert("labels/" + each.file);
  EXPECT_EQ(report.at("n"), 2);
  EXPECT_EQ(report.at("class_names"), (json{"cat", "dog"}));
  EXPECT_EQ(report.at("skipped"), (json{{{"name", "c/4.png"}, {"reason", "image not found"}}}));
  EXPECT_THAT(report.at("dataset").get<std::string>(),
              HasSubstr("annotations:" + dir_.file("labels/" + each.file) + ',' + photos_ +
                        "?format=" + each.format));
  const json queue = ok({"review", "queue", dir_.file("run.npz"), "--by", "random"});
  EXPECT_EQ(queue.at("queue").size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Formats, CliConvertLabels, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

TEST_F(CliLabelFiles, ConvertReadsFoldersOfLabels) {
  write("labelme/a/1.json", R"({"flags": {"cat": true}, "imagePath": "..\\..\\photos\\a\\1.png",
                                "shapes": [{"label": "eye"}]})");
  const json labelme = convert("labelme");
  EXPECT_EQ(labelme.at("n"), 1);
  EXPECT_THAT(labelme.at("notes").dump(), HasSubstr("writes the shapes back: 1"));
  write("classes/cat/1.png", "");
  write("classes/dog/2.png", "");
  EXPECT_EQ(convert("classes").at("n"), 2);
  write("yolo/labels/1.txt", "0.75 cat\n0.25 dog\n");
  write("yolo/labels/3.txt", "0.50 dog\n0.50 cat\n");
  const json yolo = convert("yolo");
  EXPECT_EQ(yolo.at("n"), 2);
  EXPECT_THAT(yolo.at("notes").dump(), HasSubstr("those of all classes, from the file"));
}

TEST_F(CliLabelFiles, ConvertRefusesInOneSentence) {
  write("l.csv", "file,label\na/1.png,cat\n");
  const auto convertFrom = [this](const std::string& labels, const std::string& images) {
    return std::vector<std::string>{"convert", dir_.file(labels), "--images", images,
                                    "-o",      dir_.file("x.npz")};
  };
  EXPECT_THAT(refused(convertFrom("l.csv", dir_.file("nowhere")), 1),
              HasSubstr(dir_.file("nowhere") + ": there is no such folder"));
  write("other/9.png", "image");
  EXPECT_THAT(refused(convertFrom("l.csv", dir_.file("other")), 1),
              HasSubstr("none of its images is among the 1 in " + dir_.file("other") +
                        ", the first would be 'a/1.png'; give the folder of its images"));
  write("empty.json", R"({"images": [], "categories": [], "annotations": []})");
  EXPECT_THAT(refused(convertFrom("empty.json", photos_), 1), HasSubstr("contains no label"));
  write("boxes.json", R"({"images": [{"id": 1, "file_name": "a/1.png"}], "categories":
    [{"id": 1, "name": "cat"}], "annotations": [{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4]}]})");
  EXPECT_THAT(refused(convertFrom("boxes.json", photos_), 1), HasSubstr("only whole images"));
  write("notes.txt", "hello");
  EXPECT_THAT(refused(convertFrom("notes.txt", photos_), 1),
              HasSubstr("does not look like labels of a known program"));
  EXPECT_FALSE(fs::exists(dir_.path() / "x.npz"));
}

TEST_F(CliLabelFiles, ConvertNeverGuessesBetweenFilesOfOneName) {
  write("photos/b/1.png", "another");
  write("l.csv", "file,label\n1.png,cat\n3.png,dog\n");
  const json report = convert("l.csv");
  EXPECT_EQ(report.at("n"), 1);
  EXPECT_EQ(report.at("skipped"), (json{{{"name", "1.png"}, {"reason", "several images fit"}}}));
  EXPECT_THAT(report.at("notes"),
              Contains("labels that fit several images, not used: 1 ('1.png')"));
}

TEST_F(CliLabelFiles, ConvertTakesTheMajorityAndImportKeepsThePersons) {
  write("l.csv",
        "file,label,annotator\na/1.png,cat,ann\na/1.png,dog,ben\na/1.png,dog,cem\n"
        "a/2.png,cat,ann\na/2.png,dog,ben\n");
  const json report = convert("l.csv");
  EXPECT_THAT(report.at("notes"), Contains("images with different labels; the majority counts: 1 "
                                           "('a/1.png: cat, dog')"));
  EXPECT_THAT(report.at("notes"),
              Contains("images with different labels and no majority; the first counts: 1 "
                       "('a/2.png: cat, dog')"));
  const std::string place = dir_.file("a.labels");
  const json imported =
      ok({"review", "import", place, dir_.file("l.csv"), "--dataset", "folder:" + photos_});
  EXPECT_EQ(imported.at("format"), "csv");
  EXPECT_EQ(imported.at("imported"), 5);
  EXPECT_THAT(labelsOf(place), ElementsAre("cat ann", "dog ben"));
  const auto store = LabelStore::open(place, StoreMode::kReadOnly);
  std::vector<std::string> persons;
  const auto journal = (*store)->journal().value();
  for (const RecordedDecision& each : journal) {
    persons.push_back(each.decision.annotator);
  }
  EXPECT_THAT(persons, testing::UnorderedElementsAre("ann", "ann", "ben", "ben", "cem"));
}

TEST_F(CliLabelFiles, ExportsOfEveryFormatAreRecognisedAndComeBack) {
  write("l.csv", "file,label\na/1.png,cat\na/2.png,dog\nb/3.png,cat\n");
  const std::string place = dir_.file("a.labels");
  const std::string dataset = "folder:" + photos_;
  ok({"review", "import", place, dir_.file("l.csv"), "--dataset", dataset, "--annotator", "ann"});
  for (const LabelFormat* const format : allLabelFormats()) {
    SCOPED_TRACE(format->key);
    const std::string file = dir_.file(std::string(format->key) + format->ending);
    const json exported = ok({"review", "export", place, "--format", format->key, "-o", file});
    EXPECT_GE(exported.at("exported"), 3);
    const std::string copy = dir_.file(std::string(format->key) + ".labels");
    const json imported =
        ok({"review", "import", copy, file, "--dataset", dataset, "--annotator", "ann"});
    EXPECT_EQ(imported.at("format"), format->key);
    EXPECT_EQ(imported.at("imported"), 3);
    EXPECT_THAT(labelsOf(copy), ElementsAre("cat ann", "cat ann", "dog ann"));
  }
}

/// The program that reads no images hands the queue to the one that does.
TEST_F(CliLabelFiles, DuplicatesCompareTheImages) {
  write("l.csv", "file,label\na/1.png,cat\na/2.png,dog\n");
  (void)convert("l.csv");
  const json queue = ok({"review", "queue", dir_.file("run.npz"), "--by", "duplicates"});
  EXPECT_EQ(queue.at("by"), "duplicates");
  EXPECT_EQ(queue.at("items"), 2);
  const json elsewhere = ok({"review", "queue", dir_.file("run.npz"), "--by", "duplicates",
                             "--dataset", "folder:" + photos_});
  EXPECT_EQ(elsewhere.at("queue"), queue.at("queue"));
}

TEST_F(CliLabelFiles, ExportWritesUndecidedItemsAsAsked) {
  write("l.csv",
        "file,label,p_cat,p_dog\na/1.png,cat,0.95,0.05\na/2.png,dog,0.4,0.6\n"
        "b/3.png,cat,0.1,0.9\n");
  (void)convert("l.csv");
  const std::string run = dir_.file("run.npz");
  const std::string place = dir_.file("a.labels");
  const json queue = ok({"review", "queue", run, "--by", "confidence"});
  const std::string item = std::to_string(queue.at("queue")[0].at("id").get<std::int64_t>());
  const json decision =
      ok({"review", "decide", place, "--run", run, "--item", item, "--class", "cat"});
  // The decision is found again by its name and its content.
  EXPECT_EQ(decision.at("notes"), json::array());
  ok({"review", "export", place, "--format", "jsonl", "-o", dir_.file("all.jsonl")});
  std::istringstream lines_of_all(test::readBytes(dir_.file("all.jsonl")));
  bool has_decision = false;
  for (std::string line; std::getline(lines_of_all, line);) {
    const json row = json::parse(line);
    has_decision = has_decision || (row.value("path", "") == "a/2.png" &&
                                    row.value("content_hash", "").starts_with("file:"));
  }
  EXPECT_TRUE(has_decision);
  const std::string file = dir_.file("out.csv");
  const auto exported = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"review", "export", place, "--format", "csv", "-o", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const json report = ok(arguments);
    std::vector<std::string> lines;
    std::istringstream text(test::readBytes(file));
    for (std::string line; std::getline(text, line);) {
      const std::size_t path = line.find(',') + 1;
      const std::size_t label = line.find(',', path) + 1;
      lines.push_back(line.substr(path, line.find(',', label) - path));
    }
    lines.erase(lines.begin());
    std::ranges::sort(lines);
    EXPECT_EQ(report.at("exported"), lines.size());
    return lines;
  };
  EXPECT_THAT(exported({}), ElementsAre("a/2.png,cat"));
  EXPECT_THAT(exported({"--undecided", "keep"}),
              ElementsAre("a/1.png,cat", "a/2.png,cat", "b/3.png,cat"));
  EXPECT_THAT(exported({"--undecided", "suggest", "--run", run}),
              ElementsAre("a/1.png,cat", "a/2.png,cat", "b/3.png,dog"));
  EXPECT_THAT(exported({"--undecided", "suggest", "--run", run, "--min-probability", "0.93"}),
              ElementsAre("a/1.png,cat", "a/2.png,cat"));
  EXPECT_THAT(
      refused({"review", "export", place, "--format", "csv", "-o", file, "--undecided", "suggest"},
              2),
      HasSubstr("pass --run RUN"));
  EXPECT_THAT(refused({"review", "export", place, "--format", "csv", "-o", file,
                       "--min-probability", "0.5"},
                      2),
              HasSubstr("--undecided suggest"));
}

TEST_F(CliLabelFiles, ExportSaysThatTheDatasetIsGoneAndTakesAnotherPlace) {
  write("l.csv", "file,label\na/1.png,cat\n");
  const std::string place = dir_.file("a.labels");
  ok({"review", "import", place, dir_.file("l.csv"), "--dataset", "folder:" + photos_});
  fs::rename(photos_, dir_.path() / "moved");
  const std::string out = dir_.file("out");
  const json gone = ok({"review", "export", place, "--format", "csv", "-o", out});
  EXPECT_THAT(gone.at("notes")[0].get<std::string>(), HasSubstr(photos_));
  EXPECT_THAT(gone.at("notes")[0].get<std::string>(), HasSubstr("pass --dataset SPEC"));
  const json found = ok({"review", "export", place, "--format", "folders", "-o", out + "2",
                         "--dataset", "folder:" + dir_.file("moved")});
  EXPECT_EQ(found.at("exported"), 1);
  EXPECT_TRUE(fs::exists(out + "2/cat/a%2F1.png"));
}

TEST_F(CliLabelFiles, RunsAndDecisionsFollowImagesThatMove) {
  write("l.csv", "file,label\na/1.png,cat\na/2.png,dog\nb/3.png,cat\n");
  (void)convert("l.csv");
  fs::rename(photos_, dir_.path() / "moved");
  const std::string moved = dir_.file("moved");
  const std::string run = dir_.file("moved.npz");
  const auto result =
      cli({"convert", dir_.file("run.npz"), "--dataset", moved, "-o", run, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out).at("dataset"),
            "annotations:" + dir_.file("l.csv") + ',' + moved + "?format=csv");
  const auto ids = [](const std::string& file) {
    std::vector<std::int64_t> found;
    const json report = ok({"review", "queue", file, "--by", "random"});
    for (const json& each : report.at("queue")) {
      found.push_back(each.at("id").get<std::int64_t>());
    }
    return found;
  };
  EXPECT_EQ(ids(run), ids(dir_.file("run.npz")));
  EXPECT_THAT(refused({"convert", dir_.file("run.npz"), "--dataset",
                       "folder:" + dir_.file("moved/a"), "-o", run},
                      1),
              HasSubstr("does not have 3 of the 3 items of the run"));
  EXPECT_THAT(refused({"convert", dir_.file("l.csv"), "--dataset", moved, "-o", run}, 2),
              HasSubstr("--dataset has no effect here"));
}

TEST_F(CliLabelFiles, ImportKeepsKeysRenamesAndMerges) {
  write("l.csv", "file,label\na/1.png,cat\na/2.png,dog\nb/3.png,fox\n");
  (void)convert("l.csv");
  const std::string run = dir_.file("run.npz");
  const std::string place = dir_.file("a.labels");
  {
    const auto store = LabelStore::open(place, StoreMode::kOpenOrCreate);
    ASSERT_OK(store);
    ASSERT_OK((*store)->belongTo({.name = "photos", .spec = "", .fingerprint = ""},
                                 std::vector<std::string>{"cat", "dog", "fox"}));
    ASSERT_OK(
        (*store)->changeClass({.id = 0, .name = "tabby", .colour = "#112233", .key = "t"}, "ann"));
    ASSERT_OK((*store)->mergeClass(2, 1, "ann"));
    ASSERT_OK((*store)->addClass("bird", "ann"));
  }
  const json queue = ok({"review", "queue", run, "--by", "random"});
  const std::string item = std::to_string(queue.at("queue")[0].at("id").get<std::int64_t>());
  ok({"review", "decide", place, "--item", item, "--class", "tabby", "--annotator", "ann"});
  const std::string file = dir_.file("a.jsonl");
  ok({"review", "export", place, "--format", "jsonl", "-o", file});
  const std::string copy = dir_.file("copy.labels");
  const json imported = ok({"review", "import", copy, file, "--run", run});
  EXPECT_EQ(imported.at("format"), "jsonl");
  EXPECT_EQ(imported.at("added_classes"), json{"bird"});
  EXPECT_THAT(imported.at("notes"), IsEmpty());
  EXPECT_EQ(ok({"review", "classes", copy}).at("classes"),
            ok({"review", "classes", place}).at("classes"));
  EXPECT_THAT(labelsOf(copy), ElementsAre("tabby ann"));
}

TEST_F(CliLabelFiles, ClassesGoIntoTheNextProject) {
  const std::string place = dir_.file("a.labels");
  write("cvat.json", R"([{"name": "cat", "color": "#ff0000", "type": "tag"}, {"name": "dog"},
                         {"name": "eye", "type": "polygon"}])");
  const json imported =
      ok({"review", "classes", place, "--import", dir_.file("cvat.json"), "--annotator", "ann"});
  EXPECT_EQ(imported.at("added"), (json{"cat", "dog"}));
  EXPECT_EQ(imported.at("notes"), json{"classes for shapes, left out: 1 ('eye')"});
  write("keys.json", R"({"format": "dubito-classes", "classes": [{"name": "dog", "key": "d"}]})");
  EXPECT_EQ(ok({"review", "classes", place, "--import", dir_.file("keys.json")}).at("changed"),
            json{"dog"});
  const std::string xml = dir_.file("interface.xml");
  ok({"review", "classes", place, "--export", xml});
  EXPECT_THAT(test::readBytes(xml), HasSubstr("<Choice value=\"dog\" hotkey=\"d\" />"));
  const std::string other = dir_.file("b.labels");
  ok({"review", "classes", other, "--import", xml});
  EXPECT_EQ(ok({"review", "classes", other}).at("classes"),
            ok({"review", "classes", place}).at("classes"));
  EXPECT_EQ(cli({"review", "classes", place}).out, "0  'cat'  #ff0000\n1  'dog'  key d\n");
  EXPECT_THAT(refused({"review", "classes", dir_.file("none.labels")}, 1),
              HasSubstr("none.labels"));
  EXPECT_THAT(refused({"review", "classes", place, "--format", "cvat"}, 2),
              HasSubstr("--import or --export"));
}

TEST_F(CliLabelFiles, ExportWritesShapesBack) {
  write("in.xml", R"(<annotations><image id="0" name="a/1.png"><tag label="cat"/>
<box label="eye" xtl="1" ytl="2" xbr="3" ybr="4"/></image></annotations>)");
  const std::string place = dir_.file("a.labels");
  write("l.csv", "file,label\na/1.png,dog\n");
  ok({"review", "import", place, dir_.file("l.csv"), "--dataset", "folder:" + photos_});
  const std::string out = dir_.file("out.xml");
  const json report =
      ok({"review", "export", place, "--format", "cvat", "-o", out, "--from", dir_.file("in.xml")});
  EXPECT_THAT(report.at("notes"),
              Contains("boxes, polygons and other shapes, written back untouched: 1"));
  EXPECT_THAT(test::readBytes(out), HasSubstr("<box label=\"eye\" xtl=\"1\""));
  EXPECT_THAT(test::readBytes(out), HasSubstr("<tag label=\"dog\""));
  EXPECT_THAT(refused({"review", "export", place, "--format", "csv", "-o", out, "--from",
                       dir_.file("in.xml")},
                      1),
              HasSubstr("leave it out, or export as labelme, Label Studio, CVAT, FiftyOne, COCO"));
}

}  // namespace
}  // namespace dubito
