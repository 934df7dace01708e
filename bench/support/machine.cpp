// SPDX-License-Identifier: Apache-2.0
/// Asks the runtime and the operating system where a benchmark runs.
#include "support/machine.hpp"

#include <algorithm>
#include <fstream>

#include "loops_commit.hpp"

namespace loops::bench {

namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0)
      return line.substr(std::min(line.find(':') + 2, line.size()));
  return "unknown";
}

std::string host_compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

#if LOOPS_CUDA || LOOPS_HIP

std::string version(int number, int thousands, int tens) {
  return std::to_string(number / thousands) + "." + std::to_string(number % thousands / tens);
}

void describe_gpu(const executor& exec, std::vector<std::pair<std::string, std::string>>& out) {
  const gpu::device_facts& facts = exec.facts();
  out.emplace_back("machine", facts.name);
  out.emplace_back("architecture", facts.architecture);
  out.emplace_back("processors", std::to_string(facts.processors));
  out.emplace_back("memory_bytes", std::to_string(facts.memory_bytes));
  int driver = 0;
  int runtime = 0;
#if LOOPS_CUDA
  gpu::check(cudaDriverGetVersion(&driver), "asking for the driver's version");
  gpu::check(cudaRuntimeGetVersion(&runtime), "asking for the runtime's version");
  out.emplace_back("backend", "CUDA");
  out.emplace_back("driver", version(driver, 1000, 10));
  out.emplace_back("runtime", version(runtime, 1000, 10));
#else
  gpu::check(hipDriverGetVersion(&driver), "asking for the driver's version");
  gpu::check(hipRuntimeGetVersion(&runtime), "asking for the runtime's version");
  out.emplace_back("backend", "HIP");
  out.emplace_back("driver", version(driver, 10000000, 100000));
  out.emplace_back("runtime", version(runtime, 10000000, 100000));
#endif
}

#endif

}  // namespace

std::vector<std::pair<std::string, std::string>> describe_machine(const executor& exec,
                                                                  const std::string& commit) {
  std::vector<std::pair<std::string, std::string>> out;
#if LOOPS_CUDA || LOOPS_HIP
  describe_gpu(exec, out);
#else
  out.emplace_back("machine", processor());
  out.emplace_back("backend", "HOST");
  out.emplace_back("threads", std::to_string(exec.describe<shape<1, 1>>().blocks));
#endif
  out.emplace_back("processor", processor());
  out.emplace_back("compiler", host_compiler());
  out.emplace_back("commit", commit.empty() ? built_from_commit : commit);
  return out;
}

}  // namespace loops::bench
