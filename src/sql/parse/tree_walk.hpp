#pragma once

#include <cstddef>

struct PgQuery__Node;
struct ProtobufCMessage;

namespace tacit {

// Walks over any message of the grammar's tree by the field descriptions it carries; neither function recurses.

// Messages on the longest path from the root; stops counting past `limit`.
std::size_t tree_depth(const ProtobufCMessage& root, std::size_t limit);

// Byte where the node is in the text: its own location, or the first one below it; -1 when there is none.
int location_of(const PgQuery__Node& node);
int location_of(const ProtobufCMessage& message);

}  // namespace tacit
