#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tacit::soundness::users {

// A database of the test's own making: tables, who owns their rows, and what the owner of the database says about them.

enum class Kind { integer, bigint, decimal, real, text, date, timestamp, boolean };

struct Column {
  std::string name;
  Kind kind = Kind::integer;
  std::string facts;          // as the policy writes them: "min = 0, max = 5"; empty: none
  bool names_person = false;  // holds what owner columns hold
};

// How PostgreSQL compares columns of text that name people. In all but the first one person has several spellings.
enum class Spelling {
  one,
  padded,               // char(n): blanks at the end do not count, and are not read
  caseless_type,        // citext
  caseless_collation,   // a nondeterministic collation
  refers_to_caseless,   // plain text with a foreign key to such a column: PostgreSQL 18 makes none
  caseless_reference,   // a column of that collation with a foreign key to such a column: what 18 makes instead
  refers_to_padded,     // plain text with a foreign key to a char(n)
  refers_to_referring,  // plain text with a foreign key to plain text that refers to a char(n)
};
std::vector<Spelling> spellings(int postgres_version);  // those that this version can make
bool is_read_in_one_way(Spelling spelling);             // whatever is equal for the server is read as equal

// What the engine enforces. UNIQUE lets NULLs repeat.
struct Constraint {
  std::vector<std::string> columns;
  bool primary = false;
};

struct Table {
  enum class Model { shared, owner, through };  // shared: a public table
  std::string name;
  Model model = Model::shared;
  std::string owner;                    // Model::owner: the column
  std::size_t parent = 0;               // Model::through: an earlier table
  std::vector<std::string> up;          // ... and the columns that refer to its key
  std::vector<std::string> key;         // the policy's primary_key, which the engine may know nothing of; empty: none
  std::vector<Constraint> constraints;  // at most one is primary
  std::vector<Column> columns;
  bool has_child = false;  // by inheritance: constraints do not hold for what is stored there

  bool is_private() const { return model != Model::shared; }
  std::size_t column(const std::string& name) const;
  bool is_up(const std::string& name) const;
};

struct World {
  std::vector<Table> tables;
  Kind person = Kind::integer;  // of owner columns
  int people = 0;
  std::string max_groups = "1";  // as the policy writes it; \"auto\" too
  std::optional<int> max_rows;   // in all groups together
  Spelling spelling = Spelling::one;
};

// Cells are SQL literals. Every private table ends with a column `true_owner` that no policy and no query mentions: the
// text of the owner as this test knows it, whatever Tacit makes of the keys.
struct Row {
  std::vector<std::string> cells;
  std::optional<int> owner;  // nothing: nobody's
  bool in_child = false;
};
using Data = std::vector<std::vector<Row>>;  // per table

inline constexpr const char* true_owner = "true_owner";

// The column of the table that holds the owner itself, where there is one; and its place in the key, where it is there.
std::optional<std::string> owner_column(const World& world, std::size_t table);
std::optional<std::size_t> owner_in_key(const World& world, std::size_t table);

std::string person_literal(Kind kind, int person);  // a SQL literal of the owner columns
std::string person_text(Kind kind, int person);     // the same as the engines cast it to text

// Everything but what the person owns, in every table.
Data without(const Data& data, int person);

std::string policy_text(const World& world, std::size_t versions);
std::vector<std::string> create_statements(const World& world, std::size_t version);
std::vector<std::string> insert_statements(const World& world, const Data& data, std::size_t version);

}  // namespace tacit::soundness::users
