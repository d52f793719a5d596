// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/ranked_curves.h"

#include "core/base/nan.h"

namespace dubito {
namespace {

void prepend(double x, Curve& curve) {
  curve.x.insert(curve.x.begin(), x);
  curve.y.insert(curve.y.begin(), curve.y.front());
}

}  // namespace

void RankedSums::summarise(RankedCurves& curves) const {
  curves.roc.summary = ranks_ ? rank_sums_.areaUnderRoc() : kNaN;
  curves.precision_recall.summary = ranks_ ? rank_sums_.averagePrecision() : kNaN;
  curves.rejection.summary = passed_.correct + passed_.misclassified > 0 ? risk_sums_.aurc() : kNaN;
}

RankedCurves RankedCurveMaker::take(const std::string& score) {
  RankedCurves curves;
  if (ranks_) {
    curves.roc = roc_.take();
    curves.precision_recall = precision_recall_.take();
    // The precision at the highest threshold starts at recall 0.
    prepend(0.0, curves.precision_recall);
  }
  curves.rejection = rejection_.take();
  // A single item of the first tie group has their accuracy in expectation.
  const double one = 1.0 / static_cast<double>(labelled_);
  if (labelled_ > 0 && curves.rejection.x.front() > 1.5 * one) {
    prepend(one, curves.rejection);
  }
  curves.roc.name = curves.precision_recall.name = curves.rejection.name = score;
  curves.roc.summary = curves.precision_recall.summary = curves.rejection.summary = kNaN;
  return curves;
}

}  // namespace dubito
