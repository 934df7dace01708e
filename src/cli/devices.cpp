// SPDX-License-Identifier: Apache-2.0
/// Opens devices by name, and the `devices` subcommand.
#include "loops/execution/emulation.hpp"
#include "loops/execution/host.hpp"

#include <charconv>
#include <cstdio>
#include <fstream>

#include "cli/commands.hpp"
#include "cli/counted.hpp"
#include "cli/device.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/machine_facts.hpp"
#include "cli/printable.hpp"
#include "cli/typed_device.hpp"

namespace loops::cli {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (colon != std::string::npos && line.rfind("model name", 0) == 0)
      return line.substr(colon + 2);
  }
  return "unknown processor";
}

std::string default_device() {
  return built_for_gpu() && gpu_count() > 0 ? "gpu" : "host";
}

std::optional<int> gpu_named(const std::string& name) {
  if (name == "gpu") return 0;
  if (name.rfind("gpu:", 0) != 0) return std::nullopt;
  int number = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + 4, end, number);
  if (read.ec != std::errc{} || read.ptr != end || number < 0) return std::nullopt;
  return number;
}

std::unique_ptr<device> open_device(const std::string& name) {
  if (name == "host") {
    const auto pool = host::default_pool();
    return std::make_unique<typed_device<host_executor, coverage::all>>(
        host_executor(pool), name, cpu_name() + ", " + counted(pool->threads(), "thread"));
  }
  if (name == "emulation32")
    return std::make_unique<typed_device<emulation_executor<32>, coverage::tests>>(
        emulation_executor<32>(emulation_options::from_environment()), name,
        "emulated GPU, waves of 32 lanes, on " + cpu_name());
  if (name == "emulation64")
    return std::make_unique<typed_device<emulation_executor<64>, coverage::tests>>(
        emulation_executor<64>(emulation_options::from_environment()), name,
        "emulated GPU, waves of 64 lanes, on " + cpu_name());
  if (const std::optional<int> number = gpu_named(name)) return open_gpu(*number);
  throw error(
      errc::invalid_argument,
      "there is no device '" + name + "'; there are host, gpu, gpu:N, emulation32, emulation64");
}

std::vector<std::string> list_devices() {
  std::vector<std::string> names;
  for (int i = 0; i < gpu_count(); ++i) names.push_back("gpu:" + std::to_string(i));
  for (const char* name : {"host", "emulation32", "emulation64"}) names.push_back(name);
  return names;
}

int run_devices(const devices_request& request) {
  prepare_outputs({request.json});
  json_writer json;
  json.begin('{').member("format_version", 1).member("gpus_built_in", built_for_gpu());
  json.key("devices").begin('[');
  for (const std::string& name : list_devices()) {
    const bool first = default_device() == name || default_device() + ":0" == name;
    json.begin('{').member("name", name).member("default", first);
    try {
      const auto d = open_device(name);
      const machine m = d->describe(4);
      std::printf("%-12s %s%s\n", name.c_str(), d->details().c_str(), first ? "  (default)" : "");
      std::printf("%-12s blocks of %s, waves of %d, %lld resident\n", "",
                  counted(m.threads, "lane").c_str(), m.wave, static_cast<long long>(m.blocks));
      json.member("details", d->details())
          .member("lanes", m.threads)
          .member("wave", m.wave)
          .member("resident_blocks", m.blocks);
    } catch (const error& e) {
      std::printf("%-12s cannot be used: %s\n", name.c_str(), printable(e.message()).c_str());
      json.member("error", e.message());
    }
    json.end('}');
  }
  json.end(']').end('}');
  if (!built_for_gpu())
    std::printf("This program was built for the CPU only; see LOOPS_BACKEND in CMakeLists.txt.\n");
  if (!request.json.empty()) write_file(request.json, json.text() + "\n");
  return exit_right;
}

}  // namespace loops::cli
