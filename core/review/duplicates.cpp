// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/duplicates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/nan.h"

namespace dubito {
namespace {

constexpr std::size_t kWords = 4;
using ImageHash = std::array<std::uint64_t, kWords>;

/// Images whose hashes differ in at most so many of 240 bits are compared.
constexpr int kMaxDifferentBits = 19;
/// The hash is looked up by bands of 12 bits: if at most 19 bits differ, one of 20 bands is equal.
constexpr std::size_t kBands = 20;
constexpr std::size_t kBandBits = 12;
constexpr std::int64_t kReadsPerPart = 16;

/// Whether each part is darker than the one to its right: 16 rows of 15 bits.
ImageHash hashOf(const SmallImage& image) {
  ImageHash hash{};
  std::size_t bit = 0;
  for (std::size_t row = 0; row < kSmallSide; ++row) {
    for (std::size_t column = 0; column + 1 < kSmallSide; ++column, ++bit) {
      const std::size_t at = row * kSmallSide + column;
      if (image[at] < image[at + 1]) {
        hash[bit / 64] |= std::uint64_t{1} << (bit % 64);
      }
    }
  }
  return hash;
}

int differentBits(const ImageHash& one, const ImageHash& two) {
  int bits = 0;
  for (std::size_t word = 0; word < kWords; ++word) {
    bits += std::popcount(one[word] ^ two[word]);
  }
  return bits;
}

std::uint64_t bandOf(const ImageHash& hash, std::size_t band) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kBandBits; ++i) {
    const std::size_t bit = band * kBandBits + i;
    bits |= (hash[bit / 64] >> (bit % 64) & 1U) << i;
  }
  return bits;
}

/// Pearson's correlation of the grey values; of images of one colour 1 if they are equal, else 0.
double correlation(const SmallImage& one, const SmallImage& two) {
  const auto mean = [](const SmallImage& image) {
    return std::accumulate(image.begin(), image.end(), 0.0) / static_cast<double>(image.size());
  };
  const double mean_one = mean(one);
  const double mean_two = mean(two);
  double covariance = 0.0;
  double variance_one = 0.0;
  double variance_two = 0.0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double a = one[i] - mean_one;
    const double b = two[i] - mean_two;
    covariance += a * b;
    variance_one += a * a;
    variance_two += b * b;
  }
  const double product = variance_one * variance_two;
  return product > 0.0 ? covariance / std::sqrt(product) : (one == two ? 1.0 : 0.0);
}

/// Sets of rows that were joined.
class JoinedRows {
 public:
  explicit JoinedRows(std::size_t rows) : parent_(rows) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t row) {
    while (parent_[row] != row) {
      parent_[row] = parent_[parent_[row]];
      row = parent_[row];
    }
    return row;
  }
  /// The first row of a set stands for it.
  void join(std::size_t one, std::size_t two) {
    one = find(one);
    two = find(two);
    parent_[std::max(one, two)] = std::min(one, two);
  }

 private:
  std::vector<std::size_t> parent_;
};

/// Images and hashes to compare.
struct Candidates {
  std::vector<std::uint32_t> rows;  ///< in the order of their hashes
  std::vector<SmallImage> images;   ///< by row
  std::vector<ImageHash> hashes;
};

/// Compares each image of a bucket with those after it that are not of its set already. Buckets of
/// images without structure are large: there, each is compared with its next neighbours only.
void joinBucket(std::span<const std::uint32_t> bucket, const Candidates& known,
                JoinedRows& joined) {
  constexpr std::size_t kNeighbours = 200;
  for (std::size_t i = 0; i < bucket.size(); ++i) {
    const std::size_t end = std::min(bucket.size(), i + 1 + kNeighbours);
    for (std::size_t k = i + 1; k < end; ++k) {
      const std::size_t one = bucket[i];
      const std::size_t two = bucket[k];
      if (joined.find(one) != joined.find(two) &&
          differentBits(known.hashes[one], known.hashes[two]) <= kMaxDifferentBits &&
          correlation(known.images[one], known.images[two]) >= kSameImageCorrelation) {
        joined.join(one, two);
      }
    }
  }
}

/// Groups of at least two, numbered by their first row.
DuplicateGroups numbered(JoinedRows& joined, std::size_t rows) {
  std::vector<std::int64_t> size(rows, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    ++size[joined.find(row)];
  }
  DuplicateGroups result;
  result.group.assign(rows, -1);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t first = joined.find(row);
    if (size[first] > 1) {
      result.group[row] = first == row ? result.count++ : result.group[first];
    }
  }
  return result;
}

Expected<QueueScores> scoresOfDuplicates(const QueueSource& source, RunContext& context) {
  const Run& run = source.run;
  if (source.inputs.small_image == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the queue duplicates compares images, but those of this run are "
                            "not known; choose another queue, or attach the images",
                            source.inputs.name));
  }
  const auto groups = duplicateGroups(run.itemCount(), source.inputs.small_image, context);
  if (!groups) {
    return failWith(groups);
  }
  const auto count = static_cast<std::size_t>(groups->count);
  std::vector<std::set<std::int64_t>> labels(count);
  std::vector<std::int64_t> sizes(count, 0);
  // By the lowest id in them, so that the order of the rows does not matter.
  std::vector<std::int64_t> lowest(count, std::numeric_limits<std::int64_t>::max());
  const auto n = static_cast<std::size_t>(run.itemCount());
  for (std::size_t row = 0; row < n; ++row) {
    if (const std::int64_t group = groups->group[row]; group >= 0) {
      ++sizes[static_cast<std::size_t>(group)];
      lowest[static_cast<std::size_t>(group)] =
          std::min(lowest[static_cast<std::size_t>(group)], run.ids.data()[row]);
      if (run.labels.data()[row] >= 0) {
        labels[static_cast<std::size_t>(group)].insert(run.labels.data()[row]);
      }
    }
  }
  std::vector<std::size_t> by_id(count);
  std::iota(by_id.begin(), by_id.end(), std::size_t{0});
  std::ranges::sort(by_id, {}, [&lowest](std::size_t group) { return lowest[group]; });
  std::vector<double> place(count);
  for (std::size_t i = 0; i < count; ++i) {
    place[by_id[i]] = static_cast<double>(count - i);
  }
  QueueScores scores{Array<double>::fromVector(std::vector<double>(n, kNaN))};
  scores.order = Array<double>::fromVector(std::vector<double>(n, kNaN));
  scores.in_first_part.assign(n, 0);
  for (std::size_t row = 0; row < n; ++row) {
    if (groups->group[row] < 0) {
      continue;
    }
    const auto group = static_cast<std::size_t>(groups->group[row]);
    const bool differ = labels[group].size() > 1;
    scores.values.mutableData()[row] = static_cast<double>(sizes[group]);
    // A group stays together.
    scores.order.mutableData()[row] = place[group] + (differ ? static_cast<double>(count) : 0.0);
    scores.in_first_part[row] = differ ? 1 : 0;
  }
  if (groups->unreadable > 0) {
    scores.notes.push_back(fmt::format("{}: {} of its images cannot be read and were not compared",
                                       source.inputs.name, groups->unreadable));
  }
  return scores;
}

}  // namespace

Expected<DuplicateGroups> duplicateGroups(std::int64_t rows, const SmallImageOf& image_of,
                                          RunContext& context) {
  const auto n = static_cast<std::size_t>(rows);
  Candidates known;
  known.images.resize(n);
  known.hashes.resize(n);
  std::vector<std::uint8_t> is_read(n, 0);
  std::atomic<bool> stopped = false;
  context.parallelFor(rows, kReadsPerPart, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end && !stopped; ++row) {
      const auto at = static_cast<std::size_t>(row);
      if (const auto image = image_of(row)) {
        known.images[at] = *image;
        known.hashes[at] = hashOf(*image);
        is_read[at] = 1;
      }
    }
    if (context.cancelRequested()) {
      stopped = true;
    }
  });
  if (stopped ||
      context.step("comparing images", 0, static_cast<std::int64_t>(kBands)) == Step::kCancel) {
    return cancelled();
  }
  for (std::size_t row = 0; row < n; ++row) {
    if (is_read[row] != 0) {
      known.rows.push_back(static_cast<std::uint32_t>(row));
    }
  }
  JoinedRows joined(n);
  for (std::size_t band = 0; band < kBands; ++band) {
    // Equal hashes are next to each other.
    std::ranges::sort(known.rows, {}, [&](std::uint32_t row) {
      return std::tuple(bandOf(known.hashes[row], band), known.hashes[row], row);
    });
    for (std::size_t begin = 0; begin < known.rows.size();) {
      const std::uint64_t bits = bandOf(known.hashes[known.rows[begin]], band);
      std::size_t end = begin + 1;
      while (end < known.rows.size() && bandOf(known.hashes[known.rows[end]], band) == bits) {
        ++end;
      }
      joinBucket(std::span(known.rows).subspan(begin, end - begin), known, joined);
      begin = end;
    }
    if (context.step("comparing images", static_cast<std::int64_t>(band) + 1,
                     static_cast<std::int64_t>(kBands)) == Step::kCancel) {
      return cancelled();
    }
  }
  DuplicateGroups result = numbered(joined, n);
  result.unreadable = rows - std::ssize(known.rows);
  return result;
}

QueueKind duplicateQueue() {
  return {.key = "duplicates",
          .name = "duplicates with different labels first",
          .why =
              "Images that show the same come together; those that have different labels come "
              "first, because one of the labels is wrong.",
          .group = QueueGroup::kLabels,
          .first_part = "duplicates with different labels",
          .needs = {.images = true},
          .needs_text = "the images",
          .left_out = "without a duplicate",
          .high_first = true,
          .compute = scoresOfDuplicates};
}

}  // namespace dubito
