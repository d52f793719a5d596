// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/class_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "core/labs/data/class_sets.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

Expected<ClassData> opened(const std::string& specification, const ClassSetOptions& options = {},
                           std::uint64_t seed = 1) {
  RunContext context;
  return openClassData(specification, options, seed, context);
}

Expected<ClassData> openedText(const std::string& text, const std::string& options = "") {
  const test::TempDir folder;
  const std::string path = (folder.path() / "points.csv").string();
  std::ofstream(path) << text;
  return opened("csv:" + path + options);
}

std::string messageOf(const Expected<ClassData>& data) {
  return data ? "no error" : data.error().message;
}

std::int64_t countOf(const ClassPoints& points, std::int64_t c) {
  return std::ranges::count(points.classes, c);
}

TEST(ClassSets, HaveAllClassesEquallyOftenInsideTheSquare) {
  for (const ClassSetInfo& info : classSets()) {
    const auto data = opened(info.key, {.points = 121});
    ASSERT_TRUE(data) << info.key;
    EXPECT_EQ(data->train.size(), 121) << info.key;
    EXPECT_EQ(data->test.size(), 400) << info.key;
    for (std::int64_t c = 0; c < data->classes(); ++c) {
      EXPECT_NEAR(static_cast<double>(countOf(data->train, c)),
                  121.0 / static_cast<double>(data->classes()), 1.0)
          << info.key;
    }
    for (const ClassPoints* const points : {&data->train, &data->test}) {
      for (std::size_t i = 0; i < points->x1.size(); ++i) {
        EXPECT_LT(std::abs(points->x1[i]), kClassHalfWidth) << info.key;
        EXPECT_LT(std::abs(points->x2[i]), kClassHalfWidth) << info.key;
      }
    }
    EXPECT_EQ(std::ranges::find_first_of(data->train.x1, data->test.x1), data->train.x1.end());
  }
}

TEST(ClassSets, DependOnTheSeedAlone) {
  EXPECT_EQ(opened("moons", {}, 3)->train.x1, opened("moons", {}, 3)->train.x1);
  EXPECT_NE(opened("moons", {}, 3)->train.x1, opened("moons", {}, 4)->train.x1);
}

TEST(ClassSets, LieOnTheirShapesWithoutNoise) {
  const auto circle = opened("circle", {.points = 200, .noise = 0.0});
  for (std::size_t i = 0; i < circle->train.x1.size(); ++i) {
    const double radius = std::hypot(circle->train.x1[i], circle->train.x2[i]);
    if (circle->train.classes[i] == 0) {
      EXPECT_LE(radius, 1.5);
    } else {
      EXPECT_NEAR(radius, 3.5, 1e-12);
    }
  }
  const auto xors = opened("xor", {.points = 200, .noise = 0.0});
  for (std::size_t i = 0; i < xors->train.x1.size(); ++i) {
    EXPECT_EQ(xors->train.x1[i] * xors->train.x2[i] > 0.0, xors->train.classes[i] == 0);
  }
  const auto blobs = opened("blobs", {.points = 4000});
  double squares = 0.0;
  for (std::size_t i = 0; i < blobs->train.x1.size(); ++i) {
    const double centre = blobs->train.classes[i] % 2 == 0 ? -2.5 : 2.5;
    squares += std::pow(blobs->train.x1[i] - centre, 2) / 4000.0;
  }
  EXPECT_NEAR(squares, 0.49, 5.0 * 0.49 * std::sqrt(2.0 / 4000.0));
}

TEST(ClassSets, SpiralHasAClassPerArm) {
  for (const std::int64_t arms : {2, 5, 8}) {
    EXPECT_EQ(opened("spiral", {.arms = arms})->classes(), arms);
  }
}

TEST(ClassFiles, TakeColumnsByNameOrPlace) {
  const auto named = openedText("label,x2,x1,class\nq,1,2,b\nq,3,4,a\n");
  ASSERT_TRUE(named) << messageOf(named);
  EXPECT_EQ(named->class_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(named->train.x1, (std::vector<double>{2.0, 4.0}));
  EXPECT_EQ(named->train.x2, (std::vector<double>{1.0, 3.0}));
  EXPECT_EQ(named->train.classes, (std::vector<std::int64_t>{1, 0}));
  const auto placed = openedText("name,u,v,kind\nfirst,1,2,cat\nsecond,3,4,dog\n");
  ASSERT_TRUE(placed) << messageOf(placed);
  EXPECT_EQ(placed->x1_label, "u");
  EXPECT_EQ(placed->x2_label, "v");
  EXPECT_EQ(placed->class_names, (std::vector<std::string>{"cat", "dog"}));
  const auto chosen = openedText("a,b,c,d\n1,2,0,9\n3,4,1,9\n", "?x1=b&x2=a&class=c");
  ASSERT_TRUE(chosen) << messageOf(chosen);
  EXPECT_EQ(chosen->train.x1, (std::vector<double>{2.0, 4.0}));
  EXPECT_NE(messageOf(openedText("a,b,c\n1,2,0\n", "?x1=z")).find("has no column 'z'"),
            std::string::npos);
  EXPECT_NE(messageOf(openedText("a,b,c\n1,2,0\n", "?y=z")).find("use csv:FILE?x1=COLUMN&x2="),
            std::string::npos);
}

TEST(ClassFiles, OrderClassesByNumber) {
  const auto data = openedText("x1,x2,class\n1,2,10\n3,4,9\n0,0,10\n");
  ASSERT_TRUE(data) << messageOf(data);
  EXPECT_EQ(data->class_names, (std::vector<std::string>{"9", "10"}));
}

TEST(ClassFiles, LeaveOutRowsWithoutNumbersAndShowAllPoints) {
  const auto data = openedText("x1,x2,class\n1,nan,a\n-3,4,a\ntext,1,b\n5,8,b\n1,1,\n");
  ASSERT_TRUE(data) << messageOf(data);
  EXPECT_EQ(data->train.size(), 2);
  EXPECT_EQ(data->notes,
            (std::vector<std::string>{"3 rows without two numbers and a class left out"}));
  EXPECT_EQ(data->shown_x1.low, -5.0);
  EXPECT_EQ(data->shown_x1.high, 7.0);
}

TEST(ClassFiles, KeepEveryFifthPointForTestingAndThinLargeFiles) {
  std::string text = "x1,x2,class\n";
  for (int i = 0; i < 25000; ++i) {
    text += std::to_string(i) + ",1," + std::to_string(i % 2) + "\n";
  }
  const auto data = openedText(text);
  ASSERT_TRUE(data) << messageOf(data);
  EXPECT_EQ(data->train.size() + data->test.size(), 8334);
  EXPECT_EQ(data->test.size(), 1666);
  EXPECT_EQ(data->notes.size(), 1U);
}

TEST(ClassData, SaysWhatIsWrong) {
  const auto says = [](const Expected<ClassData>& data, const std::string& text) {
    ASSERT_FALSE(data);
    EXPECT_NE(data.error().message.find(text), std::string::npos) << data.error().message;
    EXPECT_NE(data.error().message.find("; "), std::string::npos) << data.error().message;
  };
  says(openedText("x1,x2,class\n1,2,a\n3,4,a\n"), "all points are of one class");
  says(openedText("x1,x2,class\n1,2,0\n3,4,2\n"), "class 1 has no points");
  std::string many = "x1,x2,class\n";
  for (int i = 0; i < 40; ++i) {
    many += "1,2,kind" + std::to_string(i % 20) + "\n";
  }
  says(openedText(many), "has 20 classes");
  says(openedText("x1,x2,class\nnan,nan,a\n"), "no row has two numbers and a class");
  says(openedText("only\n1\n"), "no row has two numbers and a class");
  says(opened("bananas"), "unknown data");
  says(opened("blobs", {.points = 2}), "class 2 has no points");
  ClassData own;
  own.name = "Own points";
  own.class_names = numberedClasses(2);
  EXPECT_FALSE(checkClassData(own));
  own.train.add(0.0, std::numeric_limits<double>::quiet_NaN(), 0);
  own.train.add(0.0, 0.0, 1);
  EXPECT_NE(checkClassData(own).error().message.find("not finite"), std::string::npos);
  // Points that are all the same are no error: the classes overlap.
  own.train.x2 = {0.0, 0.0};
  EXPECT_TRUE(checkClassData(own));
  showAround(own);
  EXPECT_LT(own.shown_x1.low, own.shown_x1.high);
}

}  // namespace
}  // namespace dubito
