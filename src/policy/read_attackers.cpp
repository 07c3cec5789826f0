#include <fmt/format.h>

#include <set>

#include "metric/identifier.hpp"
#include "policy/prior.hpp"
#include "policy/sections.hpp"

namespace tacit {
namespace {

// "table.column" or "schema.table.column".
Result<std::pair<TableName, std::string>> parse_secret_column(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    TACIT_TRY(Identifier part, read_identifier(text));
    text.remove_prefix(part.length);
    parts.push_back(std::move(part.name));
    if (text.empty()) break;
    if (text.front() != '.' || parts.size() == 3) {
      return fail(
          {FailureCode::usage, "expected table.column", "", "write \"table.column\" or \"schema.table.column\""});
    }
    text.remove_prefix(1);
  }
  if (parts.size() == 1) {
    return fail(
        {FailureCode::usage, "expected table.column", "", "say which table the column is in: \"table.column\""});
  }
  TableName table{parts.size() == 3 ? parts[0] : "", parts[parts.size() - 2]};
  return std::pair{std::move(table), std::move(parts.back())};
}

Attacker::Secret read_secret(Section& section) {
  Attacker::Secret secret;
  secret.place = {section.place().line, section.path()};
  if (!section.has("column")) {
    section.missing("column", "missing: what does the attacker want to know?", "write { column = \"table.column\" }");
  }
  if (const auto text = section.take_text("column", "\"table.column\"")) {
    auto column = parse_secret_column(*text);
    if (column)
      std::tie(secret.table, secret.column) = std::move(*column);
    else
      section.complain("column", fmt::format("{}: {}", shown(*text), column.error().what), column.error().hint);
  }
  if (const auto within = section.take_number("within", "a number above 0")) {
    secret.within = within->value;
    if (!(within->value > 0.0)) {
      section.expected("within", "a number above 0", to_string(within->value),
                       "leave it out when only the exact value is a good guess");
    }
  }
  if (const auto text = section.take_text("prior", "a prior such as \"uniform(0, 100)\"")) {
    const auto checked = check_prior(*text);
    if (!checked) {
      section.complain("prior", fmt::format("{}: {}", shown(*text), checked.error().what), checked.error().hint);
    }
    secret.prior = *text;
  }
  section.finish();
  return secret;
}

void read_secrets(Section& attacker, std::string_view name, Attacker& result) {
  const TomlEntry* entry = attacker.take(name);
  if (!entry) return;
  const auto* array = std::get_if<TomlArray>(&entry->node.value);
  constexpr std::string_view expectation = "an array of secrets";
  constexpr const char* hint = "write [ { column = \"table.column\", within = 100 } ]";
  if (!array || array->items.empty()) {
    attacker.expected(name, expectation, array ? "an empty array" : kind_of(entry->node), hint);
    return;
  }
  for (std::size_t i = 0; i < array->items.size(); ++i) {
    const TomlNode& item = array->items[i];
    const auto* table = std::get_if<TomlTable>(&item.value);
    if (!table) {
      attacker.expected(name, expectation, kind_of(item) + " in it", hint);
      return;
    }
    Section secret(*table, item.place, fmt::format("{}[{}]", attacker.key(name), i + 1), attacker.complaints());
    result.secrets.push_back(read_secret(secret));
  }
}

Attacker read_attacker(Section& section) {
  Attacker attacker;
  attacker.place = {section.place().line, section.path()};
  if (!section.has("name")) section.missing("name", "missing", "give the attacker a name: name = \"salary snoop\"");
  attacker.name = section.take_text("name", "a name").value_or("");
  if (!section.has("advantage")) {
    section.missing("advantage", "missing: by how much may the chance of a good guess grow?", "write advantage = 0.1");
  }
  if (const auto advantage = section.take_number("advantage", "a number above 0 and below 1")) {
    attacker.advantage = advantage->value;
    if (!(advantage->value > 0.0 && advantage->value < 1.0)) {
      section.expected("advantage", "a number above 0 and below 1", to_string(advantage->value),
                       "0.1 means: ten percentage points more than before");
    }
  }
  const bool all = section.has("all_of");
  const bool any = section.has("any_of");
  attacker.wants = any ? Attacker::Wants::any_of : Attacker::Wants::all_of;
  if (all && any) {
    section.complain("any_of", "expected either `all_of` or `any_of`, found both", "keep one, or write two attackers");
  } else if (!all && !any) {
    section.missing("", "expected either `all_of` or `any_of`, found neither",
                    "write all_of = [ { column = \"table.column\" } ]");
  }
  read_secrets(section, "all_of", attacker);
  read_secrets(section, "any_of", attacker);
  section.finish();
  return attacker;
}

}  // namespace

void read_attackers(Section& root, Policy& policy) {
  const TomlEntry* entry = root.take("attackers");
  if (!entry) return;
  const auto* array = std::get_if<TomlArray>(&entry->node.value);
  if (!array) {
    root.expected("attackers", "an array of tables", kind_of(entry->node), "write [[attackers]] with two brackets");
    return;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < array->items.size(); ++i) {
    const TomlNode& item = array->items[i];
    const auto* table = std::get_if<TomlTable>(&item.value);
    if (!table) {
      root.expected("attackers", "an array of tables", kind_of(item) + " in it",
                    "write [[attackers]] with two brackets");
      return;
    }
    Section section(*table, item.place, fmt::format("attackers[{}]", i + 1), root.complaints());
    policy.attackers.push_back(read_attacker(section));
    if (!names.insert(policy.attackers.back().name).second) {
      section.complain("name", "another attacker has this name", "give each attacker a name of its own");
    }
  }
}

}  // namespace tacit
