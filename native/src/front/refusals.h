// Why the request reader refuses: status, code of `../src/error-codes.ts`, and a sentence for
// whoever sent the request. One for each rule, so that a test can tell which rule it was.
#pragma once

#include <cstdint>
#include <string_view>

namespace weir::front {

struct Refusal {
  std::uint16_t status;
  std::string_view code;
  std::string_view sentence;
};

namespace refusals {

constexpr Refusal bad(std::string_view sentence) { return {400, "ERR_BAD_REQUEST", sentence}; }
constexpr Refusal large(std::string_view sentence) {
  return {431, "ERR_HEADER_TOO_LARGE", sentence};
}
constexpr Refusal missing(std::string_view sentence) {
  return {501, "ERR_NOT_IMPLEMENTED", sentence};
}
constexpr Refusal version(std::string_view sentence) {
  return {505, "ERR_VERSION_NOT_SUPPORTED", sentence};
}

// The request line.
inline constexpr Refusal kTls =
    bad("this is a TLS handshake, but the listener speaks plain HTTP; use http:// or another port");
inline constexpr Refusal kProxyFrame =
    bad("this is a PROXY protocol header, which the listener does not expect");
inline constexpr Refusal kEmptyLines = bad("too many empty lines before the request line");
inline constexpr Refusal kNoMethod = bad("the request does not begin with a method");
inline constexpr Refusal kMethod = bad("the method is no token");
inline constexpr Refusal kTargetByte =
    bad("the request target holds a control character, or is not followed by one space");
inline constexpr Refusal kNoTarget = bad("the request line has no target");
inline constexpr Refusal kTargetLong{414, "ERR_URI_TOO_LONG",
                                     "the request target is longer than the bound"};
inline constexpr Refusal kLine =
    bad("the request line does not end with a space and an HTTP version such as HTTP/1.1");
inline constexpr Refusal kHttp2 =
    version("this listener speaks HTTP/1.1, and the client began with HTTP/2");
inline constexpr Refusal kVersion = version("only HTTP/1.1 and HTTP/1.0 are spoken here");
inline constexpr Refusal kConnect{405, "ERR_METHOD_NOT_ALLOWED", "CONNECT is not supported"};
inline constexpr Refusal kAsterisk = bad("the target `*` is for OPTIONS only");
inline constexpr Refusal kTargetForm =
    bad("the request target is neither a path nor an http or https URL");
inline constexpr Refusal kUserinfo = bad("the target's authority holds a user name");
inline constexpr Refusal kNoAuthority = bad("the target's authority names no host");
inline constexpr Refusal kFragment = bad("the request target holds a fragment (`#`)");

// Header lines.
inline constexpr Refusal kHeadLarge = large("the header is larger than the bound");
inline constexpr Refusal kManyLines = large("the header has more lines than the bound");
inline constexpr Refusal kBareLf = bad("a line of the header ends with LF without CR");
inline constexpr Refusal kBareCr = bad("CR without LF in the header");
inline constexpr Refusal kFold =
    bad("a header line begins with white space; lines must not be folded");
inline constexpr Refusal kNameless = bad("the header has a line without a name");
inline constexpr Refusal kSpaceBeforeColon =
    bad("white space between a field's name and its colon");
inline constexpr Refusal kNoColon = bad("a header line has no colon");
inline constexpr Refusal kNameByte = bad("a field's name holds a byte that none may hold");
inline constexpr Refusal kValueByte = bad("a field's value holds a control character");

// What fields say. The first six as in ../src/http/framing.ts, which judges what no reader has.
inline constexpr Refusal kBothFramings =
    bad("the header has both content-length and transfer-encoding");
inline constexpr Refusal kLengths = bad("the header has several content-length fields");
inline constexpr Refusal kLength = bad("content-length is not a number of bytes");
inline constexpr Refusal kHosts = bad("the header has several host fields");
inline constexpr Refusal kNoHost = bad("the host field is missing");
inline constexpr Refusal kEmptyHost = bad("the host field is empty");
inline constexpr Refusal kCoding = missing("transfer-encoding can be chunked only");
inline constexpr Refusal kOldCoding = bad("HTTP/1.0 has no transfer-encoding");
inline constexpr Refusal kExpectation{417, "ERR_EXPECTATION_FAILED",
                                      "the only expectation that can be met is 100-continue"};

}  // namespace refusals

}  // namespace weir::front
