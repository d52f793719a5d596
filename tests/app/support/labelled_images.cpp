// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/labelled_images.h"

#include <QColor>
#include <QImage>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

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

namespace {

namespace fs = std::filesystem;

/// A file of text with one line per image, under a first line if that is not empty.
std::string writeLines(const std::string& file, const std::string& first,
                       const std::function<std::string(int)>& line) {
  std::ofstream out(file);
  if (!first.empty()) {
    out << first << '\n';
  }
  for (int i = 0; i < kImages; ++i) {
    out << line(i) << '\n';
  }
  return file;
}

std::string jsonLine(int image) {
  return nlohmann::json{{"file_name", fileName(image)},
                        {"label", className(image).toStdString()},
                        {"score", score(image)}}
      .dump();
}

std::string csvLine(int image) {
  return fileName(image) + ',' + className(image).toStdString() + ',' +
         std::to_string(score(image));
}

std::string studioCsvLine(int image) {
  const std::string number = std::to_string(image + 1);
  return "1," + className(image).toStdString() + ",2026-01-05T10:00:00Z," + number +
         ",/data/upload/1/" + fileName(image) + ',' + number + ",3.5";
}

std::string oneHotLine(int image) {
  std::string line = fileName(image);
  for (int k = 0; k < 3; ++k) {
    line += k == image % 3 ? ", 1" : ", 0";
  }
  return line;
}

std::string cvatLine(int image) {
  return "<image id=\"" + std::to_string(image) + "\" name=\"" + fileName(image) +
         "\" width=\"32\" height=\"24\"><tag label=\"" + className(image).toStdString() +
         "\" source=\"auto\"/></image>";
}

/// A file per image, named as the image and `ending`; returns the folder.
std::string writeFiles(const std::string& folder, const std::string& ending,
                       const std::function<std::string(int)>& text) {
  for (int i = 0; i < kImages; ++i) {
    std::ofstream(fs::path(folder) / fs::path(fileName(i)).replace_extension(ending)) << text(i);
  }
  return folder;
}

std::string labelmeText(int image) {
  return nlohmann::json{{"version", "5.4.1"},
                        {"flags", {{className(image).toStdString(), true}}},
                        {"shapes", nlohmann::json::array()},
                        {"imagePath", fileName(image)},
                        {"imageData", nullptr},
                        {"imageHeight", 24},
                        {"imageWidth", 32}}
      .dump();
}

/// As ultralytics writes classifications: the scores of all classes, best first.
std::string yoloText(int image) {
  std::string text = std::to_string(score(image)) + ' ' + className(image).toStdString() + '\n';
  for (int other = 1; other < 3; ++other) {
    text += std::to_string((1.0 - score(image)) / 2.0) + ' ' +
            className(image + other).toStdString() + '\n';
  }
  return text;
}

/// Moves the images into folders of their classes; with `parts`, those in "train" and "val".
std::string moveToClasses(const std::string& folder, bool parts) {
  for (int i = 0; i < kImages; ++i) {
    fs::path place = folder;
    if (parts) {
      place /= i % 4 == 3 ? "val" : "train";
    }
    place /= className(i).toStdString();
    fs::create_directories(place);
    fs::rename(fs::path(folder) / fileName(i), place / fileName(i));
  }
  return folder;
}

nlohmann::json studioTask(int image) {
  return {{"id", image},
          {"data", {{"image", "/data/upload/1/" + fileName(image)}}},
          {"predictions",
           {{{"score", score(image)},
             {"result",
              {{{"from_name", "choice"},
                {"to_name", "image"},
                {"type", "choices"},
                {"value", {{"choices", {className(image).toStdString()}}}}}}}}}}};
}

nlohmann::json studioMinTask(int image) {
  return {{"id", image},
          {"image", "/data/upload/1/" + fileName(image)},
          {"choice", className(image).toStdString()},
          {"annotator", 1},
          {"annotation_id", image + 1},
          {"lead_time", 3.5}};
}

nlohmann::json cocoObject() {
  nlohmann::json object;
  for (int i = 0; i < kImages; ++i) {
    object["images"].push_back({{"id", i}, {"file_name", fileName(i)}});
    object["annotations"].push_back(
        {{"id", i}, {"image_id", i}, {"category_id", i % 3 + 1}, {"score", score(i)}});
  }
  for (int k = 0; k < 3; ++k) {
    object["categories"].push_back({{"id", k + 1}, {"name", kNames[k]}});
  }
  return object;
}

nlohmann::json fiftyOneObject() {
  nlohmann::json object;
  for (int i = 0; i < kImages; ++i) {
    object["samples"].push_back({{"filepath", fileName(i)},
                                 {"ground_truth",
                                  {{"_cls", "Classification"},
                                   {"label", className(i).toStdString()},
                                   {"confidence", score(i)}}}});
  }
  return object;
}

std::string writeJson(const std::string& folder, const nlohmann::json& json) {
  const std::string file = folder + "/labels.json";
  std::ofstream(file) << json;
  return file;
}

nlohmann::json listOf(nlohmann::json (*task)(int)) {
  nlohmann::json list;
  for (int i = 0; i < kImages; ++i) {
    list.push_back(task(i));
  }
  return list;
}

using Writer = std::string (*)(const std::string& folder);

const std::vector<std::pair<std::string, Writer>>& writers() {
  static const std::vector<std::pair<std::string, Writer>> all{
      {"csv",
       [](const std::string& folder) {
         return writeLines(folder + "/labels.csv", "file,label,score", csvLine);
       }},
      {"jsonl",
       [](const std::string& folder) {
         return writeLines(folder + "/labels.jsonl", "", jsonLine);
       }},
      {"label-studio",
       [](const std::string& folder) { return writeJson(folder, listOf(studioTask)); }},
      {"label-studio-min",
       [](const std::string& folder) { return writeJson(folder, listOf(studioMinTask)); }},
      {"label-studio-csv",
       [](const std::string& folder) {
         return writeLines(folder + "/project.csv",
                           "annotator,choice,created_at,id,image,annotation_id,lead_time",
                           studioCsvLine);
       }},
      {"roboflow",
       [](const std::string& folder) {
         return writeLines(folder + "/_classes.csv", "filename, cat, dog, owl", oneHotLine);
       }},
      {"cvat",
       [](const std::string& folder) {
         const std::string file =
             writeLines(folder + "/annotations.xml",
                        "<?xml version=\"1.0\"?><annotations><version>1.1</version>", cvatLine);
         std::ofstream(file, std::ios::app) << "</annotations>";
         return file;
       }},
      {"coco", [](const std::string& folder) { return writeJson(folder, cocoObject()); }},
      {"fiftyone", [](const std::string& folder) { return writeJson(folder, fiftyOneObject()); }},
      {"labelme",
       [](const std::string& folder) { return writeFiles(folder, ".json", labelmeText); }},
      {"yolo", [](const std::string& folder) { return writeFiles(folder, ".txt", yoloText); }},
      {"metadata.jsonl",
       [](const std::string& folder) {
         writeLines(folder + "/metadata.jsonl", "", jsonLine);
         return folder;
       }},
      {"class folders", [](const std::string& folder) { return moveToClasses(folder, false); }},
      {"class folders in train and val",
       [](const std::string& folder) { return moveToClasses(folder, true); }}};
  return all;
}

}  // namespace

std::vector<std::string> labelFormats() {
  std::vector<std::string> formats;
  for (const auto& [format, write] : writers()) {
    formats.push_back(format);
  }
  return formats;
}

std::string writeLabels(const std::string& folder, const std::string& format) {
  for (const auto& [name, write] : writers()) {
    if (name == format) {
      return write(folder);
    }
  }
  throw std::invalid_argument(format + ": there is no such format");
}

}  // namespace dubito::test
