// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/labelled_images.h"

#include <QColor>
#include <QImage>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace dubito::test {

QString className(int image) {
  return QLatin1String(kNames[image % 3]);
}

std::string fileName(int image) {
  return "img_" + std::to_string(100 + image) + ".png";
}

double score(int image) {
  return 0.4 + 0.04 * image;
}

void writeImages(const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (int i = 0; i < kImages; ++i) {
    QImage image(32, 24, QImage::Format_RGB888);
    image.fill(QColor(15 * i, 100, 100));
    if (!image.save(QString::fromStdString(folder + '/' + fileName(i)))) {
      throw std::runtime_error(folder + ": cannot be written");
    }
  }
}

std::string writeLabels(const std::string& folder, const std::string& format) {
  nlohmann::json json;
  std::string file = folder + "/labels.json";
  if (format == "csv" || format == "jsonl") {
    file = folder + "/labels." + format;
    std::ofstream out(file);
    out << (format == "csv" ? "file,label,score\n" : "");
    for (int i = 0; i < kImages; ++i) {
      const std::string name = className(i).toStdString();
      if (format == "csv") {
        out << fileName(i) << ',' << name << ',' << score(i) << '\n';
      } else {
        out << nlohmann::json{{"file_name", fileName(i)}, {"label", name}, {"score", score(i)}}
            << '\n';
      }
    }
    return file;
  }
  if (format == "cvat") {
    file = folder + "/annotations.xml";
    std::ofstream out(file);
    out << "<?xml version=\"1.0\"?><annotations><version>1.1</version>";
    for (int i = 0; i < kImages; ++i) {
      out << "<image id=\"" << i << "\" name=\"" << fileName(i)
          << "\" width=\"32\" height=\"24\"><tag label=\"" << className(i).toStdString()
          << "\" source=\"auto\"/></image>";
    }
    out << "</annotations>";
    return file;
  }
  for (int i = 0; i < kImages; ++i) {
    const std::string name = className(i).toStdString();
    if (format == "label-studio") {
      json.push_back({{"id", i},
                      {"data", {{"image", "/data/upload/1/" + fileName(i)}}},
                      {"predictions",
                       {{{"score", score(i)},
                         {"result",
                          {{{"from_name", "choice"},
                            {"to_name", "image"},
                            {"type", "choices"},
                            {"value", {{"choices", {name}}}}}}}}}}});
    } else if (format == "coco") {
      json["images"].push_back({{"id", i}, {"file_name", fileName(i)}});
      json["annotations"].push_back(
          {{"id", i}, {"image_id", i}, {"category_id", i % 3 + 1}, {"score", score(i)}});
    } else {
      json["samples"].push_back(
          {{"filepath", fileName(i)},
           {"ground_truth",
            {{"_cls", "Classification"}, {"label", name}, {"confidence", score(i)}}}});
    }
  }
  if (format == "coco") {
    for (int k = 0; k < 3; ++k) {
      json["categories"].push_back({{"id", k + 1}, {"name", kNames[k]}});
    }
  }
  std::ofstream(file) << json;
  return file;
}

}  // namespace dubito::test
