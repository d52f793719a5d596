// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/laplace_posterior.h"

#include <Eigen/Dense>
#include <algorithm>
#include <stdexcept>

namespace dubito {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

Eigen::Map<const RowMajor> mapped(const Array<double>& array) {
  return {array.data(), array.extent(0), array.extent(1)};
}

/// diag p - p p^T of one item.
Matrix softmaxCurvature(const Vector& p) {
  return Matrix(p.asDiagonal()) - p * p.transpose();
}

}  // namespace

struct LastLayerPosterior::Parts {
  LaplaceStructure structure;
  std::int64_t classes;
  std::int64_t width;
  double tau;
  RowMajor diagonal;    ///< kDiagonal: of H, [K, Q]
  Matrix lower;         ///< kFull: Cholesky factor of H, index k Q + q
  Matrix inverse;       ///< kFull: H^-1
  Matrix output_basis;  ///< kKron: eigenvectors of G [K, K]
  Matrix input_basis;   ///< kKron: eigenvectors of A [Q, Q]
  RowMajor precision;   ///< kKron: N dg da + tau, [K, Q]

  void fitFull(const Eigen::Map<const RowMajor>& features,
               const Eigen::Map<const RowMajor>& probs) {
    Matrix h = tau * Matrix::Identity(classes * width, classes * width);
    for (std::int64_t k = 0; k < classes; ++k) {
      for (std::int64_t l = 0; l <= k; ++l) {
        Vector weight = -probs.col(k).cwiseProduct(probs.col(l));
        if (k == l) {
          weight += probs.col(k);
        }
        h.block(k * width, l * width, width, width) +=
            features.transpose() * weight.asDiagonal() * features;
      }
    }
    const Eigen::LLT<Matrix> decomposed(h);  // reads the lower half
    lower = decomposed.matrixL();
    inverse = decomposed.solve(Matrix::Identity(h.rows(), h.cols()));
  }

  void fitKronecker(const Eigen::Map<const RowMajor>& features,
                    const Eigen::Map<const RowMajor>& probs) {
    const auto n = static_cast<double>(features.rows());
    const Matrix a = features.transpose() * features / n;
    Matrix g = Matrix::Zero(classes, classes);
    for (Eigen::Index i = 0; i < probs.rows(); ++i) {
      g += softmaxCurvature(probs.row(i).transpose()) / n;
    }
    const Eigen::SelfAdjointEigenSolver<Matrix> of_a(a);
    const Eigen::SelfAdjointEigenSolver<Matrix> of_g(g);
    input_basis = of_a.eigenvectors();
    output_basis = of_g.eigenvectors();
    // The smallest eigenvalue of G is 0, or rounding below it.
    precision =
        (n * of_g.eigenvalues().cwiseMax(0.0) * of_a.eigenvalues().cwiseMax(0.0).transpose())
            .array() +
        tau;
  }
};

LastLayerPosterior::LastLayerPosterior(LaplaceStructure structure, const Array<double>& features,
                                       const Array<double>& probs, double tau)
    : parts_(std::make_unique<Parts>()) {
  parts_->structure = structure;
  parts_->classes = probs.extent(1);
  parts_->width = features.extent(1);
  parts_->tau = tau;
  const auto phi = mapped(features);
  const auto p = mapped(probs);
  switch (structure) {
    case LaplaceStructure::kDiagonal:
      parts_->diagonal =
          ((p.array() * (1.0 - p.array())).matrix().transpose() * phi.array().square().matrix())
              .array() +
          tau;
      break;
    case LaplaceStructure::kKron:
      parts_->fitKronecker(phi, p);
      break;
    case LaplaceStructure::kFull:
      parts_->fitFull(phi, p);
      break;
    case LaplaceStructure::kKronDamped:
      throw std::invalid_argument("LastLayerPosterior: damped factors are not supported");
  }
}

LastLayerPosterior::~LastLayerPosterior() = default;
LastLayerPosterior::LastLayerPosterior(LastLayerPosterior&&) noexcept = default;

void LastLayerPosterior::covariance(std::span<const double> phi, std::span<double> result) const {
  const std::int64_t classes = parts_->classes;
  const std::int64_t width = parts_->width;
  const Eigen::Map<const Vector> features(phi.data(), width);
  Eigen::Map<RowMajor> sigma(result.data(), classes, classes);
  switch (parts_->structure) {
    case LaplaceStructure::kDiagonal:
      sigma.setZero();
      sigma.diagonal() = parts_->diagonal.cwiseInverse() * features.cwiseAbs2();
      break;
    case LaplaceStructure::kKron: {
      const Vector squares = (parts_->input_basis.transpose() * features).cwiseAbs2();
      sigma = parts_->output_basis * (parts_->precision.cwiseInverse() * squares).asDiagonal() *
              parts_->output_basis.transpose();
      break;
    }
    case LaplaceStructure::kFull:
      for (std::int64_t k = 0; k < classes; ++k) {
        for (std::int64_t l = 0; l <= k; ++l) {
          sigma(k, l) =
              features.dot(parts_->inverse.block(k * width, l * width, width, width) * features);
          sigma(l, k) = sigma(k, l);
        }
      }
      break;
    case LaplaceStructure::kKronDamped:
      break;  // refused by the constructor
  }
}

void LastLayerPosterior::draw(std::span<double> z) const {
  Eigen::Map<RowMajor> noise(z.data(), parts_->classes, parts_->width);
  switch (parts_->structure) {
    case LaplaceStructure::kDiagonal:
      noise.array() /= parts_->diagonal.array().sqrt();
      break;
    case LaplaceStructure::kKron:
      noise = (parts_->output_basis * (noise.array() / parts_->precision.array().sqrt()).matrix() *
               parts_->input_basis.transpose())
                  .eval();
      break;
    case LaplaceStructure::kFull: {
      Eigen::Map<Vector> flat(z.data(), parts_->classes * parts_->width);
      parts_->lower.triangularView<Eigen::Lower>().transpose().solveInPlace(flat);
      break;
    }
    case LaplaceStructure::kKronDamped:
      break;  // refused by the constructor
  }
}

struct AllLayersPosterior::Parts {
  Matrix lower;  ///< the lower half of H, then its Cholesky factor
};

AllLayersPosterior::AllLayersPosterior(std::int64_t parameters, double tau)
    : parts_(std::make_unique<Parts>()) {
  parts_->lower = tau * Matrix::Identity(parameters, parameters);
}

AllLayersPosterior::~AllLayersPosterior() = default;
AllLayersPosterior::AllLayersPosterior(AllLayersPosterior&&) noexcept = default;

void AllLayersPosterior::add(const Array<double>& jacobians, const Array<double>& probs) {
  const std::int64_t items = jacobians.extent(0);
  const std::int64_t classes = jacobians.extent(1);
  Matrix rows(jacobians.extent(2), items * classes);
  for (std::int64_t n = 0; n < items; ++n) {
    const Eigen::Map<const RowMajor> j(jacobians.row(n).data(), classes, jacobians.extent(2));
    const Eigen::Map<const Vector> p(probs.row(n).data(), classes);
    // diag p - p p^T = B B^T with B = diag(sqrt p) - p sqrt(p)^T.
    const Vector root = p.cwiseSqrt();
    const Matrix b = Matrix(root.asDiagonal()) - p * root.transpose();
    rows.middleCols(n * classes, classes) = j.transpose() * b;
  }
  parts_->lower.selfadjointView<Eigen::Lower>().rankUpdate(rows);
}

void AllLayersPosterior::decompose() {
  const Eigen::LLT<Matrix> decomposed(parts_->lower);
  parts_->lower = decomposed.matrixL();
}

Array<double> AllLayersPosterior::covariances(const Array<double>& jacobians) const {
  const std::int64_t items = jacobians.extent(0);
  const std::int64_t classes = jacobians.extent(1);
  Matrix columns = Eigen::Map<const Matrix>(jacobians.data(), jacobians.extent(2),
                                            items * classes);  // row-major rows are columns here
  parts_->lower.triangularView<Eigen::Lower>().solveInPlace(columns);
  auto result = Array<double>::zeros({items, classes, classes});
  for (std::int64_t n = 0; n < items; ++n) {
    const auto of_item = columns.middleCols(n * classes, classes);
    Eigen::Map<RowMajor>(result.mutableRow(n).data(), classes, classes) =
        of_item.transpose() * of_item;
  }
  return result;
}

void AllLayersPosterior::draw(std::span<double> z) const {
  Eigen::Map<Vector> flat(z.data(), std::ssize(z));
  parts_->lower.triangularView<Eigen::Lower>().transpose().solveInPlace(flat);
}

}  // namespace dubito
