// SPDX-License-Identifier: Apache-2.0
/// Makes prepared groups of what shared libraries offer.
#include "gemm/plug_ins.hpp"

#include "support/plug_in.hpp"

#include <cstdio>
#include <memory>
#include <type_traits>
#include <utility>

#include "gemm/peers/plug_in.hpp"

namespace loops::bench {

namespace {

using table_pointer = std::shared_ptr<const loops_group_peer_table>;

/// One way of a library to multiply, prepared for every set.
class plugged final : public prepared {
 public:
  plugged(table_pointer table, std::int32_t which, const grouped_operands& operands)
      : table_(std::move(table)), exec_(operands.exec()) {
    for (int set = 0; set < operands.sets(); ++set) {
      std::vector<loops_group> groups;
      for (std::size_t g = 0; g < operands.groups(); ++g) {
        const operand_sets& of = operands.of(g);
        const shape_mnk& size = of.what().size;
        groups.push_back({static_cast<std::int32_t>(size.m), static_cast<std::int32_t>(size.n),
                          static_cast<std::int32_t>(size.k), of.a(set), of.b(set), of.c(set)});
      }
      const char* why = nullptr;
      void* const handle = table_->prepare(
          which, grouped_kind == operand_kind::bf16 ? loops_group_bf16 : loops_group_f32,
          groups.data(), static_cast<std::int32_t>(groups.size()), stream_of(exec_), &why);
      if (!handle)
        throw error(errc::unsupported, std::string("the peer ") + table_->name(which) +
                                           " refuses: " + (why ? why : "it does not say why"));
      handles_.emplace_back(handle, table_->release);
    }
  }
  ~plugged() override {
    try {
      exec_.synchronize();
    } catch (const error&) {
      // The next call on the device says it again.
    }
  }
  void start(int set) override {
    void* const handle = handles_[static_cast<std::size_t>(set) % handles_.size()].get();
    if (const char* const failure = table_->run(handle, stream_of(exec_)))
      throw error(errc::device, std::string("the peer fails: ") + failure);
  }

 private:
  table_pointer table_;
  const executor& exec_;
  std::vector<std::unique_ptr<void, void (*)(void*)>> handles_;
};

}  // namespace

std::vector<named_peer> prepare_plug_in(const std::string& file, const grouped_operands& operands) {
  const table_pointer table = load_plug_in<loops_group_peer_table>(
      file, "loops_group_peer", loops_group_peer_version, "bench/gemm/peers/plug_in.hpp");
  std::vector<named_peer> out;
  for (std::int32_t i = 0; i < table->contenders; ++i) {
    const std::string name = std::string("peer_") + table->name(i);
    try {
      out.push_back({name, std::make_unique<plugged>(table, i, operands)});
    } catch (const error& refusal) {
      std::fprintf(stderr, "%s: %s\n", name.c_str(), refusal.what());
    }
  }
  return out;
}

}  // namespace loops::bench
