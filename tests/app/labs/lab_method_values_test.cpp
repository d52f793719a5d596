// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_method_values.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dubito {
namespace {

std::string numbersOf(std::vector<LabDiagnostic> numbers) {
  LabDiagnostics diagnostics;
  diagnostics.numbers = std::move(numbers);
  return methodNumbers(diagnostics).join(QStringLiteral(" · ")).toStdString();
}

TEST(MethodNumbers, OfChainsSayWhetherTheyCanBeBelieved) {
  EXPECT_EQ(numbersOf({{"step_size", "Step size", 0.05},
                       {"acceptance", "Acceptance", 0.83},
                       {"divergences", "Divergences", 3.0},
                       {"thinning", "Thinning", 1.0},
                       {"rhat", "R-hat of predictions", 1.0042},
                       {"ess", "ESS of predictions", 812.4}}),
            "R-hat 1.004 · ESS 812 · acceptance 83 % · 3 divergences");
}

TEST(MethodNumbers, ABoundReplacesTheLoss) {
  EXPECT_EQ(numbersOf({{"loss", "Loss", 80.0}, {"elbo", "ELBO", -80.0}}).find("ELBO"), 0U);
  EXPECT_EQ(numbersOf({{"loss", "Loss", 80.0}}).find("loss"), 0U);
  EXPECT_EQ(numbersOf({{"log_evidence", "Log evidence", -12.0}}).find("evidence"), 0U);
  EXPECT_EQ(numbersOf({}), "");
}

TEST(MethodNumbers, WhatIsNotKnownIsNoCount) {
  const std::string text = numbersOf({{"ess", "ESS of predictions", std::nan("")}});
  EXPECT_EQ(text.find("ESS"), 0U);
  EXPECT_EQ(text.find_first_of("0123456789"), std::string::npos) << text;
}

}  // namespace
}  // namespace dubito
