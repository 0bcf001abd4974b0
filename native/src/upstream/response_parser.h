// Reads HTTP/1.1 responses of hostile upstreams (contract 6; RFC 9112). No sockets, no allocation
// of unbounded size, no knowledge of who asked. A connection owns one parser and feeds it what it
// has read, in place; the parser points into that memory.
//
// Strict: whatever two readers could understand differently is refused, and the connection is then
// dropped. Bare CR, NUL and other control characters, obs-fold, a space before the colon, an empty
// name, a version other than HTTP/1.0 and 1.1, a status that is not three digits from 100 to 999, a
// 101 where nobody had asked, several or malformed content-length fields, content-length beside
// transfer-encoding, a transfer coding other than exactly `chunked` (case ignored), or one from
// HTTP/1.0, an interim response that announces a body, a chunk size that is empty, has a sign, a
// prefix, or more than 15 digits, bytes behind a chunk that are not CRLF. Lines end with CRLF;
// those of interim responses, of which nothing is kept, may end with LF alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "http/chunked_decoder.h"
#include "upstream/head_fields.h"

namespace weir::upstream {

// No values here: JS gives them (client.h).
struct ParserLimits {
  // Of one head, status line and empty line included; the same for trailers, and, with a byte more
  // for each byte of body, for the extensions of all chunks.
  std::size_t head_bytes = 0;
  std::size_t header_lines = 0;
  // Interim responses before one final response. `102` may come every few seconds for as long as
  // the response timeout lets it, `103` a few times; a server that says more is in a loop, and must
  // not hold a connection and the loop's time with it.
  std::size_t interim_responses = 0;
};

// How the body ends.
enum class Framing : std::uint8_t { kNone, kLength, kChunked, kClose };

// A response header. Everything points into the memory given to the parser.
struct Head {
  int status = 0;
  Framing framing = Framing::kNone;
  // content-length as sent, for HEAD and 304 too; -1: none
  std::int64_t length = -1;
  // The connection can carry another request after this response, as far as its header tells:
  // HTTP/1.1 without `connection: close`, or HTTP/1.0 with `connection: keep-alive`; and the
  // framing is not kClose.
  bool keep_alive = false;
  // Seconds of `keep-alive: timeout=N`; -1: none
  std::int32_t keep_alive_seconds = -1;
  // a length above zero or a transfer coding was given, even where there can be no body
  bool declares_body = false;
  // no byte above 127 in `lines`
  bool ascii = true;
  // `connection` names more than `close` and `keep-alive`
  bool names_fields = false;
  std::uint32_t line_count = 0;
  // If set, `pieces` are all lines that pass, but for what `connection` names.
  bool in_pieces = false;
  std::size_t piece_count = 0;
  Pieces pieces;
  // All lines as they came, without the status line and the empty line, each ending with CRLF.
  std::string_view lines;

  // Bytes that write_passed may need: a line `a:b` gets a space.
  std::size_t passed_room() const { return lines.size() + line_count; }
};

// Why a response is refused is said in words for a log, by `reason()` of the parser.
enum class Verdict : std::uint8_t {
  kMore,     // needs more bytes than there are
  kHead,     // a final head is complete
  kInterim,  // a 1xx other than 101 was read over; of its head the status is there
  kBody,     // body bytes, maybe none, and more to come
  kEnd,      // the response is complete
  kRefused,  // drop the connection
};

class ResponseParser {
 public:
  explicit ResponseParser(const ParserLimits& limits) : limits_(limits) {}

  // The next response is the answer to this kind of request.
  // @param upgrade it asks to change the protocol: 101 is then a final head, and what follows it no
  //   response any more
  void begin(bool head_request, bool upgrade = false);

  // Looks for a head at the beginning of `bytes`, which hold everything not yet consumed.
  // kMore: call again with the same bytes and more behind them (they may have moved). What has been
  // scanned is not scanned again, so a head that drips in costs linear time.
  // kInterim: `consumed` bytes were an interim response, and `head.status` is its; call again with
  // the rest.
  // kHead: `consumed` bytes were the head; `head` is filled in.
  // kRefused: `reason()`.
  Verdict read_head(std::span<const char> bytes, std::size_t& consumed, Head& head);

  // After kHead, at once and even if there are no bytes: a response without body is then kEnd.
  // Takes body bytes from `bytes`, in place: chunked bytes are moved together where the first of
  // them lies, so that one read of the socket gives one piece of body. `body` is what came of it,
  // maybe empty; `consumed` is all of `bytes` unless the response ended. kBody: there is more to
  // come. kEnd: complete; bytes behind `consumed` are not this response's. kRefused: `reason()`;
  // `body` is then empty. Close-delimited bodies end by `finish`.
  Verdict read_body(std::span<char> bytes, std::size_t& consumed, std::span<char>& body);

  // The peer ended its side in good order. @returns true if that completes the response
  bool finish() const;

  // true between begin() and the first byte of a response, interim ones included
  bool untouched() const { return untouched_; }
  // Body bytes that are still to come of a known length; -1 if it is not known.
  std::int64_t remaining() const;
  // static text
  const char* reason() const { return reason_; }

 private:
  // The head being read; offsets, as the bytes may move between calls.
  struct HeadState {
    // the next byte to look at
    std::size_t at = 0;
    // where its line begins
    std::size_t line = 0;
    // behind the colon of that line; 0: still in the name
    std::size_t value = 0;
    // where the first line behind the status begins; 0: not yet
    std::size_t lines = 0;
    // all bytes of values, or-ed
    std::uint64_t seen = 0;
    int status = 0;
    bool old_version = false;
    bool interim = false;
    HeadFields fields;
  };

  Verdict refuse(const char* reason);
  // These @return false if `refused` or for want of bytes.
  bool read_status(std::span<const char> bytes);
  bool read_name(std::span<const char> bytes);
  bool read_value(std::span<const char> bytes);
  // Behind the bytes of a line. @returns bytes of its end, 0 if they have not come or are refused
  std::size_t line_end(std::span<const char> bytes);
  void begin_body();
  Verdict read_chunks(std::span<char> bytes, std::size_t& consumed, std::span<char>& body);
  Verdict complete(std::span<const char> bytes, std::size_t& consumed, Head& head);

  ParserLimits limits_;
  HeadState reading_;
  http::ChunkedDecoder chunked_;
  std::size_t interims_ = 0;
  std::int64_t remaining_ = -1;
  // kNone until there is a head
  Framing framing_ = Framing::kNone;
  bool head_request_ = false;
  bool upgrade_ = false;
  bool untouched_ = true;
  // empty: not refused
  const char* reason_ = "";
};

// Appends to `out` the lines of `head` that pass to the client, `name: value` divided by CRLF, no
// CRLF at the end: without the connection's own fields (connection and what it names, keep-alive,
// proxy-authenticate, proxy-authorization, proxy-connection, te, trailer, transfer-encoding,
// upgrade), without content-length and date. `host` is never removed for being named. Names and
// values keep their spelling; optional white space around values goes.
// @param out room for head.passed_room() bytes
// @returns bytes written
std::size_t write_passed(const Head& head, char* out, bool& ascii);

}  // namespace weir::upstream
