// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/item_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/nan.h"
#include "core/io/log_rest.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

double nllOfProbs(const Run& run, std::int64_t row, std::int64_t label) {
  const bool wide = std::holds_alternative<Array<double>>(*run.probs);
  const double smallest =
      wide ? std::numeric_limits<double>::min() : double{std::numeric_limits<float>::min()};
  return -std::log(std::max(run.prob(row, label), smallest));
}

}  // namespace

ItemNll::ItemNll(const Run& run) : run_(run), has_logits_(probsAreOfLogits(run)) {}

double ItemNll::operator()(std::int64_t row, std::int64_t label) const {
  if (!has_logits_) {
    return nllOfProbs(run_, row, label);
  }
  return std::visit(
      [&](const auto& logits) {
        return -logSoftmax(logits.row(row))[static_cast<std::size_t>(label)];
      },
      *run_.logits);
}

Array<double> nllOfItems(const Run& run, const RunContext& context) {
  constexpr std::int64_t kRowsPerPart = 4096;
  const std::span<const std::int64_t> labels = run.labels.values();
  if (!run.probs || std::ranges::none_of(labels, [](std::int64_t label) { return label >= 0; })) {
    return {};
  }
  const ItemNll nll(run);
  auto values = Array<double>::zeros({run.itemCount()});
  double* const out = values.mutableData();
  context.parallelFor(run.itemCount(), kRowsPerPart, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t label = run.labels.data()[row];
      out[row] = label < 0 ? kNaN : nll(row, label);
    }
  });
  return values;
}

double brierOfItem(const Run& run, std::int64_t row, std::int64_t label) {
  double sum = 0.0;
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    const double error = run.prob(row, k) - (k == label ? 1.0 : 0.0);
    sum += error * error;
  }
  return sum;
}

}  // namespace dubito
