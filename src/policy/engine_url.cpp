#include "policy/engine_url.hpp"

#include <algorithm>

namespace tacit {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded_lower_case(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
      c = static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    }
    result.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return result;
}

bool has_password_parameter(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string_view parameter = parameters.substr(0, parameters.find('&'));
    const std::string name = decoded_lower_case(parameter.substr(0, parameter.find('=')));
    if (name.ends_with("password") || name.ends_with("secret")) return true;
    parameters.remove_prefix(std::min(parameters.size(), parameter.size() + 1));
  }
  return false;
}

}  // namespace

std::optional<EngineScheme> scheme_of(std::string_view url) {
  if (url.starts_with("duckdb:")) return EngineScheme::duckdb;
  if (url.starts_with("postgresql://") || url.starts_with("postgres://")) return EngineScheme::postgresql;
  if (url.starts_with("spark://")) return EngineScheme::spark;
  return std::nullopt;
}

std::string duckdb_file(std::string_view url) {
  constexpr std::string_view scheme = "duckdb:";
  return url.starts_with(scheme) ? std::string(url.substr(scheme.size())) : "";
}

bool has_password(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view rest = url.substr(scheme + 3);
  const auto query = rest.find('?');
  if (query != std::string_view::npos && has_password_parameter(rest.substr(query + 1))) return true;
  // The last @ ends the user information, even where a password that was not encoded contains a /.
  const std::string_view before_parameters = rest.substr(0, query);
  const auto at = before_parameters.rfind('@');
  return at != std::string_view::npos && before_parameters.substr(0, at).find(':') != std::string_view::npos;
}

}  // namespace tacit
