// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <functional>
#include <limits>
#include <stdexcept>
#include <thread>

#include "core/laplace/posterior/layer_covariance_torch.h"
#include "core/measures/measures.h"
#include "tests/core/laplace/made_layers.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::MadeLayer;
using test::madeLayer;
using test::tensorsClose;

constexpr std::array<LaplaceStructure, 4> kAll = {LaplaceStructure::kFull, LaplaceStructure::kKron,
                                                  LaplaceStructure::kKronDamped,
                                                  LaplaceStructure::kDiagonal};

/// F [P, P], A and G by loops over items, classes and features.
struct SlowFactors {
  at::Tensor full;
  at::Tensor a;
  at::Tensor g;
  double log_likelihood = 0.0;

  explicit SlowFactors(const MadeLayer& layer) {
    const at::Tensor inputs =
        layer.bias.defined()
            ? at::cat({layer.features, at::ones({layer.features.size(0), 1}, at::kDouble)}, 1)
            : layer.features;
    const at::Tensor logits = layer.logitsOf(layer.features).contiguous();
    const std::int64_t items = inputs.size(0);
    const std::int64_t classes = logits.size(1);
    const std::int64_t width = inputs.size(1);
    full = at::zeros({classes * width, classes * width}, at::kDouble);
    a = at::zeros({width, width}, at::kDouble);
    g = at::zeros({classes, classes}, at::kDouble);
    const auto x = inputs.accessor<double, 2>();
    auto f = full.accessor<double, 2>();
    for (std::int64_t n = 0; n < items; ++n) {
      const std::span<const double> row(logits.const_data_ptr<double>() + n * classes,
                                        static_cast<std::size_t>(classes));
      const std::vector<double> p = softmax(row);
      log_likelihood +=
          std::log(p[static_cast<std::size_t>(layer.labels[static_cast<std::size_t>(n)])]);
      for (std::int64_t q = 0; q < width; ++q) {
        for (std::int64_t r = 0; r < width; ++r) {
          a[q][r] += x[n][q] * x[n][r] / static_cast<double>(items);
        }
      }
      for (std::int64_t k = 0; k < classes; ++k) {
        for (std::int64_t l = 0; l < classes; ++l) {
          const double pk = p[static_cast<std::size_t>(k)];
          const double curvature = (k == l ? pk : 0.0) - pk * p[static_cast<std::size_t>(l)];
          g[k][l] += curvature / static_cast<double>(items);
          for (std::int64_t q = 0; q < width; ++q) {
            for (std::int64_t r = 0; r < width; ++r) {
              f[k * width + q][l * width + r] +=
                  curvature * x[n][q] * x[n][r] / static_cast<double>(items);
            }
          }
        }
      }
    }
  }
};

class Factors : public testing::TestWithParam<std::tuple<int, int, bool>> {};

TEST_P(Factors, AreThoseOfLoops) {
  const auto [features, classes, with_bias] = GetParam();
  const MadeLayer layer = madeLayer(23, features, classes, with_bias);
  const SlowFactors slow(layer);
  const LaplaceFactors kron = test::factorsOf(layer, LaplaceStructure::kKron, 5);
  EXPECT_TRUE(tensorsClose(tensorView(kron.layers[0].input_products), slow.a, 1e-12, 1e-14));
  EXPECT_TRUE(tensorsClose(tensorView(kron.layers[0].output_products), slow.g, 1e-12, 1e-14));
  EXPECT_NEAR(kron.log_likelihood, slow.log_likelihood, 1e-10);
  EXPECT_EQ(kron.items, 23);
  EXPECT_EQ(kron.labelled_items, 23);
  const LaplaceFactors full = test::factorsOf(layer, LaplaceStructure::kFull, 7);
  EXPECT_TRUE(tensorsClose(tensorView(full.full), slow.full, 1e-12, 1e-14));
  const LaplaceFactors diagonal = test::factorsOf(layer, LaplaceStructure::kDiagonal, 23);
  EXPECT_TRUE(tensorsClose(tensorView(diagonal.layers[0].diagonal).flatten(), slow.full.diagonal(),
                           1e-12, 1e-14));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Factors,
                         testing::Values(std::tuple{4, 3, true}, std::tuple{4, 3, false},
                                         std::tuple{1, 2, true}, std::tuple{6, 2, false}));

/// The same posterior by one inverse of the whole precision, for structures that have one.
TEST(LastLayer, CovarianceIsJacobianTimesInverseTimesJacobian) {
  const MadeLayer layer = madeLayer(40, 3, 3, true, 5);
  const SlowFactors slow(layer);
  const LaplaceScale scale{40.0, 0.3};
  const at::Tensor inputs = test::madeNumbers({4, 3}, 9);
  const at::Tensor extended = at::cat({inputs, at::ones({4, 1}, at::kDouble)}, 1);
  const at::Tensor identity = at::eye(12, at::kDouble);
  const std::vector<std::pair<LaplaceStructure, at::Tensor>> precisions = {
      {LaplaceStructure::kFull, slow.full * scale.n + identity * scale.tau},
      {LaplaceStructure::kKron, at::kron(slow.g, slow.a) * scale.n + identity * scale.tau},
      {LaplaceStructure::kKronDamped,
       at::kron(slow.g * std::sqrt(scale.n) + at::eye(3, at::kDouble) * std::sqrt(scale.tau),
                slow.a * std::sqrt(scale.n) + at::eye(4, at::kDouble) * std::sqrt(scale.tau))},
      {LaplaceStructure::kDiagonal,
       at::diag(slow.full.diagonal()) * scale.n + identity * scale.tau}};
  for (const auto& [structure, precision] : precisions) {
    const LaplacePosterior posterior = test::posteriorOf(layer, structure);
    const at::Tensor covariances = test::covariancesOf(posterior, scale, inputs);
    for (std::int64_t i = 0; i < 4; ++i) {
      const at::Tensor jacobian = at::kron(at::eye(3, at::kDouble), extended[i].unsqueeze(0));
      const at::Tensor expected =
          at::matmul(at::matmul(jacobian, at::linalg_inv(precision)), jacobian.t());
      EXPECT_TRUE(tensorsClose(covariances[i], expected, 1e-9, 1e-12)) << toString(structure);
    }
    EXPECT_NEAR(logDetPrecision(posterior, scale), at::logdet(precision).item().toDouble(), 1e-9)
        << toString(structure);
  }
}

TEST(LastLayer, FactorsDoNotDependOnTheBatchSize) {
  const MadeLayer layer = madeLayer(500, 12, 5, true, 3);
  for (const LaplaceStructure structure : kAll) {
    const LaplaceFactors whole = test::factorsOf(layer, structure, 500);
    for (const std::int64_t batch : {1, 7, 128}) {
      const LaplaceFactors split = test::factorsOf(layer, structure, batch);
      const auto same = [](const Array<double>& a, const Array<double>& b) {
        return (a.empty() && b.empty()) || tensorsClose(tensorView(a), tensorView(b), 1e-10, 1e-14);
      };
      EXPECT_TRUE(same(split.full, whole.full));
      EXPECT_TRUE(same(split.layers[0].diagonal, whole.layers[0].diagonal));
      EXPECT_TRUE(same(split.layers[0].input_products, whole.layers[0].input_products));
      EXPECT_TRUE(same(split.layers[0].output_products, whole.layers[0].output_products));
      EXPECT_NEAR(split.log_likelihood, whole.log_likelihood,
                  1e-10 * std::abs(whole.log_likelihood));
    }
  }
}

/// Two classes: the Gauss-Newton matrix has rank one between them.
TEST(LastLayer, TwoClasses) {
  const MadeLayer layer = madeLayer(30, 4, 2, true, 11);
  for (const LaplaceStructure structure : kAll) {
    const LaplacePosterior posterior = test::posteriorOf(layer, structure);
    const at::Tensor covariances =
        test::covariancesOf(posterior, {30.0, 0.5}, test::madeNumbers({3, 4}, 2));
    EXPECT_TRUE(at::isfinite(covariances).all().item().toBool()) << toString(structure);
    EXPECT_GT(covariances.diagonal(0, 1, 2).min().item().toDouble(), 0.0) << toString(structure);
    EXPECT_TRUE(std::isfinite(logEvidence(posterior, {30.0, 0.5}))) << toString(structure);
  }
}

/// Fewer items than features, constant features, logits so sure that p (1 - p) is 0 in double: the
/// prior alone keeps the precision positive.
TEST(LastLayer, SingularCurvature) {
  MadeLayer few = madeLayer(3, 8, 4, true, 21);
  MadeLayer constant = madeLayer(20, 3, 3, true, 22);
  constant.features.select(1, 0).fill_(0.0);
  constant.features.select(1, 1).fill_(1.0);
  MadeLayer sure = madeLayer(20, 3, 3, true, 23);
  sure.weight = sure.weight * 1e6;
  for (const MadeLayer* layer : {&few, &constant, &sure}) {
    const std::int64_t features = layer->features.size(1);
    for (const LaplaceStructure structure : kAll) {
      const LaplacePosterior posterior = test::posteriorOf(*layer, structure);
      const LaplaceScale scale{20.0, 1e-3};
      const at::Tensor covariances =
          test::covariancesOf(posterior, scale, test::madeNumbers({3, features}, 2));
      EXPECT_TRUE(at::isfinite(covariances).all().item().toBool()) << toString(structure);
      EXPECT_GT(covariances.diagonal(0, 1, 2).min().item().toDouble(), 0.0) << toString(structure);
      EXPECT_TRUE(std::isfinite(logDetPrecision(posterior, scale))) << toString(structure);
    }
  }
}

/// The expectation is over the network's labels, not the set's: a class without items has its rows.
TEST(LastLayer, AClassThatNeverOccurs) {
  MadeLayer layer = madeLayer(60, 4, 5, true, 31);
  for (std::int64_t& label : layer.labels) {
    label = label == 4 ? 0 : label;
  }
  for (const LaplaceStructure structure : kAll) {
    const LaplacePosterior posterior = test::posteriorOf(layer, structure);
    const at::Tensor covariances =
        test::covariancesOf(posterior, {60.0, 1.0}, test::madeNumbers({3, 4}, 2));
    EXPECT_TRUE(at::isfinite(covariances).all().item().toBool()) << toString(structure);
    // Data have narrowed it: the prior alone would give |phi|^2 / tau.
    const at::Tensor prior = test::madeNumbers({3, 4}, 2).square().sum(1) + 1.0;
    EXPECT_LT((covariances.select(1, 4).select(1, 4) / prior).max().item().toDouble(), 0.9)
        << toString(structure);
  }
}

/// exp(88) is the end of float32; features and logits of float networks come as floats.
TEST(LastLayer, LogitGapsBeyondFloat32) {
  MadeLayer layer = madeLayer(10, 3, 4, true, 41);
  layer.bias = at::tensor({0.0, 500.0, -500.0, 90.0}, at::kDouble);
  for (const LaplaceStructure structure : kAll) {
    LastLayerSums sums(structure, layer.weight.to(at::kFloat), layer.bias.to(at::kFloat));
    sums.add(layer.features.to(at::kFloat), layer.logitsOf(layer.features).to(at::kFloat),
             layer.labels);
    const LaplaceFactors factors = std::move(sums).finish();
    EXPECT_TRUE(std::isfinite(factors.log_likelihood));
    EXPECT_LT(factors.log_likelihood, -1000.0);
    EXPECT_TRUE(makePosterior(factors, structure)) << toString(structure);
  }
}

TEST(LastLayer, ItemsWithoutLabelsCountForTheCurvatureAlone) {
  MadeLayer layer = madeLayer(12, 3, 3, true);
  const LaplaceFactors labelled = test::factorsOf(layer, LaplaceStructure::kKron, 12);
  layer.labels.assign(12, -1);
  const LaplaceFactors unlabelled = test::factorsOf(layer, LaplaceStructure::kKron, 12);
  EXPECT_EQ(unlabelled.labelled_items, 0);
  EXPECT_EQ(unlabelled.log_likelihood, 0.0);
  EXPECT_TRUE(tensorsClose(tensorView(unlabelled.layers[0].output_products),
                           tensorView(labelled.layers[0].output_products), 0.0, 0.0));
}

TEST(LastLayer, CurvatureThatIsNoNumberIsRefusedByName) {
  MadeLayer layer = madeLayer(5, 3, 3, true);
  layer.features[2][1] = std::numeric_limits<double>::quiet_NaN();
  for (const LaplaceStructure structure : kAll) {
    const auto posterior = makePosterior(test::factorsOf(layer, structure, 5), structure);
    ASSERT_FALSE(posterior) << toString(structure);
    EXPECT_THAT(posterior.error().message, HasSubstr("head"));
  }
}

/// Rounding makes the exact zero of G a small negative number, and the precision with it.
TEST(LastLayer, EigenvaluesBelowZeroCountAsZero) {
  LaplaceFactors factors = test::factorsOf(madeLayer(5, 3, 2, true), LaplaceStructure::kKron, 5);
  constexpr double kBeyond = 1.0 + 1e-9;
  factors.layers[0].output_products =
      Array<double>::fromVector({2, 2}, {1.0, -kBeyond, -kBeyond, 1.0});
  const auto posterior = makePosterior(factors, LaplaceStructure::kKron);
  ASSERT_OK(posterior);
  EXPECT_EQ(posterior->layers[0].output_values.data()[0], 0.0);
  EXPECT_TRUE(std::isfinite(logDetPrecision(*posterior, {1e6, 1e-8})));
}

/// What two ranks in threads of one process share.
struct Meeting {
  std::barrier<> both{2};
  std::array<std::vector<double>, 2> passed;
};

class OneOfTwo : public RankGroup {
 public:
  OneOfTwo(int rank, Meeting& meeting) : rank_(rank), meeting_(meeting) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return 2; }
  void sum(std::span<double> values) override {
    meeting_.passed[static_cast<std::size_t>(rank_)] = {values.begin(), values.end()};
    meeting_.both.arrive_and_wait();
    const auto& [first, second] = meeting_.passed;
    ASSERT_EQ(first.size(), second.size());
    std::transform(first.begin(), first.end(), second.begin(), values.begin(), std::plus());
    meeting_.both.arrive_and_wait();
  }
  [[nodiscard]] std::vector<std::string> gather(const std::string& text) override { return {text}; }
  [[noreturn]] void abort(int /*exit_code*/) override { throw std::logic_error("aborted"); }

 private:
  int rank_;
  Meeting& meeting_;
};

/// Averages over the items [begin, end) of a layer.
LaplaceFactors partOf(const MadeLayer& layer, LaplaceStructure structure, std::int64_t begin,
                      std::int64_t end) {
  MadeLayer part = layer;
  part.features = layer.features.slice(0, begin, end);
  part.labels = {layer.labels.begin() + begin, layer.labels.begin() + end};
  return test::factorsOf(part, structure, 16);
}

TEST(LastLayer, AveragesOfRanksMakeTheAverageOfAll) {
  const MadeLayer layer = madeLayer(50, 4, 3, true);
  for (const LaplaceStructure structure : kAll) {
    for (const std::int64_t cut : {0, 16, 50}) {
      LaplaceFactors first = partOf(layer, structure, 0, cut);
      LaplaceFactors second = partOf(layer, structure, cut, 50);
      Meeting meeting;
      {
        OneOfTwo other_rank(1, meeting);
        const std::jthread other([&] { averageOverRanks(second, other_rank); });
        OneOfTwo this_rank(0, meeting);
        averageOverRanks(first, this_rank);
      }
      EXPECT_EQ(second.log_likelihood, first.log_likelihood);
      const LaplaceFactors whole = test::factorsOf(layer, structure, 16);
      EXPECT_EQ(first.items, 50);
      EXPECT_EQ(first.labelled_items, whole.labelled_items);
      EXPECT_NEAR(first.log_likelihood, whole.log_likelihood, 1e-10);
      const auto expectSame = [](const Array<double>& actual, const Array<double>& expected) {
        if (!expected.empty()) {
          EXPECT_TRUE(test::tensorsClose(tensorView(actual), tensorView(expected), 1e-12, 1e-14));
        }
      };
      expectSame(first.layers[0].input_products, whole.layers[0].input_products);
      expectSame(first.layers[0].output_products, whole.layers[0].output_products);
      expectSame(first.layers[0].diagonal, whole.layers[0].diagonal);
      expectSame(first.full, whole.full);
    }
  }
}

/// Another prior is another table: the basis stays, and so do items already turned into it.
TEST(LastLayer, AnotherPriorNeedsNoNewBasis) {
  const MadeLayer layer = madeLayer(50, 4, 3, true);
  const at::Tensor inputs = test::madeNumbers({5, 4}, 77);
  for (const LaplaceStructure structure : kAll) {
    const LaplacePosterior posterior = test::posteriorOf(layer, structure);
    LastLayerGaussians gaussians(posterior, {50.0, 100.0});
    const at::Tensor in_basis = gaussians.inBasis(inputs);
    const at::Tensor narrow = gaussians.spread(in_basis).clone();
    gaussians.setScale({50.0, 0.1});
    const LastLayerGaussians fresh(posterior, {50.0, 0.1});
    EXPECT_TRUE(tensorsClose(gaussians.spread(in_basis), fresh.spread(fresh.inBasis(inputs)), 0, 0))
        << toString(structure);
    EXPECT_GT(gaussians.spread(in_basis).abs().sum().item().toDouble(),
              narrow.abs().sum().item().toDouble());
    const at::Tensor logits = test::madeNumbers({5, 3}, 78);
    const LogitGaussians actual = gaussians.of(in_basis, logits);
    const LogitGaussians expected = fresh.of(in_basis, logits);
    if (const auto* const factored = std::get_if<FactoredCovariance>(&actual.covariance)) {
      EXPECT_TRUE(
          std::ranges::equal(factored->factor.values(),
                             std::get<FactoredCovariance>(expected.covariance).factor.values()))
          << toString(structure);
    }
  }
}

/// The products v_q^2 / tau of directions without data are large where tau is small, and what
/// float32 leaves of a direction with none is not 0: for items among the fitted ones (few
/// directions), and for others.
TEST(LayerCovarianceInFloat, IsEnoughForSmallTau) {
  constexpr std::int64_t kFeatures = 120;
  const at::Tensor subspace = test::madeNumbers({30, kFeatures}, 71);
  MadeLayer layer = madeLayer(400, kFeatures, 5, true, 70);
  layer.features = at::relu(at::mm(test::madeNumbers({400, 30}, 72), subspace));
  const at::Tensor among = layer.features.slice(0, 0, 20);
  const at::Tensor others = 3.0 * test::madeNumbers({20, kFeatures}, 73);
  MadeLayer flat = layer;  // nothing in it leaves 30 directions
  flat.features = at::mm(test::madeNumbers({400, 30}, 72), subspace);
  const at::Tensor among_flat = flat.features.slice(0, 0, 20);
  for (const auto& [fitted, inputs] :
       {std::pair{&layer, &among}, {&layer, &others}, {&flat, &among_flat}, {&flat, &others}}) {
    const LaplacePosterior posterior = test::posteriorOf(*fitted, LaplaceStructure::kKron);
    LayerCovariance in_float(posterior.layers[0], LaplaceStructure::kKron, at::kFloat);
    LayerCovariance in_double(posterior.layers[0], LaplaceStructure::kKron, at::kDouble);
    const at::Tensor gradients = test::madeNumbers({20, 5, 5, 1}, 74);
    for (const double tau : {1.0, 1e-2, 1e-4, 1e-6}) {
      in_float.setScale({400.0, tau});
      in_double.setScale({400.0, tau});
      // The network's own numbers are float32, whatever is made of them.
      const at::Tensor seen = inputs->to(at::kFloat).unsqueeze(2);
      const at::Tensor of_float = in_float.of(seen, gradients).diagonal(0, 1, 2);
      const at::Tensor of_double = in_double.of(seen, gradients).diagonal(0, 1, 2);
      EXPECT_TRUE(tensorsClose(of_float.to(at::kDouble), of_double, 1e-3, 0.0)) << tau;
    }
  }
}

}  // namespace
}  // namespace dubito
