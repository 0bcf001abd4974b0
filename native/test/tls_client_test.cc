// Proves what is told of a TLS client: the version that both sides will agree upon, the name as it
// was sent, and JA4's raw form.
#include "front/tls_client.h"

#include <string>

#include "check.h"
#include "client_hello_builder.h"

namespace {

using namespace std::string_literals;
using weir::front::ClientHello;
using weir::front::HelloState;
using weir::test::block;
using weir::test::HelloParts;
using weir::test::message_of;
using weir::test::Numbers;
using weir::test::numbers;
using weir::test::records_of;
using weir::test::server_name;

std::string text_of(const HelloParts& parts) {
  ClientHello hello;
  CHECK(hello.read(records_of(message_of(parts))) == HelloState::kDone);
  return weir::front::tls_client_text(hello);
}

std::string version_of(std::uint16_t message, const Numbers& offered) {
  HelloParts parts;
  parts.version = message;
  if (!offered.empty()) parts.extensions = {{0x002b, block(numbers(offered), 1)}};
  const std::string text = text_of(parts);
  return text.substr(0, text.find('\0'));
}

}  // namespace

int main() {
  CHECK(version_of(0x0303, {}) == "1.2");
  CHECK(version_of(0x0304, {}) == "1.2");
  CHECK(version_of(0x0302, {}).empty());
  CHECK(version_of(0x0303, {0x0303, 0x0304}) == "1.3");
  CHECK(version_of(0x0301, {0x3a3a, 0x0304}) == "1.3");
  CHECK(version_of(0x0303, {0x0303, 0x0302}) == "1.2");
  // What the extension does not list is not to be had, whatever the message's own number is.
  CHECK(version_of(0x0303, {0x0302}).empty());
  CHECK(version_of(0x0303, {0x3a3a}).empty());
  CHECK(version_of(0x0303, {0x0305}).empty());

  HelloParts parts;
  parts.extensions = {{0x0000, server_name("Shop.Example")}, {0x002b, block(numbers({0x0304}), 1)}};
  CHECK(text_of(parts) == "1.3\0Shop.Example\0t13d010200_1301_002b"s);
  parts.without_extensions = true;
  parts.extensions.clear();
  CHECK(text_of(parts) == "1.2\0\0t12i010000_1301_"s);
  return weir::test::finish();
}
