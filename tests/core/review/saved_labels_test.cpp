// SPDX-License-Identifier: GPL-3.0-or-later
// Saved out-of-sample predictions of real networks with their given labels.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/io/prediction_file.h"
#include "core/review/label_errors.h"
#include "core/review/simulate.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

dubito::Run saved(const std::string& name) {
  RunContext context;
  auto run = openPredictions(
      (*test::sharedDir() / "datasets" / "predictions" / (name + "_test_set_pyx.npy")).string(),
      context);
  EXPECT_OK(run);
  return run ? *std::move(run) : dubito::Run();
}

struct Expected6 {
  std::string name;
  std::int64_t estimated;
  std::map<std::string, std::size_t> by_rule;
};

TEST(SavedLabels, EveryRuleSuspectsTheSameNumberAsBefore) {
  DUBITO_NEEDS_SHARED();
  for (const char* const name : {"mnist", "cifar10", "imdb"}) {
    const dubito::Run run = saved(name);
    for (const char* const rule : {"prune-by-noise-rate", "prune-by-class", "both",
                                   "confident-learning", "predicted-neq-given"}) {
      const auto errors = findLabelErrors(run, name, {.rule = rule}, RunContext());
      ASSERT_OK(errors);
      printf("%s %s %zu %ld\n", name, rule, errors->issues.size(), errors->estimated);
    }
  }
}

}  // namespace
}  // namespace dubito
