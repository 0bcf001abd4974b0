// The functions of the addon that write what JS answers. Called by src/http/front-response.ts and
// src/http/front-connection.ts.
#include <array>
#include <ctime>
#include <memory>
#include <optional>
#include <string>

#include "binding/errors.h"
#include "binding/front_owner.h"
#include "binding/functions.h"
#include "binding/parts.h"
#include "binding/upstream_owner.h"
#include "front/answer_text.h"

namespace weir::binding {

namespace {

using front::Connection;
using Gathering = front::Front::Gathering;

// What JS hands over to be sent: a string, or bytes.
class Sent {
 public:
  enum class Text : std::uint8_t { latin1, utf8 };

  Sent(napi_env env, napi_value value, Text text) : env_(env), value_(value), text_(text) {
    const auto measure =
        text == Text::utf8 ? napi_get_value_string_utf8 : napi_get_value_string_latin1;
    is_text_ = measure(env, value, nullptr, 0, &size_) == napi_ok;
    if (is_text_) return;
    napi_typedarray_type type{};
    void* data = nullptr;
    is_good_ =
        napi_get_typedarray_info(env, value, &type, &size_, &data, nullptr, nullptr) == napi_ok &&
        type == napi_uint8_array;
    data_ = static_cast<const char*>(data);
  }

  bool is_good() const { return is_good_; }
  std::size_t size() const { return size_; }
  // Of bytes, until JS runs.
  std::string_view bytes() const { return {data_, size_}; }

  void append_to(std::string& out) const {
    if (!is_text_) {
      out.append(bytes());
      return;
    }
    const std::size_t at = out.size();
    // One is for the NUL that Node-API adds.
    out.resize(at + size_ + 1);
    std::size_t copied = 0;
    const auto copy =
        text_ == Text::utf8 ? napi_get_value_string_utf8 : napi_get_value_string_latin1;
    copy(env_, value_, out.data() + at, size_ + 1, &copied);
    out.resize(at + copied);
  }

  void put(front::Front& front, Connection& connection) const {
    if (is_text_) {
      append_to(front.gathered());
    } else {
      front.put(connection, bytes());
    }
  }

 private:
  napi_env env_;
  napi_value value_;
  Text text_;
  bool is_text_ = false;
  bool is_good_ = true;
  std::size_t size_ = 0;
  const char* data_ = nullptr;
};

// Plain Node-API throughout: these are called for each answer, and Napi::CallbackInfo takes longer.
class FrontAnswers {
 public:
  FrontAnswers(FrontOwner& owner, const UpstreamOwner& upstream)
      : owner_(owner), upstream_(upstream) {}

  // sendText(connection, text): a whole answer, from the status code to the last byte of its body,
  // as latin1, with all lines but `date`
  static napi_value text(napi_env env, napi_callback_info info) {
    const Call<2> call(env, info);
    Connection* const connection = call.connection();
    const Sent whole(env, call.values[1], Sent::Text::latin1);
    if (connection == nullptr || !call.expects(whole.is_good())) return nullptr;
    const Gathering gathering(call.front(), *connection);
    std::string& out = call.front().gathered();
    const std::size_t from = out.size();
    out.append(front::kVersion);
    whole.append_to(out);
    front::insert_date(out, from, call.answers.date());
    return nullptr;
  }

  // sendWhole(connection, head, body): an answer whose body is there, and its length
  static napi_value whole(napi_env env, napi_callback_info info) {
    const Call<3> call(env, info);
    Connection* const connection = call.connection();
    const Sent head(env, call.values[1], Sent::Text::latin1);
    const Sent body(env, call.values[2], Sent::Text::utf8);
    if (connection == nullptr || !call.expects(head.is_good() && body.is_good())) return nullptr;
    const Gathering gathering(call.front(), *connection);
    call.begin(head, static_cast<std::int64_t>(body.size()));
    body.put(call.front(), *connection);
    return nullptr;
  }

  // sendRecord(connection, status, record): the whole answer of a backend, which a record of the
  // batch that JS reads tells of, as it came; its lines and its body have not been JS's
  static napi_value record(napi_env env, napi_callback_info info) {
    const Call<3> call(env, info);
    Connection* const connection = call.connection();
    const Sent status(env, call.values[1], Sent::Text::latin1);
    std::uint32_t at = 0;
    const bool is_number = napi_get_value_uint32(env, call.values[2], &at) == napi_ok;
    const auto told = is_number ? call.answers.upstream_.whole_at(at) : std::nullopt;
    if (connection == nullptr || !call.expects(status.is_good() && told.has_value())) {
      return nullptr;
    }
    const Gathering gathering(call.front(), *connection);
    call.begin(status, static_cast<std::int64_t>(told->body.size()), told->passed);
    call.front().put(*connection, told->body);
    return nullptr;
  }

  // sendHead(connection, head, framing): the head of an answer whose body is told of by `framing`
  static napi_value head(napi_env env, napi_callback_info info) {
    const Call<3> call(env, info);
    Connection* const connection = call.connection();
    const Sent head(env, call.values[1], Sent::Text::latin1);
    std::int64_t framing = 0;
    const bool is_number = napi_get_value_int64(env, call.values[2], &framing) == napi_ok;
    if (connection == nullptr || !call.expects(head.is_good() && is_number)) return nullptr;
    const Gathering gathering(call.front(), *connection);
    call.begin(head, framing);
    return nullptr;
  }

  // sendPiece(connection, head, length, bytes): a piece of a body of known length, behind the head
  // if that is not empty; how many of the bytes were taken
  static napi_value piece(napi_env env, napi_callback_info info) {
    const Call<4> call(env, info);
    Connection* const connection = call.connection();
    const Sent head(env, call.values[1], Sent::Text::latin1);
    std::int64_t length = 0;
    const bool is_number = napi_get_value_int64(env, call.values[2], &length) == napi_ok;
    const Sent bytes(env, call.values[3], Sent::Text::latin1);
    if (!call.expects(head.is_good() && bytes.is_good() && is_number)) return nullptr;
    if (connection == nullptr) return to_js(env, 0);
    const Gathering gathering(call.front(), *connection);
    if (head.size() > 0) call.begin(head, length);
    const std::size_t taken = call.front().offer(*connection, bytes.bytes());
    return to_js(env, static_cast<std::uint32_t>(taken));
  }

  // sendChunk(connection, head, bytes): a chunk, behind the head if that is not empty; false if the
  // socket did not take all of it
  static napi_value chunk(napi_env env, napi_callback_info info) {
    const Call<3> call(env, info);
    Connection* const connection = call.connection();
    const Sent head(env, call.values[1], Sent::Text::latin1);
    const Sent bytes(env, call.values[2], Sent::Text::latin1);
    if (!call.expects(head.is_good() && bytes.is_good())) return nullptr;
    if (connection == nullptr) return to_js(env, true);
    {
      const Gathering gathering(call.front(), *connection);
      if (head.size() > 0) call.begin(head, front::kInChunks);
      if (bytes.size() > 0) {
        std::string& out = call.front().gathered();
        front::append_chunk_size(out, bytes.size());
        bytes.put(call.front(), *connection);
        out.append(front::kLineEnd);
      }
    }
    return to_js(env, connection->backlog.empty());
  }

  // sendLastChunk(connection)
  static napi_value last_chunk(napi_env env, napi_callback_info info) {
    const Call<1> call(env, info);
    Connection* const connection = call.connection();
    if (connection == nullptr) return nullptr;
    const Gathering gathering(call.front(), *connection);
    call.front().gathered().append(front::kLastChunk);
    return nullptr;
  }

  // writeContinue(connection): whether the connection goes on behind the answer, which it would not
  // have otherwise
  static napi_value go_on(napi_env env, napi_callback_info info) {
    const Call<1> call(env, info);
    Connection* const connection = call.connection();
    if (connection == nullptr) return nullptr;
    const Gathering gathering(call.front(), *connection);
    return to_js(env, call.front().continues(*connection));
  }

  // writeClient(connection, bytes): how many of them were taken
  static napi_value bytes(napi_env env, napi_callback_info info) {
    const Call<2> call(env, info);
    Connection* const connection = call.connection();
    const Sent bytes(env, call.values[1], Sent::Text::latin1);
    if (!call.expects(bytes.is_good())) return nullptr;
    if (connection == nullptr) return to_js(env, 0);
    const Gathering gathering(call.front(), *connection);
    const std::size_t taken = call.front().offer(*connection, bytes.bytes());
    return to_js(env, static_cast<std::uint32_t>(taken));
  }

 private:
  // One call of JS, with its values.
  template <std::size_t Count>
  struct Call {
    Call(napi_env its_env, napi_callback_info info)
        : env(its_env), answers(state_of(its_env, info, values)) {
      answers.owner_.note_ticks();
    }

    Connection* connection() const { return answers.owner_.find(values[0]); }
    front::Front& front() const { return answers.owner_.front(); }

    // @returns `holds`; a TypeError is thrown if it doesn't
    bool expects(bool holds) const {
      if (!holds) napi_throw_type_error(env, "ERR_INVALID_ARG_VALUE", "what is sent is no answer");
      return holds;
    }

    // @param lines more of the head, divided by CRLF
    void begin(const Sent& head, std::int64_t framing, std::string_view lines = {}) const {
      std::string& out = front().gathered();
      out.append(front::kVersion);
      head.append_to(out);
      if (!lines.empty()) out.append(front::kLineEnd).append(lines);
      front::end_head(out, framing, answers.date());
    }

    std::array<napi_value, Count> values;
    napi_env env;
    FrontAnswers& answers;
  };

  template <std::size_t Count>
  static FrontAnswers& state_of(napi_env env, napi_callback_info info,
                                std::array<napi_value, Count>& values) {
    std::size_t count = Count;
    void* data = nullptr;
    napi_get_cb_info(env, info, &count, values.data(), nullptr, &data);
    return *static_cast<FrontAnswers*>(data);
  }

  std::string_view date() { return date_.at(std::time(nullptr)); }

  FrontOwner& owner_;
  const UpstreamOwner& upstream_;
  front::DateLine date_;
};

}  // namespace

void export_front_answers(Napi::Env env, Napi::Object exports, FrontOwner& front,
                          UpstreamOwner& upstream) {
  using Own = FrontAnswers;
  Functions<Own>(exports, keep(env, std::make_unique<Own>(front, upstream)))
      .add_plain("sendText", Own::text)
      .add_plain("sendWhole", Own::whole)
      .add_plain("sendRecord", Own::record)
      .add_plain("sendHead", Own::head)
      .add_plain("sendPiece", Own::piece)
      .add_plain("sendChunk", Own::chunk)
      .add_plain("sendLastChunk", Own::last_chunk)
      .add_plain("writeContinue", Own::go_on)
      .add_plain("writeClient", Own::bytes);
}

}  // namespace weir::binding
