// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/kernel.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

constexpr std::array<const char*, 10> kKernels = {"1.5*se(0.8)",
                                                  "0.7*matern12(1.1)",
                                                  "matern32(0.6)",
                                                  "2*matern52(0.9)",
                                                  "1.5*rq(0.6, 0.8)",
                                                  "periodic(0.9, 2.5)",
                                                  "0.7*linear(0.5)",
                                                  "0.3 + se(2)",
                                                  "1.5*se(0.8) + linear(0.5)*periodic(0.9, 2.5)",
                                                  "2*(se(0.8) + linear(0.5))*(rq(1, 2) + 0.1)"};
constexpr std::array<std::array<double, 2>, 5> kPairs = {
    {{0.3, -0.4}, {1.0, 1.0}, {-2.0, 1.7}, {0.0, 0.9}, {-0.5, -3.1}}};

Kernel parsed(const std::string& text) {
  const auto kernel = parseKernel(text);
  EXPECT_TRUE(kernel) << kernel.error().message;
  return kernel.value_or(Kernel::constant(1.0));
}

std::string messageOf(const std::string& text) {
  const auto kernel = parseKernel(text);
  return kernel ? "no error: " + kernel->text() : kernel.error().message;
}

TEST(KernelText, GoesThereAndBack) {
  for (const char* const text : kKernels) {
    EXPECT_EQ(parsed(text).text(), text);
  }
  EXPECT_EQ(parsed("se").text(), "se(1)");
  EXPECT_EQ(parsed(" 2 * ( se ( 3 ) ) ").text(), "2*se(3)");
  EXPECT_EQ(parsed("rq(length_scale=2, alpha=0.5)").text(), "rq(0.5, 2)");
  EXPECT_EQ(parsed("periodic(2, period=0.5)").text(), "periodic(2, 0.5)");
  EXPECT_EQ(parsed("0.1*(se+(linear+2))").text(), "0.1*(se(1) + linear(1) + 2)");
  const Kernel third = parsed("se").withLogParameters(std::array{std::log(1.0 / 3.0)});
  EXPECT_EQ(parsed(third.text()).parameters()[0].value, third.parameters()[0].value);
}

TEST(KernelText, ErrorsNamePositionAndRemedy) {
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(messageOf(text).find(part), std::string::npos) << messageOf(text);
  };
  EXPECT_EQ(messageOf("se(0.8) + mattern(2)"),
            "kernel 'se(0.8) + mattern(2)': unknown kernel 'mattern' at position 11; use "
            "se(length_scale), matern12(length_scale), matern32(length_scale), "
            "matern52(length_scale), rq(alpha, length_scale), periodic(length_scale, period), "
            "linear(sigma_0)");
  EXPECT_EQ(parseKernel("mattern").error().remedy.settings, std::vector{setting("kernel")});
  expect("", "expected a number, a kernel or '(' at position 1; write");
  expect("2*", "expected a number, a kernel or '(' at position 3");
  expect("se(0.8", "expected ',' or ')' at position 7; write se(length_scale)");
  expect("(se + 1", "expected ')' at position 8");
  expect("se(1) linear", "unexpected 'linear' at position 7");
  expect("se(1, 2)", "one value too many for se at position 7; write se(length_scale)");
  expect("periodic(1, length_scale=2)", "one value too many for periodic at position 13");
  expect("periodic(period=1, 2)", "one value too many for periodic at position 20");
  expect("se(scale=1)", "expected a parameter of se and '=' at position 4");
  expect("se()*-2", "-2 is out of range at position 6");
  expect("se(0)", "0 is out of range at position 4; numbers must lie in [1e-09, 1e+09]");
  expect("se(1e999)", "1e999 is out of range");
  expect("inf", "unknown kernel 'inf'");
  expect(std::string(1000, '('), "too many");
  expect(
      "periodic*periodic*periodic*periodic*periodic*periodic*periodic*periodic*periodic*"
      "periodic*periodic",
      "has 22 parameters; use at most 20");
}

TEST(Kernel, GradientIsThatOfCentralDifferences) {
  constexpr double kStep = 1e-5;
  for (const char* const text : kKernels) {
    const Kernel kernel = parsed(text);
    std::vector<double> gradient(kernel.parameterCount());
    for (const auto& [x, z] : kPairs) {
      EXPECT_EQ(kernel.valueAndGradient(x, z, gradient), kernel.value(x, z));
      for (std::size_t p = 0; p < gradient.size(); ++p) {
        std::vector<double> point = kernel.logParameters();
        point[p] += kStep;
        const double above = kernel.withLogParameters(point).value(x, z);
        point[p] -= 2.0 * kStep;
        const double below = kernel.withLogParameters(point).value(x, z);
        EXPECT_TRUE(closeTo(gradient[p], (above - below) / (2.0 * kStep), 1e-7, 1e-8))
            << text << " parameter " << p;
      }
    }
  }
}

TEST(Kernel, SumsAndProductsAreThoseOfTheValues) {
  const Kernel left = parsed("1.5*se(0.8) + 0.2");
  const Kernel right = parsed("linear(0.5)");
  for (const auto& [x, z] : kPairs) {
    EXPECT_DOUBLE_EQ((left + right).value(x, z), left.value(x, z) + right.value(x, z));
    EXPECT_DOUBLE_EQ((left * right).value(x, z), left.value(x, z) * right.value(x, z));
    EXPECT_DOUBLE_EQ((left * right).value(x, z), (right * left).value(x, z));
    EXPECT_NEAR((right * left).value(x, z),
                (right * parsed("1.5*se(0.8)") + right * parsed("0.2")).value(x, z), 1e-14);
    EXPECT_DOUBLE_EQ(left.value(x, z), left.value(z, x));
  }
  EXPECT_EQ((left * right).text(), "(1.5*se(0.8) + 0.2)*linear(0.5)");
}

TEST(Kernel, ValuesByHand) {
  EXPECT_DOUBLE_EQ(parsed("1.5*se(2)").value(0.0, 2.0), 1.5 * std::exp(-0.5));
  EXPECT_DOUBLE_EQ(parsed("matern12(2)").value(1.0, -1.0), std::exp(-1.0));
  EXPECT_DOUBLE_EQ(parsed("linear(0.5)").value(2.0, 3.0), 6.25);
  EXPECT_NEAR(parsed("periodic(0.9, 2.5)").value(0.0, 7.5), 1.0, 1e-14);
  EXPECT_DOUBLE_EQ(parsed("rq(1, 1)").value(0.0, 2.0), 1.0 / 3.0);
}

TEST(Kernel, ParametersHaveUniqueKeys) {
  const auto parameters = parsed("2*se(3)*periodic(4, 5) + 6*linear(7)").parameters();
  std::vector<std::string> keys;
  std::vector<double> values;
  for (const KernelParameter& parameter : parameters) {
    keys.push_back(parameter.key);
    values.push_back(parameter.value);
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"variance", "length_scale", "length_scale_2", "period",
                                            "variance_2", "sigma_0"}));
  EXPECT_EQ(values, (std::vector<double>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(parameters[2].name, "Length scale 2");
}

TEST(Kernel, ParametersSayWhoseTheyAre) {
  const auto parameters = parsed("2*se(3)*periodic(4, 5)").parameters();
  ASSERT_EQ(parameters.size(), 4U);
  EXPECT_EQ(parameters[0].base, nullptr);
  EXPECT_EQ(parameters[1].base, findBaseKernel("se"));
  EXPECT_EQ(parameters[3].base, findBaseKernel("periodic"));
}

TEST(Kernel, AParameterIsSetAlone) {
  constexpr double kValue = 0.125;
  for (const char* const text : kKernels) {
    const Kernel before = parsed(text);
    EXPECT_EQ(parsed(before.text()).text(), before.text());
    for (std::size_t changed = 0; changed < before.parameterCount(); ++changed) {
      // Through the text, which is what is kept of a kernel.
      const Kernel after = parsed(before.withParameter(changed, kValue).text());
      const auto expected = before.parameters();
      const auto parameters = after.parameters();
      ASSERT_EQ(parameters.size(), expected.size()) << text;
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        EXPECT_EQ(parameters[p].key, expected[p].key);
        EXPECT_EQ(parameters[p].value, p == changed ? kValue : expected[p].value)
            << text << " parameter " << p;
      }
    }
    EXPECT_THROW((void)before.withParameter(before.parameterCount(), 1.0), std::invalid_argument);
    EXPECT_THROW((void)before.withParameter(0, 0.0), std::invalid_argument);
  }
  // The others keep the digits that were given.
  EXPECT_EQ(parsed("1.23456*se(0.87654)").withParameter(1, 0.5).text(), "1.23456*se(0.5)");
}

TEST(Kernel, PlotSpacingShowsPeriodsAndLengthScales) {
  EXPECT_DOUBLE_EQ(parseKernel("2*se(0.6)")->plotSpacing().value(), 0.2);
  EXPECT_DOUBLE_EQ(parseKernel("se(0.6)*periodic(2, 0.12) + rq(1, 9)")->plotSpacing().value(),
                   0.01);
  EXPECT_DOUBLE_EQ(parseKernel("periodic(0.5, 0.12)")->plotSpacing().value(), 0.005);
  EXPECT_FALSE(parseKernel("linear(1) + 2")->plotSpacing());
  EXPECT_EQ(parseKernel("1.23456*se(0.87654) + linear(2)")->roundedText(3),
            "1.23*se(0.877) + linear(2)");
}

}  // namespace
}  // namespace dubito
