// SPDX-License-Identifier: Apache-2.0
/// Loads shared libraries and makes contenders of what they offer.
#include "spmv/plug_ins.hpp"

#include "support/plug_in.hpp"

#include <functional>
#include <type_traits>
#include <utility>

namespace loops::bench {

namespace {

using table_pointer = std::shared_ptr<const loops_spmv_peer_table>;

/// One contender of a library, prepared for one matrix.
template <class V>
class prepared {
 public:
  prepared(table_pointer table, std::int32_t which, problem<V>& p)
      : table_(std::move(table)), problem_(p) {
    const loops_spmv_matrix a{p.a.rows,
                              p.a.cols,
                              static_cast<std::int32_t>(p.a.nonzeros()),
                              std::is_same_v<V, float> ? loops_spmv_f32 : loops_spmv_f64,
                              p.a.offsets.data(),
                              p.a.indices.data(),
                              p.a.values.data()};
    const char* why = nullptr;
    handle_ = table_->prepare(which, &a, stream_of(p.exec), &why);
    if (!handle_)
      throw error(errc::unsupported, std::string("the peer ") + table_->name(which) +
                                         " refuses: " + (why ? why : "it does not say why"));
  }
  ~prepared() {
    try {
      problem_.exec.synchronize();
    } catch (const error&) {
      // The next call on the device says it again.
    }
    table_->release(handle_);
  }
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;

  void operator()() const {
    const char* const failure =
        table_->run(handle_, problem_.x.data(), problem_.y.data(), stream_of(problem_.exec));
    if (failure) throw error(errc::device, std::string("the peer fails: ") + failure);
  }

 private:
  table_pointer table_;
  problem<V>& problem_;
  void* handle_ = nullptr;
};

}  // namespace

plug_in::plug_in(const std::string& file)
    : table_(load_plug_in<loops_spmv_peer_table>(file, "loops_spmv_peer", loops_spmv_peer_version,
                                                 "bench/spmv/peers/plug_in.hpp")) {}

template <class V>
std::vector<contender<V>> plug_in::contenders() const {
  std::vector<contender<V>> out;
  for (std::int32_t i = 0; i < table_->contenders; ++i) {
    const std::string name = std::string("peer_") + table_->name(i);
    out.push_back({name, false, [table = table_, i](problem<V>& p) -> std::function<void()> {
                     auto product = std::make_shared<prepared<V>>(table, i, p);
                     return [product] { (*product)(); };
                   }});
    out.push_back({name + ",once", true, [table = table_, i](problem<V>& p) {
                     return [&p, table, i] { prepared<V>(table, i, p)(); };
                   }});
  }
  return out;
}

template std::vector<contender<float>> plug_in::contenders() const;
template std::vector<contender<double>> plug_in::contenders() const;

}  // namespace loops::bench
