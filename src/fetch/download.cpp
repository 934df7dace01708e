// SPDX-License-Identifier: Apache-2.0
/// Downloading with libcurl, where the build has it.
#include "download.hpp"

#include "loops/core/error.hpp"

#ifdef LOOPS_WITH_CURL

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <exception>
#include <memory>
#include <string_view>
#include <thread>

namespace loops::fetching {
namespace {

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
struct close_curl {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};

/// What the callbacks of one attempt share.
struct transfer {
  CURL* curl = nullptr;
  const std::filesystem::path& part;
  const std::function<void(std::uint64_t, std::uint64_t)>& progress;
  std::uint64_t start = 0;        ///< bytes of `part` before the attempt
  std::uint64_t done = 0;         ///< bytes of `part` now
  std::uint64_t total = 0;        ///< of the whole file, 0: not known
  std::uint64_t range_start = 0;  ///< first byte that the server says it sends
  bool range_told = false;
  std::unique_ptr<std::FILE, close_file> file{};
  std::exception_ptr failure{};  ///< must not pass through libcurl
};

long status_of(CURL* curl) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

void open(transfer& t) {
  const long status = status_of(t.curl);
  if (status == 206 && (!t.range_told || t.range_start != t.start))
    throw error(errc::io, "the server sends another part of the file than it was asked for");
  if (status != 206) t.done = 0;  // it does not resume: all of the file comes again
  std::filesystem::create_directories(t.part.parent_path());
  t.file.reset(std::fopen(t.part.c_str(), status == 206 ? "ab" : "wb"));
  if (!t.file) throw error(errc::io, "cannot write " + t.part.string());
  curl_off_t length = -1;
  curl_easy_getinfo(t.curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  if (length >= 0) t.total = t.done + static_cast<std::uint64_t>(length);
}

std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& t = *static_cast<transfer*>(user);
  const auto length = size * count;
  const long status = status_of(t.curl);
  if (status != 200 && status != 206) return length;  // the page that explains an error
  try {
    if (!t.file) open(t);
    if (std::fwrite(bytes, 1, length, t.file.get()) != length)
      throw error(errc::io, "cannot write " + t.part.string() + ": is the disk full?");
    t.done += length;
    t.progress(t.done, t.total);
  } catch (...) {
    t.failure = std::current_exception();
    return 0;
  }
  return length;
}

/// Reads "Content-Range: bytes FIRST-LAST/TOTAL" and "bytes */TOTAL".
std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& t = *static_cast<transfer*>(user);
  std::string line(bytes, size * count);
  std::transform(line.begin(), line.end(), line.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (line.compare(0, 5, "http/") == 0)
    t.range_told = false, t.total = 0;  // of a redirection, until now
  constexpr std::string_view name = "content-range: bytes ";
  if (line.compare(0, name.size(), name) != 0) return size * count;
  const char* end = line.data() + line.size();
  t.range_told = std::from_chars(line.data() + name.size(), end, t.range_start).ec == std::errc{};
  if (const auto slash = line.find('/'); slash != std::string::npos)
    std::from_chars(line.data() + slash + 1, end, t.total);
  return size * count;
}

std::uint64_t bytes_of(const std::filesystem::path& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(path, none);
  return none ? 0 : size;
}

/// One attempt. Empty: all is there; else what went wrong and may be better next time.
std::string attempt(const std::string& url, const std::filesystem::path& part,
                    std::chrono::seconds stall,
                    const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  const std::unique_ptr<CURL, close_curl> curl(curl_easy_init());
  if (!curl) throw error(errc::out_of_memory, "libcurl cannot be started");
  transfer t{curl.get(), part, progress};
  t.start = t.done = bytes_of(part);
  char message[CURL_ERROR_SIZE] = "";
  const std::string range = std::to_string(t.start) + '-';
  const auto set = [&](CURLoption option, auto value) {
    if (curl_easy_setopt(curl.get(), option, value) != CURLE_OK)
      throw error(errc::unsupported, "this libcurl is too old or lacks a protocol");
  };
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, 10L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_USERAGENT, "loops");
  set(CURLOPT_CONNECTTIMEOUT, 30L);
  set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(stall.count()));
  set(CURLOPT_ERRORBUFFER, message);
  set(CURLOPT_WRITEFUNCTION, &on_body);
  set(CURLOPT_WRITEDATA, &t);
  set(CURLOPT_HEADERFUNCTION, &on_header);
  set(CURLOPT_HEADERDATA, &t);
  if (t.start > 0) set(CURLOPT_RANGE, range.c_str());
  const CURLcode code = curl_easy_perform(curl.get());
  const bool answered = t.file != nullptr;
  if (answered && std::fclose(t.file.release()) != 0)
    throw error(errc::io, "cannot write " + part.string());
  if (t.failure) std::rethrow_exception(t.failure);

  const long status = status_of(curl.get());
  if (status == 404 || status == 410)
    throw error(errc::invalid_argument, "there is nothing at " + url + " (HTTP " +
                                            std::to_string(status) +
                                            "): check the group and the name");
  if (status == 416) {
    if (t.total == t.start && t.start > 0) return {};  // nothing was missing
    std::filesystem::remove(part);
    return "what was received earlier does not fit the file any more";
  }
  if (status >= 400) return "HTTP " + std::to_string(status);
  if (code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL)
    throw error(errc::invalid_argument, url + " is not an address of the web");
  if (code != CURLE_OK) return message[0] ? message : curl_easy_strerror(code);
  if (!answered) return "the answer is empty";
  if (t.total > 0 && t.done != t.total) return "the connection was closed too early";
  return {};
}

}  // namespace

void download(const std::string& url, const std::filesystem::path& part, int attempts,
              std::chrono::milliseconds pause, std::chrono::seconds stall,
              const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw error(errc::unsupported, "libcurl cannot be started");
  std::string failure;
  for (int i = 0; i < std::max(1, attempts); ++i) {
    if (i > 0) std::this_thread::sleep_for(pause * (1 << std::min(i - 1, 6)));
    failure = attempt(url, part, stall, progress);
    if (failure.empty()) return;
  }
  throw error(errc::io, "cannot download " + url + ": " + failure +
                            "; what has arrived is kept, run the same again to go on");
}

}  // namespace loops::fetching

#else

namespace loops::fetching {

void download(const std::string& url, const std::filesystem::path&, int, std::chrono::milliseconds,
              std::chrono::seconds, const std::function<void(std::uint64_t, std::uint64_t)>&) {
  throw error(errc::unsupported,
              "this build cannot download " + url +
                  ": install libcurl (Debian, Ubuntu: libcurl4-openssl-dev) and build again");
}

}  // namespace loops::fetching

#endif
