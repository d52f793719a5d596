// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/csv_text.h"
#include "app/cli/lab/lab_commands.h"
#include "app/cli/lab/method_arguments.h"
#include "core/base/find_by_key.h"
#include "core/io/item_lines.h"
#include "core/labs/classification/class_maps.h"
#include "core/labs/classification/classification_kind.h"
#include "core/measures/measures.h"

namespace dubito::cli {
namespace {

using nlohmann::json;

using Arguments = MethodArguments<ClassificationKind>;

/// Centre of cell `i` of a map.
double centreOf(Interval range, std::int64_t i, std::int64_t side) {
  return range.low +
         (static_cast<double>(i) + 0.5) / static_cast<double>(side) * (range.high - range.low);
}

template <class T>
json rowsOf(std::span<const T> values, std::int64_t side) {
  json rows = json::array();
  const auto width = static_cast<std::size_t>(side);
  for (std::size_t row = 0; row < width; ++row) {
    const auto part = values.subspan(row * width, width);
    rows.push_back(std::vector<T>(part.begin(), part.end()));
  }
  return rows;
}

json linesOf(const std::vector<Polyline>& lines) {
  json result = json::array();
  for (const Polyline& line : lines) {
    result.push_back({{"x1", line.x}, {"x2", line.y}});
  }
  return result;
}

std::vector<std::int64_t> predictedClasses(const ClassPicture& picture) {
  std::vector<std::int64_t> classes;
  for (std::int64_t m = 0; m < picture.prediction.probs.extent(0); ++m) {
    classes.push_back(argmax(picture.prediction.probs.row(m)));
  }
  return classes;
}

/// All numbers of the picture; a map that the method does not give is absent.
json toJson(const Arguments& arguments, const ClassData& data, ClassMethod& method,
            const ClassPicture& picture) {
  json maps = json::object();
  for (const ClassMapInfo& map : classMaps()) {
    if (const auto values = map.values(picture.prediction)) {
      maps[map.key] = rowsOf(values->values(), picture.side);
    }
  }
  const std::vector<std::int64_t> predicted = predictedClasses(picture);
  json x1 = json::array();
  json x2 = json::array();
  for (std::int64_t i = 0; i < picture.side; ++i) {
    x1.push_back(centreOf(picture.x1, i, picture.side));
    x2.push_back(centreOf(picture.x2, i, picture.side));
  }
  json function_borders = json::array();
  for (const auto& lines : picture.function_borders) {
    function_borders.push_back(linesOf(lines));
  }
  json object = methodJson(arguments, data, method, picture);
  object.update({{"classes", data.class_names},
                 {"x1", x1},
                 {"x2", x2},
                 {"predicted", rowsOf(std::span<const std::int64_t>(predicted), picture.side)},
                 {"maps", maps},
                 {"border", linesOf(picture.border)},
                 {"function_borders", function_borders},
                 {"accuracy", picture.scores.accuracy},
                 {"nll", picture.scores.nll},
                 {"mean_confidence", picture.scores.mean_confidence},
                 {"ece", picture.scores.reliability.ece},
                 {"far_confidence", picture.scores.far_confidence}});
  return object;
}

std::string toText(const Arguments& arguments, const ClassData& data, const ClassPicture& picture) {
  std::string text = fmt::format("{} on {}, {} points of {} classes, seed {}\n", arguments.method,
                                 data.name, data.train.size(), data.classes(), arguments.seed);
  text += methodNotes(data, picture);
  const ClassScores& scores = picture.scores;
  text += fmt::format("accuracy         {:.1f} %\n", 100.0 * scores.accuracy);
  text += fmt::format("NLL              {:.4g} nats\n", scores.nll);
  text += fmt::format("mean confidence  {:.4g}\n", scores.mean_confidence);
  text += fmt::format("ECE, {} bins     {:.4g}\n", kLabReliabilityBins, scores.reliability.ece);
  text += fmt::format("ten times as far {:.4g}\n", scores.far_confidence);
  text += fmt::format("map, {} x {} cells, zoom {:g}: mean of\n", picture.side, picture.side,
                      arguments.options.zoom);
  for (const ClassMapInfo& map : classMaps()) {
    const auto values = map.values(picture.prediction);
    if (!values) {
      text += fmt::format("  {:<20}none: the method {}\n", map.key, map.missing);
      continue;
    }
    double sum = 0.0;
    for (const double value : values->values()) {
      sum += value / static_cast<double>(values->size());
    }
    text += fmt::format("  {:<20}{:.4g} {}\n", map.key, sum, map.unit);
  }
  return text + methodDiagnostics(picture, 17);
}

Status writeMaps(const std::string& path, const ClassPicture& picture, RunContext& context) {
  std::string header = "x1,x2,predicted";
  std::vector<Array<double>> columns;
  for (const ClassMapInfo& map : classMaps()) {
    if (auto values = map.values(picture.prediction)) {
      header += fmt::format(",{}", map.key);
      columns.push_back(*std::move(values));
    }
  }
  return writeItemLines(
      path, header, picture.side * picture.side,
      [&](std::int64_t cell) {
        std::string line = fmt::format(
            "{},{},{}", numberText(centreOf(picture.x1, cell % picture.side, picture.side)),
            numberText(centreOf(picture.x2, cell / picture.side, picture.side)),
            argmax(picture.prediction.probs.row(cell)));
        for (const Array<double>& column : columns) {
          line += fmt::format(",{}", numberText(column.values()[static_cast<std::size_t>(cell)]));
        }
        return line;
      },
      context);
}

}  // namespace

Command labClassificationCommand(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->method = "map";
  arguments->data = "blobs";
  declareMethodArguments(
      app, *arguments,
      fmt::format("{}or csv:FILE?x1=COLUMN&x2=COLUMN&class=COLUMN", keysOf(classSets())),
      "CSV file to write: the maps, one row per cell");
  return {[arguments](RunContext& context) {
    return fitMethod(*arguments, context, toJson, toText, writeMaps);
  }};
}

}  // namespace dubito::cli
