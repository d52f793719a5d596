// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/figures/lab_figures.h"

#include <QFile>
#include <nlohmann/json.hpp>

// Must be called outside any namespace; without it the linker drops the resources of a static
// library.
static void loadFigures() {
  Q_INIT_RESOURCE(figures);
}

namespace dubito {
namespace {

/// The text of the resource `name`.
Expected<std::string> readFigure(const QString& name) {
  loadFigures();
  QFile file(QStringLiteral(":/dubito/figures/%1.json").arg(name));
  if (!file.open(QIODevice::ReadOnly)) {
    return fail(ErrorCode::kNotFound,
                file.fileName().toStdString() + ": is missing in the program; install it again");
  }
  return file.readAll().toStdString();
}

}  // namespace

const std::vector<LabFigure>& labFigures() {
  static const std::vector<LabFigure> all = [] {
    std::vector<LabFigure> figures;
    for (const nlohmann::json& row : nlohmann::json::parse(readFigure("figures").value())) {
      figures.push_back({row.at("key").get<std::string>(), row.at("title").get<std::string>(),
                         row.at("text").get<std::string>()});
    }
    return figures;
  }();
  return all;
}

Expected<LabPreset> presetOf(const LabFigure& figure) {
  return readFigure(QString::fromStdString(figure.key)).and_then([&](const std::string& text) {
    return parseLabPreset(text, figure.key + ".json");
  });
}

}  // namespace dubito
