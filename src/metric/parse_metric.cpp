#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "metric/identifier.hpp"
#include "metric/merge_columns.hpp"
#include "metric/metric.hpp"

namespace tacit {
namespace {

constexpr int max_depth = 32;
constexpr std::size_t max_text = 100'000;

constexpr std::array ready_metrics = {ReadyMetric::hamming, ReadyMetric::manhattan, ReadyMetric::normalized_manhattan,
                                      ReadyMetric::maximum, ReadyMetric::euclidean};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

MetricPtr make(auto node) { return std::make_shared<const MetricNode>(MetricNode{std::move(node)}); }

// Recursive descent over the grammar of metric.hpp.
class MetricParser {
 public:
  explicit MetricParser(std::string_view text) : text_(text) {}

  Result<MetricPtr> whole_metric() {
    if (text_.size() > max_text) return malformed("the metric is too long", "name at most a few thousand columns");
    if (const auto ready = ready_metric()) return make(*ready);
    TACIT_TRY(MetricPtr metric, term(1));
    skip_space();
    if (at_ < text_.size()) {
      return malformed("text follows the end of the metric", "combine several parts with l1(..., ...)");
    }
    if (!repeated_) return metric;
    metric = merge_columns(metric);
    if (metric == nullptr) {
      return malformed_at(repeated_->start,
                          fmt::format("column {} occurs twice in the metric", print_identifier(repeated_->column)),
                          "name each column once, or repeat it inside one norm only: the bound on the answer is not "
                          "proved otherwise");
    }
    return metric;
  }

  Result<NormExponent> whole_norm_name() {
    const auto word = peek_word();
    NormExponent exponent;
    if (word == "lp") {
      take_word();
      TACIT_TRY_STATUS(expect('(', "lp is written lp(3)"));
      TACIT_TRY(exponent, lp_exponent());
      TACIT_TRY_STATUS(expect(')', "lp is written lp(3)"));
    } else if (const auto named = named_exponent(word)) {
      take_word();
      exponent = *named;
    } else {
      return malformed("this is not the name of a norm", "write l1, l2, linf or lp(p) with p at least 1");
    }
    skip_space();
    if (at_ < text_.size()) return malformed("text follows the name of the norm", "write l1, l2, linf or lp(p)");
    return exponent;
  }

 private:
  Result<MetricPtr> term(int depth) {
    if (depth > max_depth) {
      return malformed(fmt::format("the metric is nested deeper than {} levels", max_depth), "flatten it");
    }
    skip_space();
    if (at_ >= text_.size()) {
      return malformed("a column, a norm or a factor is missing", "for example l1(0.1 * l2(x, y), speed)");
    }
    if (is_digit(text_[at_]) || text_[at_] == '.') return scaled(depth);
    if (text_[at_] == '-' || text_[at_] == '+') {
      return malformed("a factor has a sign", "a factor is a plain number above 0: a distance cannot be negative");
    }
    const std::string word = peek_word();
    if (!word.empty() && followed_by_parenthesis(word.size())) return call(word, depth);
    return column(MetricColumn::Use::plain);
  }

  Result<MetricPtr> scaled(int depth) {
    const std::size_t start = at_;
    TACIT_TRY(const Decimal factor, number());
    if (factor <= Decimal{0, 0}) {
      return malformed_at(start, "a factor is 0", "a factor is above 0; leave the column out if it never counts");
    }
    TACIT_TRY_STATUS(expect('*', "a factor stands before what it scales: 0.1 * x"));
    TACIT_TRY(MetricPtr child, term(depth + 1));
    return make(MetricScale{factor, std::move(child)});
  }

  Result<MetricPtr> call(const std::string& word, int depth) {
    const std::size_t start = at_;
    at_ += word.size();
    TACIT_TRY_STATUS(expect('(', ""));
    if (word == "ln" || word == "discrete") return column_call(word);
    NormExponent exponent;
    if (word == "lp") {
      TACIT_TRY(exponent, lp_exponent());
      TACIT_TRY_STATUS(expect(';', "the exponent of lp is followed by a semicolon: lp(3; x, y)"));
    } else if (const auto named = named_exponent(word)) {
      exponent = *named;
    } else {
      return malformed_at(start, "this function is not known in a metric",
                          "use l1, l2, linf, lp(p; ...), ln(column) or discrete(column)");
    }
    MetricNorm norm{exponent, {}};
    do {
      TACIT_TRY(MetricPtr child, term(depth + 1));
      norm.children.push_back(std::move(child));
    } while (take(','));
    TACIT_TRY_STATUS(expect(')', "close the norm with ) or separate its parts with commas"));
    return make(std::move(norm));
  }

  Result<MetricPtr> column_call(const std::string& word) {
    TACIT_TRY(MetricPtr inner, column(word == "ln" ? MetricColumn::Use::logarithm : MetricColumn::Use::discrete, word));
    TACIT_TRY_STATUS(expect(')', word + " takes one column and nothing else"));
    return inner;
  }

  Result<MetricPtr> column(MetricColumn::Use use, const std::string& taker = "") {
    skip_space();
    const std::size_t start = at_;
    if (at_ >= text_.size() || !starts_identifier(text_[at_])) {
      return malformed(taker.empty() ? "a column is expected here" : taker + " takes one column",
                       "write a column name, in double quotes if it is not a plain word");
    }
    auto identifier = read_identifier(text_.substr(at_));
    if (!identifier) return malformed(identifier.error().what, identifier.error().hint);
    at_ += identifier->length;
    if (!seen_.insert(identifier->name).second && !repeated_) repeated_ = Repeated{start, identifier->name};
    return make(MetricColumn{std::move(identifier->name), use});
  }

  Result<NormExponent> lp_exponent() {
    skip_space();
    const std::size_t start = at_;
    if (at_ >= text_.size() || (!is_digit(text_[at_]) && text_[at_] != '.')) {
      return malformed("lp needs its exponent p", "write lp(3; x, y); for infinity write linf(x, y)");
    }
    TACIT_TRY(const Decimal p, number());
    if (p < Decimal{1, 0}) {
      return malformed_at(start, "the exponent p of lp is below 1",
                          "use p of at least 1: below 1 the triangle inequality fails and it is no distance");
    }
    return NormExponent{false, p};
  }

  Result<Decimal> number() {
    const std::size_t start = at_;
    const auto digits = [&] {
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    };
    digits();
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      digits();
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      digits();
    }
    const auto value = parse_decimal(text_.substr(start, at_ - start));
    if (!value || (at_ < text_.size() && starts_identifier(text_[at_]))) {
      return malformed_at(start, "this number cannot be read exactly", "write a decimal of at most 38 digits");
    }
    return *value;
  }

  std::optional<ReadyMetric> ready_metric() {
    const std::string word = peek_word();
    const std::size_t begin = at_;
    take_word();
    skip_space();
    const bool alone = at_ == text_.size();
    at_ = begin;
    for (const auto ready : ready_metrics) {
      if (alone && word == to_string(ready)) return ready;
    }
    return std::nullopt;
  }

  static std::optional<NormExponent> named_exponent(const std::string& word) {
    if (word == "l1") return NormExponent{false, Decimal{1, 0}};
    if (word == "l2") return NormExponent{false, Decimal{2, 0}};
    if (word == "linf") return NormExponent{true, Decimal{1, 0}};
    return std::nullopt;
  }

  // The unquoted word that starts here, folded; empty when there is none.
  std::string peek_word() {
    skip_space();
    if (at_ >= text_.size() || !starts_identifier(text_[at_]) || text_[at_] == '"') return "";
    const auto identifier = read_identifier(text_.substr(at_));
    return identifier ? identifier->name : "";
  }
  void take_word() { at_ += peek_word().size(); }

  bool followed_by_parenthesis(std::size_t length) const {
    std::size_t next = at_ + length;
    while (next < text_.size() && is_space(text_[next])) ++next;
    return next < text_.size() && text_[next] == '(';
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  Status expect(char c, std::string hint) {
    if (take(c)) return {};
    return malformed(fmt::format("`{}` is expected here", c), std::move(hint));
  }

  tl::unexpected<Failure> malformed(std::string what, std::string hint) const {
    return malformed_at(at_, std::move(what), std::move(hint));
  }
  tl::unexpected<Failure> malformed_at(std::size_t byte, std::string what, std::string hint) const {
    const auto before = text_.substr(0, byte);
    const auto continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    const auto position = static_cast<int>(before.size()) -
                          static_cast<int>(std::count_if(before.begin(), before.end(), continuation)) + 1;
    return fail({FailureCode::usage, std::move(what), fmt::format("position {}", position), std::move(hint), position});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::set<std::string> seen_;
  struct Repeated {
    std::size_t start;
    std::string column;
  };
  std::optional<Repeated> repeated_;  // the first column that occurs twice
};

}  // namespace

Result<MetricPtr> parse_metric(std::string_view text) { return MetricParser(text).whole_metric(); }

Result<NormExponent> parse_norm_name(std::string_view text) { return MetricParser(text).whole_norm_name(); }

}  // namespace tacit
