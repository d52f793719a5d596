// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/glyph_strokes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dubito {
namespace {

/// An elliptical arc from one angle to another in degrees; 0 is right, 90 is down.
GlyphStroke arc(GlyphPoint centre, GlyphPoint radius, double from, double to) {
  constexpr double kDegreesOfPiece = 15.0;
  const int pieces = std::max(1, static_cast<int>(std::abs(to - from) / kDegreesOfPiece));
  GlyphStroke stroke;
  for (int i = 0; i <= pieces; ++i) {
    const double angle = (from + (to - from) * i / pieces) * std::numbers::pi / 180.0;
    stroke.push_back(
        {centre.x + radius.x * std::cos(angle), centre.y + radius.y * std::sin(angle)});
  }
  return stroke;
}

GlyphStroke joined(std::initializer_list<GlyphStroke> parts) {
  GlyphStroke stroke;
  for (const GlyphStroke& part : parts) {
    stroke.insert(stroke.end(), part.begin(), part.end());
  }
  return stroke;
}

using Glyph = std::vector<GlyphStroke>;

std::vector<Glyph> digits() {
  return {
      {arc({.5, .5}, {.33, .5}, 0, 360), {{.38, .68}, {.62, .32}}},
      {{{.28, .22}, {.55, 0}, {.55, 1}}},
      {joined({arc({.5, .27}, {.33, .27}, 180, 400), {{.15, 1}, {.85, 1}}})},
      {arc({.47, .25}, {.3, .25}, 200, 450), arc({.47, .75}, {.35, .25}, 270, 520)},
      {{{.65, 1}, {.65, 0}, {.1, .68}, {.9, .68}}},
      {joined({{{.8, 0}, {.25, 0}, {.2, .46}}, arc({.48, .68}, {.34, .32}, 220, 510)})},
      {arc({.5, .68}, {.33, .32}, 0, 360), {{.17, .68}, {.22, .4}, {.38, .15}, {.65, 0}}},
      {{{.15, 0}, {.85, 0}, {.4, 1}}},
      {arc({.5, .25}, {.27, .25}, 0, 360), arc({.5, .75}, {.33, .25}, 0, 360)},
      {arc({.5, .32}, {.33, .32}, 0, 360), {{.83, .32}, {.78, .6}, {.62, .85}, {.35, 1}}},
  };
}

std::vector<Glyph> lettersToM() {
  return {
      {{{.1, 1}, {.5, 0}, {.9, 1}}, {{.25, .62}, {.75, .62}}},
      {{{.2, 0}, {.2, 1}},
       joined({{{.2, 0}}, arc({.5, .24}, {.28, .24}, 270, 450), {{.2, .48}}}),
       joined({arc({.52, .74}, {.32, .26}, 270, 450), {{.2, 1}}})},
      {arc({.53, .5}, {.4, .5}, 40, 320)},
      {{{.2, 0}, {.2, 1}}, joined({{{.2, 0}}, arc({.4, .5}, {.45, .5}, 270, 450), {{.2, 1}}})},
      {{{.85, 0}, {.2, 0}, {.2, 1}, {.85, 1}}, {{.2, .48}, {.7, .48}}},
      {{{.85, 0}, {.2, 0}, {.2, 1}}, {{.2, .48}, {.7, .48}}},
      {joined({arc({.53, .5}, {.4, .5}, 320, 0), {{.55, .5}}})},
      {{{.15, 0}, {.15, 1}}, {{.85, 0}, {.85, 1}}, {{.15, .5}, {.85, .5}}},
      {{{.5, 0}, {.5, 1}}, {{.28, 0}, {.72, 0}}, {{.28, 1}, {.72, 1}}},
      {joined({{{.72, 0}}, arc({.43, .7}, {.29, .3}, 0, 170)})},
      {{{.2, 0}, {.2, 1}}, {{.85, 0}, {.2, .58}}, {{.42, .4}, {.88, 1}}},
      {{{.2, 0}, {.2, 1}, {.85, 1}}},
      {{{.1, 1}, {.1, 0}, {.5, .6}, {.9, 0}, {.9, 1}}},
  };
}

std::vector<Glyph> lettersFromN() {
  const GlyphStroke bowl =
      joined({{{.2, 1}, {.2, 0}}, arc({.5, .26}, {.32, .26}, 270, 450), {{.2, .52}}});
  const GlyphStroke ring = arc({.5, .5}, {.45, .5}, 0, 360);
  return {
      {{{.15, 1}, {.15, 0}, {.85, 1}, {.85, 0}}},
      {ring},
      {bowl},
      {ring, {{.6, .7}, {.95, 1.05}}},
      {bowl, {{.48, .52}, {.88, 1}}},
      {joined({arc({.5, .25}, {.33, .25}, 330, 90), arc({.5, .75}, {.36, .25}, 270, 510)})},
      {{{.1, 0}, {.9, 0}}, {{.5, 0}, {.5, 1}}},
      {joined({{{.15, 0}}, arc({.5, .65}, {.35, .35}, 180, 0), {{.85, 0}}})},
      {{{.1, 0}, {.5, 1}, {.9, 0}}},
      {{{.02, 0}, {.27, 1}, {.5, .35}, {.73, 1}, {.98, 0}}},
      {{{.12, 0}, {.88, 1}}, {{.88, 0}, {.12, 1}}},
      {{{.1, 0}, {.5, .48}, {.9, 0}}, {{.5, .48}, {.5, 1}}},
      {{{.15, 0}, {.85, 0}, {.15, 1}, {.85, 1}}},
  };
}

}  // namespace

const std::vector<GlyphStroke>& glyphStrokes(std::size_t number) {
  static const std::vector<Glyph> glyphs = [] {
    std::vector<Glyph> all = digits();
    for (const std::vector<Glyph>& more : {lettersToM(), lettersFromN()}) {
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }();
  return glyphs.at(number);
}

}  // namespace dubito
