// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/class_list.h"

#include <gtest/gtest.h>

#include <set>

#include "core/labels/class_rules.h"
#include "tests/core/io/mutate.h"
#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// "cat c #0072b2" for each class.
std::vector<std::string> linesOf(std::span<const LabelClass> classes) {
  std::vector<std::string> lines;
  for (const LabelClass& each : classes) {
    lines.push_back(each.name + ' ' + each.key + ' ' + each.colour);
  }
  return lines;
}

const std::vector<LabelClass> kClasses{{.id = 4, .name = "dog, \"big\" <&>", .colour = "#D55E00"},
                                       {.id = 0, .name = "cat", .colour = "#0072b2", .key = "c"},
                                       {.id = 2, .name = "kitten", .key = "k", .merged_into = 0},
                                       {.id = 3, .name = "\xC3\xA4/b = 1", .key = "7"}};

class ClassLists : public testing::Test {
 protected:
  ClassList read(const std::string& text, const std::string& key = {}) {
    test::writeBytes(dir_.file("classes"), text);
    auto list = readClassList(dir_.file("classes"), key);
    EXPECT_OK(list);
    return list.value_or(ClassList());
  }

  std::string error(const std::string& text, const std::string& key = {}) {
    test::writeBytes(dir_.file("classes"), text);
    const auto list = readClassList(dir_.file("classes"), key);
    EXPECT_FALSE(list);
    const std::string message = list ? std::string() : list.error().message;
    EXPECT_TRUE(message.starts_with(dir_.file("classes"))) << message;
    EXPECT_THAT(message, HasSubstr("; ")) << "a remedy";
    return message;
  }

  test::TempDir dir_;
};

TEST_F(ClassLists, ComeBackInEveryFormatWithoutNamingIt) {
  for (const ClassListFormat& format : allClassListFormats()) {
    SCOPED_TRACE(format.key);
    const std::string file = dir_.file("classes") + format.ending;
    const auto notes = writeClassList(kClasses, file, format.key);
    ASSERT_OK(notes);
    const auto list = readClassList(file);
    ASSERT_OK(list);
    EXPECT_THAT(list->notes, IsEmpty());
    if (format.keeps_keys) {
      EXPECT_THAT(*notes, IsEmpty());
      EXPECT_THAT(linesOf(list->classes),
                  ElementsAre("cat c #0072b2", "\xC3\xA4/b = 1 7 ", "dog, \"big\" <&>  #D55E00"));
    } else {
      EXPECT_THAT(test::texts(*notes), ElementsAre("keys of classes, not kept by CVAT labels: 2"));
      EXPECT_THAT(linesOf(list->classes),
                  ElementsAre("cat  #0072b2", "\xC3\xA4/b = 1  ", "dog, \"big\" <&>  #D55E00"));
    }
  }
}

TEST_F(ClassLists, OfCvatAreReadAsItsRawView) {
  const ClassList list = read(R"([{"name": "cat", "id": 1, "color": "#FF6A4D", "type": "any",
    "attributes": []}, {"name": "eye", "color": "#33ddff", "type": "rectangle", "attributes": []},
    {"name": "dog", "color": "hot", "attributes": []}, {"name": "cat"}, {"name": ""}])");
  EXPECT_THAT(linesOf(list.classes), ElementsAre("cat  #FF6A4D", "dog  "));
  EXPECT_THAT(test::texts(list.notes),
              ElementsAre("classes without a name or named before, left out: 2 ('cat', '')",
                          "classes for shapes, left out: 1 ('eye')",
                          "colours that are not of the form #rrggbb, left out: 1 ('dog: hot')"));
}

TEST_F(ClassLists, OfLabelStudioAreReadAsPeopleWriteThem) {
  const ClassList list = read(R"(<?xml version="1.0"?><!-- animals --><View>
    <Header value="Which animal?"/><Image name="img" value="$url"/>
    <View><Choices name="animal" toName="img">
      <Choice value="Cat" hotkey="c" background="green"/>
      <Choice value="Dog" alias="dog" hotkey="ctrl+d" background="#abc"/>
      <Choice value="Fox" hotkey="c"/></Choices></View>
    <Choices name="quality" toName="img"><Choice value="sharp"/></Choices>
    <RectangleLabels name="l" toName="img"><Label value="eye"/></RectangleLabels></View>)");
  EXPECT_THAT(linesOf(list.classes), ElementsAre("Cat c #008000", "dog  #aabbcc", "Fox  "));
  EXPECT_THAT(test::texts(list.notes),
              ElementsAre("further lists of choices, left out: 1", "labels of shapes, left out: 1",
                          "keys that are not one letter or digit, or used before, left out: 2 "
                          "('dog: ctrl+d', 'Fox: c')"));
}

TEST_F(ClassLists, RefuseWhatIsNoneOfThem) {
  EXPECT_THAT(error("hello"), HasSubstr("does not look like a list of classes"));
  EXPECT_THAT(error("{\"format\": \"dubito-classes\", \"classes\": 7}"), HasSubstr("'classes'"));
  EXPECT_THAT(error("{\"format\": \"dubito-classes\", \"schema_version\": 2, \"classes\": []}"),
              HasSubstr("has version 2"));
  EXPECT_THAT(error("[{\"name\": "), HasSubstr("line 1, column"));
  EXPECT_THAT(error("[]", "cvat"), HasSubstr("contains no class"));
  EXPECT_THAT(error("<View><Choices><Choice"), HasSubstr("line 1, column"));
  EXPECT_THAT(error("{}", "papyrus"), HasSubstr("json, cvat, label-studio"));
  // Entities are not expanded.
  EXPECT_THAT(linesOf(read("<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><View><Choices>"
                           "<Choice value=\"&e;\"/></Choices></View>")
                          .classes),
              ElementsAre("&e;  "));
}

/// Damaged files are read or refused in one line.
TEST_F(ClassLists, MayBeDamaged) {
  for (const ClassListFormat& format : allClassListFormats()) {
    const std::string file = dir_.file("classes");
    ASSERT_OK(writeClassList(kClasses, file, format.key));
    const std::string good = test::readBytes(file);
    int refused = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
      SCOPED_TRACE(testing::Message() << format.key << " mutation " << seed);
      test::writeBytes(file, test::mutate(good, seed));
      const auto list = readClassList(file, format.key);
      if (!list) {
        ++refused;
        EXPECT_TRUE(list.error().message.starts_with(file)) << list.error().message;
        EXPECT_EQ(list.error().message.find('\n'), std::string::npos);
        continue;
      }
      std::set<std::string> names;
      for (const LabelClass& each : list->classes) {
        EXPECT_TRUE(names.insert(each.name).second);
        EXPECT_EQ(wrongWithClass(each), "");
      }
      EXPECT_EQ(wrongWithClasses(list->classes), "");
    }
    EXPECT_GT(refused, 5) << format.key;
  }
}

TEST_F(ClassLists, GiveAStoreClassesKeysAndColours) {
  const auto store = LabelStore::open(dir_.file("a.labels"), StoreMode::kOpenOrCreate);
  ASSERT_OK(store);
  ASSERT_OK((*store)->belongTo({.name = "x", .spec = "", .fingerprint = ""},
                               std::vector<std::string>{"cat", "dog", "fox"}));
  ASSERT_OK((*store)->changeClass({.id = 2, .name = "fox", .key = "7"}, "ann"));
  const auto changes = applyClassList(
      **store,
      std::vector<LabelClass>{{.id = 0, .name = "bird", .colour = "#112233", .key = "b"},
                              {.id = 1, .name = "cat", .key = "c"},
                              {.id = 2, .name = "dog", .colour = "#445566", .key = "7"},
                              {.id = 3, .name = "fox"}},
      "ann");
  ASSERT_OK(changes);
  EXPECT_THAT(changes->added, ElementsAre("bird"));
  EXPECT_THAT(changes->changed, ElementsAre("cat", "dog"));
  EXPECT_THAT(test::texts(changes->notes),
              ElementsAre("keys that another class has, left out: 1 ('dog: 7')"));
  EXPECT_THAT(linesOf((*store)->classes().value()),
              ElementsAre("cat c ", "dog  #445566", "fox 7 ", "bird b #112233"));
  // The same list again changes nothing.
  const auto sequence = (*store)->newestSequence().value();
  const auto again = applyClassList(**store, (*store)->classes().value(), "ann");
  ASSERT_OK(again);
  EXPECT_THAT(again->changed, IsEmpty());
  EXPECT_EQ((*store)->newestSequence().value(), sequence);
}

}  // namespace
}  // namespace dubito
