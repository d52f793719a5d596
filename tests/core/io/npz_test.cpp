// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/io/npy.h"
#include "core/io/npy_header.h"
#include "core/io/npz_file.h"
#include "core/io/npz_writer.h"
#include "tests/core/io/mutate.h"
#include "tests/core/io/numpy.h"
#include "tests/core/io/zip_builder.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::ZipSpec;

Array<float> someFloats(std::int64_t rows) {
  Array<float> array = Array<float>::zeros({rows, 3});
  for (std::int64_t i = 0; i < array.size(); ++i) {
    array.mutableData()[i] = static_cast<float>(i % 97) / 7.0F;
  }
  return array;
}

/// Bytes of a .npy file.
std::string npyBytes(const Array<float>& array) {
  const ByteSpan data = elementBytes(array);
  return makeNpyHeader("<f4", array.shape()) +
         std::string(reinterpret_cast<const char*>(data.data()), data.size());
}

void writeSample(const std::string& path, const NpzWriterOptions& options = {}) {
  auto writer = NpzWriter::create(path, options);
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->add("probs", someFloats(100)));
  ASSERT_TRUE(writer->add("labels", Array<std::int64_t>::fromVector({3, -1, 5})));
  ASSERT_TRUE(writer->add("bytes", Array<std::uint8_t>::fromVector({7})));
  ASSERT_TRUE(writer->addText("meta", "{\"text\": \"\xC3\xA4\"}"));
  ASSERT_TRUE(writer->commit());
}

/// Reads the one entry "a" of the archive with this specification.
Expected<AnyArray> readOnly(const ZipSpec& entry, const NpzLimits& limits = {}) {
  const test::TempDir dir;
  test::writeBytes(dir.path() / "x.npz", test::buildZip({entry}));
  const auto npz = NpzFile::open(dir.file("x.npz"), limits);
  if (!npz) {
    return failWith(npz);
  }
  return npz->read("a");
}

TEST(Npz, RoundTripsAsViewsOfTheMappedFile) {
  const test::TempDir dir;
  writeSample(dir.file("x.npz"));
  const auto npz = NpzFile::open(dir.file("x.npz"));
  ASSERT_OK(npz);
  EXPECT_EQ(npz->names(), (std::vector<std::string>{"probs", "labels", "bytes", "meta"}));
  const auto probs = std::get<Array<float>>(npz->read("probs").value());
  EXPECT_EQ(probs.shape(), (std::vector<std::int64_t>{100, 3}));
  EXPECT_TRUE(std::ranges::equal(probs.values(), someFloats(100).values()));
  const auto labels = std::get<Array<std::int64_t>>(npz->read("labels").value());
  EXPECT_TRUE(std::ranges::equal(labels.values(), std::vector<std::int64_t>{3, -1, 5}));
  EXPECT_EQ(npz->readText("meta").value(), "{\"text\": \"\xC3\xA4\"}");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(probs.data()) % 64, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(labels.data()) % 64, 0U);
  EXPECT_EQ(probs.owner(), labels.owner());  // the mapped file, not copies
}

TEST(Npz, EqualContentsGiveEqualBytes) {
  const test::TempDir dir;
  writeSample(dir.file("x.npz"));
  writeSample(dir.file("y.npz"));
  EXPECT_EQ(test::readBytes(dir.file("x.npz")), test::readBytes(dir.file("y.npz")));
}

TEST(Npz, ArraysGivenInPiecesAreTheSameBytes) {
  const test::TempDir dir;
  const Array<float> whole = someFloats(1000);
  auto writer = NpzWriter::create(dir.file("whole.npz"));
  ASSERT_TRUE(writer && writer->add("a", whole) && writer->commit());
  auto streamed = NpzWriter::create(dir.file("pieces.npz"));
  ASSERT_TRUE(streamed);
  const ByteSpan bytes = elementBytes(whole);
  const std::size_t cut = 1234;
  ASSERT_TRUE(streamed->addStreamed("a", npyDescr<float>(), whole.shape(), sizeof(float),
                                    [&](const NpzWriter::Append& append) {
                                      const Status first = append(bytes.first(cut));
                                      return first ? append(bytes.subspan(cut)) : first;
                                    }));
  ASSERT_TRUE(streamed->commit());
  EXPECT_EQ(test::readBytes(dir.path() / "pieces.npz"), test::readBytes(dir.path() / "whole.npz"));

  auto wrong = NpzWriter::create(dir.file("wrong.npz"));
  ASSERT_TRUE(wrong);
  const auto tooFew = [&](const NpzWriter::Append& append) { return append(bytes.first(cut)); };
  EXPECT_THROW(
      (void)wrong->addStreamed("a", npyDescr<float>(), whole.shape(), sizeof(float), tooFew),
      std::logic_error);
  const auto tooMany = [&](const NpzWriter::Append& append) { return append(bytes); };
  EXPECT_THROW((void)wrong->addStreamed("b", npyDescr<float>(), {3}, sizeof(float), tooMany),
               std::logic_error);
}

TEST(Npz, ArraysOutliveTheFileAndItsName) {
  const test::TempDir dir;
  writeSample(dir.file("x.npz"));
  Array<float> probs;
  { probs = std::get<Array<float>>(NpzFile::open(dir.file("x.npz"))->read("probs").value()); }
  writeSample(dir.file("x.npz"));
  std::filesystem::remove(dir.file("x.npz"));
  EXPECT_TRUE(std::ranges::equal(probs.values(), someFloats(100).values()));
}

TEST(Npz, NumpyReadsWhatWeWrite) {
  const test::TempDir dir;
  writeSample(dir.file("plain.npz"));
  writeSample(dir.file("large.npz"), {.zip64_from = 0});
  EXPECT_NE(test::readBytes(dir.file("plain.npz")), test::readBytes(dir.file("large.npz")));
  EXPECT_TRUE(NpzFile::open(dir.file("large.npz"))->read("probs"));
  DUBITO_NUMPY(R"(
import zipfile
for name in ['/plain.npz', '/large.npz']:
    assert zipfile.ZipFile(sys.argv[1] + name).testzip() is None
    z = np.load(sys.argv[1] + name)
    assert z.files == ['probs', 'labels', 'bytes', 'meta'], z.files
    assert z['probs'].dtype == np.float32 and z['probs'].shape == (100, 3)
    assert (z['probs'].ravel() == (np.arange(300) % 97).astype('f4') / np.float32(7)).all()
    assert z['labels'].dtype == np.int64 and z['labels'].tolist() == [3, -1, 5]
    assert str(z['meta']) == '{"text": "\u00e4"}'
)",
               dir.path().string());
}

TEST(Npz, HoldsMoreEntriesThan16BitsCount) {
  const test::TempDir dir;
  constexpr int kEntries = 66000;
  {
    auto writer = NpzWriter::create(dir.file("x.npz"));
    ASSERT_TRUE(writer);
    const auto one = Array<std::uint8_t>::fromVector({1});
    for (int i = 0; i < kEntries; ++i) {
      ASSERT_TRUE(writer->add(std::to_string(i), one));
    }
    ASSERT_TRUE(writer->commit());
  }
  const auto npz = NpzFile::open(dir.file("x.npz"));
  ASSERT_OK(npz);
  EXPECT_EQ(npz->names().size(), std::size_t{kEntries});
  EXPECT_TRUE(npz->read("65999"));
  DUBITO_NUMPY("z = np.load(sys.argv[1])\nassert len(z.files) == 66000 and z['65999'][0] == 1",
               dir.file("x.npz"));
}

TEST(Npz, ReadsWhatNumpyWrites) {
  const test::TempDir dir;
  DUBITO_NUMPY(R"(
arrays = dict(p=np.arange(6, dtype='f8').reshape(2, 3), y=np.array([1, 0], '>i2'), b=np.zeros(0))
np.savez(sys.argv[1] + '/stored.npz', **arrays)
np.savez_compressed(sys.argv[1] + '/deflated.npz', **arrays)
)",
               dir.path().string());
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    const auto npz = NpzFile::open(dir.file(name));
    ASSERT_OK(npz);
    EXPECT_EQ(npz->names(), (std::vector<std::string>{"p", "y", "b"}));
    const auto p = npz->read("p");
    ASSERT_OK(p);
    EXPECT_EQ(std::get<Array<double>>(*p).row(1)[2], 5.0);
    EXPECT_EQ(toInt64(npz->read("y").value(), "y")->data()[0], 1);
    EXPECT_EQ(sizeOf(npz->read("b").value()), 0);
  }
}

TEST(Npz, NamesWhatIsThereWhereAKeyIsMissing) {
  const test::TempDir dir;
  writeSample(dir.file("x.npz"));
  const auto read = NpzFile::open(dir.file("x.npz"))->read("nope");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(read.error().message,
              HasSubstr("x.npz: has no array 'nope'; it has 'probs', 'labels'"));
}

TEST(Npz, RefusesZipBombs) {
  const Array<float> zeros = Array<float>::zeros({18 * 1024 * 1024});  // 72 MiB of nothing
  const auto bomb = readOnly({"a.npy", npyBytes(zeros)});
  ASSERT_FALSE(bomb);
  EXPECT_EQ(bomb.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(bomb.error().message, HasSubstr("entry 'a': claims to unpack"));
  EXPECT_THAT(bomb.error().message, HasSubstr("zip bomb"));
  // The same array is fine where the user says so: it is no lie.
  EXPECT_TRUE(readOnly({"a.npy", npyBytes(zeros)}, {.max_unpacked_ratio = 2000}));

  const auto claim =
      readOnly({.name = "a.npy", .data = npyBytes(someFloats(4)), .claimed_bytes = 1LL << 40});
  ASSERT_FALSE(claim);
  EXPECT_EQ(claim.error().code, ErrorCode::kOutOfMemory);
}

TEST(Npz, RefusesEntriesThatLieAboutTheirSize) {
  const std::string honest = npyBytes(someFloats(50));
  const auto size = static_cast<std::int64_t>(honest.size());
  ASSERT_TRUE(readOnly({"a.npy", honest}));
  for (const std::int64_t claimed : {size - 1, size + 1, size / 2, size * 2, std::int64_t{0}}) {
    const auto read = readOnly({.name = "a.npy", .data = honest, .claimed_bytes = claimed});
    ASSERT_FALSE(read) << claimed;
    EXPECT_EQ(read.error().code, ErrorCode::kMalformed);
  }
  // The header agrees with the claim, and the data goes on: what bombs do.
  const auto longer = readOnly(
      {.name = "a.npy", .data = honest + std::string(1 << 20, 'x'), .claimed_bytes = size});
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().code, ErrorCode::kMalformed);
  // The header claims more elements than the entry has.
  const auto header = readOnly({"a.npy", makeNpyHeader("<f4", {1LL << 40}) + "1234"});
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, ErrorCode::kMalformed);
}

TEST(Npz, RefusesDamagedAndStrangeEntries) {
  const std::string honest = npyBytes(someFloats(50));
  for (const bool deflate : {false, true}) {
    const auto wrong =
        readOnly({.name = "a.npy", .data = honest, .deflate = deflate, .wrong_crc = true});
    ASSERT_FALSE(wrong) << deflate;
    EXPECT_EQ(wrong.error().code, ErrorCode::kMalformed);
    const auto encrypted =
        readOnly({.name = "a.npy", .data = honest, .deflate = deflate, .encrypted = true});
    ASSERT_FALSE(encrypted) << deflate;
    EXPECT_EQ(encrypted.error().code, ErrorCode::kUnsupported);
    const auto text = readOnly({.name = "a.npy", .data = "no array", .deflate = deflate});
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ErrorCode::kMalformed);
    const auto objects = readOnly(
        {.name = "a.npy", .data = makeNpyHeader("|O", {1}) + "pickle", .deflate = deflate});
    ASSERT_FALSE(objects);
    EXPECT_EQ(objects.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(objects.error().message, HasSubstr("entry 'a': contains Python objects"));
  }
}

TEST(Npz, RefusesTwoEntriesOfOneName) {
  const test::TempDir dir;
  const std::string array = npyBytes(someFloats(2));
  test::writeBytes(dir.path() / "x.npz", test::buildZip({{"a.npy", array}, {"a.npy", array}}));
  const auto npz = NpzFile::open(dir.file("x.npz"));
  ASSERT_FALSE(npz);
  EXPECT_EQ(npz.error().code, ErrorCode::kMalformed);
}

TEST(Npz, RefusesEveryTruncation) {
  const test::TempDir dir;
  const std::string whole = test::buildZip({{"a.npy", npyBytes(someFloats(2))}});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    test::writeBytes(dir.path() / "x.npz", whole.substr(0, length));
    const auto npz = NpzFile::open(dir.file("x.npz"));
    ASSERT_FALSE(npz) << length;
    EXPECT_EQ(npz.error().code, ErrorCode::kMalformed);
  }
  const auto missing = NpzFile::open(dir.file("none.npz"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  const auto folder = NpzFile::open(dir.path().string());
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::kInvalidArgument);
}

TEST(Npz, LeavesNothingBehindWithoutCommit) {
  const test::TempDir dir;
  {
    auto writer = NpzWriter::create(dir.file("x.npz"));
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add("a", someFloats(2)));
    EXPECT_THROW((void)writer->add("a", someFloats(2)), std::invalid_argument);
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

/// Opens the mutated archive and reads all of it; the number of entries that could be read.
int readAll(const std::string& path) {
  const auto npz = NpzFile::open(path);
  int readable = 0;
  for (const std::string& name : npz ? npz->names() : std::vector<std::string>{}) {
    if (const auto array = npz->read(name); array) {
      (void)toDouble(*array);
      ++readable;
    }
  }
  return readable;
}

TEST(Npz, SurvivesMutations) {
  const test::TempDir dir;
  writeSample(dir.file("stored.npz"));
  const std::string stored = test::readBytes(dir.file("stored.npz"));
  const std::string deflated =
      test::buildZip({{"a.npy", npyBytes(someFloats(40))}, {"b.npy", npyBytes(someFloats(3))}});
  int readable = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    test::writeBytes(dir.path() / "x.npz", test::mutate(stored, seed));
    readable += readAll(dir.file("x.npz"));
    test::writeBytes(dir.path() / "x.npz", test::mutate(deflated, seed));
    readable += readAll(dir.file("x.npz"));
  }
  EXPECT_GT(readable, 0);     // some faults hit one entry alone
  EXPECT_LT(readable, 1000);  // and most are noticed
}

}  // namespace
}  // namespace dubito
