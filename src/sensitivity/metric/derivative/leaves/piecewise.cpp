#include "sensitivity/metric/derivative/leaves/piecewise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/check.hpp"
#include "sql/print_expression.hpp"

namespace tacit {
namespace {

using Form = Piece::Form;
constexpr double largest_double = std::numeric_limits<double>::max();

// An anchor nearer to 0 is printed as this where it is an error that a product of two numbers underflows to 0: no
// double is closer to this anchor than 1e-166 without being equal to it.
constexpr double anchor_near_zero = 1e-150;

bool is_exact(const Piece& piece) {
  return piece.form == Form::constant || (piece.form == Form::power && piece.rate == 1.0 && piece.factor == 1.0);
}

double enlarged(const Piece& piece) { return is_exact(piece) ? piece.factor : piece.factor * (1.0 + leaf_rounding); }

double value(const Piece& piece, double s) {
  const double factor = enlarged(piece);
  const double t = piece.rate * (s - piece.anchor);
  switch (piece.form) {
    case Form::constant: return factor;
    case Form::exponential: return factor * std::exp(t);
    case Form::power: return piece.rate == 1.0 ? factor * s : factor * std::pow(s, piece.rate);
    case Form::sigmoid: return factor / (1.0 + std::exp(-t));
    case Form::sigmoid_slope: return factor / (2.0 + std::exp(t) + std::exp(-t));
    case Form::sech: return factor * (2.0 / (std::exp(t) + std::exp(-t)));
    case Form::sech_slope: {
      const double sum = std::exp(t) + std::exp(-t);
      return factor * (2.0 / sum) * (std::abs(std::exp(t) - std::exp(-t)) / sum);
    }
  }
  TACIT_CHECK(false, "every form of a piece has a value");
}

// Doubles in the order of the line as consecutive integers.
std::int64_t index_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}
double double_at(std::int64_t index) {
  return std::bit_cast<double>(index >= 0 ? index : std::numeric_limits<std::int64_t>::min() - index);
}

double before(double x) { return std::nextafter(x, -largest_double); }

// The doubles of piece i.
struct Stretch {
  double first;
  double last;
};
Stretch stretch_of(const std::vector<Piece>& pieces, std::size_t i) {
  const double last = i + 1 < pieces.size() ? before(pieces[i + 1].from) : largest_double;
  return {std::max(pieces[i].from, -largest_double), last};
}

void drop_empty(std::vector<Piece>& pieces) {
  std::vector<Piece> kept;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i + 1 < pieces.size() && pieces[i + 1].from <= pieces[i].from) continue;
    const bool repeats = !kept.empty() && kept.back().form == Form::constant && pieces[i].form == Form::constant &&
                         kept.back().factor == pieces[i].factor;
    if (!repeats) kept.push_back(pieces[i]);
  }
  pieces = std::move(kept);
}

// Cuts each piece where it crosses a limit.
std::vector<Piece> limited(const std::vector<Piece>& pieces, const LeafLimits& limits) {
  std::vector<Piece> result;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    const auto [first, last] = stretch_of(pieces, i);
    const auto side = [&](double s) {
      const long double exact = exact_value(piece, s);
      return exact >= limits.cap ? 1 : limits.floor > 0.0 && exact <= limits.floor ? -1 : 0;
    };
    double start = first;
    while (true) {
      const int here = side(start);
      Piece part = piece;
      if (here != 0) part = {0.0, Form::constant, here > 0 ? limits.cap : limits.floor};
      part.from = start == first ? piece.from : start;
      result.push_back(part);
      if (side(last) == here) break;
      start = first_double(start, last, [&](double s) { return side(s) != here; });
    }
  }
  return result;
}

class SqlPrinter {
 public:
  SqlPrinter(const std::string& s, const Dialect& dialect) : dialect_(dialect) {
    const bool plain = std::all_of(s.begin(), s.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    });
    s_ = plain ? s : "(" + s + ")";
  }

  std::string pieces(const Piece* begin, const Piece* end) const {
    constexpr std::ptrdiff_t most_in_one_case = 8;
    if (end - begin == 1) return piece(*begin);
    if (end - begin > most_in_one_case) {  // halves, so that a row meets few comparisons
      const Piece* middle = begin + (end - begin) / 2;
      return fmt::format("(CASE WHEN {} THEN {} ELSE {} END)", before_piece(*middle), pieces(begin, middle),
                         pieces(middle, end));
    }
    std::string sql = "(CASE";
    for (const Piece* it = begin; it + 1 != end; ++it) {
      sql += fmt::format(" WHEN {} THEN {}", before_piece(*(it + 1)), piece(*it));
    }
    return sql + fmt::format(" ELSE {} END)", piece(*(end - 1)));
  }

 private:
  std::string literal(double x) const { return double_literal(x, dialect_); }

  // As s <= x where x, the double before, is the shorter number.
  std::string before_piece(const Piece& piece) const {
    const std::string start = literal(piece.from);
    const std::string end = literal(before(piece.from));
    return end.size() < start.size() ? fmt::format("{} <= {}", s_, end) : fmt::format("{} < {}", s_, start);
  }

  std::string exp(double rate, double anchor) const {
    if (anchor == 0.0 && !dialect_.underflow_raises()) return fmt::format("EXP({} * {})", literal(rate), s_);
    const double apart = std::abs(anchor) < anchor_near_zero ? anchor_near_zero : anchor;
    return fmt::format("EXP({} * ({} - {}))", literal(rate), s_, literal(apart));
  }

  std::string piece(const Piece& piece) const {
    const std::string factor = literal(enlarged(piece));
    const std::string grows = exp(piece.rate, piece.anchor);
    const std::string falls = exp(-piece.rate, piece.anchor);
    switch (piece.form) {
      case Form::constant: return factor;
      case Form::exponential: return fmt::format("({} * {})", factor, grows);
      case Form::power: return power(piece, factor);
      case Form::sigmoid: return fmt::format("({} / ({} + {}))", factor, literal(1.0), falls);
      case Form::sigmoid_slope: return fmt::format("({} / ({} + {} + {}))", factor, literal(2.0), grows, falls);
      case Form::sech: return fmt::format("({} * ({} / ({} + {})))", factor, literal(2.0), grows, falls);
      case Form::sech_slope: {
        const std::string sum = fmt::format("({} + {})", grows, falls);
        return fmt::format("({} * ({} / {}) * (ABS({} - {}) / {}))", factor, literal(2.0), sum, grows, falls, sum);
      }
    }
    TACIT_CHECK(false, "every form of a piece is printed");
  }

  std::string power(const Piece& piece, const std::string& factor) const {
    if (is_exact(piece)) return s_;
    if (piece.rate == 1.0) return fmt::format("({} * {})", factor, s_);
    if (piece.rate == 2.0) return fmt::format("({} * ({} * {}))", factor, s_, s_);
    return fmt::format("({} * POWER({}, {}))", factor, s_, literal(piece.rate));
  }

  std::string s_;
  const Dialect& dialect_;
};

class PiecewiseLeaf final : public Leaf {
 public:
  PiecewiseLeaf(std::vector<Piece> pieces, double supremum, std::function<std::string(const std::string&)> formula)
      : pieces_(std::move(pieces)), supremum_(supremum), formula_(std::move(formula)) {
    long double least = supremum_;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const auto [first, last] = stretch_of(pieces_, i);
      least = std::min({least, exact_value(pieces_[i], first), exact_value(pieces_[i], last)});
    }
    infimum_ = std::min(supremum_, static_cast<double>(least));
  }

  double at(double s) const override {
    const auto next = std::upper_bound(pieces_.begin() + 1, pieces_.end(), s,
                                       [](double x, const Piece& piece) { return x < piece.from; });
    return value(*(next - 1), s);
  }
  std::string sql(const std::string& s, const Dialect& dialect) const override {
    return SqlPrinter(s, dialect).pieces(pieces_.data(), pieces_.data() + pieces_.size());
  }
  double supremum() const override { return supremum_; }
  double infimum() const override { return infimum_; }
  std::string formula(const std::string& s) const override { return formula_(s); }

 private:
  std::vector<Piece> pieces_;
  double supremum_;
  double infimum_ = 0.0;
  std::function<std::string(const std::string&)> formula_;
};

}  // namespace

double usable_rate(double rate) {
  TACIT_CHECK(std::isfinite(rate) && rate >= 0.0, "the rate of a leaf is a finite number of at least 0");
  return rate < least_rate ? 0.0 : std::min(rate, largest_rate);
}

double rounded_up(long double x) {
  const auto nearest = static_cast<double>(x);
  return nearest < x ? std::nextafter(nearest, std::numeric_limits<double>::infinity()) : nearest;
}

double floor_below(double supremum) { return std::max(supremum * std::exp(-690.0), 1e-300); }

double first_double(double lo, double hi, const std::function<bool(double)>& holds) {
  std::int64_t low = index_of(lo);
  std::int64_t high = index_of(hi);
  while (low < high) {
    const std::int64_t middle =
        low + static_cast<std::int64_t>((static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)) / 2);
    if (holds(double_at(middle)))
      high = middle;
    else
      low = middle + 1;
  }
  return double_at(low);
}

long double exact_value(const Piece& piece, long double s) {
  const long double factor = piece.factor;
  const long double t = static_cast<long double>(piece.rate) * (s - piece.anchor);
  const long double e = std::exp(-std::abs(t));
  switch (piece.form) {
    case Form::constant: return factor;
    case Form::exponential: return factor * std::exp(t);
    case Form::power: return factor * std::pow(s, static_cast<long double>(piece.rate));
    case Form::sigmoid: return factor * (t < 0 ? e : 1.0L) / (1.0L + e);
    case Form::sigmoid_slope: return factor * e / ((1.0L + e) * (1.0L + e));
    case Form::sech: return factor * 2.0L * e / (1.0L + e * e);
    case Form::sech_slope: {
      const long double square = e * e;
      return factor * 2.0L * e * -std::expm1(-2.0L * std::abs(t)) / ((1.0L + square) * (1.0L + square));
    }
  }
  TACIT_CHECK(false, "every form of a piece has a value");
}

LeafPtr piecewise_leaf(std::vector<Piece> pieces, LeafLimits limits,
                       std::function<std::string(const std::string&)> formula) {
  TACIT_CHECK(!pieces.empty(), "a leaf has a piece");
  if (limits.cap <= limits.floor) return constant_leaf(limits.cap);
  drop_empty(pieces);
  pieces = limited(pieces, limits);
  drop_empty(pieces);
  return std::make_shared<PiecewiseLeaf>(std::move(pieces), limits.supremum, std::move(formula));
}

std::vector<Piece> log_concave_even(const Piece& function, double end, double rate) {
  Piece left = function;
  Piece right = function;
  left.from = -end;
  right.from = 0.0;
  if (std::isinf(end)) return {left, right};
  const auto tail = static_cast<double>(exact_value(function, end));
  return {{.form = Form::exponential, .factor = tail, .rate = rate, .anchor = -end},
          left,
          right,
          {end, Form::exponential, tail, -rate, end}};
}

LeafPtr constant_leaf(double value) {
  TACIT_CHECK(std::isfinite(value) && value >= 0.0, "a constant bound is a finite number of at least 0");
  std::vector<Piece> pieces = {{.factor = value}};
  return std::make_shared<PiecewiseLeaf>(std::move(pieces), value,
                                         [value](const std::string&) { return fmt::format("{}", value); });
}

}  // namespace tacit
