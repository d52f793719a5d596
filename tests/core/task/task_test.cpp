// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/task.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace dubito {
namespace {

TEST(Task, KeysAreUniqueAndTextsComplete) {
  std::set<std::string> keys;
  for (const Task& task : tasks()) {
    EXPECT_TRUE(keys.insert(task.key).second) << task.key;
    EXPECT_TRUE(isTask(task.key));
    EXPECT_STRNE(task.target, "");
    EXPECT_STRNE(task.output, "");
    EXPECT_TRUE(task.kind_of == nullptr || isTask(task.kind_of)) << task.key;
    EXPECT_NE(taskKeys().find("'" + std::string(task.key) + "'"), std::string::npos);
  }
}

TEST(Task, BelongsToItselfAndToNoUnknownTask) {
  EXPECT_TRUE(isTaskOf(kClassification, kClassification));
  EXPECT_FALSE(isTaskOf("regression", kClassification));
  EXPECT_FALSE(isTaskOf(kClassification, "regression"));
  EXPECT_FALSE(isTaskOf("", ""));
  EXPECT_FALSE(isTask("image-classification"));
}

}  // namespace
}  // namespace dubito
