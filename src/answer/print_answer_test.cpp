#include "answer/print_answer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "answer/answer_notes.hpp"

namespace tacit {
namespace {

using Json = nlohmann::json;

NoisyColumn key(const std::string& name, SqlType type = SqlType::text()) {
  return {{OutputColumn::Kind::key, 0, name, type}, "", std::nullopt};
}
NoisyColumn noisy(const std::string& name, const std::string& mechanism, std::optional<double> scale, SqlType type) {
  return {{OutputColumn::Kind::aggregate, 0, name, type}, mechanism, scale};
}
Value whole(Int128 number) { return Decimal{number, 0}; }
NoisyCell cell(Value value) { return {std::move(value), std::nullopt}; }
NoisyCell cell(Value value, Value lo, Value hi) { return {std::move(value), std::pair(std::move(lo), std::move(hi))}; }

Answer answer_of(NoisyRows rows) {
  Answer answer;
  answer.rows = std::move(rows);
  answer.model = "rows";
  answer.epsilon = Epsilon(1.0);
  answer.delta = Delta(0.0);
  answer.spent = {Epsilon(1.0), Delta(0.0)};
  answer.remaining = {Epsilon(19.0), Delta(1e-6)};
  return answer;
}

Answer single_count() {
  return answer_of({{noisy("n", "laplace", 1.0, SqlType::integer())}, {{cell(whole(1234), whole(1231), whole(1237))}}});
}

Answer grouped() {
  Answer answer = answer_of({{key("ward"), noisy("n", "geometric", 1.0, SqlType::integer()),
                              noisy("fees", "geometric", 40.5, SqlType::decimal(18, 2)),
                              noisy("avg_age", "laplace", std::nullopt, SqlType::real())},
                             {}});
  answer.rows.rows.push_back({cell(std::string("cardiology")), cell(whole(1234), whole(1231), whole(1237)),
                              cell(Decimal{1050, 2}, Decimal{-100, 2}, Decimal{2200, 2}),
                              cell(47.312345678, 46.9, 47.72)});
  answer.rows.rows.push_back({cell(Null{}), cell(whole(-2), whole(-5), whole(1)),
                              cell(Decimal{5, 2}, Decimal{-1, 2}, Decimal{100000, 2}), cell(50.0, -0.0001, 100.0)});
  answer.notes = {"groups come from the declared domain of visit.ward"};
  return answer;
}

TEST(PrintAnswerTable, AlignsValuesIntervalsAndTellsThePrice) {
  EXPECT_EQ(print_answer(grouped(), Format::table),
            R"(ward           n  95% interval   fees  95% interval      avg_age  95% interval
----------  ----  ------------  -----  ----------------  -------  -----------------
cardiology  1234  [1231, 1237]  10.50  [-1.00,   22.00]   47.312  [46.900,  47.720]
(null)        -2  [  -5,    1]   0.05  [-0.01, 1000.00]   50.000  [ 0.000, 100.000]

spent: epsilon 1, delta 0; left: epsilon 19, delta 1e-06 (rows model)
noise: n: geometric, scale 1; fees: geometric, scale 40.5; avg_age: laplace
note: groups come from the declared domain of visit.ward
)");
}

TEST(PrintAnswerTable, SaysWhenThereAreNoRows) {
  Answer answer = single_count();
  answer.rows.rows.clear();
  EXPECT_EQ(print_answer(answer, Format::table).substr(0, 14), "n\n-\n(no rows)\n");
}

TEST(PrintAnswerTable, AlignsByDisplayWidth) {
  const auto named = [](const char* name) {
    return std::vector<NoisyCell>{cell(std::string(name)), cell(whole(7), whole(1), whole(9))};
  };
  const Answer answer = answer_of({{key("naïve"), noisy("数", "geometric", 1.0, SqlType::integer())},
                                   {named("東京"), named("Zu\u0308rich"), named("Oslo")}});
  EXPECT_EQ(print_answer(answer, Format::table).substr(0, std::string::npos),
            "naïve   数  95% interval\n"
            "------  --  ------------\n"
            "東京     7  [1, 9]\n"
            "Zu\u0308rich   7  [1, 9]\n"
            "Oslo     7  [1, 9]\n"
            "\nspent: epsilon 1, delta 0; left: epsilon 19, delta 1e-06 (rows model)\n"
            "noise: 数: geometric, scale 1\n");
}

TEST(PrintAnswerTable, ShowsDoublesWithoutAnIntervalInFull) {
  const Answer answer = answer_of({{noisy("m", "laplace", 1.0, SqlType::real())}, {{cell(0.1)}, {cell(1e300)}}});
  const std::string text = print_answer(answer, Format::table);
  EXPECT_NE(text.find("\n   0.1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n1e+300\n"), std::string::npos) << text;
}

TEST(PrintAnswerCsv, GivesEachNoisyColumnItsInterval) {
  EXPECT_EQ(print_answer(grouped(), Format::csv),
            "ward,n,n_lo,n_hi,fees,fees_lo,fees_hi,avg_age,avg_age_lo,avg_age_hi\r\n"
            "cardiology,1234,1231,1237,10.50,-1.00,22.00,47.312345678,46.9,47.72\r\n"
            ",-2,-5,1,0.05,-0.01,1000.00,50,-0.0001,100\r\n");
}

TEST(PrintAnswerCsv, QuotesWhatMustBeQuoted) {
  const Answer answer = answer_of({{key("a,b"), noisy("n\"", "geometric", 1.0, SqlType::integer())},
                                   {{cell(std::string("")), cell(whole(1))},
                                    {cell(std::string("say \"hi\",\nyou\tthere")), cell(whole(2))},
                                    {cell(std::string("\x1b[31m")), cell(whole(3), whole(2), whole(4))}}});
  EXPECT_EQ(print_answer(answer, Format::csv),
            "\"a,b\",\"n\"\"\",\"n\"\"_lo\",\"n\"\"_hi\"\r\n"
            "\"\",1,,\r\n"
            "\"say \"\"hi\"\",\nyou\tthere\",2,,\r\n"
            "\\u{1b}[31m,3,2,4\r\n");
}

TEST(PrintAnswerJson, IsTheObjectOfTheDesign) {
  EXPECT_EQ(print_answer(single_count(), Format::json),
            R"({"columns":[{"name":"n","type":"bigint"}],"rows":[[1234]],)"
            R"("noise":[[{"mechanism":"laplace","scale":1.0,"interval95":[1231,1237]}]],)"
            R"("privacy":{"model":"rows","epsilon":1.0,"delta":0.0,"spent":{"epsilon":1.0,"delta":0.0},)"
            R"("remaining":{"epsilon":19.0,"delta":1e-06}},"notes":[]})"
            "\n");
}

// Whatever the table prints below an answer, programs read too.
TEST(PrintAnswerJson, HoldsEveryNoteOfTheTable) {
  Answer answer = grouped();
  answer.eta = 1e-9;
  answer.account_notes = {"the policy changed"};
  answer.notes.emplace_back("everything was suppressed");
  std::string lines;
  const Json json = Json::parse(print_answer(answer, Format::json));
  for (const auto& note : json["notes"]) {
    lines += "note: " + note.get<std::string>() + '\n';
  }
  EXPECT_EQ(lines, print_notes(answer));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 4);
  const std::string table = print_answer(answer, Format::table);
  EXPECT_EQ(table.substr(table.find("note: ")), lines);
}

TEST(PrintAnswerJson, WritesEveryTypeAsTheDesignSays) {
  const Int128 safe = Int128{1} << 53;
  NoisyRows rows{
      {key("text"), key("flag", SqlType::boolean()), key("day", SqlType::date()), key("at", SqlType::timestamp()),
       key("whole", SqlType::decimal(12, 0)), noisy("big", "geometric", 1.0, SqlType::integer()),
       noisy("x", "laplace", std::nullopt, SqlType::real())},
      {}};
  rows.rows.push_back({cell(Null{}), cell(true), cell(Date{0}), cell(Timestamp{1'500'000}), cell(Decimal{12, 0}),
                       cell(whole(safe), whole(-safe), whole(safe + 1)), cell(1.5)});
  rows.rows.push_back({cell(std::string("\x1b\xC2\x9B\xFF")), cell(false), cell(Null{}), cell(Null{}), cell(Null{}),
                       cell(whole(-safe - 1)), cell(-INFINITY)});
  const std::string text = print_answer(answer_of(rows), Format::json);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["rows"][0],
            Json::parse(R"([null,true,"1970-01-01","1970-01-01T00:00:01.5","12",9007199254740992,1.5])"));
  EXPECT_EQ(json["rows"][1][0], "\u001b\u009b\uFFFD");
  EXPECT_EQ(json["rows"][1][5], "-9007199254740993");
  EXPECT_EQ(json["rows"][1][6], "-inf");
  EXPECT_EQ(json["noise"][0][0], nullptr);
  EXPECT_EQ(json["noise"][0][5]["interval95"], Json::parse(R"([-9007199254740992,"9007199254740993"])"));
  EXPECT_EQ(json["noise"][0][6], Json::parse(R"({"mechanism":"laplace"})"));
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
}

RC_GTEST_PROP(PrintAnswerJson, ReadsBackAsTheSameValues, (const std::vector<std::string>& keys)) {
  NoisyRows rows{{key("k"), noisy("n", "geometric", 1.0, SqlType::integer())}, {}};
  for (const std::string& text : keys) {
    const auto number = *rc::gen::arbitrary<std::int64_t>();
    rows.rows.push_back({cell(text), cell(whole(number), whole(Int128{number} - 3), whole(Int128{number} + 3))});
  }
  const Json json = Json::parse(print_answer(answer_of(rows), Format::json));
  RC_ASSERT(json["rows"].size() == rows.rows.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Json& value = json["rows"][i][1];
    const std::string spelt = value.is_string() ? value.get<std::string>() : value.dump();
    RC_ASSERT(spelt == to_string(rows.rows[i][1].value));
    const bool is_ascii = std::all_of(keys[i].begin(), keys[i].end(), [](char c) { return (c & 0x80) == 0; });
    RC_ASSERT(!is_ascii || json["rows"][i][0].get<std::string>() == keys[i]);
  }
}

RC_GTEST_PROP(PrintAnswerTable, NeverLetsAControlByteThrough, (const std::string& bytes, const std::string& name)) {
  const Answer answer =
      answer_of({{key(name), noisy("n", "geometric", 1.0, SqlType::integer())}, {{cell(bytes), cell(whole(1))}}});
  const std::string text = print_answer(answer, Format::table);
  RC_ASSERT(
      std::none_of(text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 0x7f; }));
  RC_ASSERT(std::count(text.begin(), text.end(), '\n') == 6);
}

TEST(PrintFailure, IsOneLine) {
  const Failure failure{FailureCode::refused, "unknown column `a\x1b[2J\nb`", "position 8", "name a column", 8};
  EXPECT_EQ(print_failure(failure, Format::table),
            "error: unknown column `a\\u{1b}[2J\\nb` ; position 8 ; name a column\n");
  EXPECT_EQ(print_failure(failure, Format::csv), print_failure(failure, Format::table));
}

TEST(PrintFailure, JsonTellsLineAndColumnWhereTheyAreKnown) {
  Failure refused{FailureCode::refused, "no such column", "line 2, column 3", "name one", 11};
  refused.place = TextPlace{2, 3};
  EXPECT_EQ(print_failure(refused, Format::json),
            "{\"error\":{\"code\":\"refused\",\"message\":\"no such column\",\"hint\":\"name one\",\"position\":11,"
            "\"line\":2,\"column\":3}}\n");
}

TEST(PrintFailure, JsonHasFourKeysAlways) {
  const Failure refused{FailureCode::refused, "no such column", "position 8", "name one", 8};
  EXPECT_EQ(print_failure(refused, Format::json),
            "{\"error\":{\"code\":\"refused\",\"message\":\"no such column\",\"hint\":\"name one\",\"position\":8}}\n");
  const Failure usage{FailureCode::usage, "no such key", "p.toml:3", ""};
  EXPECT_EQ(
      print_failure(usage, Format::json),
      "{\"error\":{\"code\":\"usage\",\"message\":\"no such key (p.toml:3)\",\"hint\":null,\"position\":null}}\n");
}

}  // namespace
}  // namespace tacit
