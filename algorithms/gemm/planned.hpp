// SPDX-License-Identifier: Apache-2.0
/// A GEMM planned for one engine, and the same whatever the engine.
#pragma once

#include "algorithms/gemm/engines.hpp"
#include "algorithms/gemm/packed_operands.hpp"
#include "loops/algorithm/run.hpp"
#include "loops/core/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace loops::gemm_detail {

/// A problem's plan on an executor, whatever computes it: of many engines one is made, so that a
/// table of functions costs less than code for each of them.
template <class Problem>
struct planned {
  planned() = default;
  planned(const planned&) = delete;
  planned& operator=(const planned&) = delete;
  virtual ~planned() = default;
  virtual void start() const = 0;
  /// The same sizes with other matrices. Throws: unsupported where the engine cannot take them.
  virtual void start(const Problem& p) const = 0;
  virtual void check() = 0;
  [[nodiscard]] virtual const gemm_tiles& tiles() const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  [[nodiscard]] virtual std::int64_t workers() const = 0;
  [[nodiscard]] virtual std::int64_t resident() const = 0;
  [[nodiscard]] virtual const char* engine() const = 0;
  /// Of k, that are multiplied side by side; `tiles` has as many batches.
  [[nodiscard]] virtual std::int64_t parts() const { return 1; }
};

/// An order of a problem's tiles, of `blocks` blocks each, as this device is best served by.
template <class Exec, class Problem>
raster order_on(const Exec& exec, const Problem& p, gemm_tile_shape tile, int blocks,
                raster order) {
  if constexpr (requires { exec.facts().dies; }) {
    if (order.dies == 0) order.dies = exec.facts().dies;
    const int on_each = exec.facts().processors / std::max(1, order.dies);
    if (order.on_each == 0) order.on_each = on_each;
    return in_patches(order, tile, p.m(), p.n(), on_each / blocks);
  } else {
    return order;
  }
}

/// Blocks per tile of an engine in this form.
template <class Engine>
constexpr int blocks_of(int form) {
  if constexpr (requires { Engine::cluster(form); }) {
    return Engine::cluster(form).blocks();
  } else {
    return 1;
  }
}

/// A problem planned for one engine.
template <class Exec, class Schedule, class Problem, class Engine>
class engine_plan final : public planned<Problem> {
  using program = typename Engine::template program<Problem>;

 public:
  engine_plan(const Exec& exec, const Schedule& schedule, const Problem& p, raster order, int form)
      : form_(form),
        tiles_(p.tiles(Engine::template tile_shape<Problem>(form),
                       order_on(exec, p, Engine::template tile_shape<Problem>(form),
                                blocks_of<Engine>(form), order))),
        program_(Engine::make(exec, p, tiles_, form)),
        plan_(exec, schedule, tiles_, program_) {}

  void start() const override { plan_(program_); }
  void start(const Problem& p) const override {
    if (!Engine::takes(plan_.executor(), p))
      throw error(errc::unsupported,
                  std::string("the planned engine, ") + engine() +
                      ", cannot take these matrices (their alignment differs from the planned "
                      "ones'): plan this product too");
    plan_(Engine::make(plan_.executor(), p, tiles_, form_));
  }
  void check() override { plan_.check(); }
  [[nodiscard]] const gemm_tiles& tiles() const override { return tiles_; }
  [[nodiscard]] std::size_t bytes() const override { return plan_.bytes(); }
  [[nodiscard]] std::int64_t workers() const override { return plan_.workers(); }
  [[nodiscard]] std::int64_t resident() const override { return plan_.resident(); }
  [[nodiscard]] const char* engine() const override { return Engine::name(); }

 private:
  int form_;
  gemm_tiles tiles_;
  program program_;
  run_plan<Exec, Schedule, gemm_tiles, program> plan_;
};

/// A problem planned by the engine of the list that was chosen, or by the first that suits it.
template <class List, class Exec, class Schedule, class Problem>
std::unique_ptr<planned<Problem>> plan_by(const Exec& exec, const Schedule& schedule,
                                          const Problem& p, raster order, engine_choice choice) {
  return by_engine(
      List{}, choice.engine, [&](auto engine) { return decltype(engine)::suits(exec, p); },
      [&](auto engine) -> std::unique_ptr<planned<Problem>> {
        return std::make_unique<engine_plan<Exec, Schedule, Problem, decltype(engine)>>(
            exec, schedule, p, order, choice.form);
      });
}

/// A problem's plan over packed operands.
template <class Operands>
class packed_plan final : public planned<typename Operands::given> {
  using Problem = typename Operands::given;
  using Direct = typename Operands::direct;

 public:
  /// `made`: of what `packed` has a place for.
  packed_plan(Operands packed, const Problem& p, std::unique_ptr<planned<Direct>> made)
      : operands_(std::move(packed)), problem_(p), planned_(std::move(made)) {}

  void start() const override {
    static_cast<void>(operands_.of(problem_));
    planned_->start();
  }
  void start(const Problem& p) const override { planned_->start(operands_.of(p)); }
  void check() override { planned_->check(); }
  [[nodiscard]] const gemm_tiles& tiles() const override { return planned_->tiles(); }
  [[nodiscard]] std::size_t bytes() const override { return operands_.bytes() + planned_->bytes(); }
  [[nodiscard]] std::int64_t workers() const override { return planned_->workers(); }
  [[nodiscard]] std::int64_t resident() const override { return planned_->resident(); }
  [[nodiscard]] const char* engine() const override { return planned_->engine(); }
  [[nodiscard]] std::int64_t parts() const override { return planned_->parts(); }

 private:
  Operands operands_;
  Problem problem_;
  std::unique_ptr<planned<Direct>> planned_;
};

}  // namespace loops::gemm_detail
