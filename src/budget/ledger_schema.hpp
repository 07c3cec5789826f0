#pragma once

#include <cstdint>

namespace tacit {

inline constexpr std::int64_t ledger_application_id = 0x54414349;  // "TACI" in the header of the file
inline constexpr std::int64_t ledger_format = 2;                   // PRAGMA user_version

// The history is append-only: nothing is ever changed or deleted, and no event takes the place of another.
// A question is asked, then refused, or reserved and then answered or failed; each of these at most once.
// Amounts as in amount.hpp: epsilon in units of 1e-9, delta in units of 1e-18; above 0 only in reserved and grant.
// `spending` holds the sum of each analyst's charges in each account since the last reset; the same insert that appends
// the event keeps it, so that a price is checked in constant time. Opening compares it with the history.
// `account`: what the question's answer protects, in the words of policy/neighbours.hpp; format 1 used other words.
// `detail`: the SQL (asked), the account for people (reserved), the failure's sentence, or the owner's reason.
inline constexpr const char* ledger_schema = R"sql(
CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  id       INTEGER PRIMARY KEY CHECK (id > 0),
  at       TEXT    NOT NULL,
  kind     TEXT    NOT NULL
           CHECK (kind IN ('asked', 'refused', 'reserved', 'answered', 'failed', 'grant', 'reset')),
  question INTEGER NOT NULL CHECK ((question = 0) = (kind IN ('grant', 'reset'))),
  analyst  TEXT    NOT NULL,
  account  TEXT    NOT NULL,
  epsilon  INTEGER NOT NULL CHECK (epsilon >= 0 AND (epsilon = 0 OR kind IN ('reserved', 'grant'))),
  delta    INTEGER NOT NULL CHECK (delta >= 0 AND (delta = 0 OR kind IN ('reserved', 'grant'))),
  detail   TEXT    NOT NULL,
  CHECK (kind <> 'asked' OR question = id),
  CHECK (kind <> 'reserved' OR (epsilon > 0 AND account <> ''))
) STRICT;

CREATE UNIQUE INDEX charge_of_question  ON events (question) WHERE kind = 'reserved';
CREATE UNIQUE INDEX outcome_of_question ON events (question) WHERE kind IN ('refused', 'answered', 'failed');
CREATE INDEX charges_of_account  ON events (account, analyst, id, epsilon, delta) WHERE kind = 'reserved';
CREATE INDEX failures_of_analyst ON events (analyst, id) WHERE kind = 'failed';
CREATE INDEX grants_to_analyst   ON events (analyst, id, epsilon, delta) WHERE kind = 'grant';
CREATE INDEX resets              ON events (id) WHERE kind = 'reset';

CREATE TABLE spending (
  account TEXT    NOT NULL,
  analyst TEXT    NOT NULL,
  epsilon INTEGER NOT NULL,
  delta   INTEGER NOT NULL,
  PRIMARY KEY (account, analyst)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER charges_are_summed AFTER INSERT ON events WHEN NEW.kind = 'reserved'
BEGIN
  INSERT INTO spending VALUES (NEW.account, NEW.analyst, NEW.epsilon, NEW.delta)
  ON CONFLICT DO UPDATE SET epsilon = epsilon + excluded.epsilon, delta = delta + excluded.delta;
END;
CREATE TRIGGER a_reset_starts_anew AFTER INSERT ON events WHEN NEW.kind = 'reset'
BEGIN DELETE FROM spending; END;

CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END;
CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END;
CREATE TRIGGER events_follow_one_another BEFORE INSERT ON events
WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM events)
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END;
CREATE TRIGGER outcomes_do_not_replace BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE question = NEW.question AND kind = 'reserved' AND NEW.kind = 'reserved')
  OR EXISTS (SELECT 1 FROM events WHERE question = NEW.question AND kind IN ('refused', 'answered', 'failed')
                                    AND NEW.kind IN ('refused', 'answered', 'failed', 'reserved'))
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END;
CREATE TRIGGER meta_is_not_changed BEFORE UPDATE ON meta
BEGIN SELECT RAISE(ABORT, 'a ledger belongs to one database'); END;
CREATE TRIGGER meta_is_not_deleted BEFORE DELETE ON meta
BEGIN SELECT RAISE(ABORT, 'a ledger belongs to one database'); END;
CREATE TRIGGER meta_is_not_replaced BEFORE INSERT ON meta
WHEN EXISTS (SELECT 1 FROM meta WHERE name = NEW.name)
BEGIN SELECT RAISE(ABORT, 'a ledger belongs to one database'); END;

PRAGMA application_id = 1413563209;
PRAGMA user_version = 1;
)sql";

// What format 2 adds; a new ledger is made as one of format 1 and brought up at once. `unsettled` holds the charged
// questions since the last reset that were neither answered nor failed, each with the process that charged it
// (process_mark.hpp; empty: not known). Once that process is gone the question counts towards the lock-out.
inline constexpr const char* ledger_format_2 = R"sql(
CREATE TABLE unsettled (
  question INTEGER PRIMARY KEY,
  charged  INTEGER NOT NULL,
  analyst  TEXT    NOT NULL,
  process  TEXT    NOT NULL
) STRICT;
INSERT INTO unsettled
  SELECT question, id, analyst, '' FROM events AS charge
  WHERE kind = 'reserved' AND id > (SELECT coalesce(max(id), 0) FROM events WHERE kind = 'reset')
    AND NOT EXISTS (SELECT 1 FROM events WHERE question = charge.question AND kind IN ('refused', 'answered', 'failed'));

CREATE TRIGGER charges_are_unsettled AFTER INSERT ON events WHEN NEW.kind = 'reserved'
BEGIN INSERT INTO unsettled VALUES (NEW.question, NEW.id, NEW.analyst, ''); END;
CREATE TRIGGER outcomes_settle AFTER INSERT ON events WHEN NEW.kind IN ('answered', 'failed')
BEGIN DELETE FROM unsettled WHERE question = NEW.question; END;
CREATE TRIGGER a_reset_settles AFTER INSERT ON events WHEN NEW.kind = 'reset'
BEGIN DELETE FROM unsettled; END;

PRAGMA user_version = 2;
)sql";

// Made when the owner first verifies a key; a version of Tacit that does not know it ignores it. Of each table and key
// the newest state of the data in which the owner's `policy check --verify` found the key true. No part of the history:
// what it says is about the data of today.
inline constexpr const char* ledger_verified_keys = R"sql(
CREATE TABLE IF NOT EXISTS verified_keys (
  table_name TEXT NOT NULL,
  key        TEXT NOT NULL,
  state      TEXT NOT NULL,
  at         TEXT NOT NULL,
  PRIMARY KEY (table_name, key)
) STRICT, WITHOUT ROWID;
)sql";

// How many lines of `spending` and `unsettled` are missing, superfluous or wrong.
inline constexpr const char* sums_that_differ = R"sql(
WITH last_reset AS (SELECT coalesce(max(id), 0) AS id FROM events WHERE kind = 'reset'),
history AS MATERIALIZED (
  SELECT account, analyst, sum(epsilon), sum(delta) FROM events
  WHERE kind = 'reserved' AND id > (SELECT id FROM last_reset)
  GROUP BY account, analyst),
open AS MATERIALIZED (
  SELECT question, id, analyst FROM events AS charge
  WHERE kind = 'reserved' AND id > (SELECT id FROM last_reset)
    AND NOT EXISTS (SELECT 1 FROM events WHERE question = charge.question AND kind IN ('refused', 'answered', 'failed')))
SELECT (SELECT count(*) FROM (SELECT * FROM history EXCEPT SELECT * FROM spending)) +
       (SELECT count(*) FROM (SELECT * FROM spending EXCEPT SELECT * FROM history)) +
       (SELECT count(*) FROM (SELECT * FROM open EXCEPT SELECT question, charged, analyst FROM unsettled)) +
       (SELECT count(*) FROM (SELECT question, charged, analyst FROM unsettled EXCEPT SELECT * FROM open))
)sql";

static_assert(ledger_application_id == 1413563209 && ledger_format == 2, "the schemas state both");

}  // namespace tacit
