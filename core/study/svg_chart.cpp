// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace dubito {
namespace {

constexpr std::array<const char*, 8> kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                              "#E69F00", "#56B4E9", "#1F2328", "#8C6D31"};
constexpr double kLeft = 52.0;
constexpr double kRight = 12.0;
constexpr double kTop = 40.0;
constexpr double kBottom = 40.0;
constexpr double kEdge = 12.0;  ///< left of the legend
constexpr double kLegendRow = 16.0;
constexpr double kLegendMark = 20.0;
constexpr double kTextSize = 11.0;
constexpr double kTitleSize = 12.0;
constexpr double kCategorySize = 9.0;
/// Sine and cosine of 30 degrees, by which long categories are turned.
constexpr double kSine = 0.5;
constexpr double kCosine = 0.866;
constexpr double kMaxTurned = 150.0;  ///< longest turned category

std::size_t lettersOf(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Width of a text, about: an SVG does not know its font.
double widthOf(const std::string& text, double size) {
  constexpr double kLetter = 0.57;  // of the size
  return kLetter * size * static_cast<double>(lettersOf(text));
}

/// A text without its middle if it is wider than `width`.
std::string fitted(const std::string& text, double size, double width) {
  if (widthOf(text, size) <= width) {
    return text;
  }
  const auto kept = static_cast<std::size_t>(std::max(4.0, width / widthOf("m", size)) - 1.0);
  std::string begin;
  std::string end;
  std::size_t letter = 0;
  const std::size_t count = lettersOf(text);
  for (const char c : text) {
    letter += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    if (letter <= (kept + 1) / 2) {
      begin += c;
    } else if (letter > count - kept / 2) {
      end += c;
    }
  }
  return begin + "…" + end;
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) { layCategories(); }

  std::string svg() {
    axes();
    for (const ChartSeries& series : chart_.series) {
      draw(series);
    }
    const double height = legend();
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1:.0f}\" "
               "width=\"{0}\" "
               "height=\"{1:.0f}\" font-family=\"system-ui,sans-serif\" font-size=\"{3:.0f}\" "
               "fill=\"#1F2328\" role=\"img\" aria-label=\"{2}\">\n"
               "<rect width=\"{0}\" height=\"{1:.0f}\" fill=\"#FFFFFF\"/>\n",
               chart_.width, height, htmlText(chart_.title), kTextSize) +
           body_ + "</svg>\n";
  }

 private:
  [[nodiscard]] double right() const { return chart_.width - kRight; }
  [[nodiscard]] double bottom() const { return chart_.height - kBottom; }
  [[nodiscard]] double atX(double x) const {
    return kLeft + (x - chart_.x.low) / (chart_.x.high - chart_.x.low) * (right() - kLeft);
  }
  [[nodiscard]] double atY(double y) const {
    const double clipped = std::clamp(y, chart_.y.low, chart_.y.high);
    return bottom() - (clipped - chart_.y.low) / (chart_.y.high - chart_.y.low) * (bottom() - kTop);
  }

  /// Categories are written in a row if they fit, else turned, and shortened if they would
  /// reach beyond the chart.
  void layCategories() {
    const double step = chart_.categories.size() > 1 ? atX(1.0) - atX(0.0) : right() - kLeft;
    for (std::size_t i = 0; i < chart_.categories.size(); ++i) {
      turned_ = turned_ || widthOf(chart_.categories[i], kCategorySize) > step - 6.0;
    }
    categories_ = chart_.categories;
    if (!turned_ || categories_.empty()) {
      return;
    }
    double longest = 0.0;
    for (std::size_t i = 0; i < categories_.size(); ++i) {
      const double room = (atX(static_cast<double>(i)) - 4.0) / kCosine;
      categories_[i] = fitted(categories_[i], kCategorySize, std::min(room, kMaxTurned));
      longest = std::max(longest, widthOf(categories_[i], kCategorySize));
    }
    below_ =
        std::max(0.0, kSine * longest + 20.0 + (chart_.x_label.empty() ? 0.0 : 16.0) - kBottom);
  }

  void line(double x1, double y1, double x2, double y2, const char* colour, double width) {
    body_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"{}\"/>\n",
        x1, y1, x2, y2, colour, width);
  }
  void text(double x, double y, const char* anchor, const std::string& words,
            const std::string& more = {}) {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                         anchor, more, htmlText(words));
  }

  void axes() {
    // Bold letters are wider.
    text(kLeft, 14, "start", fitted(chart_.title, 1.1 * kTitleSize, right() - kLeft),
         fmt::format(" font-weight=\"600\" font-size=\"{:.0f}\"", kTitleSize));
    text(kLeft, 29, "start", chart_.note, " fill=\"#59636E\" font-size=\"10\"");
    for (const double tick : roundTicks(chart_.y, 6)) {
      line(kLeft, atY(tick), right(), atY(tick), "#E6E8EB", 1);
      text(kLeft - 5, atY(tick) + 4, "end", fmt::format("{:.6g}", tick));
    }
    if (chart_.categories.empty()) {
      for (const double tick : roundTicks(chart_.x, 6)) {
        line(atX(tick), bottom(), atX(tick), bottom() + 4, "#59636E", 1);
        text(atX(tick), bottom() + 15, "middle", fmt::format("{:.6g}", tick));
      }
    }
    for (std::size_t i = 0; i < categories_.size(); ++i) {
      const double x = atX(static_cast<double>(i));
      const double y = bottom() + (turned_ ? 12.0 : 15.0);
      text(x, y, turned_ ? "end" : "middle", categories_[i],
           fmt::format(" font-size=\"{:.0f}\"", kCategorySize) +
               (turned_ ? fmt::format(" transform=\"rotate(-30 {:.1f} {:.1f})\"", x, y) : ""));
    }
    line(kLeft, bottom(), right(), bottom(), "#59636E", 1);
    text(0.5 * (kLeft + right()), chart_.height + below_ - 8.0, "middle", chart_.x_label);
    const double middle = 0.5 * (kTop + bottom());
    text(12, middle, "middle", chart_.y_label,
         fmt::format(" transform=\"rotate(-90 12 {:.1f})\"", middle));
  }

  void draw(const ChartSeries& series) {
    if (series.style == ChartStyle::kArea) {
      area(series);
      return;
    }
    if (series.style != ChartStyle::kPoints) {
      polyline(series);
    }
    if (series.style == ChartStyle::kLine) {
      return;
    }
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!std::isfinite(series.y[i])) {
        continue;
      }
      const double x = atX(series.x[i]);
      if (i < series.bars.size()) {
        line(x, atY(series.bars[i].low), x, atY(series.bars[i].high), series.colour.c_str(), 1.2);
      }
      body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x,
                           atY(series.y[i]), series.colour);
    }
  }

  void polyline(const ChartSeries& series) {
    std::string points;
    const auto finish = [&] {
      if (!points.empty()) {
        body_ += fmt::format(
            "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{} points=\"{}\"/>\n",
            series.colour, series.dashed ? " stroke-dasharray=\"5 3\"" : "", points);
      }
      points.clear();
    };
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (std::isfinite(series.x[i]) && std::isfinite(series.y[i])) {
        points += fmt::format("{:.1f},{:.1f} ", atX(series.x[i]), atY(series.y[i]));
      } else {
        finish();
      }
    }
    finish();
  }

  void area(const ChartSeries& series) {
    std::string points = fmt::format("{:.1f},{:.1f} ", atX(series.x.front()), bottom());
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      points += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", atX(series.x[i]), atY(series.y[i]),
                            atX(series.x[i + 1]), atY(series.y[i]));
    }
    points += fmt::format("{:.1f},{:.1f}", atX(series.x.back()), bottom());
    body_ +=
        fmt::format("<polygon {} stroke=\"{}\" points=\"{}\"/>\n",
                    series.dashed ? "fill=\"none\" stroke-width=\"1.4\" stroke-dasharray=\"4 2\""
                                  : fmt::format("fill=\"{}\" fill-opacity=\"0.3\"", series.colour),
                    series.colour, points);
  }

  /// Names in columns of equal width. Returns the height of the whole.
  double legend() {
    const double room = right() - kEdge;
    double widest = 0.0;
    std::vector<const ChartSeries*> named;
    for (const ChartSeries& series : chart_.series) {
      if (!series.name.empty()) {
        named.push_back(&series);
        widest = std::max(widest, kLegendMark + widthOf(series.name, kTextSize));
      }
    }
    if (named.empty()) {
      return chart_.height + below_;
    }
    const double column = std::min(room, widest + 10.0);
    const auto columns = static_cast<std::size_t>(std::max(1.0, room / column));
    double y = 0.0;
    for (std::size_t i = 0; i < named.size(); ++i) {
      const double x = kEdge + column * static_cast<double>(i % columns);
      y = chart_.height + below_ + 8.0 + kLegendRow * static_cast<double>(i / columns);
      body_ += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
          "stroke-width=\"3\"{}/>\n",
          x, y - 3, x + 16, y - 3, named[i]->colour,
          named[i]->dashed ? " stroke-dasharray=\"5 3\"" : "");
      text(x + kLegendMark, y, "start", fitted(named[i]->name, kTextSize, room - kLegendMark));
    }
    return y + 8.0;
  }

  const Chart& chart_;
  std::vector<std::string> categories_;  ///< as they are written
  bool turned_ = false;
  double below_ = 0.0;  ///< more room under the axis
  std::string body_;
};

}  // namespace

std::string rowColour(std::size_t number) {
  return kColours.at(number % kColours.size());
}

bool isRowDashed(std::size_t number) {
  return (number / kColours.size()) % 2 == 1;
}

std::vector<double> roundTicks(Interval range, int count) {
  const double span = range.high - range.low;
  if (!(span > 0.0) || !std::isfinite(span) || count < 1) {
    return {range.low};
  }
  const double raw = span / count;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  const double step = power * (ratio <= 1.0 ? 1.0 : ratio <= 2.0 ? 2.0 : ratio <= 5.0 ? 5.0 : 10.0);
  std::vector<double> ticks;
  const double tolerance = 1e-9 * span;
  for (double k = std::ceil((range.low - tolerance) / step); k * step <= range.high + tolerance;
       k += 1.0) {
    ticks.push_back(k == 0.0 ? 0.0 : k * step);
  }
  return ticks;
}

std::string chartSvg(const Chart& chart) {
  return Drawing(chart).svg();
}

std::string htmlText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        // XML has no control characters.
        escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

}  // namespace dubito
