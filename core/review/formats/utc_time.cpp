// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/utc_time.h"

#include <fmt/format.h>

#include <chrono>

#include "core/io/csv.h"

namespace dubito {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kEndOfYear9999 = 253402300800000;

/// Reads the parts of a time from left to right.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool atEnd() const { return rest_.empty(); }

  bool skip(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_.front()) == std::string_view::npos) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  /// A number of exactly `digits` digits, at most `max`.
  std::optional<int> number(std::size_t digits, int max) {
    if (rest_.size() < digits) {
      return std::nullopt;
    }
    int value = 0;
    for (const char c : rest_.substr(0, digits)) {
      if (c < '0' || c > '9') {
        return std::nullopt;
      }
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    return value <= max ? std::optional(value) : std::nullopt;
  }

  /// Digits after the point, as milliseconds.
  int fraction() {
    int value = 0;
    int scale = 100;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      value += (rest_.front() - '0') * scale;
      scale /= 10;
      rest_.remove_prefix(1);
    }
    return value;
  }

  /// Milliseconds east of UTC: "", "Z", "+01", "+01:00", "+0100".
  std::optional<std::int64_t> offset() {
    if (atEnd() || skip("Zz")) {
      return 0;
    }
    const bool west = rest_.front() == '-';
    if (!skip("+-")) {
      return std::nullopt;
    }
    const std::optional<int> hours = number(2, 23);
    skip(":");
    const std::optional<int> minutes = atEnd() ? 0 : number(2, 59);
    if (!hours || !minutes) {
      return std::nullopt;
    }
    const std::int64_t offset = (*hours * 60 + *minutes) * std::int64_t{60000};
    return west ? -offset : offset;
  }

 private:
  std::string_view rest_;
};

std::optional<std::int64_t> parseIso(std::string_view text) {
  TimeReader reader(text);
  const auto year = reader.number(4, 9999);
  const bool dashes = reader.skip("-");
  const auto month = reader.number(2, 12);
  const bool dashes_again = reader.skip("-");
  const auto day = reader.number(2, 31);
  if (!year || !month || !day || !dashes || !dashes_again) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) {
    return std::nullopt;
  }
  const std::int64_t midnight =
      milliseconds(std::chrono::sys_days(date).time_since_epoch()).count();
  if (reader.atEnd()) {
    return midnight;
  }
  if (!reader.skip("Tt ")) {
    return std::nullopt;
  }
  const auto hour = reader.number(2, 23);
  const bool colon = reader.skip(":");
  const auto minute = reader.number(2, 59);
  // 60 is a leap second.
  const auto second = reader.skip(":") ? reader.number(2, 60) : std::optional(0);
  const int fraction = reader.skip(".,") ? reader.fraction() : 0;
  const auto offset = reader.offset();
  if (!hour || !colon || !minute || !second || !offset || !reader.atEnd()) {
    return std::nullopt;
  }
  return midnight + ((*hour * 60 + *minute) * 60 + *second) * std::int64_t{1000} + fraction -
         *offset;
}

}  // namespace

std::string utcText(std::int64_t time_ms) {
  if (time_ms < 0 || time_ms >= kEndOfYear9999) {
    return fmt::format("{}", time_ms);
  }
  const std::chrono::sys_time<milliseconds> time{milliseconds(time_ms)};
  const auto midnight = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss clock(time - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<std::int64_t> parseUtcText(std::string_view text) {
  text = trimmed(text);
  const auto number = parseInteger(text);
  return number ? number : parseIso(text);
}

}  // namespace dubito
