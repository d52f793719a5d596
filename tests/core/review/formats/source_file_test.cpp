// SPDX-License-Identifier: GPL-3.0-or-later
// Exports that keep the shapes and everything else of the file that the labels came from.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;

constexpr const char* kNote = "boxes, polygons and other shapes, written back untouched: 2";

class SourceFile : public testing::Test {
 protected:
  void SetUp() override {
    // a is corrected, b is confirmed, c has no decision, d is ambiguous, e is new.
    table_.classes = {{.id = 0, .name = "cat"}, {.id = 1, .name = "dog"}, {.id = 2, .name = "fox"}};
    const auto add = [this](const char* path, std::optional<std::int64_t> class_id,
                            LabelAction action) {
      LabelRow row;
      row.path = path;
      row.class_id = class_id;
      row.action = action;
      row.origin = LabelOrigin::kPerson;
      table_.rows.push_back(row);
    };
    add("s/a.png", 2, LabelAction::kCorrect);
    add("s/b.png", 1, LabelAction::kAccept);
    add("s/c.png", std::nullopt, LabelAction::kSkip);
    add("s/d.png", std::nullopt, LabelAction::kAmbiguous);
    add("s/e.png", 0, LabelAction::kCorrect);
  }

  LabelExport write(const std::string& key, const std::string& from, const std::string& path) {
    LabelExportOptions options;
    options.from = dir_.file(from);
    return test::writeLabels(key, table_, dir_.file(path), options);
  }

  void put(const std::string& path, const std::string& text) {
    fs::create_directories((dir_.path() / path).parent_path());
    test::writeBytes(dir_.file(path), text);
  }

  test::TempDir dir_;
  LabelTable table_;
};

TEST_F(SourceFile, OfLabelmeKeepsItsShapes) {
  const auto file = [](const char* image, const char* flags, const char* shapes) {
    return std::string("{\"version\": \"5.0.1\", \"flags\": ") + flags + ", \"shapes\": " + shapes +
           ", \"imagePath\": \"" + image +
           "\", \"imageData\": \"aGVsbG8=\", \"imageHeight\": 20, \"imageWidth\": 30, \"mine\": 7}";
  };
  const std::string box =
      R"([{"label": "eye", "points": [[1.5, 2.25], [3.0, 4.125]], "group_id": null,
          "shape_type": "rectangle", "flags": {"hard": true}}])";
  put("in/s/a.json", file("a.png", R"({"cat": true, "dog": false})", box.c_str()));
  put("in/s/b.json", file("b.png", R"({"cat": false, "dog": true})", "[]"));
  put("in/s/c.json", file("..\\\\s\\\\c.png", R"({"cat": true, "dog": false})", box.c_str()));
  put("in/s/d.json", file("d.png", R"({"cat": true})", "[]"));
  put("in/notes.json", "[1]");
  const LabelExport written = write("labelme", "in", "out");
  EXPECT_EQ(written.labels, 4);
  EXPECT_THAT(test::texts(written.notes), Contains(kNote));
  EXPECT_THAT(test::everythingIn(dir_.path() / "out"),
              ElementsAre("s", "s/a.json", "s/b.json", "s/c.json", "s/d.json", "s/e.json"));
  const auto of = [this](const std::string& path) {
    return json::parse(test::readBytes(dir_.file(path)));
  };
  json expected = of("in/s/a.json");
  expected["flags"] = {{"cat", false}, {"dog", false}, {"fox", true}};
  expected["imagePath"] = "../../in/s/a.png";
  EXPECT_EQ(of("out/s/a.json"), expected);
  expected = of("in/s/c.json");
  expected["imagePath"] = "../../in/s/c.png";
  EXPECT_EQ(of("out/s/c.json"), expected) << "undecided";
  EXPECT_EQ(of("out/s/d.json").at("flags"), json::parse(R"({"cat": false, "dog": false,
                                                            "fox": false})"));
  EXPECT_THAT(test::pathsAndClasses(test::readLabels("labelme", dir_.file("out")).table),
              testing::UnorderedElementsAre("../in/s/a.png fox", "../in/s/b.png dog",
                                            "../in/s/c.png cat", "s/e.png cat"));
}

TEST_F(SourceFile, OfCocoKeepsItsShapes) {
  put("in.json", R"({"info": {"year": 2020}, "licenses": [{"id": 1, "name": "x"}],
    "categories": [{"id": 5, "name": "cat", "supercategory": "pet"}, {"id": 9, "name": "dog"}],
    "images": [{"id": 10, "file_name": "s/a.png", "width": 30}, {"id": 11, "file_name": "s/b.png"},
               {"id": 12, "file_name": "s/c.png"}, {"id": 13, "file_name": "s/d.png"}],
    "annotations": [
      {"id": 1, "image_id": 10, "category_id": 5, "mine": true},
      {"id": 2, "image_id": 10, "category_id": 9, "bbox": [1.5, 2, 3, 4], "area": 12,
       "iscrowd": 0, "segmentation": [[1, 2, 3, 4, 5, 6]]},
      {"id": 3, "image_id": 11, "category_id": 9, "score": 0.25},
      {"id": 4, "image_id": 12, "category_id": 5},
      {"id": 5, "image_id": 13, "category_id": 5},
      {"id": 8, "image_id": 13, "category_id": 5, "bbox": [0, 0, 1, 1]}]})");
  const LabelExport written = write("coco", "in.json", "out.json");
  EXPECT_THAT(test::texts(written.notes), Contains(kNote));
  EXPECT_EQ(written.labels, 4);
  json expected = json::parse(test::readBytes(dir_.file("in.json")));
  expected["categories"].push_back({{"id", 10}, {"name", "fox"}, {"supercategory", ""}});
  expected["images"].push_back({{"id", 14}, {"file_name", "s/e.png"}});
  json& annotations = expected["annotations"];
  annotations.erase(4);
  annotations.erase(0);
  annotations.push_back({{"id", 9}, {"image_id", 10}, {"category_id", 10}});
  annotations.push_back({{"id", 10}, {"image_id", 14}, {"category_id", 5}});
  EXPECT_EQ(json::parse(test::readBytes(dir_.file("out.json"))), expected);
  EXPECT_THAT(test::pathsAndClasses(test::readLabels("coco", dir_.file("out.json")).table),
              ElementsAre("s/b.png dog", "s/c.png cat", "s/a.png fox", "s/e.png cat"));
}

TEST_F(SourceFile, OfCvatKeepsItsShapes) {
  put("in.xml", R"(<?xml version="1.0" encoding="utf-8"?>
<annotations>
  <version>1.1</version>
  <meta><job><id>7</id><labels><label><name>cat</name><color>#fa3253</color><type>any</type></label>
    <label><name>dog</name></label></labels></job><dumped>2024</dumped></meta>
  <image id="3" name="s/a.png" width="30" height="20">
    <tag label="cat" source="manual"><attribute name="hard">true</attribute></tag>
    <box label="cat" source="manual" occluded="0" xtl="1.50" ytl="2.25" xbr="3.00" ybr="4.10" z_order="0">
      <attribute name="pose">left</attribute></box>
  </image>
  <image id="4" name="s/b.png"><tag label="dog" source="auto"><attribute name="hard">no</attribute></tag></image>
  <image id="5" name="s/c.png"><tag label="cat"/><polygon label="cat" points="1,2;3,4;5,6"/></image>
  <image id="6" name="s/d.png"><tag label="cat"/></image>
</annotations>
)");
  const LabelExport written = write("cvat", "in.xml", "out.xml");
  EXPECT_THAT(test::texts(written.notes), Contains(kNote));
  EXPECT_EQ(written.labels, 4);
  pugi::xml_document in;
  pugi::xml_document out;
  ASSERT_TRUE(in.load_file(dir_.file("in.xml").c_str()));
  ASSERT_TRUE(out.load_file(dir_.file("out.xml").c_str()));
  const auto textOf = [](const pugi::xml_node& node) {
    std::ostringstream text;
    node.print(text, "", pugi::format_raw);
    return text.str();
  };
  const auto image = [](const pugi::xml_document& document, const char* name) {
    return document.child("annotations").find_child_by_attribute("image", "name", name);
  };
  EXPECT_EQ(textOf(image(out, "s/a.png").child("box")), textOf(image(in, "s/a.png").child("box")));
  EXPECT_EQ(textOf(image(out, "s/a.png").child("tag")), R"(<tag label="fox" source="manual"/>)");
  EXPECT_EQ(textOf(image(out, "s/b.png")), textOf(image(in, "s/b.png"))) << "confirmed";
  EXPECT_EQ(textOf(image(out, "s/c.png")), textOf(image(in, "s/c.png"))) << "undecided";
  EXPECT_FALSE(image(out, "s/d.png").child("tag"));
  EXPECT_EQ(textOf(image(out, "s/e.png")),
            R"(<image id="7" name="s/e.png"><tag label="cat" source="manual"/></image>)");
  EXPECT_EQ(textOf(out.child("annotations").child("meta").child("dumped")),
            "<dumped>2024</dumped>");
  std::vector<std::string> labels;
  for (const pugi::xml_node label :
       out.child("annotations").child("meta").child("job").child("labels").children()) {
    labels.push_back(textOf(label));
  }
  EXPECT_THAT(labels,
              ElementsAre("<label><name>cat</name><color>#fa3253</color><type>any</type></label>",
                          "<label><name>dog</name></label>",
                          "<label><name>fox</name><type>tag</type><attributes/></label>"));
}

TEST_F(SourceFile, OfLabelStudioKeepsItsShapes) {
  put("in.json", R"([
    {"id": 7, "project": 3, "data": {"photo": "/data/local-files/?d=s/a.png"}, "predictions": [],
     "annotations": [{"id": 1, "completed_by": 4, "result": [
       {"id": "x", "from_name": "kind", "to_name": "photo", "type": "choices",
        "value": {"choices": ["cat"]}},
       {"id": "y", "from_name": "box", "to_name": "photo", "type": "rectanglelabels",
        "original_width": 30, "value": {"x": 1.5, "y": 2, "width": 3, "height": 4, "rotation": 0,
        "rectanglelabels": ["eye"]}}]}]},
    {"id": 8, "data": {"photo": "/data/local-files/?d=s/b.png"}, "annotations": [{"id": 2, "mine": true,
      "result": [{"id": "z", "from_name": "kind", "to_name": "photo", "type": "choices",
                  "value": {"choices": ["dog"]}}]}]},
    {"id": 9, "data": {"photo": "/data/local-files/?d=s/c.png"}, "annotations": [{"id": 3, "result": [
       {"id": "p", "from_name": "area", "to_name": "photo", "type": "polygonlabels",
        "value": {"points": [[1, 2], [3, 4]], "polygonlabels": ["ear"]}}]}]},
    {"id": 10, "data": {"photo": "/data/local-files/?d=s/d.png"}, "annotations": [{"id": 5, "result": [
       {"id": "q", "from_name": "kind", "to_name": "photo", "type": "choices",
        "value": {"choices": ["cat"]}}]}]}])");
  const LabelExport written = write("label-studio", "in.json", "out.json");
  EXPECT_THAT(test::texts(written.notes), Contains(kNote));
  EXPECT_EQ(written.labels, 4);
  const json in = json::parse(test::readBytes(dir_.file("in.json")));
  const json out = json::parse(test::readBytes(dir_.file("out.json")));
  ASSERT_EQ(out.size(), 5U);
  json expected = in[0];
  json& results = expected["annotations"][0]["result"];
  results.erase(0);
  results.push_back({{"id", "0000000000"},
                     {"from_name", "kind"},
                     {"to_name", "photo"},
                     {"type", "choices"},
                     {"value", {{"choices", {"fox"}}}}});
  EXPECT_EQ(out[0], expected);
  EXPECT_EQ(out[1], in[1]) << "confirmed";
  EXPECT_EQ(out[2], in[2]) << "undecided";
  EXPECT_EQ(out[3].at("annotations"), json::array());
  EXPECT_THAT(test::pathsAndClasses(test::readLabels("label-studio", dir_.file("out.json")).table),
              ElementsAre("s/a.png fox", "s/b.png dog", "s/e.png cat"));
}

TEST_F(SourceFile, OfLabelStudioWithSeveralControlsNeedsOne) {
  const auto choice = [](const char* control, const char* name) {
    return json{{"from_name", control},
                {"to_name", "photo"},
                {"type", "choices"},
                {"value", {{"choices", {name}}}}};
  };
  const json tasks = {
      {{"data", {{"photo", "s/a.png"}}},
       {"annotations", {{{"result", {choice("light", "dim"), choice("kind", "cat")}}}}}}};
  put("in.json", tasks.dump());
  RunContext context;
  LabelExportOptions options;
  options.from = dir_.file("in.json");
  const LabelFormat& format = *findLabelFormat("label-studio");
  const auto refused = exportLabels(format, table_, dir_.file("out.json"), options, context);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("kind, light"));
  options.from_field = "kind";
  ASSERT_OK(exportLabels(format, table_, dir_.file("out.json"), options, context));
  const json out = json::parse(test::readBytes(dir_.file("out.json")));
  const json& results = out[0].at("annotations")[0].at("result");
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0], choice("light", "dim"));
  EXPECT_EQ(results[1].at("from_name"), "kind");
  EXPECT_EQ(results[1].at("value").at("choices"), json::array({"fox"}));
}

TEST_F(SourceFile, OfFiftyOneKeepsItsShapes) {
  put("samples.json", R"({"name": "pets", "samples": [
    {"filepath": "s/a.png", "tags": ["old"], "size": {"w": 30},
     "boxes": {"_cls": "Detections", "detections": [
       {"_cls": "Detection", "label": "eye", "bounding_box": [0.1, 0.2, 0.3, 0.4]}]},
     "ground_truth": {"_id": {"$oid": "5f"}, "_cls": "Classification", "tags": ["hard"],
                      "label": "cat"}},
    {"filepath": "s/b.png", "ground_truth": {"_cls": "Classification", "label": "dog",
                                             "confidence": 0.25, "mine": 1}},
    {"filepath": "s/c.png", "ground_truth": {"_cls": "Classification", "label": "cat"},
     "area": {"_cls": "Polyline", "points": [[[0.1, 0.2]]]}},
    {"filepath": "s/d.png", "ground_truth": {"_cls": "Classification", "label": "cat"}}]})");
  const LabelExport written = write("fiftyone", "samples.json", "out.json");
  EXPECT_THAT(test::texts(written.notes), Contains(kNote));
  EXPECT_EQ(written.labels, 4);
  const json in = json::parse(test::readBytes(dir_.file("samples.json")));
  const json out = json::parse(test::readBytes(dir_.file("out.json")));
  EXPECT_EQ(out.at("name"), "pets");
  const json& samples = out.at("samples");
  ASSERT_EQ(samples.size(), 5U);
  json changed = samples[0];
  EXPECT_EQ(changed["ground_truth"]["label"], "fox");
  EXPECT_EQ(changed["ground_truth"]["tags"], json::array({"hard"}));
  EXPECT_EQ(changed["ground_truth"]["_id"], in["samples"][0]["ground_truth"]["_id"]);
  changed["ground_truth"] = in["samples"][0]["ground_truth"];
  EXPECT_EQ(changed, in["samples"][0]);
  EXPECT_EQ(samples[1], in["samples"][1]) << "confirmed";
  EXPECT_EQ(samples[2], in["samples"][2]) << "undecided";
  EXPECT_TRUE(samples[3].at("ground_truth").is_null());
  EXPECT_THAT(test::pathsAndClasses(test::readLabels("fiftyone", dir_.file("out.json")).table),
              ElementsAre("s/a.png fox", "s/b.png dog", "s/c.png cat", "s/e.png cat"));
}

TEST_F(SourceFile, OfOtherFormatsIsRefused) {
  RunContext context;
  for (const LabelFormat* const format : allLabelFormats()) {
    SCOPED_TRACE(format->key);
    LabelExportOptions options;
    options.from = dir_.file("none");
    const std::string path = dir_.file("out") + format->ending;
    const auto result = exportLabels(*format, table_, path, options, context);
    ASSERT_FALSE(result);
    const bool reads = format->shapes == LabelShapes::kWrittenBack;
    EXPECT_EQ(result.error().code, reads ? ErrorCode::kNotFound : ErrorCode::kUnsupported);
    EXPECT_THAT(result.error().message,
                HasSubstr(reads ? dir_.file("none")
                                : "export as labelme, Label Studio, CVAT, FiftyOne, COCO"));
    EXPECT_FALSE(fs::exists(path));
  }
}

}  // namespace
}  // namespace dubito
