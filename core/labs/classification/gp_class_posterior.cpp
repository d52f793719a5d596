// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/gp_class_posterior.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/measures/measures.h"

namespace dubito {
namespace {

using GpMatrix = Eigen::MatrixXd;
using GpVector = Eigen::VectorXd;
using GpRowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Change of the log posterior, relative to its size, at which Newton's method has converged.
constexpr double kConverged = 1e-12;
constexpr int kMaxHalvings = 30;

}  // namespace

struct GpClassPosterior::Parts {
  std::vector<double> inputs;  ///< [N, 2]
  GpClassKernel kernel;
  std::int64_t points = 0;
  std::int64_t classes = 0;
  GpMatrix covariance;  ///< K [N, N]
  GpMatrix targets;     ///< one-hot [N, K]
  // The current state; columns are classes.
  GpMatrix weights;  ///< a = K^-1 f
  GpMatrix latent;   ///< f
  GpMatrix probs;    ///< softmax of the rows of f
  double log_posterior = 0.0;
  bool has_converged = false;
  // What follows from it. With B_c = I + D_c^1/2 K D_c^1/2 = L_c L_c^T:
  std::vector<GpMatrix> roots;    ///< L_c^-1 D_c^1/2, so that E_c = roots^T roots
  std::vector<GpMatrix> coupled;  ///< M^-1 E_c
  GpMatrix factor;                ///< M, the Cholesky factor of sum_c E_c
  double half_log_determinant = 0.0;

  [[nodiscard]] double kernelAt(const double* x, const double* z) const {
    const double first = x[0] - z[0];
    const double second = x[1] - z[1];
    const double squared = first * first + second * second;
    return kernel.amplitude * kernel.amplitude *
           std::exp(-0.5 * squared / (kernel.length_scale * kernel.length_scale));
  }

  /// Sets a and what depends on it but the factors.
  void moveTo(const GpMatrix& to) {
    weights = to;
    latent = covariance * weights;
    log_posterior = -0.5 * weights.cwiseProduct(latent).sum() + targets.cwiseProduct(latent).sum();
    probs.resize(points, classes);
    std::vector<double> row(static_cast<std::size_t>(classes));
    for (Eigen::Index n = 0; n < points; ++n) {
      GpVector::Map(row.data(), classes) = latent.row(n).transpose();
      const double sum = logSumExp(row);
      log_posterior -= sum;
      probs.row(n) = (latent.row(n).array() - sum).exp().matrix();
    }
  }

  void factorise(const RunContext& context) {
    const auto count = static_cast<std::size_t>(classes);
    roots.resize(count);
    coupled.resize(count);
    std::vector<double> log_determinants(count);
    context.parallelFor(classes, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = begin; c < end; ++c) {
        const auto i = static_cast<std::size_t>(c);
        const GpVector root = probs.col(c).cwiseSqrt();
        const GpMatrix b =
            GpMatrix::Identity(points, points) + root.asDiagonal() * covariance * root.asDiagonal();
        const Eigen::LLT<GpMatrix> lower(b);
        log_determinants[i] = lower.matrixLLT().diagonal().array().log().sum();
        roots[i] = lower.matrixL().solve(GpMatrix(root.asDiagonal()));
        coupled[i] = roots[i].transpose() * roots[i];
      }
    });
    GpMatrix sum = GpMatrix::Zero(points, points);
    half_log_determinant = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      sum += coupled[i];
      half_log_determinant += log_determinants[i];
    }
    const Eigen::LLT<GpMatrix> decomposed(sum);
    factor = decomposed.matrixL();
    half_log_determinant += factor.diagonal().array().log().sum();
    context.parallelFor(classes, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = begin; c < end; ++c) {
        factor.triangularView<Eigen::Lower>().solveInPlace(coupled[static_cast<std::size_t>(c)]);
      }
    });
  }

  /// The a that a full Newton step leads to.
  [[nodiscard]] GpMatrix newtonTarget() const {
    // b = W f + y - p with W = D - Pi Pi^T.
    const GpVector mean = probs.cwiseProduct(latent).rowwise().sum();
    GpMatrix b = targets - probs;
    for (std::int64_t c = 0; c < classes; ++c) {
      b.col(c) += probs.col(c).cwiseProduct(latent.col(c) - mean);
    }
    // a = b - c + E R M^-T M^-1 R^T c with c = E K b.
    GpMatrix c_columns(points, classes);
    for (std::int64_t c = 0; c < classes; ++c) {
      const GpMatrix& root = roots[static_cast<std::size_t>(c)];
      c_columns.col(c) = root.transpose() * (root * (covariance * b.col(c)));
    }
    const GpVector shared =
        factor.triangularView<Eigen::Lower>().solve(GpVector(c_columns.rowwise().sum()));
    GpMatrix a = b - c_columns;
    for (std::int64_t c = 0; c < classes; ++c) {
      a.col(c) += coupled[static_cast<std::size_t>(c)].transpose() * shared;
    }
    return a;
  }
};

GpClassPosterior::GpClassPosterior(const ClassProblem& problem, const GpClassKernel& kernel,
                                   const RunContext& context)
    : parts_(std::make_unique<Parts>()) {
  Parts& parts = *parts_;
  parts.inputs = problem.inputs;
  parts.kernel = kernel;
  parts.points = problem.size();
  parts.classes = problem.class_count;
  parts.covariance.resize(parts.points, parts.points);
  parts.targets = GpMatrix::Zero(parts.points, parts.classes);
  for (std::int64_t i = 0; i < parts.points; ++i) {
    parts.targets(i, problem.classes[static_cast<std::size_t>(i)]) = 1.0;
    for (std::int64_t j = 0; j < parts.points; ++j) {
      parts.covariance(i, j) =
          parts.kernelAt(parts.inputs.data() + 2 * i, parts.inputs.data() + 2 * j);
    }
  }
  parts.moveTo(GpMatrix::Zero(parts.points, parts.classes));
  parts.factorise(context);
}

GpClassPosterior::~GpClassPosterior() = default;
GpClassPosterior::GpClassPosterior(GpClassPosterior&&) noexcept = default;

Status GpClassPosterior::step(const RunContext& context) {
  Parts& parts = *parts_;
  if (parts.has_converged) {
    return {};
  }
  const double before = parts.log_posterior;
  const GpMatrix from = parts.weights;
  const GpMatrix change = parts.newtonTarget() - from;
  double share = 1.0;
  parts.moveTo(from + change);
  for (int i = 0; i < kMaxHalvings && !(parts.log_posterior >= before); ++i) {
    share *= 0.5;
    parts.moveTo(from + share * change);
  }
  if (!std::isfinite(parts.log_posterior)) {
    return fail(ErrorCode::kInvalidArgument,
                "The Gaussian process does not give finite numbers; use a smaller amplitude");
  }
  parts.has_converged =
      std::abs(parts.log_posterior - before) <= kConverged * (1.0 + std::abs(before));
  parts.factorise(context);
  return {};
}

bool GpClassPosterior::converged() const {
  return parts_->has_converged;
}

Array<double> GpClassPosterior::latent() const {
  auto result = Array<double>::zeros({parts_->classes, parts_->points});
  Eigen::Map<GpRowMajor>(result.mutableData(), parts_->classes, parts_->points) =
      parts_->latent.transpose();
  return result;
}

double GpClassPosterior::logEvidence() const {
  return parts_->log_posterior - parts_->half_log_determinant;
}

LatentGaussians GpClassPosterior::predict(std::span<const double> inputs,
                                          const RunContext& context) const {
  const Parts& parts = *parts_;
  const std::int64_t count = std::ssize(inputs) / 2;
  const std::int64_t classes = parts.classes;
  LatentGaussians result{Array<double>::zeros({count, classes}),
                         Array<double>::zeros({count, classes, classes})};
  constexpr std::int64_t kPerTask = 128;
  context.parallelFor(count, kPerTask, [&](std::int64_t begin, std::int64_t end) {
    if (context.cancelRequested()) {
      return;
    }
    GpMatrix cross(parts.points, end - begin);
    for (std::int64_t m = begin; m < end; ++m) {
      for (std::int64_t n = 0; n < parts.points; ++n) {
        cross(n, m - begin) = parts.kernelAt(parts.inputs.data() + 2 * n, inputs.data() + 2 * m);
      }
    }
    const GpMatrix means = cross.transpose() * (parts.targets - parts.probs);
    const double prior = parts.kernel.amplitude * parts.kernel.amplitude;
    std::vector<GpMatrix> shared;
    std::vector<GpVector> own;
    for (std::int64_t c = 0; c < classes; ++c) {
      const auto i = static_cast<std::size_t>(c);
      const GpMatrix along = parts.roots[i].triangularView<Eigen::Lower>() * cross;
      // What is left of the prior variance; rounding may take it below 0.
      own.emplace_back(
          (prior - along.colwise().squaredNorm().array()).max(0.0).matrix().transpose());
      shared.emplace_back(parts.coupled[i] * cross);
    }
    for (std::int64_t m = begin; m < end; ++m) {
      const Eigen::Index column = m - begin;
      Eigen::Map<GpRowMajor> covariance(result.covariance.mutableRow(m).data(), classes, classes);
      for (std::int64_t c = 0; c < classes; ++c) {
        const auto i = static_cast<std::size_t>(c);
        result.mean.mutableRow(m)[i] = means(column, c);
        for (std::int64_t d = 0; d <= c; ++d) {
          covariance(c, d) =
              shared[i].col(column).dot(shared[static_cast<std::size_t>(d)].col(column));
          covariance(d, c) = covariance(c, d);
        }
        covariance(c, c) += own[i][column];
      }
    }
  });
  return result;
}

}  // namespace dubito
