#include "engine/postgres/read_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/value.hpp"
#include "engine/postgres/read_equality.hpp"
#include "engine/postgres/read_rows.hpp"
#include "engine/sql_text.hpp"

namespace tacit::postgres_engine {
namespace {

using Rows = std::vector<std::vector<Value>>;

Result<Rows> select_values(Connection& connection, const std::string& sql, const std::vector<SqlType>& types) {
  ValuesCollector collector(types);
  const auto done = connection.select(sql, [&](const PGresult& answer) { collector.take(answer); });
  if (!done) return fail(connection.explain(done.error()));
  return collector.finish();
}

const std::string& text(const Value& value) { return std::get<std::string>(value); }
// The server's functions give NULL for a table that was dropped meanwhile.
bool is_true(const Value& value) { return value == Value(true); }
std::int64_t number(const Value& value) { return static_cast<std::int64_t>(std::get<Decimal>(value).units); }

// The tables listed: FROM and WHERE, with the table as c and its schema as n.
std::string listed(const std::vector<TableName>& only) {
  std::string names;
  for (const TableName& table : only) {
    names += fmt::format("{}({}, {})", names.empty() ? "" : ", ", quote_text(table.schema), quote_text(table.name));
  }
  return fmt::format(
      "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') "
      "AND c.relpersistence <> 't' AND NOT c.relispartition AND n.nspname <> 'information_schema' "
      "AND NOT starts_with(n.nspname, 'pg_'){}",
      names.empty() ? "" : fmt::format(" AND (n.nspname, c.relname) IN ({})", names));
}

// Casts between built-in types are written into our SQL everywhere; the server's own are what the proofs are about.
constexpr const char* has_own_casts =
    "EXISTS (SELECT FROM pg_cast k WHERE k.oid >= {0} AND k.castmethod = 'f' AND k.castsource < {0} AND k.casttarget < "
    "{0})";

Failure own_casts() {
  return {FailureCode::engine, "the database has a cast of its own between built-in types (CREATE CAST)", "",
          "DROP the cast, or use a database without it"};
}

struct Listing {
  KnownTable known;
  bool is_whole = false;          // the server's constraints hold for all it reads
  bool hides_rows = false;        // row-level security
  bool is_read_by_bytes = false;  // its text; nothing else keeps a collation from changing
};
using Listings = std::map<std::int64_t, Listing>;  // by the table's oid

Status read_tables(Connection& connection, const std::vector<TableName>& only, Listings& listings) {
  const SqlType boolean = SqlType::boolean();
  TACIT_TRY(
      const auto rows,
      select_values(connection,
                    "WITH RECURSIVE reaches_foreign(oid) AS ("
                    "SELECT i.inhparent FROM pg_inherits i JOIN pg_class f ON f.oid = i.inhrelid AND f.relkind = 'f' "
                    "UNION SELECT i.inhparent FROM pg_inherits i JOIN reaches_foreign r ON r.oid = i.inhrelid) "
                    "SELECT CAST(c.oid AS BIGINT), CAST(n.nspname AS TEXT), CAST(c.relname AS TEXT), "
                    "c.relkind IN ('r', 'p') AND has_table_privilege(c.oid, 'SELECT'), "
                    "CASE c.relkind WHEN 'r' THEN NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid) "
                    "WHEN 'p' THEN NOT EXISTS (SELECT FROM reaches_foreign r WHERE r.oid = c.oid) "
                    "ELSE c.relkind = 'm' END, "
                    "row_security_active(c.oid), has_schema_privilege(n.oid, 'USAGE') AND "
                    "(has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT')), "
                    "c.relkind = 'r', " +
                        fmt::format(fmt::runtime(has_own_casts), first_made_here) + " " + listed(only),
                    {SqlType::integer(), SqlType::text(), SqlType::text(), boolean, boolean, boolean, boolean, boolean,
                     boolean}));
  for (const auto& row : rows) {
    if (is_true(row[8])) return fail(own_casts());
    Listing& listing = listings[number(row[0])];
    listing.known.number = static_cast<Oid>(number(row[0]));
    listing.known.table.schema = text(row[1]);
    listing.known.table.name = text(row[2]);
    listing.known.takes_lock = is_true(row[3]);
    listing.is_whole = is_true(row[4]);
    listing.hides_rows = is_true(row[5]);
    if (!is_true(row[6])) {
      listing.known.table.access = TableAccess::denied;
    } else if (listing.hides_rows) {
      listing.known.table.access = TableAccess::row_security;
    }
    listing.known.table.reads_only_itself = listing.is_whole && is_true(row[7]);
    listing.is_read_by_bytes = !listing.known.takes_lock;
  }
  return {};
}

void add_column(Listing& listing, const std::vector<Value>& row) {
  StoredType stored;
  stored.number = static_cast<Oid>(number(row[3]));
  stored.modifier = static_cast<int>(number(row[4]));
  stored.is_domain = is_true(row[5]);
  stored.is_enum = is_true(row[6]);
  stored.is_text_inside = is_true(row[7]);
  stored.reads_by_bytes = listing.is_read_by_bytes || is_true(row[8]);
  stored.has_own_cast = is_true(row[10]);
  const ReadType read = column_type(stored);
  CatalogColumn column{text(row[1]), read.type,
                       text(row[2]), listing.is_whole && is_true(row[9]),
                       read.read_as, read.needs_declared_digits};
  listing.known.table.columns.push_back(std::move(column));
  listing.known.stored.push_back(stored);
}

// As an array of oids.
std::string numbers_of(const Listings& listings) {
  std::string numbers;
  for (const auto& [number, listing] : listings) numbers += fmt::format("{}{}", numbers.empty() ? "" : ",", number);
  return fmt::format("CAST('{{{}}}' AS OID[])", numbers);
}

Status read_columns(Connection& connection, Listings& listings) {
  TACIT_TRY(const OwnEqualities equalities, read_own_equalities(connection, numbers_of(listings)));
  const SqlType boolean = SqlType::boolean();
  const SqlType integer = SqlType::integer();
  TACIT_TRY(
      const auto rows,
      select_values(
          connection,
          fmt::format(
              "WITH RECURSIVE domain(oid, base, modifier) AS ("
              "SELECT t.oid, t.typbasetype, t.typtypmod FROM pg_type t WHERE t.typtype = 'd' UNION ALL "
              "SELECT d.oid, t.typbasetype, t.typtypmod FROM domain d JOIN pg_type t ON t.oid = d.base "
              "AND t.typtype = 'd') "
              "SELECT CAST(a.attrelid AS BIGINT), CAST(a.attname AS TEXT), format_type(a.atttypid, a.atttypmod), "
              "CAST(b.oid AS BIGINT), COALESCE(d.modifier, a.atttypmod), d.oid IS NOT NULL, b.typtype = 'e', "
              "EXISTS (SELECT FROM pg_cast k WHERE k.castsource = b.oid AND k.casttarget = {0} AND k.castmethod = "
              "'b'), "
              "a.attcollation NOT IN (0, {1}), a.attnotnull AND NOT EXISTS (SELECT FROM pg_constraint v "
              "WHERE v.conrelid = a.attrelid AND v.contype = 'n' AND v.conkey = ARRAY[a.attnum] AND NOT "
              "v.convalidated), "
              "EXISTS (SELECT FROM pg_cast k WHERE k.castsource = b.oid AND k.casttarget = {0} AND k.castmethod = 'f' "
              "AND k.oid >= {2}) FROM pg_attribute a "
              "LEFT JOIN (SELECT d.* FROM domain d JOIN pg_type t ON t.oid = d.base AND t.typtype <> 'd') d "
              "ON d.oid = a.atttypid JOIN pg_type b ON b.oid = COALESCE(d.base, a.atttypid) "
              "WHERE a.attrelid = ANY ({3}) AND a.attnum > 0 AND NOT a.attisdropped "
              "AND has_column_privilege(a.attrelid, a.attnum, 'SELECT') ORDER BY a.attrelid, a.attnum",
              type_number::text, /* the database's collation */ 100, first_made_here, numbers_of(listings)),
          {integer, SqlType::text(), SqlType::text(), integer, integer, boolean, boolean, boolean, boolean, boolean,
           boolean}));
  for (const auto& row : rows) {
    Listing& listing = listings.at(number(row[0]));
    if (listing.known.table.access != TableAccess::open) continue;
    add_column(listing, row);
    const auto own = equalities.find({number(row[0]), text(row[1])});
    if (own != equalities.end()) listing.known.table.columns.back().own_equality = own->second;
  }
  return {};
}

// The columns of one constraint, in its order.
struct Constraint {
  std::int64_t table = 0;
  std::vector<std::string> columns;
  std::vector<std::string> references;
  std::vector<Value> first_row;
};

// Rows of one constraint follow each other: table, constraint, column, column it refers to, more.
std::vector<Constraint> constraints_of(const Rows& rows) {
  std::vector<Constraint> constraints;
  for (const auto& row : rows) {
    const bool is_new = constraints.empty() || constraints.back().first_row[1] != row[1];
    if (is_new) constraints.push_back({number(row[0]), {}, {}, row});
    constraints.back().columns.push_back(text(row[2]));
    constraints.back().references.push_back(text(row[3]));
  }
  return constraints;
}

bool has_columns(const CatalogTable& table, const std::vector<std::string>& columns) {
  return std::all_of(columns.begin(), columns.end(),
                     [&](const std::string& column) { return table.find_column(column) != nullptr; });
}

Listing* enforcing(Listings& listings, const Constraint& constraint) {
  const auto found = listings.find(constraint.table);
  if (found == listings.end() || !found->second.is_whole || found->second.hides_rows) return nullptr;
  return has_columns(found->second.known.table, constraint.columns) ? &found->second : nullptr;
}

Status read_keys(Connection& connection, Listings& listings) {
  const SqlType integer = SqlType::integer();
  // A deferrable key may be broken until its transaction ends; an operator class of its own may see equality its way.
  TACIT_TRY(
      const auto rows,
      select_values(connection,
                    fmt::format("SELECT CAST(i.indrelid AS BIGINT), CAST(i.indexrelid AS BIGINT), "
                                "(SELECT CAST(a.attname AS TEXT) FROM pg_attribute a WHERE a.attrelid = i.indrelid "
                                "AND a.attnum = k.attnum), '', i.indisprimary FROM pg_index i "
                                "CROSS JOIN unnest(CAST(i.indkey AS SMALLINT[])) WITH ORDINALITY AS k(attnum, place) "
                                "WHERE i.indrelid = ANY ({}) AND i.indisunique AND i.indisvalid AND i.indisready "
                                "AND i.indislive AND i.indimmediate AND NOT i.indisexclusion AND i.indpred IS NULL "
                                "AND i.indexprs IS NULL "
                                "AND k.place <= i.indnkeyatts AND NOT EXISTS (SELECT FROM "
                                "unnest(CAST(i.indclass AS OID[])) AS u(oid) JOIN pg_opclass o ON o.oid = u.oid "
                                "WHERE NOT o.opcdefault) ORDER BY i.indrelid, i.indexrelid, k.place",
                                numbers_of(listings)),
                    {integer, integer, SqlType::text(), SqlType::text(), SqlType::boolean()}));
  for (const Constraint& key : constraints_of(rows)) {
    Listing* listing = enforcing(listings, key);
    if (listing == nullptr) continue;
    CatalogTable& table = listing->known.table;
    if (std::find(table.unique_keys.begin(), table.unique_keys.end(), key.columns) == table.unique_keys.end()) {
      table.unique_keys.push_back(key.columns);
    }
    if (is_true(key.first_row[4])) table.primary_key = key.columns;
  }
  return {};
}

Status read_foreign_keys(Connection& connection, Listings& listings) {
  const SqlType integer = SqlType::integer();
  const SqlType text_type = SqlType::text();
  // A superuser can switch the triggers that enforce one off.
  TACIT_TRY(
      const auto rows,
      select_values(connection,
                    fmt::format("SELECT CAST(f.conrelid AS BIGINT), CAST(f.oid AS BIGINT), "
                                "(SELECT CAST(a.attname AS TEXT) FROM pg_attribute a WHERE a.attrelid = f.conrelid "
                                "AND a.attnum = k.own), "
                                "(SELECT CAST(a.attname AS TEXT) FROM pg_attribute a WHERE a.attrelid = f.confrelid "
                                "AND a.attnum = k.other), CAST(n.nspname AS TEXT), CAST(t.relname AS TEXT) "
                                "FROM pg_constraint f JOIN pg_class t ON t.oid = f.confrelid "
                                "JOIN pg_namespace n ON n.oid = t.relnamespace "
                                "CROSS JOIN unnest(f.conkey, f.confkey) WITH ORDINALITY AS k(own, other, place) "
                                "WHERE f.conrelid = ANY ({}) AND f.contype = 'f' AND f.convalidated "
                                "AND to_jsonb(f) ->> 'conperiod' IS DISTINCT FROM 'true' "  // from 18 on
                                "AND f.conparentid = 0 AND NOT EXISTS (SELECT FROM pg_trigger g "
                                "WHERE g.tgconstraint = f.oid AND g.tgenabled IN ('D', 'R')) "
                                "AND NOT row_security_active(t.oid) ORDER BY f.conrelid, f.oid, k.place",
                                numbers_of(listings)),
                    {integer, integer, text_type, text_type, text_type, text_type}));
  for (const Constraint& key : constraints_of(rows)) {
    Listing* listing = enforcing(listings, key);
    if (listing == nullptr) continue;
    listing->known.table.foreign_keys.push_back(
        {key.columns, text(key.first_row[4]), text(key.first_row[5]), key.references});
  }
  return {};
}

// In an order that does not depend on when an index was made.
void sort_constraints(CatalogTable& table) {
  std::sort(table.unique_keys.begin(), table.unique_keys.end());
  std::sort(table.foreign_keys.begin(), table.foreign_keys.end(), [](const ForeignKey& a, const ForeignKey& b) {
    return std::tie(a.columns, a.schema, a.table, a.references) < std::tie(b.columns, b.schema, b.table, b.references);
  });
}

}  // namespace

Result<KnownTables> read_catalog(Connection& connection, const std::vector<TableName>& only) {
  TACIT_CHECK(connection.in_snapshot(), "the catalog is read in one snapshot");
  Listings listings;
  TACIT_TRY_STATUS(read_tables(connection, only, listings));
  TACIT_TRY_STATUS(read_columns(connection, listings));
  TACIT_TRY_STATUS(read_keys(connection, listings));
  TACIT_TRY_STATUS(read_foreign_keys(connection, listings));
  KnownTables tables;
  for (auto& [oid, listing] : listings) {
    sort_constraints(listing.known.table);
    const TableName name{listing.known.table.schema, listing.known.table.name};
    tables.emplace(name, std::move(listing.known));
  }
  return tables;
}

}  // namespace tacit::postgres_engine
