// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/options.h"

#include "core/base/choice_label.h"
#include "tests/support/matchers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace dubito {
namespace {

struct Sample {
  std::int64_t draws = 50;
  std::optional<double> drop_rate;
  std::optional<std::int64_t> most;
  std::string masks = "per-item";
  std::vector<std::int64_t> sites;
  bool fast = false;

  std::vector<Field> fields() {
    return {
        {{.name = "draws", .label = "Draws", .help = "", .min = 1, .max = 100}, &draws},
        {{.name = "drop_rate", .label = "Drop rate", .help = "", .min = 0, .max = 0.9}, &drop_rate},
        {{.name = "most", .label = "", .help = "", .min = 1, .max = 9}, &most},
        {{.name = "masks", .label = "Masks", .help = "", .choices = {"per-item", "shared"}},
         &masks},
        {{.name = "sites", .label = "", .help = "", .min = 0}, &sites},
        {{.name = "fast", .label = "", .help = ""}, &fast}};
  }
};

TEST(Options, RoundTripThroughJson) {
  Sample written{7, 0.25, 3, "shared", {0, 2}, true};
  Sample read;
  ASSERT_TRUE(fieldsFromJson(fieldsToJson(written.fields()), read.fields()));
  EXPECT_EQ(read.draws, 7);
  EXPECT_EQ(read.drop_rate, 0.25);
  EXPECT_EQ(read.most, 3);
  EXPECT_EQ(read.masks, "shared");
  EXPECT_EQ(read.sites, (std::vector<std::int64_t>{0, 2}));
  EXPECT_TRUE(read.fast);
}

TEST(Options, AnEmptyOptionalIsNull) {
  Sample sample;
  const nlohmann::json object = fieldsToJson(sample.fields());
  EXPECT_TRUE(object.at("drop_rate").is_null());
  EXPECT_TRUE(object.at("most").is_null());
  sample.drop_rate = 0.5;
  sample.most = 4;
  ASSERT_TRUE(fieldsFromJson(object, sample.fields()));
  EXPECT_FALSE(sample.drop_rate.has_value());
  EXPECT_FALSE(sample.most.has_value());
}

TEST(Options, ErrorsNameTheOptionAndWhatItTakes) {
  Sample sample;
  sample.draws = 0;
  Status status = checkFields(sample.fields());
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("Draws is 0"));
  EXPECT_THAT(status.error().remedy.settings, testing::ElementsAre(setting("draws")));

  sample = {};
  sample.drop_rate = std::numeric_limits<double>::quiet_NaN();
  status = checkFields(sample.fields());
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("Drop rate is nan"));
  EXPECT_THAT(status.error().remedy.settings, testing::ElementsAre(setting("drop_rate")));

  sample = {};
  sample.masks = "random";
  status = checkFields(sample.fields());
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message,
              HasSubstr("Masks is 'random'; choose one of per-item, shared"));
  EXPECT_THAT(status.error().remedy.settings, testing::ElementsAre(setting("masks")));
}

TEST(Options, UnknownKeysAndWrongTypesAreRefused) {
  Sample sample;
  EXPECT_FALSE(fieldsFromJson(nlohmann::json{{"draw", 3}}, sample.fields()));
  EXPECT_FALSE(fieldsFromJson(nlohmann::json{{"draws", "three"}}, sample.fields()));
  EXPECT_FALSE(fieldsFromJson(nlohmann::json::array(), sample.fields()));
  EXPECT_EQ(sample.draws, 50);
}

TEST(Options, ChoicesHaveLabelsForTheWindow) {
  const FieldInfo structure{
      .name = "structure",
      .label = "Structure",
      .help = "",
      .choices = {"kron", "full"},
      .forms = {{.prefix = "kron", .label = "Kronecker"}, {.prefix = "full", .label = "full"}}};
  EXPECT_EQ(choiceLabel(structure, "kron"), "Kronecker");
  EXPECT_EQ(choiceLabel(structure, "diag"), "diag");
  const FieldInfo prior{.name = "prior",
                        .label = "Prior",
                        .help = "",
                        .forms = {{.prefix = "auto-evidence", .label = "by evidence"},
                                  {.prefix = "drop=", .label = "by drop", .number = 0.1},
                                  {.prefix = "", .label = "number", .number = 1.0}}};
  EXPECT_EQ(choiceLabel(prior, "auto-evidence"), "by evidence");
  EXPECT_EQ(choiceLabel(prior, "drop=0.05"), "by drop 0.05");
  EXPECT_EQ(choiceLabel(prior, "3"), "3");
}

}  // namespace
}  // namespace dubito
