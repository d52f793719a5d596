// SPDX-License-Identifier: GPL-3.0-or-later
// Prediction tables as text: rows of equal length, a sound run, or one error.
#include "core/io/csv.h"
#include "core/io/prediction_file.h"
#include "tests/fuzz/predictions.h"
#include "tests/fuzz/scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dubito;
  const std::string path = fuzz::scratchFile(data, size, ".csv");
  if (auto reader = CsvReader::open(path)) {
    std::vector<std::string_view> fields;
    std::int64_t line = 0;
    for (auto more = reader->next(fields); more && *more; more = reader->next(fields)) {
      fuzz::expect(fields.size() == reader->header().size(), "a row has a value for each column");
      fuzz::expect(reader->line() > line, "lines go on");
      line = reader->line();
    }
  } else {
    fuzz::expectReadable(reader.error(), path);
  }
  RunContext context;
  if (const auto run = openPredictions(path, context)) {
    fuzz::expectSound(*run);
  } else {
    fuzz::expectReadable(run.error(), path);
  }
  return 0;
}
