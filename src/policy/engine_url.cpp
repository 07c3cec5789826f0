#include "policy/engine_url.hpp"

#include <algorithm>
#include <vector>

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

bool is_secret(std::string_view parameter) {
  const std::string name = decoded_lower_case(parameter.substr(0, parameter.find('=')));
  return name.ends_with("password") || name.ends_with("secret");
}

std::vector<std::string_view> split_parameters(std::string_view text) {
  std::vector<std::string_view> parameters;
  while (!text.empty()) {
    parameters.push_back(text.substr(0, text.find('&')));
    text.remove_prefix(std::min(text.size(), parameters.back().size() + 1));
  }
  return parameters;
}

// scheme://user:password@rest?parameters
struct UrlParts {
  std::string_view scheme;  // with its ://
  std::string_view user;    // with the password, without the @
  std::string_view rest;    // host, port and path
  std::vector<std::string_view> parameters;
};

std::optional<UrlParts> split_url(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::nullopt;
  UrlParts parts;
  parts.scheme = url.substr(0, scheme + 3);
  const std::string_view rest = url.substr(scheme + 3);
  const auto query = rest.find('?');
  if (query != std::string_view::npos) parts.parameters = split_parameters(rest.substr(query + 1));
  // The last @ ends the user information, even where a password that was not encoded contains a /.
  parts.rest = rest.substr(0, query);
  const auto at = parts.rest.rfind('@');
  if (at != std::string_view::npos) {
    parts.user = parts.rest.substr(0, at);
    parts.rest.remove_prefix(at + 1);
  }
  return parts;
}

bool is_this_machine(std::string_view host) {
  return host.empty() || host.starts_with('/') || host.starts_with("%2F") || host.starts_with("%2f") ||
         host == "localhost" || host.starts_with("127.") || host == "[::1]" || host == "::1";
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
  const auto parts = split_url(url);
  if (!parts) return false;
  return parts->user.find(':') != std::string_view::npos || std::ranges::any_of(parts->parameters, is_secret);
}

std::string without_password(std::string_view url) {
  const auto parts = split_url(url);
  if (!parts || !has_password(url)) return std::string(url);
  std::string result(parts->scheme);
  const std::string_view user = parts->user.substr(0, parts->user.find(':'));
  if (!user.empty()) result.append(user).append("@");
  result.append(parts->rest);
  char separator = '?';
  for (const std::string_view parameter : parts->parameters) {
    if (is_secret(parameter)) continue;
    result.append(1, separator).append(parameter);
    separator = '&';
  }
  return result;
}

bool is_remote(std::string_view url) {
  const auto parts = split_url(url);
  if (!parts) return false;
  for (const std::string_view parameter : parts->parameters) {
    if (parameter.starts_with("host=")) return !is_this_machine(parameter.substr(5));
  }
  std::string_view host = parts->rest.substr(0, parts->rest.find('/'));
  if (!host.starts_with('[')) host = host.substr(0, host.find(':'));
  return !is_this_machine(host.starts_with('[') ? host.substr(0, host.find(']') + 1) : host);
}

}  // namespace tacit
