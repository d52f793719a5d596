// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/animated_png.h"

#include <QByteArray>
#include <QFile>
#include <QSaveFile>
#include <QtEndian>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/io/png_file.h"

namespace dubito {
namespace {

constexpr qsizetype kSignatureSize{kPngSignature.size()};
/// Length, type and checksum of a chunk.
constexpr qsizetype kChunkFrame = 12;

struct Chunk {
  QByteArray type;
  QByteArray data;
};

/// The chunks of a PNG file; nullopt if it is none.
std::optional<std::vector<Chunk>> chunksOf(const QByteArray& png) {
  if (!png.startsWith(QByteArrayView(kPngSignature.data(), kSignatureSize))) {
    return std::nullopt;
  }
  std::vector<Chunk> chunks;
  qsizetype place = kSignatureSize;
  while (place + kChunkFrame <= png.size()) {
    const qsizetype length = qFromBigEndian<std::uint32_t>(png.constData() + place);
    if (place + kChunkFrame + length > png.size()) {
      return std::nullopt;
    }
    chunks.push_back({png.mid(place + 4, 4), png.mid(place + 8, length)});
    place += kChunkFrame + length;
  }
  return chunks;
}

/// The data of the only chunk of `type`; empty if there is none.
QByteArray dataOf(const std::vector<Chunk>& chunks, const char* type) {
  for (const Chunk& chunk : chunks) {
    if (chunk.type == type) {
      return chunk.data;
    }
  }
  return {};
}

QByteArray bigEndian(std::uint32_t value) {
  QByteArray bytes(4, '\0');
  qToBigEndian(value, bytes.data());
  return bytes;
}

QByteArray bigEndian16(std::uint16_t value) {
  QByteArray bytes(2, '\0');
  qToBigEndian(value, bytes.data());
  return bytes;
}

std::string_view viewOf(const QByteArray& bytes) {
  return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

QByteArray encoded(const Chunk& chunk) {
  return QByteArray::fromStdString(pngChunk(viewOf(chunk.type), viewOf(chunk.data)));
}

/// The chunks of a frame: how it is shown, and its pixels. `sequence` counts both.
QByteArray encodedFrame(const std::vector<Chunk>& frame, const QByteArray& header, bool is_first,
                        int frames_per_second, std::uint32_t& sequence) {
  const QByteArray size = header.left(8);
  const QByteArray whole(2, '\0');  // dispose: none; blend: replace
  QByteArray bytes =
      encoded({"fcTL", bigEndian(sequence++) + size + QByteArray(8, '\0') + bigEndian16(1) +
                           bigEndian16(static_cast<std::uint16_t>(frames_per_second)) + whole});
  for (const Chunk& chunk : frame) {
    if (chunk.type == "IDAT") {
      bytes += is_first ? encoded(chunk) : encoded({"fdAT", bigEndian(sequence++) + chunk.data});
    }
  }
  return bytes;
}

}  // namespace

Status writeAnimatedPng(const QStringList& frames, int frames_per_second, const QString& path,
                        RunContext& context) {
  QSaveFile file(path);
  const auto cannot_write = [&] {
    return fail(ErrorCode::kWriteFailed,
                QStringLiteral("%1: %2; choose another folder, or make room")
                    .arg(path, file.errorString())
                    .toStdString());
  };
  if (!file.open(QIODevice::WriteOnly)) {
    return cannot_write();
  }
  QByteArray header;
  std::uint32_t sequence = 0;
  for (const QString& name : frames) {
    if (context.cancelRequested()) {
      return cancelled();
    }
    QFile frame(name);
    if (!frame.open(QIODevice::ReadOnly)) {
      return fail(ErrorCode::kReadFailed,
                  (name + QStringLiteral(": cannot be read; record again")).toStdString());
    }
    const auto chunks = chunksOf(frame.readAll());
    const QByteArray own_header = chunks ? dataOf(*chunks, "IHDR") : QByteArray();
    const bool is_first = sequence == 0;
    header = is_first ? own_header : header;
    if (own_header.isEmpty() || own_header != header) {
      return fail(ErrorCode::kMalformed,
                  (name + QStringLiteral(": is no PNG of the size of the first frame; record again "
                                         "with a window of one size"))
                      .toStdString());
    }
    if (is_first) {
      file.write(kPngSignature.data(), kSignatureSize);
      file.write(encoded({"IHDR", header}));
      file.write(
          encoded({"acTL", bigEndian(static_cast<std::uint32_t>(frames.size())) + bigEndian(0)}));
    }
    file.write(encodedFrame(*chunks, header, is_first, frames_per_second, sequence));
  }
  file.write(encoded({"IEND", {}}));
  return file.commit() ? Status() : Status(cannot_write());
}

}  // namespace dubito
