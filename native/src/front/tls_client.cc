#include "front/tls_client.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "front/ja4.h"

namespace weir::front {

namespace {

constexpr std::uint16_t kTls12 = 0x0303;
constexpr std::uint16_t kTls13 = 0x0304;

// The number in the message itself counts only where the extension is absent.
std::string_view agreed_version(const ClientHello& hello) {
  const auto& extensions = hello.extensions();
  if (std::find(extensions.begin(), extensions.end(), kSupportedVersions) == extensions.end()) {
    return hello.legacy_version() >= kTls12 ? "1.2" : "";
  }
  const auto& offered = hello.versions();
  const auto offers = [&](std::uint16_t version) {
    return std::find(offered.begin(), offered.end(), version) != offered.end();
  };
  return offers(kTls13) ? "1.3" : offers(kTls12) ? "1.2" : "";
}

}  // namespace

std::string tls_client_text(const ClientHello& hello) {
  const std::string_view version = agreed_version(hello);
  const std::string ja4 = ja4_text(hello);
  std::string text;
  text.reserve(version.size() + hello.server_name().size() + ja4.size() + 2);
  text += version;
  text += '\0';
  text += hello.server_name();
  text += '\0';
  text += ja4;
  return text;
}

}  // namespace weir::front
