#include "policy/starter/starter_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>

#include "metric/identifier.hpp"
#include "policy/policy.hpp"
#include "policy/toml/toml_text.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_bytes = 3'500'000;  // read_policy reads 4 MB, and the owner will add to it

using Names = std::vector<std::string>;

// How many bytes the character in front has if an editor may take it for the end of a line, or if it changes the order
// or the look of others; else 0. U+0085, U+200B to U+200F, U+2028 to U+202E, U+2066 to U+2069, U+FEFF.
std::size_t hidden_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto third_is = [&](unsigned first, unsigned last) { return byte(2) >= first && byte(2) <= last; };
  if (byte(0) == 0xC2 && byte(1) == 0x85) return 2;
  if (byte(0) == 0xE2 && byte(1) == 0x80 && (third_is(0x8B, 0x8F) || third_is(0xA8, 0xAE))) return 3;
  if (byte(0) == 0xE2 && byte(1) == 0x81 && third_is(0xA6, 0xA9)) return 3;
  return byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF ? 3 : 0;
}

std::string without_line_breaks(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t hidden = hidden_bytes(text);
    const bool is_control = static_cast<unsigned char>(text.front()) < 0x20 || text.front() == 0x7f;
    result.push_back(is_control || hidden > 0 ? '?' : text.front());
    text.remove_prefix(std::max<std::size_t>(hidden, 1));
  }
  return result;
}

// Text for a comment: a name may hold a line break.
std::string in_comment(const std::string& name) {
  constexpr std::size_t longest = 80;
  const std::string text = without_line_breaks(name);
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
  return text.substr(0, end) + "...";
}

std::string comment_list(const Names& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + print_identifier(name);
  return in_comment(list);
}

std::string toml_array(const Names& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + toml_string(print_identifier(name));
  return '[' + list + ']';
}

bool can_be_named(const std::string& column) {
  return parse_column_name(print_identifier(column)).has_value() && without_line_breaks(column) == column;
}

bool can_be_named(const Names& columns) {
  return std::all_of(columns.begin(), columns.end(), [](const std::string& name) { return can_be_named(name); });
}

// "#key = value   # why"
std::string choice(const std::string& assignment, const std::string& why) {
  constexpr std::size_t width = 30;
  const std::string blanks(assignment.size() < width ? width - assignment.size() : 2, ' ');
  return fmt::format("#{}{}# {}\n", assignment, blanks, why);
}

std::string print_head(const StarterSubject& subject) {
  std::string text =
      "# A starter policy, written by `tacit policy init` from the names, types and keys of the database (of CSV "
      "files:\n"
      "# from their first lines). No row was read, and nothing can be asked yet. Decide\n"
      "#   1. under [budget]: how much may ever be learned, and who may ask;\n"
      "#   2. under [tables]: the privacy model of each table that may be asked about. A table whose lines stay "
      "comments\n"
      "#      cannot be asked about.\n"
      "# A line that begins with # and no blank is a choice: take the # away to make it.\n"
      "# `tacit policy check FILE` says what is still to be decided; the manual's page on policies explains every "
      "key.\n"
      "\n[engine]\n";
  text += fmt::format("url = {}\n", toml_string(subject.url));
  if (subject.password_left_out) {
    text += "# The password was not written down: give it in the environment (PGPASSWORD) or in a password file.\n";
  }
  text += choice("timeout = \"60s\"", "longest time one statement may run");
  text += choice("threads = 1", "how many threads the engine may use; its own choice without this line");
  text +=
      "\n# What was spent is recorded beside this file, under its name with the ending .ledger, or here:\n"
      "#[ledger]\n#path = \"policy.ledger\"\n"
      "\n# What one query costs. Without these lines these values hold, and it is you who answers for them.\n"
      "#[defaults]\n";
  text += choice("epsilon = 1.0", "the chance of an answer changes by e^1 = 2.7 at most: a common choice, not a law");
  text += choice("delta = 0", "see below; a query that needs one takes this much of the budget's");
  text += choice("epsilon_min = 0.001", "the lowest price of a query");
  text += choice("epsilon_max = 4.0", "most an analyst may ask for at once");
  text +=
      "\n# TO DECIDE: what may ever be released. Smaller is more private; an epsilon of 0 is no decision and will be "
      "refused.\n"
      "# A delta is the chance that the promise fails. Tables of the models `rows`, `metric` and `public` need none. "
      "In "
      "the\n"
      "# model `users` (owner, owner_through) GROUP BY over values that no list in the policy names needs one: far "
      "below "
      "one\n"
      "# in the number of people, say 1e-9 per query and 1e-6 in all.\n"
      "[budget]\n";
  text += choice("epsilon = 0", "over all analysts together");
  text += choice("delta = 0", "the same");
  text += "[budget.analysts]\n";
  text += choice("ana = { epsilon = 0, delta = 0 }", "one line for each person who may ask");
  text +=
      "\n# Where rows belong to people: what holds for every question that does not say otherwise. Nothing "
      "need be\n"
      "# said: how much of one person counts is found with noise, unless max_groups or max_rows states it. The "
      "manual's\n"
      "# page on user privacy says more.\n"
      "#[users]\n";
  text += choice("group_selection = \"optimal\"", "which groups of the data are shown; or \"threshold\"");
  text += choice("bounds_inference = \"histogram\"", "how bounds that nobody stated are found; or \"race\"");
  text +=
      "\n# TO DECIDE: for each table below take the # from its first line, from one model, and from the facts that "
      "are\n"
      "# true and may become public. Facts are chosen from general knowledge, never looked up in the data;\n"
      "# `tacit policy check FILE --verify` compares them with it.\n"
      "[tables]\n";
  for (const auto& sentence : subject.files_left_out) text += "# " + in_comment(sentence) + '\n';
  return text;
}

class TableBlock {
 public:
  TableBlock(const CatalogTable& table, const Catalog& catalog, const StarterSubject& subject, bool with_columns)
      : table_(table), catalog_(catalog), subject_(subject), with_columns_(with_columns) {}

  std::string print() const {
    const std::string full_name = in_comment(to_string(TableName{table_.schema, table_.name}));
    const TableName name = shortest_name(table_);
    if (!parse_table_name(to_string(name)) || without_line_breaks(to_string(name)) != to_string(name)) {
      return fmt::format("\n# Table {}: a policy cannot name it; rename it, or describe a view of it.\n", full_name);
    }
    if (table_.access == TableAccess::denied) {
      return fmt::format("\n# Table {}: this role may not read it; GRANT SELECT on it, and write its block then.\n",
                         full_name);
    }
    if (table_.access == TableAccess::row_security) {
      return fmt::format("\n# Table {}: under row-level security it cannot be asked about.\n", full_name);
    }
    const std::string key = "tables." + toml_key(to_string(name));
    std::string text = fmt::format("\n# ---- {}, {} column{}{}\n#[{}]\n", full_name, table_.columns.size(),
                                   table_.columns.size() == 1 ? "" : "s", keys_sentence(), key);
    const auto source = subject_.sources.find(table_.name);
    if (source != subject_.sources.end())
      text += choice("source = " + toml_string(source->second), "take this line too");
    text += print_models() + print_primary_key();
    if (is_csv())
      text += "# A CSV file says no types: take each column that is to be used, and give it the right one.\n";
    if (with_columns_) text += fmt::format("#[{}.columns]\n", key) + print_columns();
    return text;
  }

 private:
  bool is_csv() const { return subject_.csv_tables.contains(table_.name); }

  // Without the schema where that finds this very table.
  TableName shortest_name(const CatalogTable& table) const {
    const CatalogTable* found = catalog_.find_table("", table.name);
    const bool is_default = found != nullptr && found->schema == table.schema;
    return {is_default ? "" : table.schema, table.name};
  }

  std::string keys_sentence() const {
    std::string text;
    if (!table_.primary_key.empty()) text += fmt::format("; primary key ({})", comment_list(table_.primary_key));
    for (const auto& key : table_.unique_keys) {
      if (key != table_.primary_key) text += fmt::format("; unique ({})", comment_list(key));
    }
    return text;
  }

  std::string print_models() const {
    std::string text = choice("public = true", "everyone may know every row");
    text += choice("rows = \"add-remove\"", "each row is a secret: whether it is there, and what it says");
    text += choice("rows = \"replace\"", "each row is a secret: what it says; how many there are is known");
    text += choice("owner = \"COLUMN\"", "rows belong to people, and this column says to whom");
    for (const auto& key : table_.foreign_keys) text += print_owner_through(key);
    if (table_.foreign_keys.empty() && catalog_.tables.size() > 1) {
      text +=
          "# or owner_through = { columns = [\"COLUMN\"], references = \"TABLE\" }, where it leads to the primary_key "
          "of a "
          "table with an owner\n";
    }
    return text + choice("metric = \"hamming\"", "values may move; other metrics are in the manual");
  }

  std::string print_owner_through(const ForeignKey& key) const {
    const CatalogTable* parent = catalog_.find_table(key.schema, key.table);
    if (parent == nullptr) return "";
    const TableName name = shortest_name(*parent);
    if (!parse_table_name(to_string(name)) || !can_be_named(key.columns)) return "";
    Names columns;  // in the order of the parent's key
    for (const auto& column : parent->primary_key) {
      const auto found = std::find(key.references.begin(), key.references.end(), column);
      if (found != key.references.end())
        columns.push_back(key.columns[static_cast<std::size_t>(found - key.references.begin())]);
    }
    if (columns.empty() || columns.size() != parent->primary_key.size() || columns.size() != key.references.size()) {
      return fmt::format("# ({}) leads to ({}) of {}, which is not its primary key\n", comment_list(key.columns),
                         comment_list(key.references), in_comment(to_string(name)));
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (const auto* column : {table_.find_column(columns[i]), parent->find_column(parent->primary_key[i])}) {
        if (column == nullptr || column->own_equality.empty()) continue;
        return fmt::format("# ({}) leads to {}, but one person may be spelled in several ways: {}\n",
                           comment_list(columns), in_comment(to_string(name)), in_comment(column->own_equality));
      }
    }
    return choice(fmt::format("owner_through = {{ columns = {}, references = {} }}", toml_array(columns),
                              toml_string(to_string(name))),
                  "or reached through this foreign key");
  }

  // The engine's key, or else a unique one without NULLs.
  std::string print_primary_key() const {
    Names key = table_.primary_key;
    for (const auto& unique : table_.unique_keys) {
      const bool no_nulls = std::all_of(unique.begin(), unique.end(), [&](const std::string& name) {
        const CatalogColumn* column = table_.find_column(name);
        return column != nullptr && column->not_null;
      });
      if (key.empty() && no_nulls) key = unique;
    }
    if (key.empty())
      return "# primary_key = [\"COLUMN\"], where columns tell the rows apart; the engine enforces none\n";
    if (!can_be_named(key)) return "";
    return choice("primary_key = " + toml_array(key), "enforced by the engine");
  }

  std::string print_columns() const {
    std::string text;
    for (const auto& column : table_.columns) text += print_column(column);
    return text;
  }

  std::string print_column(const CatalogColumn& column) const {
    const std::string name = in_comment(print_identifier(column.name));
    if (is_csv() && can_be_named(column.name)) {
      return choice(toml_key(print_identifier(column.name)) + " = { type = \"text\" }",
                    "or boolean, smallint, integer, bigint, decimal(12,2), double, date, timestamp; min, max, values");
    }
    const std::string type = in_comment(column.type ? to_string(*column.type) : column.engine_type);
    if (!can_be_named(column.name)) return fmt::format("# {}: a policy cannot name it\n", name);
    if (column.needs_declared_digits) {
      return fmt::format("# {}: {}, whose digits are yours to declare: type = \"decimal(p,s)\"\n", name, type);
    }
    if (!column.type) return fmt::format("# {}: {}, which Tacit does not compute with\n", name, type);
    return choice(toml_key(print_identifier(column.name)) + " = {}",
                  fmt::format("{}{}; {}", type, column.not_null ? ", not null" : "", possible_facts(*column.type)));
  }

  static const char* possible_facts(const SqlType& type) {
    switch (type.kind) {
      case TypeKind::boolean: return "values = [true, false]";
      case TypeKind::text: return "values = [...]";
      default: return "min = , max = , step = , values = [...]";
    }
  }

  const CatalogTable& table_;
  const Catalog& catalog_;
  const StarterSubject& subject_;
  bool with_columns_;
};

std::string print_policy(const Catalog& catalog, const StarterSubject& subject, bool with_columns) {
  std::vector<const CatalogTable*> tables;
  for (const auto& table : catalog.tables) tables.push_back(&table);
  std::sort(tables.begin(), tables.end(), [](const CatalogTable* a, const CatalogTable* b) {
    return std::tie(a->schema, a->name) < std::tie(b->schema, b->name);
  });
  std::string text = print_head(subject);
  if (tables.empty()) text += "# The database has no table that can be read.\n";
  if (!with_columns) text += "# There are too many columns to list: [tables.NAME.columns] is left to you.\n";
  for (const CatalogTable* table : tables) text += TableBlock(*table, catalog, subject, with_columns).print();
  return text;
}

}  // namespace

std::string starter_policy(const Catalog& catalog, const StarterSubject& subject) {
  std::string text = print_policy(catalog, subject, true);
  return text.size() <= most_bytes ? text : print_policy(catalog, subject, false);
}

}  // namespace tacit
