#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tacit {

// Call first. Makes sure that file descriptors 0 to 2 are taken, so that a database or ledger opened later can never be
// what an answer or a message is written to; ignores SIGPIPE. Fails (usage) when standard output is closed.
Status prepare_streams();

// Standard output carries answers only. A reader that has gone (EPIPE) is no failure: it took what it wanted.
Status write_output(std::string_view text);

// Standard error: failures, warnings, progress. What cannot be written there cannot be told anywhere.
void write_message(std::string_view text);

bool messages_reach_a_terminal();

}  // namespace tacit
