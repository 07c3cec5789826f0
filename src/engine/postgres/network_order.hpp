#pragma once

#include <bit>
#include <cstring>
#include <string_view>

#include "base/check.hpp"

namespace tacit::postgres_engine {

// A number of the server's binary format, most significant byte first.
template <class T>
T network_order(std::string_view bytes, std::size_t at) {
  TACIT_CHECK(at + sizeof(T) <= bytes.size(), "a binary cell is as long as its type");
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  if constexpr (sizeof(T) == 1 || std::endian::native == std::endian::big) return value;
  if constexpr (sizeof(T) == 2) return static_cast<T>(__builtin_bswap16(static_cast<std::uint16_t>(value)));
  if constexpr (sizeof(T) == 4) return static_cast<T>(__builtin_bswap32(static_cast<std::uint32_t>(value)));
  if constexpr (sizeof(T) == 8) return static_cast<T>(__builtin_bswap64(static_cast<std::uint64_t>(value)));
}

}  // namespace tacit::postgres_engine
