// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/classwise_calibration.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/base/compensated_sum.h"
#include "core/metrics/calibration_error.h"

namespace dubito {
namespace {

// Number of classes whose sums fit into the cache.
constexpr std::int64_t kClassesPerPart = 64;
// With more, nearly all probabilities are in the first bin.
constexpr std::int64_t kFewClasses = 32;
constexpr std::int64_t kRowsPerBlock = 256;
constexpr std::int64_t kMaxRowParts = 16;
constexpr std::int64_t kMaxSumBytes = std::int64_t{16} << 20;

/// Plain sums over one block of rows: few terms need no compensation.
struct BlockSums {
  double confidence = 0.0;
  std::int64_t count = 0;
};

/// The bins of a range of classes over ranges of rows.
template <class T>
class ClassPart {
 public:
  ClassPart(const Array<T>& probs, std::span<const std::int64_t> labels, const BinFinder& find,
            std::int64_t first_class, std::int64_t last_class)
      : probs_(probs),
        labels_(labels),
        find_(find),
        find_float_(static_cast<std::int64_t>(find.size())),
        first_(first_class),
        last_(last_class),
        first_bins_(static_cast<std::size_t>(last_class - first_class)),
        block_(first_bins_.size() * find.size()) {}

  /// `sums`: [classes of the part, bins].
  void collect(std::int64_t begin, std::int64_t end, BinSums* sums, const RunContext& context) {
    for (; begin < end && !context.cancelRequested(); begin += kRowsPerBlock) {
      const std::int64_t stop = std::min(end, begin + kRowsPerBlock);
      std::int64_t rows = 0;
      for (std::int64_t i = begin; i < stop; ++i) {
        rows += addRow(i, sums);
      }
      closeBlock(rows, sums);
    }
  }

 private:
  /// Returns the number of rows added: 0 for an unlabelled one.
  std::int64_t addRow(std::int64_t i, BinSums* sums) {
    const std::int64_t label = labels_[static_cast<std::size_t>(i)];
    if (label < 0) {
      return 0;
    }
    const T* const row = probs_.data() + i * probs_.extent(1);
    if (probs_.extent(1) <= kFewClasses) {
      addFew(row);
    } else {
      addMany(row);
    }
    if (label >= first_ && label < last_) {
      const auto place = static_cast<std::size_t>(label - first_) * find_.size();
      ++sums[place + find_(double{row[label]})].correct;
    }
    return 1;
  }

  /// Without branches on where a probability is, which nothing predicts.
  void addFew(const T* row) {
    const T* const probs = row + first_;
    const auto count = static_cast<std::size_t>(last_ - first_);
    std::array<std::int32_t, kClassesPerPart> bin_of;
    for (std::size_t k = 0; k < count; ++k) {
      if constexpr (std::is_same_v<T, float>) {
        bin_of[k] = find_float_(probs[k]);
      } else {
        bin_of[k] = static_cast<std::int32_t>(find_(probs[k]));
      }
    }
    BlockSums* bins = block_.data();
    for (std::size_t k = 0; k < count; ++k, bins += find_.size()) {
      BlockSums& bin = bins[bin_of[k]];
      bin.confidence += double{probs[k]};
      ++bin.count;
    }
  }

  /// What is in the first bins is counted as what is not in the others.
  void addMany(const T* row) {
    const double first_edge = find_.firstEdge();
    BlockSums* bins = block_.data();
    double* first_bin = first_bins_.data();
    for (std::int64_t k = first_; k < last_; ++k, bins += find_.size(), ++first_bin) {
      const auto prob = double{row[k]};
      if (prob <= first_edge) {
        *first_bin += prob;
      } else {
        BlockSums& bin = bins[find_(prob)];
        bin.confidence += prob;
        ++bin.count;
      }
    }
  }

  void closeBlock(std::int64_t rows, BinSums* sums) {
    const std::size_t bins = find_.size();
    for (std::size_t k = 0; k < first_bins_.size(); ++k) {
      BlockSums* const of_class = block_.data() + k * bins;
      std::int64_t elsewhere = 0;
      for (std::size_t j = 0; j < bins; ++j) {
        elsewhere += of_class[j].count;
        sums[k * bins + j].count += of_class[j].count;
        sums[k * bins + j].confidence.add(of_class[j].confidence);
        of_class[j] = {};
      }
      sums[k * bins].count += rows - elsewhere;
      sums[k * bins].confidence.add(std::exchange(first_bins_[k], 0.0));
    }
  }

  const Array<T>& probs_;
  std::span<const std::int64_t> labels_;
  const BinFinder& find_;
  UnitBinFinder find_float_;
  std::int64_t first_;
  std::int64_t last_;
  std::vector<double> first_bins_;  ///< [classes] sums of the first bin, by addMany()
  std::vector<BlockSums> block_;    ///< [classes, bins] all other sums
};

template <class T>
void requireInput(const Array<T>& probs, std::span<const std::int64_t> labels, std::int64_t bins) {
  if (probs.rank() != 2 || probs.extent(1) < 1 ||
      probs.extent(0) != static_cast<std::int64_t>(labels.size())) {
    throw std::invalid_argument("classwiseCalibration: a table [N, K] and N labels are needed");
  }
  if (bins < 1) {
    throw std::invalid_argument("classwiseCalibration: at least one bin is needed");
  }
  if (std::ranges::any_of(labels, [&](std::int64_t y) { return y >= probs.extent(1); })) {
    throw std::invalid_argument("classwiseCalibration: a label is not below the number of classes");
  }
}

template <class T>
ClasswiseCalibration classwise(const Array<T>& probs, std::span<const std::int64_t> labels,
                               std::int64_t bins, const RunContext& context) {
  requireInput(probs, labels, bins);
  const std::int64_t items = probs.extent(0);
  const std::int64_t classes = probs.extent(1);
  const BinFinder find(BinFinder::unitEdges(bins));
  // As many parts as the memory for sums allows, independent of the number of threads.
  const std::int64_t sums_of_part = classes * bins;
  const std::int64_t room =
      kMaxSumBytes / (sums_of_part * static_cast<std::int64_t>(sizeof(BinSums)));
  const std::int64_t row_parts =
      std::clamp<std::int64_t>(std::min(room, items / kRowsPerBlock), 1, kMaxRowParts);
  const std::int64_t class_parts = (classes + kClassesPerPart - 1) / kClassesPerPart;
  std::vector<BinSums> sums(static_cast<std::size_t>(row_parts * sums_of_part));
  context.parallelFor(row_parts * class_parts, 1, [&](std::int64_t part, std::int64_t) {
    const std::int64_t row_part = part / class_parts;
    const std::int64_t first = part % class_parts * kClassesPerPart;
    const std::int64_t last = std::min(classes, first + kClassesPerPart);
    ClassPart<T>(probs, labels, find, first, last)
        .collect(items * row_part / row_parts, items * (row_part + 1) / row_parts,
                 sums.data() + row_part * sums_of_part + first * bins, context);
  });
  ClasswiseCalibration result;
  CompensatedSum sum;
  for (std::int64_t k = 0; k < classes; ++k) {
    std::vector<BinSums> of_class(static_cast<std::size_t>(bins));
    for (std::int64_t row_part = 0; row_part < row_parts; ++row_part) {
      const BinSums* const from = sums.data() + row_part * sums_of_part + k * bins;
      for (std::size_t j = 0; j < of_class.size(); ++j) {
        of_class[j].add(from[j]);
      }
    }
    result.per_class.push_back(diagramOf(of_class, BinFinder::unitEdges(bins)).ece);
    sum.add(result.per_class.back());
  }
  result.mean = sum.value() / static_cast<double>(classes);
  return result;
}

}  // namespace

ClasswiseCalibration classwiseCalibration(const Array<float>& probs,
                                          std::span<const std::int64_t> labels, std::int64_t bins,
                                          const RunContext& context) {
  return classwise(probs, labels, bins, context);
}
ClasswiseCalibration classwiseCalibration(const Array<double>& probs,
                                          std::span<const std::int64_t> labels, std::int64_t bins,
                                          const RunContext& context) {
  return classwise(probs, labels, bins, context);
}

}  // namespace dubito
