#include <fmt/format.h>

#include "soundness/users/query_writer.hpp"

// What must be refused, or is harmless for a reason Tacit finds itself: rows of two people in one row, groups of
// several people, rows that stay or go by what somebody else has.

namespace tacit::soundness::users {

void QueryWriter::add_hostile(Query& query) {
  const Source a = source_of(private_table(), "a");
  const Source b = source_of(private_table(), "b");
  sources_ = {a, b};
  switch (dice_.below(3)) {
    case 0: return add_hostile_join(query, a, b);
    case 1: return add_hostile_group(query, a, b);
    default: return add_hostile_semi_join(query, a, b);
  }
}

void QueryWriter::add_hostile_join(Query& query, const Source& a, const Source& b) {
  const Source p = source_of(public_table(), "p");
  const std::string& x = a.owner.front();
  const std::string& y = b.owner.front();
  switch (dice_.below(7)) {
    case 0: query.from = scan(a) + ", " + scan(b); break;
    case 1:
      query.from =
          fmt::format("{} JOIN {} ON {} = {}", scan(a), scan(b), a.columns.front().first, b.columns.front().first);
      break;
    case 2:
      query.from = fmt::format("{} LEFT JOIN {} ON {} = {} OR {}", scan(a), scan(b), x, y, simple_predicate(b.columns));
      break;
    case 3:
      query.from = fmt::format("{} LEFT JOIN {} ON p.k = {}", scan(p), scan(a), a.columns.front().first);
      sources_ = {p, a};
      break;
    case 4:
      query.from = fmt::format("{} {} {} ON {} {} {}", scan(a), dice_.pick<const char*>({"JOIN", "LEFT JOIN"}), scan(b),
                               x, dice_.pick<const char*>({"<>", ">=", "<"}), y);
      break;
    case 5:  // people change the public rows that a is joined to
      query.from = fmt::format("{} LEFT JOIN {} ON p.k = {} JOIN {} ON p.k = {}", scan(p), scan(b),
                               b.columns.front().first, scan(a), a.columns.front().first);
      break;
    default:  // references of one type, to different tables
      query.from = fmt::format("{} JOIN {} ON {} = {}", scan(a), scan(b), x, y);
  }
}

// Groups of one person by the look of it.
void QueryWriter::add_hostile_group(Query& query, const Source& a, const Source& b) {
  const std::string& x = a.owner.front();
  const std::string& y = b.owner.front();
  std::string from = scan(a);
  std::string by;
  switch (dice_.below(5)) {
    case 0: by = dice_.pick(a.columns).first; break;
    case 1: by = fmt::format("CASE WHEN {0} IS NULL THEN 1 ELSE 2 END", x); break;
    case 2: by = fmt::format("NULLIF({0}, {0})", x); break;
    case 3:  // NULL for everybody without a partner
      from += fmt::format(" LEFT JOIN {} ON {} = {} AND {}", scan(b), x, y, simple_predicate(b.columns));
      by = y;
      break;
    default: from += ", " + scan(b); by = x;
  }
  query.from = fmt::format("(SELECT {} AS x, COUNT(*) AS n FROM {} GROUP BY {}) AS q", by, from, by);
  sources_ = {Source{"q", 0, false, {}, false, {{"q.n", Kind::bigint}}}};
}

void QueryWriter::add_hostile_semi_join(Query& query, const Source& a, const Source& b) {
  const Source s = source_of(private_table(), "s");
  const std::string no = dice_.pick<const char*>({"", "NOT "});
  const std::string same = equated(s.owner, a.owner);
  query.from = scan(a);
  sources_ = {a};
  switch (dice_.below(4)) {
    case 0: {
      const bool padded = dice_.percent(25);  // NULL where b has no partner
      const std::string joined = fmt::format(" LEFT JOIN {} ON {}", scan(s), equated(s.owner, b.owner));
      const std::string y = padded ? s.owner.front() : b.owner.front();
      const std::string filled =
          dice_.pick<std::string>({"", fmt::format(" WHERE {} IS NOT NULL", b.owner.front()),
                                   fmt::format(" WHERE {} IS NOT NULL OR {}", y, simple_predicate(b.columns))});
      query.conditions.push_back(fmt::format("{} {}IN (SELECT {} FROM {}{}{})", a.owner.front(), no, y, scan(b),
                                             padded ? joined : "", filled));
      break;
    }
    case 1:  // what holds for the partner does not hold for the row
      query.from += ", " + scan(b);
      sources_ = {a, b};
      query.conditions.push_back(
          fmt::format("{}EXISTS (SELECT 1 FROM {} WHERE {} AND {})", no, scan(s), same, equated(a.owner, b.owner)));
      break;
    case 2:  // b is anybody's
      query.conditions.push_back(fmt::format("{}EXISTS (SELECT 1 FROM {}, {} WHERE {} AND {})", no, scan(s), scan(b),
                                             same, simple_predicate(b.columns)));
      break;
    default:
      query.conditions.push_back(fmt::format("{}EXISTS (SELECT 1 FROM {} WHERE {} = {})", no, scan(s),
                                             s.columns.front().first, a.columns.front().first));
  }
}

}  // namespace tacit::soundness::users
