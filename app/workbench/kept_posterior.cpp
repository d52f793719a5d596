// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/kept_posterior.h"

#include <fmt/format.h>

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/io/make_folder.h"
#include "core/models/network_hash.h"

namespace dubito {
namespace {

// A posterior of all layers may take gigabytes.
constexpr int kMaxKept = 4;

/// Removes all but the newest files.
void trim(const QString& folder) {
  const QFileInfoList files = QDir(folder).entryInfoList(QDir::Files, QDir::Time);
  for (qsizetype i = kMaxKept; i < files.size(); ++i) {
    QFile::remove(files[i].filePath());
  }
}

}  // namespace

KeptPosterior::KeptPosterior(const ComputeRequest& request, std::uint64_t seed) {
  const std::string settings = posteriorKey(request.method);
  const QString cache = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
  if (settings.empty() || posteriorOf(request.method) || !request.data.fit ||
      !request.data.posterior_path.empty() || cache.isEmpty()) {
    return;
  }
  const DatasetInfo& items = request.data.fit->info();
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", networkHash(*request.model),
                  request.model->metadata().preprocessing.describe(), items.name, items.spec,
                  request.data.fit->size(), settings, seed);
  const QByteArray hash =
      QCryptographicHash::hash(QByteArray::fromStdString(key), QCryptographicHash::Sha256);
  file_ = QStringLiteral("%1/posteriors/%2.npz")
              .arg(cache, QString::fromLatin1(hash.toHex().left(32)))
              .toStdString();
}

bool KeptPosterior::exists() const {
  std::error_code ignored;
  return !file_.empty() && std::filesystem::exists(file_, ignored);
}

void KeptPosterior::remove() const {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

KeptPosterior::Result KeptPosterior::compute(
    const ComputeRequest& request, Writing writing,
    const std::function<Expected<AnalysisPtr>(const ComputeRequest&)>& compute) const {
  const std::string folder = std::filesystem::path(file_).parent_path().string();
  if (file_.empty() || !makeFolder(folder)) {
    return {compute(request)};
  }
  const auto attempt = [&](bool reuse) {
    ComputeRequest changed = request;
    (reuse || writing == Writing::kAfterTheFit ? changed.data.posterior_path
                                               : changed.data.rescue_path) = file_;
    return compute(changed);
  };
  bool reused = exists();
  Expected<AnalysisPtr> analysis = attempt(reused);
  if (!analysis && reused && analysis.error().message.find(file_) != std::string::npos) {
    remove();
    reused = false;
    analysis = attempt(reused);
  }
  if (analysis) {
    remove();
  } else {
    trim(QString::fromStdString(folder));
  }
  return {std::move(analysis), reused};
}

}  // namespace dubito
