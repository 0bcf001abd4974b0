// What a TLS client says first: a ClientHello (RFC 8446 4.1.2), read from a connection's bytes
// below TLS while they pass by. It is never refused here: the TLS library answers what is wrong,
// and what is said of the connection is then nothing. Pure. Its reader is the front, which lets go
// of it once it has copied what it wants to keep.
//
// Read are records of handshake messages (RFC 8446 5.1) until the first message is whole, however
// it is split over records and reads. Versions in the records mean nothing and are not looked at
// beyond their first byte. Not taken for a ClientHello: other records or messages, empty records
// and such that are longer than 2^14 bytes, lists that don't end where they should, an extension
// twice; and of the four extensions that are looked into: other than one host name, of 1 to 255
// bytes without NUL, an empty name of a protocol, lists of nothing. Should the TLS library go on
// nevertheless, nothing is said of the client: better that than two readings.
//
// Values that clients send so that servers get used to unknown ones (GREASE, RFC 8701) are left out
// of every list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::front {

// Of the message; no client is known to send a quarter of it.
inline constexpr std::size_t kHelloBytesMax = 65'536;

// Extensions that tell the server's name (RFC 6066 3), protocols (RFC 7301 3.1) and versions (RFC
// 8446 4.2.1).
inline constexpr std::uint16_t kServerNameExtension = 0x0000;
inline constexpr std::uint16_t kProtocolsExtension = 0x0010;
inline constexpr std::uint16_t kSupportedVersions = 0x002b;

// Whether RFC 8701 reserves it: 0x0a0a, 0x1a1a, … 0xfafa.
constexpr bool is_grease(std::uint16_t value) {
  return (value & 0x0f0f) == 0x0a0a && value >> 8 == (value & 0xff);
}

enum class HelloState : std::uint8_t { kMore, kDone, kNotTls, kTooLong };

class ClientHello {
 public:
  ClientHello() = default;
  // What it tells of are views of its own memory.
  ClientHello(const ClientHello&) = delete;
  ClientHello& operator=(const ClientHello&) = delete;

  // @param bytes what came behind what was read before; what is behind the message is not looked at
  // @returns how far it has come; once it is not `kMore`, that stays, and memory is kept for
  // `kDone`
  //   alone
  HelloState read(std::string_view bytes);
  HelloState state() const { return state_; }

  // All of what follows is empty, or 0, until it is done.

  // the host name that the client wants; empty: it names none
  std::string_view server_name() const { return server_name_; }
  // of ALPN, as offered, the most wanted first
  const std::vector<std::string_view>& protocols() const { return protocols_; }
  // of the message itself, which later versions of TLS leave at 0x0303
  std::uint16_t legacy_version() const { return legacy_version_; }
  // of the extension supported_versions, as offered; empty: there is none, or nothing but GREASE
  const std::vector<std::uint16_t>& versions() const { return versions_; }
  const std::vector<std::uint16_t>& cipher_suites() const { return cipher_suites_; }
  // their types, in the order in which they came
  const std::vector<std::uint16_t>& extensions() const { return extensions_; }
  const std::vector<std::uint16_t>& signature_algorithms() const { return signature_algorithms_; }

 private:
  static constexpr std::size_t kRecordHeaderBytes = 5;
  // of a message: its type, and its length in three bytes
  static constexpr std::size_t kMessageHeaderBytes = 4;

  HelloState take(std::string_view bytes);
  bool take_record_header(std::string_view& bytes);
  HelloState take_message(std::string_view& bytes);
  bool parse(std::string_view body);
  bool parse_extensions(std::string_view block);
  bool parse_extension(std::uint16_t type, std::string_view content);
  bool parse_server_name(std::string_view content);
  bool parse_protocols(std::string_view content);
  void forget();

  HelloState state_ = HelloState::kMore;
  std::array<std::uint8_t, kRecordHeaderBytes> header_{};
  std::size_t header_size_ = 0;
  // of the record that is being read, bytes that have not come yet
  std::size_t left_ = 0;
  // the message with its type and length, as much of it as has come
  std::string message_;
  // bytes of it, as far as they are known
  std::size_t wanted_ = kMessageHeaderBytes;
  bool has_length_ = false;

  std::uint16_t legacy_version_ = 0;
  std::string_view server_name_;
  std::vector<std::string_view> protocols_;
  std::vector<std::uint16_t> versions_;
  std::vector<std::uint16_t> cipher_suites_;
  std::vector<std::uint16_t> extensions_;
  std::vector<std::uint16_t> signature_algorithms_;
};

}  // namespace weir::front
