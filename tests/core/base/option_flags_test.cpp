// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/option_flags.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace dubito {
namespace {

struct Sample {
  std::int64_t draws = 50;
  std::optional<double> drop_rate;
  std::optional<std::int64_t> most;
  std::string masks = "per-item";
  std::vector<std::int64_t> sites;
  bool fast = false;
  double weight = 1.0;
  Requirement weight_needs;

  std::vector<Field> fields() {
    return {
        {{.name = "draws", .label = "", .help = ""}, &draws},
        {{.name = "drop_rate", .label = "", .help = ""}, &drop_rate},
        {{.name = "most", .label = "", .help = ""}, &most},
        {{.name = "masks", .label = "", .help = ""}, &masks},
        {{.name = "sites", .label = "", .help = ""}, &sites},
        {{.name = "fast", .label = "", .help = ""}, &fast},
        {{.name = "weight", .label = "", .help = "", .unmet_requirement = weight_needs}, &weight}};
  }
};

std::vector<std::string> flagsOf(Sample sample) {
  Sample defaults;
  return flagsOfFields(sample.fields(), defaults.fields());
}

using Flags = std::vector<std::string>;

TEST(OptionFlags, SayWhatDiffersFromTheDefaults) {
  EXPECT_EQ(flagsOf(Sample()), Flags{});
  Sample counts;
  counts.draws = -7;
  counts.drop_rate = 0.25;
  counts.most = 3;
  counts.masks = "shared";
  counts.sites = {0, 2};
  EXPECT_EQ(flagsOf(counts),
            (Flags{"--draws=-7", "--drop-rate=0.25", "--most=3", "--masks=shared", "--sites=0,2"}));
  Sample switches;
  switches.fast = true;
  switches.weight = 0.1;
  EXPECT_EQ(flagsOf(switches), (Flags{"--fast", "--weight=0.1"}));
}

TEST(OptionFlags, NumbersAreReadBackBitByBit) {
  const double value = 0.1 + 0.2;
  Sample sample;
  sample.weight = value;
  const Flags flags = flagsOf(sample);
  ASSERT_EQ(flags.size(), 1U);
  EXPECT_EQ(std::stod(flags[0].substr(flags[0].find('=') + 1)), value);
}

TEST(OptionFlags, LeaveOutWhatHasNoEffect) {
  Sample sample;
  sample.weight = 0.5;
  sample.weight_needs = allUnless(false, {setting("fast")});
  EXPECT_EQ(flagsOf(sample), Flags{});
  sample.weight_needs = oneUnless(false, {neededWords("methods with draws"), setting("fast")});
  EXPECT_EQ(flagsOf(sample), Flags{});
  sample.weight_needs = allUnless(true, {setting("fast")});
  EXPECT_EQ(flagsOf(sample), Flags{"--weight=0.5"});
}

TEST(OptionFlags, NeedTheSameFields) {
  Sample sample;
  EXPECT_THROW((void)flagsOfFields(sample.fields(), {}), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
