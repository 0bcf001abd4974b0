// Datagrams between processes: text that arrives, descriptors that come as others of the same file,
// rights of the inbox, and what is none of it.
#include "datagrams.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "counters/temporary_directory.h"
#include "listening.h"

namespace {

using namespace weir::test;

bool is_same_file(int one, int other) {
  struct stat first {};
  struct stat second {};
  return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_ino == second.st_ino &&
         first.st_dev == second.st_dev;
}

void descriptors_arrive() {
  const TemporaryDirectory folder;
  const std::string path = folder.file("inbox");
  const int inbox = weir::open_inbox(path);
  CHECK(inbox >= 0);
  struct stat status {};
  CHECK(stat(path.c_str(), &status) == 0 && (status.st_mode & 0777) == 0600);
  CHECK(weir::open_inbox(path) == -EADDRINUSE);

  std::array<int, 2> ends{};
  CHECK(pipe(ends.data()) == 0);
  CHECK(weir::send_datagram(path, "1", ends) == 0);
  CHECK(weir::send_datagram(path, "2", std::array{ends[1]}) == 0);
  std::vector<int> got;
  CHECK(weir::receive_descriptors(inbox, got) == 0);
  CHECK(weir::receive_descriptors(inbox, got) == 0);
  CHECK(weir::receive_descriptors(inbox, got) == EAGAIN);
  CHECK(got.size() == 3);
  CHECK(is_same_file(got[0], ends[0]) && is_same_file(got[2], ends[1]));
  for (const int descriptor : got) close(descriptor);

  const std::vector<int> many(weir::kDescriptorsPerDatagram, ends[0]);
  CHECK(weir::send_datagram(path, "3", many) == 0);
  got.clear();
  CHECK(weir::receive_descriptors(inbox, got) == 0);
  CHECK(got.size() == weir::kDescriptorsPerDatagram);
  for (const int descriptor : got) close(descriptor);
  const std::vector<int> too_many(weir::kDescriptorsPerDatagram + 1, ends[0]);
  CHECK(weir::send_datagram(path, "4", too_many) == E2BIG);
  close(inbox);
  CHECK(weir::send_datagram(path, "5", {}) == ECONNREFUSED);
  CHECK(weir::send_datagram(folder.file("nobody"), "6", {}) == ENOENT);
  CHECK(weir::send_datagram(std::string(200, 'x'), "7", {}) == ENAMETOOLONG);
  CHECK(weir::send_datagram("", "8", {}) == ENAMETOOLONG);
  for (const int end : ends) close(end);
}

#if defined(__linux__)
// The service manager's address may be a name of the kernel's own.
void names_of_the_kernel() {
  const std::string name = "@weir-datagrams-" + std::to_string(getpid());
  const int inbox = weir::open_inbox(name);
  CHECK(inbox >= 0);
  CHECK(weir::send_datagram(name, "READY=1", {}) == 0);
  std::array<char, 16> text{};
  CHECK(read(inbox, text.data(), text.size()) == 7);
  CHECK(std::string(text.data()) == "READY=1");
  close(inbox);
}
#endif

void addresses_of_sockets() {
  const int listener = weir::bind_shared("127.0.0.1", 0);
  CHECK(listener >= 0);
  const std::string bound = "127.0.0.1 " + std::to_string(weir::bound_port(listener));
  CHECK(weir::stream_socket_address(listener) == bound);
  CHECK(weir::listen_shared(listener, 1) == 0);
  CHECK(weir::stream_socket_address(listener) == bound + " listening");
  close(listener);
  CHECK(weir::stream_socket_address(listener).empty());
  const int datagrams = socket(AF_INET, SOCK_DGRAM, 0);
  CHECK(weir::stream_socket_address(datagrams).empty());
  close(datagrams);
  const int local = socket(AF_UNIX, SOCK_STREAM, 0);
  CHECK(weir::stream_socket_address(local).empty());
  close(local);
}

}  // namespace

int main() {
  descriptors_arrive();
#if defined(__linux__)
  names_of_the_kernel();
#endif
  addresses_of_sockets();
  return weir::test::finish();
}
