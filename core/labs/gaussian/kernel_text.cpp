// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

/// Limits the recursion of the parser.
constexpr int kMaxNesting = 20;
constexpr std::string_view kNoiseName = "white";
constexpr const char* kExample = "write, for example, 1.5*se(0.8) + linear(0.5)*periodic(0.9, 2.5)";

std::string signatureOf(const BaseKernel& kernel) {
  return fmt::format("{}({})", kernel.key, fmt::join(kernel.parameters, ", "));
}

/// Recursive descent; each function parses one rule of the grammar from position_ on.
class KernelParser {
 public:
  explicit KernelParser(std::string_view text) : text_(text) {}

  Expected<Kernel> parse() { return checked(parseSum(0)); }

  Expected<NoisyKernel> parseNoisy() {
    NoisyKernel result;
    bool has_kernel = false;
    do {
      if (takeNoiseName()) {
        if (Status parsed = parseNoise(result.noise_variance); !parsed) {
          return failWith(parsed);
        }
        continue;
      }
      const Expected<Kernel> term = parseProduct(0);
      if (!term) {
        return failWith(term);
      }
      result.kernel = has_kernel ? result.kernel + *term : *term;
      has_kernel = true;
    } while (take('+'));
    if (!has_kernel) {
      return failAt(position_, "expected a kernel in addition to the noise", kExample);
    }
    const Expected<Kernel> whole = checked(result.kernel);
    return whole ? Expected<NoisyKernel>(std::move(result)) : failWith(whole);
  }

 private:
  /// `kernel` if it is the whole text and small enough.
  Expected<Kernel> checked(Expected<Kernel> kernel) {
    if (kernel && !atEnd()) {
      return failAt(position_,
                    fmt::format("unexpected '{}'", shownText(text_.substr(position_), 9)),
                    kExample);
    }
    if (kernel && kernel->parameterCount() > kMaxKernelParameters) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("kernel {}: has {} parameters; use at most {}", inQuotes(text_),
                              kernel->parameterCount(), kMaxKernelParameters),
                  {setting("kernel")});
    }
    return kernel;
  }

  /// Takes the name of the noise if it comes next.
  bool takeNoiseName() {
    const std::size_t start = position_;
    if (startsName() && takeName() == kNoiseName) {
      return true;
    }
    position_ = start;
    return false;
  }

  /// Parses "(VARIANCE)".
  Status parseNoise(std::optional<double>& variance) {
    if (variance) {
      return failAt(position_, "the noise is given twice", "give one white(VARIANCE)");
    }
    if (!take('(')) {
      return failAt(position_, "expected '('", "write white(VARIANCE)");
    }
    const Expected<double> value = parseNumber("a number");
    if (!value) {
      return failWith(value);
    }
    if (!take(')')) {
      return failAt(position_, "expected ')'", "write white(VARIANCE)");
    }
    if (!atEnd() && text_[position_] != '+') {
      return failAt(position_, "noise cannot be part of a product", "add it: ... + white(0.04)");
    }
    variance = *value;
    return {};
  }

  Expected<Kernel> parseSum(int nesting) {
    Expected<Kernel> sum = parseProduct(nesting);
    while (sum && take('+')) {
      const Expected<Kernel> term = parseProduct(nesting);
      if (!term) {
        return term;
      }
      sum = *sum + *term;
    }
    return sum;
  }

  Expected<Kernel> parseProduct(int nesting) {
    Expected<Kernel> product = parseFactor(nesting);
    while (product && take('*')) {
      const Expected<Kernel> factor = parseFactor(nesting);
      if (!factor) {
        return factor;
      }
      product = *product * *factor;
    }
    return product;
  }

  Expected<Kernel> parseFactor(int nesting) {
    if (++factors_ > kMaxKernelParameters) {
      return failAt(position_, "too many factors",
                    fmt::format("use at most {}", kMaxKernelParameters));
    }
    if (take('(')) {
      if (nesting == kMaxNesting) {
        return failAt(position_, "too many nested parentheses",
                      fmt::format("use at most {}", kMaxNesting));
      }
      Expected<Kernel> kernel = parseSum(nesting + 1);
      if (kernel && !take(')')) {
        return failAt(position_, "expected ')'", kExample);
      }
      return kernel;
    }
    if (startsName()) {
      return parseBase();
    }
    const Expected<double> variance = parseNumber("a number, a kernel or '('");
    return variance ? Expected<Kernel>(Kernel::constant(*variance)) : failWith(variance);
  }

  Expected<Kernel> parseBase() {
    const std::size_t start = position_;
    const std::string name(takeName());
    const BaseKernel* const base = findBaseKernel(name);
    if (base == nullptr) {
      return failAt(start, fmt::format("unknown kernel {}", inQuotes(name)),
                    "use " + kernelSignatures());
    }
    std::vector<double> values(base->parameters.size(), 1.0);
    std::vector<bool> given(values.size(), false);
    if (take('(') && !take(')')) {
      std::size_t next = 0;
      do {
        if (Status status = parseValue(*base, next, values, given); !status) {
          return failWith(status);
        }
      } while (take(','));
      if (!take(')')) {
        return failAt(position_, "expected ',' or ')'", "write " + signatureOf(*base));
      }
    }
    return Kernel::base(base->key, values);
  }

  /// Parses one value in parentheses; `next` is the index of the next unnamed one.
  Status parseValue(const BaseKernel& base, std::size_t& next, std::vector<double>& values,
                    std::vector<bool>& given) {
    skipSpaces();
    const std::size_t start = position_;
    std::size_t index = next++;
    if (startsName()) {
      const std::string name(takeName());
      const auto found = std::ranges::find(base.parameters, name);
      if (found == base.parameters.end() || !take('=')) {
        return failAt(start, fmt::format("expected a parameter of {} and '='", base.key),
                      "write " + signatureOf(base));
      }
      index = static_cast<std::size_t>(found - base.parameters.begin());
      next = values.size();
    }
    if (index >= values.size() || given[index]) {
      return failAt(start, fmt::format("one value too many for {}", base.key),
                    "write " + signatureOf(base));
    }
    const Expected<double> value = parseNumber("a number");
    if (!value) {
      return failWith(value);
    }
    values[index] = *value;
    given[index] = true;
    return {};
  }

  Expected<double> parseNumber(const char* expected) {
    skipSpaces();
    const std::size_t start = position_;
    double value = 0.0;
    const char* const begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::invalid_argument) {
      return failAt(start, fmt::format("expected {}", expected), kExample);
    }
    position_ += static_cast<std::size_t>(end - begin);
    if (error != std::errc() || !(value >= kMinKernelParameter && value <= kMaxKernelParameter)) {
      return failAt(start, fmt::format("{} is out of range", shownText({begin, end}, 20)),
                    fmt::format("numbers must lie in [{:g}, {:g}]", kMinKernelParameter,
                                kMaxKernelParameter));
    }
    return value;
  }

  void skipSpaces() {
    while (position_ < text_.size() &&
           std::isspace(static_cast<unsigned char>(text_[position_])) != 0) {
      ++position_;
    }
  }
  bool atEnd() {
    skipSpaces();
    return position_ == text_.size();
  }
  bool take(char symbol) {
    if (atEnd() || text_[position_] != symbol) {
      return false;
    }
    ++position_;
    return true;
  }
  bool startsName() {
    return !atEnd() && std::isalpha(static_cast<unsigned char>(text_[position_])) != 0;
  }
  std::string_view takeName() {
    const std::size_t start = position_;
    while (position_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[position_])) != 0 ||
            text_[position_] == '_')) {
      ++position_;
    }
    return text_.substr(start, position_ - start);
  }

  [[nodiscard]] tl::unexpected<Error> failAt(std::size_t position, const std::string& reason,
                                             const std::string& remedy) const {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("kernel {}: {} at position {}; {}", inQuotes(text_), reason,
                            position + 1, remedy),
                {setting("kernel")});
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t factors_ = 0;
};

}  // namespace

Expected<Kernel> parseKernel(std::string_view text) {
  return KernelParser(text).parse();
}

Expected<NoisyKernel> parseNoisyKernel(std::string_view text) {
  return KernelParser(text).parseNoisy();
}

std::string kernelSignatures() {
  std::vector<std::string> all;
  for (const BaseKernel& kernel : baseKernels()) {
    all.push_back(signatureOf(kernel));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace dubito
