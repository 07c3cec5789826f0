#include "budget/event_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "budget/safe_text.hpp"

namespace tacit {
namespace {

Failure out_of_step(const SqliteFile& file, std::int64_t question, const char* why) {
  return {FailureCode::ledger, fmt::format("the ledger's history does not fit question {}: {}", question, why),
          file.path(), "the file was changed under a running program; ask again"};
}

Status check_not_settled(SqliteFile& file, std::int64_t question) {
  TACIT_TRY(const std::int64_t outcomes,
            file.integer("SELECT count(*) FROM events "
                         "WHERE question = ?1 AND kind IN ('refused', 'answered', 'failed')",
                         {question}));
  if (outcomes != 0) return fail(out_of_step(file, question, "it was settled before"));
  return {};
}

}  // namespace

Result<std::int64_t> append(SqliteFile& file, const NewEvent& event) {
  TACIT_TRY(const std::int64_t id, file.integer("SELECT coalesce(max(id), 0) + 1 FROM events"));
  const std::string_view kind = event.kind;
  const std::string detail = safe_text(event.detail);
  TACIT_TRY_STATUS(
      file.run("INSERT INTO events (id, at, kind, question, analyst, account, epsilon, delta, detail) "
               "VALUES (?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
               {id, kind, kind == "asked" ? id : event.question, event.analyst, event.account,
                event.amount.epsilon_units, event.amount.delta_units, detail}));
  return id;
}

Result<std::string> analyst_of_open_question(SqliteFile& file, std::int64_t question) {
  TACIT_TRY(Statement asked, file.prepare("SELECT analyst FROM events WHERE id = ?1 AND kind = 'asked'", {question}));
  TACIT_TRY(const bool found, asked.step());
  if (!found) return fail(out_of_step(file, question, "it was not asked"));
  TACIT_TRY(const std::int64_t charges,
            file.integer("SELECT count(*) FROM events WHERE question = ?1 AND kind = 'reserved'", {question}));
  if (charges != 0) return fail(out_of_step(file, question, "it was charged before"));
  TACIT_TRY_STATUS(check_not_settled(file, question));
  return asked.text(0);
}

Result<std::int64_t> charge_of_unsettled_question(SqliteFile& file, const BudgetReservation& reservation) {
  const Charge& charge = reservation.charge;
  TACIT_TRY(const Amount price, charge_rounded_up(charge.epsilon, charge.delta));
  TACIT_TRY(
      Statement reserved,
      file.prepare("SELECT id FROM events WHERE question = ?1 AND kind = 'reserved' AND analyst = ?2 "
                   "AND account = ?3 AND epsilon = ?4 AND delta = ?5",
                   {reservation.question, charge.analyst, charge.account, price.epsilon_units, price.delta_units}));
  TACIT_TRY(const bool found, reserved.step());
  if (!found) return fail(out_of_step(file, reservation.question, "it was not charged"));
  TACIT_TRY_STATUS(check_not_settled(file, reservation.question));
  return reserved.integer(0);
}

Result<std::vector<LedgerEvent>> newest_events(SqliteFile& file, std::size_t last) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  TACIT_TRY(Statement statement,
            file.prepare("SELECT id, at, kind, question, analyst, account, epsilon, delta, detail FROM events "
                         "ORDER BY id DESC LIMIT ?1",
                         {static_cast<std::int64_t>(std::min(last, most))}));
  std::vector<LedgerEvent> events;
  for (;;) {
    TACIT_TRY(const bool row, statement.step());
    if (!row) break;
    const Amount amount{statement.integer(6), statement.integer(7)};
    const bool is_charge = statement.text(2) == "reserved";
    const Allowance shown = is_charge ? to_allowance_rounded_up(amount) : to_allowance_rounded_down(amount);
    events.push_back({statement.integer(0), statement.text(1), statement.text(2), statement.integer(3),
                      statement.text(4), statement.text(5), shown.epsilon.value(), shown.delta.value(),
                      statement.text(8)});
  }
  std::reverse(events.begin(), events.end());
  return events;
}

}  // namespace tacit
