#include "front/client_hello.h"

#include <algorithm>
#include <utility>

#include "front/byte_at.h"

namespace weir::front {

namespace {

constexpr std::uint8_t kHandshakeRecord = 22;
constexpr std::uint8_t kMajorVersion = 3;
constexpr std::size_t kRecordBytesMax = 16'384;
constexpr std::uint8_t kClientHello = 1;
constexpr std::size_t kRandomBytes = 32;
constexpr std::size_t kSessionIdBytesMax = 32;
constexpr std::size_t kHostNameBytesMax = 255;
constexpr std::uint8_t kHostName = 0;

constexpr std::uint16_t kSignatureAlgorithms = 0x000d;

// Takes from the front of bytes. What is not there is not taken, and said.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }

  bool skip(std::size_t size) {
    std::string_view skipped;
    return take(size, skipped);
  }

  bool take(std::size_t size, std::string_view& out) {
    if (rest_.size() < size) return false;
    out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }

  // @param width of the number, in bytes: 1 or 2
  bool number(std::size_t width, std::size_t& out) {
    std::string_view bytes;
    if (!take(width, bytes)) return false;
    out = 0;
    for (std::size_t at = 0; at < width; ++at) out = out << 8 | byte_at(bytes, at);
    return true;
  }

  // bytes with their number before them, in `width` bytes
  bool block(std::size_t width, std::string_view& out) {
    std::size_t size = 0;
    return number(width, size) && take(size, out);
  }

 private:
  std::string_view rest_;
};

// @returns whether they are numbers of two bytes, at least one
bool parse_numbers(std::string_view list, std::vector<std::uint16_t>& out) {
  if (list.empty() || list.size() % 2 != 0) return false;
  for (std::size_t at = 0; at < list.size(); at += 2) {
    const auto value = static_cast<std::uint16_t>(byte_at(list, at) << 8 | byte_at(list, at + 1));
    if (!is_grease(value)) out.push_back(value);
  }
  return true;
}

// @param width of the length before the list, in bytes
// @returns whether `content` is such a list and nothing else
bool parse_number_list(std::string_view content, std::size_t width,
                       std::vector<std::uint16_t>& out) {
  Cursor cursor(content);
  std::string_view list;
  return cursor.block(width, list) && cursor.at_end() && parse_numbers(list, out);
}

bool is_grease_name(std::string_view name) {
  return name.size() == 2 &&
         is_grease(static_cast<std::uint16_t>(byte_at(name, 0) << 8 | byte_at(name, 1)));
}

bool has_duplicate(std::vector<std::uint16_t> types) {
  std::sort(types.begin(), types.end());
  return std::adjacent_find(types.begin(), types.end()) != types.end();
}

}  // namespace

HelloState ClientHello::read(std::string_view bytes) {
  if (state_ != HelloState::kMore) return state_;
  state_ = take(bytes);
  if (state_ == HelloState::kNotTls || state_ == HelloState::kTooLong) forget();
  return state_;
}

HelloState ClientHello::take(std::string_view bytes) {
  while (!bytes.empty()) {
    if (left_ == 0) {
      if (!take_record_header(bytes)) return HelloState::kNotTls;
      continue;
    }
    const HelloState state = take_message(bytes);
    if (state != HelloState::kMore) return state;
  }
  return HelloState::kMore;
}

// @returns false as soon as it can't be one
bool ClientHello::take_record_header(std::string_view& bytes) {
  while (!bytes.empty() && header_size_ < kRecordHeaderBytes) {
    header_[header_size_++] = byte_at(bytes, 0);
    bytes.remove_prefix(1);
  }
  if (header_[0] != kHandshakeRecord) return false;
  if (header_size_ > 1 && header_[1] != kMajorVersion) return false;
  if (header_size_ < kRecordHeaderBytes) return true;
  header_size_ = 0;
  left_ = static_cast<std::size_t>(header_[3] << 8 | header_[4]);
  return left_ > 0 && left_ <= kRecordBytesMax;
}

// Takes as much as the record and the message have: of the message first its type and length, which
// say how much there is to come.
HelloState ClientHello::take_message(std::string_view& bytes) {
  const std::size_t size = std::min({bytes.size(), left_, wanted_ - message_.size()});
  message_.append(bytes.substr(0, size));
  bytes.remove_prefix(size);
  left_ -= size;
  if (byte_at(message_, 0) != kClientHello) return HelloState::kNotTls;
  if (message_.size() < wanted_) return HelloState::kMore;
  if (!has_length_) {
    has_length_ = true;
    wanted_ += static_cast<std::size_t>(byte_at(message_, 1) << 16 | byte_at(message_, 2) << 8 |
                                        byte_at(message_, 3));
    if (wanted_ > kHelloBytesMax) return HelloState::kTooLong;
    if (message_.size() < wanted_) return HelloState::kMore;
  }
  const bool is_good = parse(std::string_view(message_).substr(kMessageHeaderBytes));
  return is_good ? HelloState::kDone : HelloState::kNotTls;
}

bool ClientHello::parse(std::string_view body) {
  Cursor cursor(body);
  std::size_t version = 0;
  std::string_view session_id;
  std::string_view suites;
  std::string_view compression;
  if (!cursor.number(2, version) || !cursor.skip(kRandomBytes)) return false;
  if (!cursor.block(1, session_id) || session_id.size() > kSessionIdBytesMax) return false;
  legacy_version_ = static_cast<std::uint16_t>(version);
  if (!cursor.block(2, suites) || !parse_numbers(suites, cipher_suites_)) return false;
  if (!cursor.block(1, compression) || compression.empty()) return false;
  // Older clients send none at all.
  if (cursor.at_end()) return true;
  std::string_view extensions;
  return cursor.block(2, extensions) && cursor.at_end() && parse_extensions(extensions);
}

bool ClientHello::parse_extensions(std::string_view block) {
  Cursor cursor(block);
  std::vector<std::uint16_t> types;
  while (!cursor.at_end()) {
    std::size_t number = 0;
    std::string_view content;
    if (!cursor.number(2, number) || !cursor.block(2, content)) return false;
    const auto type = static_cast<std::uint16_t>(number);
    types.push_back(type);
    if (!is_grease(type)) extensions_.push_back(type);
    if (!parse_extension(type, content)) return false;
  }
  return !has_duplicate(std::move(types));
}

bool ClientHello::parse_extension(std::uint16_t type, std::string_view content) {
  switch (type) {
    case kServerNameExtension:
      return parse_server_name(content);
    case kProtocolsExtension:
      return parse_protocols(content);
    case kSupportedVersions:
      return parse_number_list(content, 1, versions_);
    case kSignatureAlgorithms:
      return parse_number_list(content, 2, signature_algorithms_);
    default:
      return true;
  }
}

bool ClientHello::parse_server_name(std::string_view content) {
  Cursor outer(content);
  std::string_view list;
  if (!outer.block(2, list) || !outer.at_end()) return false;
  Cursor cursor(list);
  std::size_t kind = 0;
  if (!cursor.number(1, kind) || kind != kHostName) return false;
  if (!cursor.block(2, server_name_) || !cursor.at_end()) return false;
  return !server_name_.empty() && server_name_.size() <= kHostNameBytesMax &&
         server_name_.find('\0') == std::string_view::npos;
}

bool ClientHello::parse_protocols(std::string_view content) {
  Cursor outer(content);
  std::string_view list;
  if (!outer.block(2, list) || !outer.at_end() || list.empty()) return false;
  Cursor cursor(list);
  while (!cursor.at_end()) {
    std::string_view name;
    if (!cursor.block(1, name) || name.empty()) return false;
    if (!is_grease_name(name)) protocols_.push_back(name);
  }
  return true;
}

void ClientHello::forget() {
  std::string().swap(message_);
  legacy_version_ = 0;
  server_name_ = {};
  std::vector<std::string_view>().swap(protocols_);
  for (auto* const list : {&versions_, &cipher_suites_, &extensions_, &signature_algorithms_}) {
    std::vector<std::uint16_t>().swap(*list);
  }
}

}  // namespace weir::front
