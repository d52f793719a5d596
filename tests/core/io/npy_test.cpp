// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "core/io/npy_header.h"
#include "tests/core/io/mutate.h"
#include "tests/core/io/numpy.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using Shape = std::vector<std::int64_t>;

/// A .npy file of version 1 with this dictionary and these bytes.
std::string npyFile(const std::string& dictionary, const std::string& data, char major = 1) {
  std::string file = std::string("\x93NUMPY") + major + '\0';
  if (major == 1) {
    appendLittleEndian<2>(file, dictionary.size());
  } else {
    appendLittleEndian<4>(file, dictionary.size());
  }
  return file + dictionary + data;
}

Expected<AnyArray> decode(const std::string& file) {
  return decodeNpy(asBytes(file), nullptr, "x.npy");
}

Error errorOf(const std::string& file) {
  const auto array = decode(file);
  EXPECT_FALSE(array);
  return array ? Error{} : array.error();
}

template <class T>
void expectRoundTrip(const Array<T>& written) {
  const test::TempDir dir;
  ASSERT_TRUE(writeNpy(dir.file("a.npy"), written));
  const auto read = readNpy(dir.file("a.npy"));
  ASSERT_OK(read);
  ASSERT_TRUE(std::holds_alternative<Array<T>>(*read)) << typeName(*read);
  const auto& array = std::get<Array<T>>(*read);
  EXPECT_EQ(array.shape(), written.shape());
  EXPECT_TRUE(std::ranges::equal(array.values(), written.values()));
}

TEST(Npy, RoundTripsEveryTypeAndRank) {
  expectRoundTrip(Array<float>::fromVector({2, 3}, {0.5F, -1, 2, 3e38F, 0, 1e-40F}));
  expectRoundTrip(Array<double>::fromVector({1, 1, 2}, {1e300, -0.0}));
  expectRoundTrip(Array<std::int64_t>::fromVector({-1, 1LL << 62}));
  expectRoundTrip(Array<std::uint64_t>::fromVector({~0ULL}));
  expectRoundTrip(Array<std::int32_t>::fromVector({-7, 7}));
  expectRoundTrip(Array<std::uint32_t>::fromVector({~0U}));
  expectRoundTrip(Array<std::int16_t>::fromVector({-300}));
  expectRoundTrip(Array<std::uint16_t>::fromVector({65535}));
  expectRoundTrip(Array<std::int8_t>::fromVector({-128}));
  expectRoundTrip(Array<std::uint8_t>::fromVector({255}));
  expectRoundTrip(Array<float>::zeros({0, 5}));
  expectRoundTrip(Array<float>::fromVector({}, {4.0F}));
}

TEST(Npy, ReadsWhatNumpyWrites) {
  const test::TempDir dir;
  DUBITO_NUMPY(R"(
d = sys.argv[1] + '/'
a = np.arange(24).reshape(2, 3, 4)
for t in ['<f2', '>f2', '<f4', '>f4', '<f8', '>f8', 'u1', 'i1', '<u2', '>u2', '<i2', '>i2',
          '<i4', '>i4', '<u4', '>u4', '<i8', '>i8', '<u8', '>u8']:
    name = t.replace('<', 'le_').replace('>', 'be_')
    np.save(d + 'c_' + name, a.astype(t))
    np.save(d + 'f_' + name, np.asfortranarray(a.astype(t)))
np.save(d + 'bool', a % 2 == 0)
np.lib.format.write_array(open(d + 'v2.npy', 'wb'), a.astype('<f4'), version=(2, 0))
np.lib.format.write_array(open(d + 'v3.npy', 'wb'), a.astype('<f4'), version=(3, 0))
np.save(d + 'half', np.array([0, -0.0, 1, 65504, 2**-24, 2**-14, np.inf, -np.inf, np.nan], '<f2'))
)",
               dir.path().string());
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
    const std::string name = entry.path().stem().string();
    if (name == "bool" || name == "half") {
      continue;
    }
    const auto read = readNpy(entry.path().string());
    ASSERT_OK(read);
    EXPECT_EQ(shapeOf(*read), (Shape{2, 3, 4})) << name;
    const Array<double> values = toDouble(*read);
    for (std::int64_t i = 0; i < 24; ++i) {
      ASSERT_EQ(values.data()[i], static_cast<double>(i)) << name;
    }
    ++files;
  }
  EXPECT_EQ(files, 42);

  const auto bits = toInt64(*readNpy(dir.file("bool.npy")), "bool");
  EXPECT_EQ(bits->data()[0], 1);
  EXPECT_EQ(bits->data()[1], 0);
  const Array<float> half = toFloat(*readNpy(dir.file("half.npy")));
  EXPECT_EQ(half.data()[0], 0.0F);
  EXPECT_TRUE(std::signbit(half.data()[1]));
  EXPECT_EQ(half.data()[2], 1.0F);
  EXPECT_EQ(half.data()[3], 65504.0F);
  EXPECT_EQ(half.data()[4], 0x1p-24F);
  EXPECT_EQ(half.data()[5], 0x1p-14F);
  EXPECT_EQ(half.data()[6], INFINITY);
  EXPECT_EQ(half.data()[7], -INFINITY);
  EXPECT_TRUE(std::isnan(half.data()[8]));
}

TEST(Npy, NumpyReadsWhatWeWrite) {
  const test::TempDir dir;
  ASSERT_TRUE(writeNpy(dir.file("f.npy"), Array<float>::fromVector({2, 2}, {1, 2, 3, 4.5F})));
  ASSERT_TRUE(writeNpy(dir.file("b.npy"), Array<std::uint8_t>::fromVector({200})));
  ASSERT_TRUE(writeNpy(dir.file("s.npy"), Array<std::int64_t>::fromVector({}, {-9})));
  test::writeBytes(dir.path() / "t.npy", encodeNpyText("{\"k\": \"\xC3\xA4\xF0\x9F\x98\x80\"}"));
  test::writeBytes(dir.path() / "e.npy", encodeNpyText(""));
  DUBITO_NUMPY(R"(
d = sys.argv[1] + '/'
f = np.load(d + 'f.npy')
assert f.dtype == np.float32 and f.tolist() == [[1, 2], [3, 4.5]], f
b = np.load(d + 'b.npy')
assert b.dtype == np.uint8 and b.tolist() == [200], b
s = np.load(d + 's.npy')
assert s.shape == () and s == -9, s
assert str(np.load(d + 't.npy')) == '{"k": "\u00e4\U0001f600"}'
assert str(np.load(d + 'e.npy')) == ''
)",
               dir.path().string());
}

TEST(Npy, TextRoundTrips) {
  const std::string text = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 end";
  const auto read = decodeNpyText(asBytes(encodeNpyText(text)), "x");
  ASSERT_OK(read);
  EXPECT_EQ(*read, text);
  EXPECT_EQ(decodeNpyText(asBytes(encodeNpyText("")), "x").value(), "");
  // Broken UTF-8, an overlong form and a lone surrogate are replaced, never passed on.
  const auto mended = decodeNpyText(asBytes(encodeNpyText("\xFFz\xC0\x80\xED\xA0\x80")), "x");
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(mended.value(), r + "z" + r + r + r + r + r);
}

TEST(Npy, MapsWithoutCopying) {
  const std::string file = makeNpyHeader("<f4", {2}) + std::string(8, '\0');
  const auto owner = std::make_shared<std::string>(file);
  const auto read = decodeNpy(asBytes(*owner), owner, "x");
  ASSERT_TRUE(read);
  const auto& array = std::get<Array<float>>(*read);
  EXPECT_EQ(static_cast<const void*>(array.data()), owner->data() + file.size() - 8);
  EXPECT_EQ(array.owner(), owner);
}

TEST(Npy, ReadsUnusualButValidHeaders) {
  const std::string two(8, '\0');
  EXPECT_TRUE(decode(npyFile("{\"shape\":(2),\"fortran_order\":True,\"descr\":\"<f4\"}", two)));
  EXPECT_TRUE(decode(npyFile("{'descr': '=f4', 'fortran_order': False, 'shape': (2L,)}\n", two)));
  EXPECT_TRUE(decode(npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", two, 2)));
}

TEST(Npy, RefusesPythonObjectsByName) {
  const Error error =
      errorOf(npyFile("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", "garbage"));
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_THAT(error.message, HasSubstr("x.npy: contains Python objects"));
  EXPECT_THAT(error.message, HasSubstr("numpy.save"));
}

TEST(Npy, RefusesTypesWithoutMeaningHere) {
  const auto codeOf = [](const std::string& descr) {
    return errorOf(npyFile("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }",
                           std::string(16, '\0')))
        .code;
  };
  for (const char* descr : {"[('a', '<f4'), ('b', '<i4')]", "'<c16'", "'<M8[ns]'", "'<f16'",
                            "'|V16'", "'<U4'", "'|S16'", "'<i3'", "'f'", "''"}) {
    EXPECT_EQ(codeOf(descr), ErrorCode::kUnsupported) << descr;
  }
}

TEST(Npy, NeverTrustsTheHeader) {
  const std::string four(4, '\0');
  const auto header = [](const std::string& shape) {
    return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
  };
  for (const char* shape :
       {"(2,)", "(0,)", "(1000000000000,)", "(4611686018427387904, 4611686018427387904)",
        "(4611686018427387904, 4611686018427387904, 0)", "(9223372036854775807,)",
        "(99999999999999999999,)", "(-1,)", "(1,", "1", "(1.0,)", "(,)"}) {
    EXPECT_EQ(errorOf(npyFile(header(shape), four)).code, ErrorCode::kMalformed) << shape;
  }
  EXPECT_TRUE(decode(npyFile(header("(1,)"), four)));
  EXPECT_EQ(errorOf(npyFile(header("(1,)"), four, 4)).code, ErrorCode::kMalformed);
  for (const char* dictionary :
       {"", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} __import__('os')"}) {
    EXPECT_EQ(errorOf(npyFile(dictionary, four)).code, ErrorCode::kMalformed) << dictionary;
  }
  const std::string whole = npyFile(header("(1,)"), four);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(decode(whole.substr(0, length))) << length;
  }
  EXPECT_FALSE(decode(whole + "x"));
}

TEST(Npy, ConvertsOnlyWholeNumbersToIntegers) {
  EXPECT_EQ(toInt64(Array<double>::fromVector({3.0, -2.0}), "y")->data()[1], -2);
  for (const double bad : {0.5, double{NAN}, double{INFINITY}, 0x1p63}) {
    const auto labels = toInt64(Array<double>::fromVector({0.0, bad}), "y");
    ASSERT_FALSE(labels) << bad;
    EXPECT_THAT(labels.error().message, HasSubstr("y: element 1"));
  }
  EXPECT_FALSE(toInt64(Array<std::uint64_t>::fromVector({1ULL << 63}), "y"));
  EXPECT_TRUE(toInt64(Array<double>::fromVector({-0x1p63}), "y"));
}

TEST(Npy, SurvivesMutations) {
  const test::TempDir dir;
  ASSERT_TRUE(writeNpy(dir.file("a.npy"), Array<float>::zeros({7, 5})));
  const std::string original = test::readBytes(dir.file("a.npy"));
  int refused = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const std::string file = test::mutate(original, seed);
    const auto read = decode(file);
    if (read) {
      double sum = 0.0;  // every element can be reached
      const Array<double> values = toDouble(*read);
      for (const double value : values.values()) {
        sum += std::isfinite(value) ? 1.0 : 0.0;
      }
      EXPECT_LE(sum, static_cast<double>(file.size()));
    } else {
      EXPECT_THAT(read.error().message, HasSubstr("x.npy: "));
      ++refused;
    }
  }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace dubito
