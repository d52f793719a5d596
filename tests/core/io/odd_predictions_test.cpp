// SPDX-License-Identifier: GPL-3.0-or-later
// Files as other programs write them: each is read right, refused, or read with a note that says
// what is doubtful.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/io/npz_writer.h"
#include "core/io/prediction_file.h"
#include "tests/core/io/numpy.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

constexpr std::int64_t kItems = 40;
constexpr double kAccuracy = 0.9;
const std::array<std::string, 3> kNames{"cat", "dog", "red owl"};

/// One item of three classes, 90 % of which are predicted right.
struct Item {
  std::int64_t i = 0;
  std::int64_t label = 0;
  std::int64_t predicted = 0;
  std::array<double, 3> probs{};

  [[nodiscard]] double largest() const { return std::ranges::max(probs); }
  [[nodiscard]] std::string labelName() const { return kNames[static_cast<std::size_t>(label)]; }
  [[nodiscard]] std::string predictedName() const {
    return kNames[static_cast<std::size_t>(predicted)];
  }
  /// Classes from the most to the least probable.
  [[nodiscard]] std::array<std::size_t, 3> ranked() const {
    const auto p = static_cast<std::size_t>(predicted);
    return {p, (p + 1) % 3, (p + 2) % 3};
  }
};

Item itemOf(std::int64_t i) {
  Item item{i, i % 3, i % 10 == 3 ? (i + 1) % 3 : i % 3, {}};
  const double more = 0.001 * static_cast<double>(i);
  const auto ranked = item.ranked();
  item.probs[ranked[0]] = 0.625 + more;
  item.probs[ranked[1]] = 0.25;
  item.probs[ranked[2]] = 0.125 - more;
  return item;
}

using Line = std::function<std::string(const Item&)>;

std::string tableOf(const std::string& header, const Line& line, std::int64_t items = kItems) {
  std::string text = header + "\n";
  for (std::int64_t i = 0; i < items; ++i) {
    text += line(itemOf(i)) + "\n";
  }
  return text;
}

/// "0.625,0.25,0.125".
std::string probsText(const Item& item) {
  return fmt::format("{:.3f},{:.3f},{:.3f}", item.probs[0], item.probs[1], item.probs[2]);
}

double accuracyOf(const dubito::Run& run) {
  double right = 0.0;
  double labelled = 0.0;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    labelled += run.labels.data()[i] >= 0 ? 1.0 : 0.0;
    right += run.labels.data()[i] == run.predictions.data()[i] ? 1.0 : 0.0;
  }
  return labelled > 0.0 ? right / labelled : NAN;
}

Expected<dubito::Run> openText(const std::string& content) {
  const test::TempDir dir;
  test::writeBytes(dir.path() / "x.csv", content);
  RunContext context;
  return openPredictions(dir.file("x.csv"), context);
}

using Entries = std::vector<std::pair<std::string, AnyArray>>;

Expected<dubito::Run> openNpz(const Entries& entries) {
  const test::TempDir dir;
  auto writer = NpzWriter::create(dir.file("x.npz"));
  for (const auto& [name, array] : entries) {
    EXPECT_TRUE(writer->add(name, array));
  }
  EXPECT_TRUE(writer->commit());
  RunContext context;
  return openPredictions(dir.file("x.npz"), context);
}

std::string notesOf(const dubito::Run& run) {
  std::string notes;
  for (const std::string& note : textsOf(run.meta.notes)) {
    notes += note + "\n";
  }
  return notes;
}

/// Read right: this accuracy and number of classes, and a note with this text (empty: any).
void expectRight(const Expected<dubito::Run>& run, double accuracy, std::int64_t classes,
                 const std::string& note = "") {
  ASSERT_OK(run);
  EXPECT_NEAR(accuracyOf(*run), accuracy, 1e-12) << notesOf(*run);
  EXPECT_EQ(run->classCount(), classes) << notesOf(*run);
  EXPECT_THAT(notesOf(*run), HasSubstr(note));
}

void expectRefused(const Expected<dubito::Run>& run, const std::string& part) {
  ASSERT_FALSE(run) << notesOf(*run);
  EXPECT_EQ(run.error().code, ErrorCode::kMalformed);
  EXPECT_THAT(run.error().message, HasSubstr(part));
  EXPECT_EQ(run.error().message.find('\n'), std::string::npos);
}

/// Files with one column per class.
struct TextCase {
  const char* what;
  std::string content;
  const char* note = "";
};

TEST(OddPredictions, TablesWithAColumnPerClass) {
  const auto named = [](const Item& item) { return probsText(item) + "," + item.labelName(); };
  const auto numbered = [](const Item& item) {
    return fmt::format("{},{}", probsText(item), item.label);
  };
  std::string german = tableOf("cat;dog;red owl;label", [](const Item& item) {
    std::string text = fmt::format("{:.3f};{:.3f};{:.3f};{}", item.probs[0], item.probs[1],
                                   item.probs[2], item.labelName());
    std::ranges::replace(text, '.', ',');
    return text;
  });
  const TextCase cases[] = {
      {"semicolons and decimal commas", german, "120 numbers have a decimal comma"},
      {"byte order mark and quoted headers",
       "\xEF\xBB\xBF" + tableOf(R"("Prob Cat","Prob Dog","Prob Red Owl","True Label")", named),
       "spelled differently"},
      {"per cent signs",
       tableOf("prob_cat,prob_dog,prob_red owl,target",
               [](const Item& item) {
                 return fmt::format("{:.1f}%,{:.1f}%,{:.1f}%,{}", 100 * item.probs[0],
                                    100 * item.probs[1], 100 * item.probs[2], item.labelName());
               }),
       "are in per cent (%)"},
      {"per cent",
       tableOf("prob_0,prob_1,prob_2,target",
               [](const Item& item) {
                 return fmt::format("{:.1f},{:.1f},{:.1f},{}", 100 * item.probs[0],
                                    100 * item.probs[1], 100 * item.probs[2], item.label);
               }),
       "are per cent"},
      {"P(class)", tableOf("P(cat),P(dog),P(red owl),Actual", named)},
      {"endings", tableOf("cat_prob,dog_prob,red owl_prob,expected class", named)},
      {"colons", tableOf("Probability: cat,Probability: dog,Probability: red owl,Gold", named)},
      {"bare numbers", tableOf("0,1,2,true", numbered)},
      {"labels in capitals",
       tableOf("prob_cat,prob_dog,prob_red_owl,y",
               [](const Item& item) {
                 std::string label = item.labelName();
                 std::ranges::transform(label, label.begin(), [](char c) {
                   return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
                 });
                 return probsText(item) + "," + label;
               }),
       "spelled differently"},
      {"one-hot labels", tableOf("prob_cat,prob_dog,prob_owl,true_cat,true_dog,true_owl",
                                 [](const Item& item) {
                                   return fmt::format(
                                       "{},{},{},{}", probsText(item), item.label == 0 ? 1 : 0,
                                       item.label == 1 ? 1 : 0, item.label == 2 ? 1 : 0);
                                 })},
      {"numbered classes and names in alphabetical order",
       tableOf("prob_0,prob_1,prob_2,label", named), "alphabetical order"},
      {"an index of pandas and constants",
       tableOf("Unnamed: 0,cat,dog,red owl,label,fold,epoch",
               [](const Item& item) {
                 return fmt::format("{},{},{},0,12", item.i, probsText(item), item.label);
               }),
       "unused columns: Unnamed: 0, fold, epoch"},
      {"a constant that no label names",
       tableOf("machine,cat,dog,red owl,label",
               [&](const Item& item) { return "0," + named(item); }),
       "'machine' has the same whole number in every row"},
      {"a statistic with the prefix of the classes",
       tableOf("prob_cat,prob_dog,prob_red owl,prob_std,label",
               [](const Item& item) {
                 return fmt::format("{},{:.4f},{}", probsText(item),
                                    0.01 + 0.0003 * static_cast<double>(item.i), item.labelName());
               }),
       "'prob_std' are not classes"},
      {"a measure among the classes",
       tableOf("cat,dog,red owl,novelty,label",
               [](const Item& item) {
                 return fmt::format("{},{:.4f},{}", probsText(item),
                                    0.7 - 0.01 * static_cast<double>(item.i), item.labelName());
               }),
       "'novelty' are not classes"},
      {"the class of the item beside the classes",
       tableOf("class_name,class_id,prob_0,prob_1,prob_2,label",
               [](const Item& item) {
                 return fmt::format("{},{},{},{}", item.predictedName(), item.predicted,
                                    probsText(item), item.label);
               }),
       "unused columns: class_name, class_id"},
      {"tabs", tableOf("p_0\tp_1\tp_2\tReference",
                       [](const Item& item) {
                         return fmt::format("{:.3f}\t{:.3f}\t{:.3f}\t{}", item.probs[0],
                                            item.probs[1], item.probs[2], item.label);
                       })},
      {"file names as ids",
       tableOf("id,prob_0,prob_1,prob_2,label",
               [](const Item& item) {
                 return fmt::format("img_{}.jpg,{},{}", item.i, probsText(item), item.label);
               }),
       "row numbers are used instead"},
      {"predictions by name beside numbers",
       tableOf("prob_0,prob_1,prob_2,pred,label",
               [](const Item& item) {
                 return fmt::format("{},{},{}", probsText(item), item.predictedName(), item.label);
               }),
       "alphabetical order"},
  };
  for (const TextCase& one : cases) {
    SCOPED_TRACE(one.what);
    expectRight(openText(one.content), kAccuracy, 3, one.note);
  }
}

TEST(OddPredictions, TablesByRank) {
  const auto ranks = [](const Item& item) {
    const auto r = item.ranked();
    return fmt::format("{},{},{},{},{},{},{:.3f},{:.3f},{:.3f}", r[0], r[1], r[2], kNames[r[0]],
                       kNames[r[1]], kNames[r[2]], item.probs[r[0]], item.probs[r[1]],
                       item.probs[r[2]]);
  };
  const std::string head = "index_0,index_1,index_2,label_0,label_1,label_2,prob_0,prob_1,prob_2,";
  const auto by_number = openText(tableOf(head + "target", [&](const Item& item) {
    return fmt::format("{},{}", ranks(item), item.label);
  }));
  expectRight(by_number, kAccuracy, 3, "sorted by rank");
  EXPECT_EQ(by_number->meta.class_names, (std::vector<std::string>{"cat", "dog", "red owl"}));
  EXPECT_NEAR(by_number->prob(1, 0), itemOf(1).probs[0], 1e-12);
  expectRight(
      openText(tableOf(head + "target",
                       [&](const Item& item) { return ranks(item) + "," + item.labelName(); })),
      kAccuracy, 3);
  // Two of three: predictions and confidences remain.
  const auto some = openText(tableOf("top1,top2,top1_p,top2_p,label", [](const Item& item) {
    const auto r = item.ranked();
    return fmt::format("{},{},{:.3f},{:.3f},{}", kNames[r[0]], kNames[r[1]], item.probs[r[0]],
                       item.probs[r[1]], item.labelName());
  }));
  expectRight(some, kAccuracy, 0, "the 2 largest probabilities of each item only");
  EXPECT_NEAR(some->confidence.data()[5], itemOf(5).largest(), 1e-12);
  const auto sorted = [](const Item& item) {
    const auto r = item.ranked();
    return fmt::format("{:.3f},{:.3f},{:.3f},{}", item.probs[r[0]], item.probs[r[1]],
                       item.probs[r[2]], item.label);
  };
  expectRefused(openText(tableOf("prob_0,prob_1,prob_2,label", sorted)),
                "its columns are ranks, not classes");
}

TEST(OddPredictions, TablesOfConfidences) {
  const auto line = [](const Item& item, const auto& label, const auto& predicted) {
    return fmt::format("{},{},{:.3f}", label, predicted, item.largest());
  };
  // Hugging Face writes score, Ultralytics name, class and confidence without a label.
  expectRight(openText(tableOf("label,prediction,score",
                               [&](const Item& item) {
                                 return line(item, item.labelName(), item.predictedName());
                               })),
              kAccuracy, 0, "probability of the predicted class");
  expectRight(openText(tableOf(
                  "true_label,pred_label,confidence",
                  [&](const Item& item) { return line(item, item.labelName(), item.predicted); })),
              kAccuracy, 0, "cat = 0, dog = 1, red owl = 2");
  const auto ultralytics = openText(tableOf("file,class,confidence", [&](const Item& item) {
    return line(item, "a.jpg", item.predictedName());
  }));
  ASSERT_OK(ultralytics);
  EXPECT_EQ(ultralytics->predictions.data()[4], itemOf(4).predicted);
  EXPECT_THAT(notesOf(*ultralytics), HasSubstr("no labels"));
  expectRight(openText(tableOf("Ground Truth,Predicted Class,Confidence",
                               [](const Item& item) {
                                 return fmt::format("{},{},{:.1f}", item.label, item.predicted,
                                                    100.0 * item.largest());
                               })),
              kAccuracy, 0, "in per cent");
  // The numbers follow another order than the alphabet.
  expectRefused(openText(tableOf("true_label,pred_label,confidence",
                                 [&](const Item& item) {
                                   return line(item, item.labelName(), 2 - item.predicted);
                                 })),
                "do not follow the alphabetical order");
}

TEST(OddPredictions, TablesThatContradictThemselves) {
  const auto with = [](const std::string& columns, const Line& more) {
    return openText(tableOf("prob_0,prob_1,prob_2,label," + columns, [&](const Item& item) {
      return fmt::format("{},{},{}", probsText(item), item.label, more(item));
    }));
  };
  expectRight(with("pred", [](const Item& item) { return std::to_string(item.predicted); }),
              kAccuracy, 3);
  expectRight(with("pred",
                   [](const Item& item) {
                     return std::to_string(item.i < 3 ? (item.predicted + 1) % 3 : item.predicted);
                   }),
              kAccuracy, 3,
              "column 'pred' differs from the class with the largest probability in 3 of 40 rows");
  expectRefused(
      with("pred", [](const Item& item) { return std::to_string((item.predicted + 1) % 3); }),
      "in 40 of 40 rows");
  expectRight(with("confidence",
                   [](const Item& item) {
                     return fmt::format("{:.3f}", item.largest() - (item.i < 7 ? 0.2 : 0.0));
                   }),
              kAccuracy, 3, "differs from the largest probability in 7 of 40 rows (by up to 0.2)");
  expectRefused(openText(tableOf("machine,cat,dog,red owl,label",
                                 [](const Item& item) {
                                   return fmt::format("0,{},{}", probsText(item), item.label);
                                 })),
                "column 'machine' has the same whole number in every row");
  const auto none = openText(tableOf("prob_0,prob_1,prob_2", probsText));
  ASSERT_OK(none);
  EXPECT_THAT(notesOf(*none), HasSubstr("no labels"));
}

/// [N, 3] values of all items.
template <class Value>
Array<double> matrixOf(Value value) {
  Array<double> matrix = Array<double>::zeros({kItems, 3});
  for (std::int64_t i = 0; i < kItems; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      matrix.mutableRow(i)[k] = value(itemOf(i), k);
    }
  }
  return matrix;
}

template <class T = std::int64_t, class Value>
Array<T> columnOf(Value value) {
  Array<T> column = Array<T>::zeros({kItems});
  for (std::int64_t i = 0; i < kItems; ++i) {
    column.mutableData()[i] = static_cast<T>(value(itemOf(i)));
  }
  return column;
}

double probOf(const Item& item, std::size_t k) {
  return item.probs[k];
}

TEST(OddPredictions, ArraysOnOtherScales) {
  const AnyArray labels = columnOf([](const Item& item) { return item.label; });
  const auto open = [&](const char* name, const AnyArray& scores) {
    return openNpz({{name, scores}, {"y_true", labels}});
  };
  const auto scaled = [](double factor) {
    return matrixOf([factor](const Item& item, std::size_t k) { return factor * item.probs[k]; });
  };
  expectRight(open("probs", scaled(100.0)), kAccuracy, 3, "per cent");
  const auto percent = open("logits", scaled(100.0));
  expectRight(percent, kAccuracy, 3, "per cent");
  EXPECT_NEAR(percent->confidence.data()[0], 0.625, 1e-12);
  const auto again = open("logits", scaled(1.0));
  expectRight(again, kAccuracy, 3, "without another softmax");
  EXPECT_NEAR(again->confidence.data()[0], 0.625, 1e-12);
  expectRight(open("probs", matrixOf([](const Item& item, std::size_t k) {
                     return std::nearbyint(255.0 * item.probs[k]);
                   })),
              kAccuracy, 3, "0 to 255");
  const auto logs =
      matrixOf([](const Item& item, std::size_t k) { return std::log(item.probs[k]); });
  const auto of_logs = open("probs", logs);
  expectRight(of_logs, kAccuracy, 3, "log-probabilities");
  EXPECT_NEAR(of_logs->confidence.data()[0], 0.625, 1e-12);
  expectRight(open("log_probs", logs), kAccuracy, 3, "log-probabilities");
  Array<double> turned = Array<double>::zeros({3, kItems});
  for (std::int64_t i = 0; i < kItems; ++i) {
    for (std::int64_t k = 0; k < 3; ++k) {
      turned.mutableRow(k)[static_cast<std::size_t>(i)] =
          itemOf(i).probs[static_cast<std::size_t>(k)];
    }
  }
  expectRight(open("probs", turned), kAccuracy, 3, "transposed");
  Array<double> turned_logits = Array<double>::zeros({3, kItems});
  std::ranges::transform(turned.values(), turned_logits.mutableData(),
                         [](double p) { return std::log(p) + 3.0; });
  expectRefused(open("logits", turned_logits), "save its transpose");

  expectRefused(open("probs", matrixOf([](const Item& item, std::size_t k) {
                       return -std::log(item.probs[k]);
                     })),
                "negative log-probabilities");
  expectRefused(open("probs", matrixOf([](const Item& item, std::size_t k) {
                       return std::sqrt(item.probs[k]);
                     })),
                "like independent sigmoids");
  expectRefused(open("probs", matrixOf([](const Item& item, std::size_t k) {
                       return std::nearbyint(8.0 * 0.125 * (item.probs[k] > 0.5 ? 14 : 3));
                     })),
                "like votes; divide them by 20");
  expectRefused(open("probs", matrixOf([](const Item& item, std::size_t k) {
                       return std::log(item.probs[k]) + 1.0;
                     })),
                "name them 'logits'");
  Array<double> one_wrong = scaled(100.0);
  one_wrong.mutableData()[5] = 50.0;
  expectRefused(open("probs", one_wrong), "per cent in 39 of 40 rows");
}

TEST(OddPredictions, RoundedArrays) {
  const auto rounded = [](std::int64_t classes, double scale) {
    std::vector<double> probs;
    for (std::int64_t i = 0; i < 50; ++i) {
      double sum = 0.0;
      std::vector<double> row;
      for (std::int64_t k = 0; k < classes; ++k) {
        row.push_back(1.0 / (1.0 + 0.37 * static_cast<double>(i) +
                             static_cast<double>((7 * i + 3 * k) % classes)));
        sum += row.back();
      }
      for (const double value : row) {
        probs.push_back(std::nearbyint(value / sum * scale) / scale);
      }
    }
    return Array<double>::fromVector({50, classes}, std::move(probs));
  };
  const auto many = openNpz({{"probs", rounded(100, 1000.0)}});
  ASSERT_OK(many);
  EXPECT_THAT(notesOf(*many),
              HasSubstr("rounded to 3 decimals, so the sum of 100 may be off by 0.05"));
  EXPECT_OK(openNpz({{"probs", rounded(10, 100.0)}}));
  // One row that is off further than its digits allow is not rounded.
  Array<double> wrong = rounded(10, 100.0);
  wrong.mutableData()[10] += 0.2;
  expectRefused(openNpz({{"probs", wrong}}), "row 1 (counted from 0) of 'probs' sums to");
  Array<double> halves = rounded(4, 1e9);
  std::ranges::transform(halves.values(), halves.mutableData(),
                         [](double p) { return std::nearbyint(p * 512.0) / 508.0; });
  const auto imprecise = openNpz({{"probs", halves}});
  ASSERT_OK(imprecise);
  EXPECT_THAT(notesOf(*imprecise), HasSubstr("imprecise"));
}

TEST(OddPredictions, OneProbabilityPerItem) {
  // Two classes: right in 90 % of the items; p is the probability of class 1.
  const auto label = [](const Item& item) { return item.i % 2; };
  const auto predicted = [](const Item& item) { return item.i % 10 == 3 ? 0 : item.i % 2; };
  const auto larger = [](const Item& item) { return 0.6 + 0.009 * static_cast<double>(item.i); };
  const auto of_one = [=](const Item& item) {
    return predicted(item) == 1 ? larger(item) : 1.0 - larger(item);
  };
  const AnyArray labels = columnOf(label);
  const AnyArray p = columnOf<double>(of_one);
  expectRight(openNpz({{"y_prob", p}, {"y_true", labels}}), kAccuracy, 2, "class 1 of two");
  expectRight(openNpz({{"y_prob", p}, {"y_true", labels}, {"y_pred", columnOf(predicted)}}),
              kAccuracy, 2, "class 1 of two");
  const AnyArray confidence = columnOf<double>(larger);
  const auto of_predicted =
      openNpz({{"probs", confidence}, {"y_true", labels}, {"preds", columnOf(predicted)}});
  expectRight(of_predicted, kAccuracy, 2, "of the predicted class (at least 0.5");
  EXPECT_NEAR(of_predicted->prob(1, 1), larger(itemOf(1)), 1e-12);
  EXPECT_NEAR(of_predicted->prob(2, 0), larger(itemOf(2)), 1e-12);
  expectRefused(openNpz({{"probs", confidence}, {"y_true", labels}}),
                "probably the probability of the predicted class");
  const auto of_zero =
      openNpz({{"probs", columnOf<double>([&](const Item& item) { return 1.0 - of_one(item); })},
               {"y_true", labels},
               {"preds", columnOf(predicted)}});
  expectRight(of_zero, kAccuracy, 2, "probability of class 0");
  expectRight(openNpz({{"probs", p}, {"y_true", labels}, {"preds", columnOf([&](const Item& item) {
                                                            return of_one(item) > 0.35 ? 1 : 0;
                                                          })}}),
              kAccuracy, 2, "another threshold than 0.5");
  expectRefused(openNpz({{"probs", p}, {"y_true", labels}, {"preds", columnOf([](const Item& item) {
                                                              return item.i / 7 % 2;
                                                            })}}),
                "contradicts the predictions");
  expectRefused(
      openNpz({{"probs", p}, {"y_true", columnOf([](const Item& item) { return item.label; })}}),
      "there are 3 classes");
  expectRefused(openNpz({{"y_score",
                          columnOf<double>([&](const Item& item) { return 100.0 * of_one(item); })},
                         {"y_true", labels}}),
                "divide them by 100");
  // Labels -1 and +1, as of support vector machines.
  const auto signs = columnOf([&](const Item& item) { return 2 * label(item) - 1; });
  expectRight(openNpz({{"y_score", p}, {"y_true", signs}}), kAccuracy, 2, "classes 0 and 1");
  const auto truth = columnOf<std::uint8_t>(label);  // stored like bool
  expectRight(
      openNpz({{"y_score", p}, {"y_true", truth}, {"y_pred", columnOf<std::uint8_t>(predicted)}}),
      kAccuracy, 2);
  expectRight(openText(tableOf("y_true,y_pred,y_prob",
                               [&](const Item& item) {
                                 return fmt::format("{},{},{}", label(item) == 1 ? "True" : "False",
                                                    predicted(item) == 1 ? "True" : "False",
                                                    of_one(item));
                               })),
              kAccuracy, 2);
  expectRight(openText(tableOf("actual,predicted,probability",
                               [&](const Item& item) {
                                 return fmt::format("{},{},{}", label(item) == 1 ? "spam" : "ham",
                                                    predicted(item) == 1 ? "spam" : "ham",
                                                    larger(item));
                               })),
              kAccuracy, 2, "of the predicted class");
}

TEST(OddPredictions, ArraysBesideTheProbabilities) {
  const AnyArray probs = matrixOf(probOf);
  const AnyArray labels = columnOf([](const Item& item) { return item.label; });
  const auto sorted =
      matrixOf([](const Item& item, std::size_t r) { return item.probs[item.ranked()[r]]; });
  const auto ranks = matrixOf(
      [](const Item& item, std::size_t r) { return static_cast<double>(item.ranked()[r]); });
  expectRight(openNpz({{"topk_probs", sorted}, {"topk_indices", ranks}, {"labels", labels}}),
              kAccuracy, 3, "sorted by rank");
  expectRight(openNpz({{"probs", probs},
                       {"labels", labels},
                       {"logits", matrixOf([](const Item& item, std::size_t k) {
                          return 2.0 * std::log(item.probs[k]);
                        })}}),
              kAccuracy, 3, "the softmax of 'logits' differs from 'probs' in 40 of 40 rows");
  expectRight(openNpz({{"probs", probs}, {"labels", columnOf<double>([](const Item& item) {
                                            return item.i == 3 ? NAN
                                                               : static_cast<double>(item.label);
                                          })}}),
              36.0 / 39.0, 3, "1 of 40 items have no label");
  const auto alone =
      openNpz({{"preds", columnOf([](const Item& item) { return item.predicted; })},
               {"confidence", columnOf<double>([](const Item& item) { return item.largest(); })},
               {"labels", labels}});
  expectRight(alone, kAccuracy, 0, "confidences but no probabilities");
}

TEST(OddPredictions, TextsInArrays) {
  const test::TempDir dir;
  DUBITO_NUMPY(
      R"(
import sys
n = 40
i = np.arange(n)
label = i % 3
pred = np.where(i % 10 == 3, (i + 1) % 3, i % 3)
probs = np.full((n, 3), 0.125)
probs[i, pred] = 0.75
names = np.array(['cat', 'dog', 'red owl'])
np.savez(sys.argv[1], probs=probs, labels=names[label], class_names=names)
np.savez(sys.argv[2], probs=probs[:, [1, 0, 2]], labels=names[label])
np.savez(sys.argv[3], probs=probs, labels=names, y_true=label.astype(np.float32))
np.save(sys.argv[4], probs)
np.save(sys.argv[5], np.char.upper(names[label]).astype('S'))
)",
      fmt::format("{} {} {} {} {}", dir.file("named.npz"), dir.file("turned.npz"),
                  dir.file("classes.npz"), dir.file("a_probs.npy"), dir.file("a_labels.npy")));
  RunContext context;
  expectRight(openPredictions(dir.file("named.npz"), context), kAccuracy, 3);
  expectRight(openPredictions(dir.file("classes.npz"), context), kAccuracy, 3);
  expectRight(openPredictions(dir.file("a_probs.npy"), context), kAccuracy, 3, "alphabetical");
  // Columns in another order than the alphabet.
  expectRefused(openPredictions(dir.file("turned.npz"), context), "do not follow the alphabetical");
}

TEST(OddPredictions, SharedCases) {
  DUBITO_NEEDS_SHARED();
  const std::filesystem::path folder = *test::sharedDir() / "cases" / "predictions";
  if (!std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << "no cases in " << folder;
  }
  const struct {
    const char* file;
    double accuracy;
    std::int64_t classes;
    const char* note;
  } cases[] = {
      {"p42.csv", 0.91, 3, "sorted by rank"},
      {"p40.npz", 0.765, 2, "of the predicted class"},
      {"p49.csv", 0.91, 0, "cat = 0, dog = 1, owl = 2"},
      {"p50.npz", 0.765, 2, "classes 0 and 1"},
      {"p10b.csv", 0.91, 3, "unused columns: (unnamed)"},
      {"v_fold_num.csv", 0.91, 3, "unused columns: fold"},
      {"p43.csv", 0.91, 3, "sorted by rank"},
      {"v_w_actual.csv", 0.91, 0, ""},
      {"v_w_true.csv", 0.91, 0, ""},
      {"v_w_expected.csv", 0.91, 0, ""},
      {"v_w_groundtruth.csv", 0.91, 0, ""},
      {"p5.npz", 0.755, 7, "imprecise"},
      {"p13a.csv", 0.91, 3, "rounded to 3 decimals, so the sum of 3 may be off by 0.0015"},
      {"p25.npz", 0.91, 3, "per cent"},
      {"p54.npz", 0.91, 3, "0 to 255"},
      {"p9.npz", 0.9, 3, "transposed to 30 items of 3 classes"},
      {"ens_same.npz", 1.0, 3, ""},
      {"ens_shuf.npz", 1.0, 3, ""},
  };
  RunContext context;
  for (const auto& one : cases) {
    SCOPED_TRACE(one.file);
    expectRight(openPredictions((folder / one.file).string(), context), one.accuracy, one.classes,
                one.note);
  }
}

}  // namespace
}  // namespace dubito
