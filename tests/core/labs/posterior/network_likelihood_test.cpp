// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/posterior/posterior_network.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

const RegressionProblem kProblem{
    .x = {-1.2, -0.3, 0.4, 1.1}, .y = {0.5, -0.2, 0.9, 0.1}, .noise_std = 0.3};

TEST(NetworkLikelihood, SumsOverItems) {
  const PosteriorNetworkOptions options{.hidden_units = 6};
  const NetworkLikelihood likelihood(kProblem, options.shape(kProblem));
  const std::vector<double> q = initialParameters(options.shape(kProblem), 3, 0);
  const std::vector<std::int64_t> all{0, 1, 2, 3};
  std::vector<double> gradient(q.size());
  std::vector<double> squared(q.size());
  const double value = likelihood.evaluate(q, all, gradient, squared);
  std::vector<double> gradient_sum(q.size());
  std::vector<double> square_sum(q.size());
  double value_sum = 0.0;
  for (const std::int64_t item : all) {
    std::vector<double> of_item(q.size());
    value_sum += likelihood.evaluate(q, std::vector<std::int64_t>{item}, of_item, {});
    for (std::size_t d = 0; d < q.size(); ++d) {
      gradient_sum[d] += of_item[d];
      square_sum[d] += of_item[d] * of_item[d];
    }
  }
  EXPECT_TRUE(closeTo(value, value_sum, 1e-12));
  EXPECT_EQ(likelihood.evaluate(q, all, {}, {}), value);
  for (std::size_t d = 0; d < q.size(); ++d) {
    EXPECT_TRUE(closeTo(gradient[d], gradient_sum[d], 1e-10, 1e-10)) << d;
    EXPECT_TRUE(closeTo(squared[d], square_sum[d], 1e-10, 1e-10)) << d;
  }
}

TEST(NetworkPosterior, IsThatOfTheNetworks) {
  const PosteriorNetworkOptions options{.hidden_units = 6, .prior_std = 1.5};
  const auto posterior = options.posterior(kProblem);
  const std::vector<double> q = initialParameters(options.shape(kProblem), 3, 0);
  std::vector<double> gradient(q.size());
  std::vector<double> expected(q.size());
  const double value = posterior->evaluate(q, gradient);
  const NetworkPrior prior{.precision = 1.0 / 2.25, .scaled_by_inputs = true};
  EXPECT_TRUE(closeTo(
      value, NetworkPosterior(kProblem, options.shape(kProblem), prior).evaluate(q, expected),
      1e-12));
  for (std::size_t d = 0; d < q.size(); ++d) {
    EXPECT_TRUE(closeTo(gradient[d], expected[d], 1e-12, 1e-12)) << d;
  }
}

}  // namespace
}  // namespace dubito
