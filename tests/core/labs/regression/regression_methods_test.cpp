// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_methods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <set>

#include "core/labs/data/regression_sets.h"
#include "core/labs/regression/regression_lab.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

/// The anchors that Markdown gives to the headings of docs/theory.md.
std::set<std::string> theoryAnchors() {
  std::set<std::string> anchors;
  std::ifstream file(test::sourceDir() / "docs" / "theory.md");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("#")) {
      continue;
    }
    std::string anchor;
    for (const char c : line.substr(line.find(' ') + 1)) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-') {
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      } else if (c == ' ') {
        anchor += '-';
      }
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST(RegressionMethods, AreDescribedCompletely) {
  const std::set<std::string> anchors = theoryAnchors();
  std::set<std::string> keys;
  for (const RegressionMethodInfo& info : regressionMethods()) {
    EXPECT_TRUE(keys.insert(info.key).second) << info.key;
    EXPECT_EQ(findRegressionMethod(info.key), &info);
    EXPECT_GT(std::string(info.explanation).size(), 40U) << info.key;
    EXPECT_GT(std::string(info.formula).size(), 5U) << info.key;
    EXPECT_TRUE(anchors.contains(info.theory)) << info.key << ": " << info.theory;
  }
  EXPECT_EQ(keys.size(), 14U);
  EXPECT_EQ(findRegressionMethod("oracle"), nullptr);
}

TEST(RegressionMethods, OptionsAreValidAndDifferFromThoseOfAllMethods) {
  RegressionLabOptions shared;
  std::set<std::string> taken;
  for (const Field& field : shared.fields()) {
    taken.insert(field.info.name);
  }
  for (const RegressionMethodInfo& info : regressionMethods()) {
    const auto method = info.make();
    EXPECT_TRUE(method->check()) << info.key;
    for (const Field& field : method->fields()) {
      EXPECT_FALSE(taken.contains(field.info.name)) << info.key << ": " << field.info.name;
      EXPECT_FALSE(field.info.help.empty()) << info.key << ": " << field.info.name;
    }
  }
}

/// Every method, on few points, in few units of work: finite numbers, the same ones however the
/// work is divided.
TEST(RegressionMethods, StatesDoNotDependOnHowWorkIsDivided) {
  RunContext context;
  const auto data = openRegressionData("gap", 12, 5, context);
  ASSERT_TRUE(data);
  for (const RegressionMethodInfo& info : regressionMethods()) {
    const auto method = info.make();
    const RegressionLabOptions options{.grid = 9, .max_draws = 5};
    auto together = RegressionLab::start(*data, *method, options, 3);
    auto divided = RegressionLab::start(*data, *method, options, 3);
    ASSERT_TRUE(together && divided) << info.key;
    const std::int64_t units = std::min<std::int64_t>(12, together->total());
    ASSERT_TRUE(together->advance(units, context)) << info.key;
    while (divided->done() < units) {
      ASSERT_TRUE(divided->advance(std::min<std::int64_t>(5, units - divided->done()), context));
    }
    const auto a = together->picture(context);
    const auto b = divided->picture(context);
    ASSERT_TRUE(a && b) << info.key << ": " << (a ? b : a).error().message;
    EXPECT_EQ(a->mean, b->mean) << info.key;
    EXPECT_EQ(a->std_total, b->std_total) << info.key;
    for (std::size_t i = 0; i < a->mean.size(); ++i) {
      EXPECT_TRUE(std::isfinite(a->mean[i])) << info.key;
      EXPECT_GE(a->std_epistemic[i], 0.0) << info.key;
      EXPECT_GE(a->std_total[i], a->std_epistemic[i]) << info.key;
    }
  }
}

TEST(RegressionMethods, BeforeAnyWorkThereIsAPictureOrASentence) {
  RunContext context;
  const auto data = openRegressionData("sine", 100, 0, context);
  ASSERT_TRUE(data);
  for (const RegressionMethodInfo& info : regressionMethods()) {
    const auto lab = RegressionLab::start(*data, *info.make(), {}, 0);
    ASSERT_TRUE(lab) << info.key;
    const auto picture = lab->picture(context);
    if (picture) {
      EXPECT_EQ(picture->done, 0) << info.key;
      EXPECT_TRUE(std::ranges::all_of(picture->std_total, [](double std) { return std > 0.0; }))
          << info.key;
    } else {
      EXPECT_GT(picture.error().message.size(), 20U) << info.key;
    }
  }
}

TEST(RegressionMethods, ExtremePointsGiveNumbersOrASentence) {
  RunContext context;
  RegressionData two;
  two.name = "two points";
  two.train = {{0.0, 1.0}, {0.0, 1.0}};
  two.shown = {-1.0, 2.0};
  RegressionData equal = two;
  equal.name = "equal heights";
  equal.train = {{0.0, 1.0, 1.0, 2.0}, {5.0, 5.0, 5.0, 5.0}};
  RegressionData huge = two;
  huge.name = "huge numbers";
  huge.train = {{1e150, 2e150, 4e150}, {-1e150, 3e150, 2e150}};
  huge.shown = {0.0, 5e150};
  for (const RegressionMethodInfo& info : regressionMethods()) {
    for (const RegressionData* const data : {&two, &equal, &huge}) {
      auto lab = RegressionLab::start(*data, *info.make(), {.grid = 5, .max_draws = 3}, 1);
      if (!lab) {
        EXPECT_GT(lab.error().message.size(), 20U);
        continue;
      }
      const Status advanced = lab->advance(std::min<std::int64_t>(20, lab->total()), context);
      const auto picture =
          advanced ? lab->picture(context) : Expected<RegressionPicture>(failWith(advanced));
      if (!picture) {
        EXPECT_GT(picture.error().message.size(), 20U) << info.key << ", " << data->name;
        continue;
      }
      for (const double value : picture->std_total) {
        EXPECT_TRUE(std::isfinite(value)) << info.key << ", " << data->name;
      }
    }
  }
}

}  // namespace
}  // namespace dubito
