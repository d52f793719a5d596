// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/uci_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

#include "core/io/csv.h"
#include "core/io/gzip_reader.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

/// Far above the largest set, which has 4 MB.
constexpr std::size_t kMaxTextBytes = std::size_t{256} << 20U;

Expected<std::string> readText(const std::string& path) {
  auto reader = GzipReader::open(path);
  if (!reader) {
    return failWith(reader);
  }
  std::string text;
  while (true) {
    constexpr std::size_t kPart = std::size_t{1} << 20U;
    const std::size_t before = text.size();
    if (before > kMaxTextBytes) {
      return fail(
          ErrorCode::kMalformed,
          fmt::format("{}: is far larger than the published set; use the published file", path));
    }
    text.resize(before + kPart);
    const auto got = reader->read({reinterpret_cast<std::uint8_t*>(text.data()) + before, kPart});
    if (!got) {
      return failWith(got);
    }
    text.resize(before + static_cast<std::size_t>(*got));
    if (*got < static_cast<std::int64_t>(kPart)) {
      return text;
    }
  }
}

tl::unexpected<Error> malformedLine(const std::string& path, std::int64_t line,
                                    const std::string& reason) {
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: line {} {}; use the published file", path, line, reason));
}

/// Calls use(line, numbers) for every line that is not empty; use returns a reason to refuse it, or
/// an empty text.
Status forLines(
    const std::string& path, const std::string& text,
    const std::function<std::string(std::int64_t line, std::span<const double> numbers)>& use) {
  constexpr std::string_view kSpace = " \t\r";
  std::vector<double> numbers;
  std::int64_t line = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view row = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++line;
    numbers.clear();
    while (true) {
      row.remove_prefix(std::min(row.find_first_not_of(kSpace), row.size()));
      if (row.empty()) {
        break;
      }
      const std::size_t length = std::min(row.find_first_of(kSpace), row.size());
      const auto number = parseNumber(row.substr(0, length));
      if (!number || !std::isfinite(*number)) {
        return malformedLine(path, line, "has something that is not a number");
      }
      numbers.push_back(*number);
      row.remove_prefix(length);
    }
    if (numbers.empty()) {
      continue;
    }
    if (const std::string reason = use(line, numbers); !reason.empty()) {
      return malformedLine(path, line, reason);
    }
  }
  return {};
}

Status readRows(const std::string& path, UciData& data) {
  const auto text = readText(path);
  if (!text) {
    return failWith(text);
  }
  const auto inputs = static_cast<std::size_t>(data.set->inputs);
  std::size_t columns = 0;
  Status read = forLines(path, *text, [&](std::int64_t, std::span<const double> numbers) {
    columns = columns == 0 ? numbers.size() : columns;
    if (numbers.size() != columns || columns <= inputs) {
      return fmt::format("has {} columns instead of {}", numbers.size(),
                         std::max(columns, inputs + 1));
    }
    data.inputs.insert(data.inputs.end(), numbers.begin(),
                       numbers.begin() + static_cast<std::ptrdiff_t>(inputs));
    data.targets.push_back(numbers[inputs]);
    return std::string();
  });
  if (read && std::ssize(data.targets) != data.set->items) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: has {} rows instead of {}; use the published file", path,
                            data.targets.size(), data.set->items));
  }
  return read;
}

Status readSplits(const std::string& path, UciData& data) {
  const auto text = readText(path);
  if (!text) {
    return failWith(text);
  }
  const auto items = static_cast<double>(data.targets.size());
  Status read = forLines(path, *text, [&](std::int64_t, std::span<const double> numbers) {
    std::vector<std::int64_t> rows;
    std::vector<bool> seen(data.targets.size(), false);
    for (const double number : numbers) {
      if (number < 0.0 || number >= items || number != std::floor(number)) {
        return fmt::format("names row {:g}, which does not exist", number);
      }
      const auto row = static_cast<std::size_t>(number);
      if (seen[row]) {
        return fmt::format("names row {} twice", row);
      }
      seen[row] = true;
      rows.push_back(static_cast<std::int64_t>(row));
    }
    if (numbers.size() + 10 > data.targets.size()) {
      return std::string("leaves almost nothing to train on");
    }
    data.test_rows.push_back(std::move(rows));
    return std::string();
  });
  if (read && std::ssize(data.test_rows) != data.set->splits) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: has {} splits instead of {}; use the published file", path,
                            data.test_rows.size(), data.set->splits));
  }
  return read;
}

/// Mean and population standard deviation; a deviation of 0 stays 0.
struct Moments {
  double mean = 0.0;
  double std = 0.0;
};

Moments momentsOf(std::span<const double> values, std::span<const std::int64_t> rows,
                  std::int64_t step, std::int64_t column) {
  const auto at = [&](std::int64_t row) {
    return values[static_cast<std::size_t>(row * step + column)];
  };
  const auto count = static_cast<double>(rows.size());
  Moments result;
  for (const std::int64_t row : rows) {
    result.mean += at(row);
  }
  result.mean /= count;
  double squares = 0.0;
  for (const std::int64_t row : rows) {
    squares += (at(row) - result.mean) * (at(row) - result.mean);
  }
  // Rounding of the mean leaves a small spread of equal values.
  const double std = std::sqrt(squares / count);
  result.std = std <= 1e-12 * std::abs(result.mean) ? 0.0 : std;
  return result;
}

}  // namespace

Expected<UciData> readUciData(const UciSetInfo& set, const std::string& folder) {
  UciData data;
  data.set = &set;
  const std::string stem = fmt::format("{}/{}", folder, set.file);
  if (Status read = readRows(stem + ".txt.gz", data); !read) {
    return failWith(read);
  }
  if (Status read = readSplits(stem + ".test-splits.txt.gz", data); !read) {
    return failWith(read);
  }
  return data;
}

UciRows uciSplit(const UciData& data, std::int64_t split) {
  UciRows rows;
  rows.test = data.test_rows.at(static_cast<std::size_t>(split));
  std::vector<bool> is_test(data.targets.size(), false);
  for (const std::int64_t row : rows.test) {
    is_test[static_cast<std::size_t>(row)] = true;
  }
  for (std::size_t row = 0; row < is_test.size(); ++row) {
    if (!is_test[row]) {
      rows.train.push_back(static_cast<std::int64_t>(row));
    }
  }
  return rows;
}

UciRows uciValidationSplit(std::span<const std::int64_t> train, std::uint64_t seed,
                           std::int64_t split) {
  std::vector<std::int64_t> order(train.size());
  KeyedRandom(seed, LabSite::kSplit, static_cast<std::uint64_t>(split)).permutation(0, order);
  const std::size_t first_of_validation = train.size() * 4 / 5;
  UciRows rows;
  for (std::size_t i = 0; i < order.size(); ++i) {
    (i < first_of_validation ? rows.train : rows.test)
        .push_back(train[static_cast<std::size_t>(order[i])]);
  }
  return rows;
}

Expected<UciProblem> uciProblem(const UciData& data, const UciRows& rows) {
  const std::int64_t inputs = data.set->inputs;
  UciProblem problem;
  const Moments target = momentsOf(data.targets, rows.train, 1, 0);
  if (target.std == 0.0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the targets of the training rows are all equal; use the published "
                            "file",
                            data.set->key));
  }
  problem.target_mean = target.mean;
  problem.target_std = target.std;
  std::vector<Moments> columns;
  for (std::int64_t column = 0; column < inputs; ++column) {
    columns.push_back(momentsOf(data.inputs, rows.train, inputs, column));
    columns.back().std = columns.back().std == 0.0 ? 1.0 : columns.back().std;
  }
  const auto addRow = [&](std::int64_t row, std::vector<double>& to) {
    for (std::int64_t column = 0; column < inputs; ++column) {
      const Moments& moments = columns[static_cast<std::size_t>(column)];
      to.push_back((data.inputs[static_cast<std::size_t>(row * inputs + column)] - moments.mean) /
                   moments.std);
    }
  };
  for (const std::int64_t row : rows.train) {
    addRow(row, problem.train.x);
    problem.train.y.push_back((data.targets[static_cast<std::size_t>(row)] - target.mean) /
                              target.std);
  }
  for (const std::int64_t row : rows.test) {
    addRow(row, problem.test_x);
    problem.test_y.push_back(data.targets[static_cast<std::size_t>(row)]);
  }
  return problem;
}

}  // namespace dubito
