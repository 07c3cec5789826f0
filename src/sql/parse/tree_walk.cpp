#include "sql/parse/tree_walk.hpp"

#include <pg_query/pg_query.pb-c.h>

#include <string_view>
#include <utility>
#include <vector>

namespace tacit {
namespace {

template <class T>
const T& member(const ProtobufCMessage& message, unsigned offset) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(&message) + offset);
}

// Calls visit(child) for each message directly below.
template <class Visit>
void for_each_child(const ProtobufCMessage& message, Visit visit) {
  for (unsigned i = 0; i < message.descriptor->n_fields; ++i) {
    const ProtobufCFieldDescriptor& field = message.descriptor->fields[i];
    if (field.type != PROTOBUF_C_TYPE_MESSAGE) continue;
    if (field.label == PROTOBUF_C_LABEL_REPEATED) {
      const auto count = member<std::size_t>(message, field.quantifier_offset);
      const auto* children = member<const ProtobufCMessage* const*>(message, field.offset);
      for (std::size_t k = 0; k < count; ++k) visit(*children[k]);
      continue;
    }
    const bool in_oneof = (field.flags & static_cast<unsigned>(PROTOBUF_C_FIELD_FLAG_ONEOF)) != 0;
    if (in_oneof && member<unsigned>(message, field.quantifier_offset) != field.id) continue;
    const auto* child = member<const ProtobufCMessage*>(message, field.offset);
    if (child != nullptr) visit(*child);
  }
}

int own_location(const ProtobufCMessage& message) {
  for (unsigned i = 0; i < message.descriptor->n_fields; ++i) {
    const ProtobufCFieldDescriptor& field = message.descriptor->fields[i];
    if (field.type == PROTOBUF_C_TYPE_INT32 && field.label != PROTOBUF_C_LABEL_REPEATED &&
        std::string_view(field.name) == "location") {
      return member<std::int32_t>(message, field.offset);
    }
  }
  return -1;
}

}  // namespace

std::size_t tree_depth(const ProtobufCMessage& root, std::size_t limit) {
  std::size_t deepest = 0;
  std::vector<std::pair<const ProtobufCMessage*, std::size_t>> open{{&root, 1}};
  while (!open.empty() && deepest <= limit) {
    const auto [message, depth] = open.back();
    open.pop_back();
    if (depth > deepest) deepest = depth;
    for_each_child(*message,
                   [&open, below = depth + 1](const ProtobufCMessage& child) { open.emplace_back(&child, below); });
  }
  return deepest;
}

int location_of(const ProtobufCMessage& message) {
  int first = -1;
  std::vector<const ProtobufCMessage*> open{&message};
  while (!open.empty()) {
    const ProtobufCMessage* next = open.back();
    open.pop_back();
    const int location = own_location(*next);
    if (location >= 0 && (first < 0 || location < first)) first = location;
    if (location < 0) for_each_child(*next, [&open](const ProtobufCMessage& child) { open.push_back(&child); });
  }
  return first;
}

int location_of(const PgQuery__Node& node) { return location_of(node.base); }

}  // namespace tacit
