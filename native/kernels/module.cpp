// The Python face: addresses and sizes of tensors that native.py has checked. The GIL is released.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <vector>

#include "drivers.hpp"
#include "parallel.hpp"

namespace nb = nanobind;
using namespace g2milp;

namespace {

using Address = std::uintptr_t;
using Addresses = std::vector<Address>;

template <class T>
T* as(Address address) {
  return reinterpret_cast<T*>(address);
}

template <class T>
std::vector<T*> all_as(const Addresses& addresses) {
  std::vector<T*> pointers;
  for (Address address : addresses) pointers.push_back(as<T>(address));
  return pointers;
}

// Weights are [w1, b1] or [w1, b1, w2, b2].
template <class T>
MlpTensors<T> layer(const std::vector<int>& widths, int mid, int out, const Addresses& w) {
  const bool two = w.size() == 4;
  return {widths, mid, out, as<T>(w[0]), as<T>(w[1]), two ? as<T>(w[2]) : nullptr, two ? as<T>(w[3]) : nullptr};
}

template <class T>
MlpGradients<T> gradients(const Addresses& w) {
  const bool two = w.size() == 4;
  return {as<T>(w[0]), as<T>(w[1]), two ? as<T>(w[2]) : nullptr, two ? as<T>(w[3]) : nullptr};
}

Graphs graphs(Address offsets, int count) { return {as<const std::int32_t>(offsets), count}; }

template <class T>
NormTensors<T> norm(const Addresses& data, double eps) {
  return {as<const T>(data[0]), as<const T>(data[1]), as<const T>(data[2]), as<const T>(data[3]),
          static_cast<T>(eps)};
}

// sizes: graphs, table rows, message width, in_target, in_source, mid and out of left, right, out.
// index: target_graphs, source_graphs, target_ptr, source, code.
template <class T>
HalfConvolution<T> half(const std::vector<int>& sizes, const Addresses& index, const Addresses& data,
                        const Addresses& left, const Addresses& right, const Addresses& out) {
  const int width = sizes[2], in_target = sizes[3], in_source = sizes[4];
  return {graphs(index[0], sizes[0]), graphs(index[1], sizes[0]), as<const std::int32_t>(index[2]),
          as<const std::int32_t>(index[3]), as<const std::int32_t>(index[4]), sizes[1], width,
          layer<T>({in_target}, sizes[5], width, left), layer<T>({in_source}, sizes[6], width, right),
          layer<T>({width, in_target, 1}, sizes[7], sizes[8], out),
          as<const T>(data[0]), as<const T>(data[1]), as<const T>(data[2])};
}

template <class T>
void bind(nb::module_& m, const char* suffix) {
  const std::string s = suffix;
  m.def(("mlp_forward" + s).c_str(),
        [](int threads, int rows, const std::vector<int>& widths, int mid, int out, const Addresses& w,
           const Addresses& x, Address segments, int count, Address y) {
          const Graphs cut = graphs(segments, count);
          mlp_forward<T>(threads, rows, layer<T>(widths, mid, out, w), all_as<const T>(x),
                         segments ? &cut : nullptr, as<T>(y));
        },
        nb::call_guard<nb::gil_scoped_release>());
  m.def(("mlp_backward" + s).c_str(),
        [](int threads, int rows, const std::vector<int>& widths, int mid, int out, const Addresses& w,
           const Addresses& x, Address segments, int count, Address gy, const Addresses& gx,
           const Addresses& gw) {
          const Graphs cut = graphs(segments, count);
          mlp_backward<T>(threads, rows, layer<T>(widths, mid, out, w), all_as<const T>(x),
                          segments ? &cut : nullptr, as<const T>(gy), all_as<T>(gx), gradients<T>(gw));
        },
        nb::call_guard<nb::gil_scoped_release>());
  m.def(("half_forward" + s).c_str(),
        [](int threads, const std::vector<int>& sizes, const Addresses& index, const Addresses& data,
           const Addresses& left, const Addresses& right, const Addresses& out, Address sums, Address y) {
          half_forward<T>(threads, half<T>(sizes, index, data, left, right, out), as<T>(sums), as<T>(y));
        },
        nb::call_guard<nb::gil_scoped_release>());
  m.def(("half_backward" + s).c_str(),
        [](int threads, const std::vector<int>& sizes, const Addresses& index, const Addresses& data,
           const Addresses& left, const Addresses& right, const Addresses& out, Address sums, Address gy,
           const Addresses& g_data, const Addresses& g_left, const Addresses& g_right,
           const Addresses& g_out) {
          half_backward<T>(threads, half<T>(sizes, index, data, left, right, out), as<const T>(sums),
                           as<const T>(gy),
                           {as<T>(g_data[0]), as<T>(g_data[1]), as<T>(g_data[2]), gradients<T>(g_left),
                            gradients<T>(g_right), gradients<T>(g_out)});
        },
        nb::call_guard<nb::gil_scoped_release>());
  // data: x, weight, bias, mean_scale. apart: ids, their rows (0: in x).
  m.def(("norm_forward" + s).c_str(),
        [](int threads, Address offsets, int count, int width, const Addresses& data, double eps,
           const Addresses& apart, int n_apart, Address y, Address statistics) {
          norm_forward<T>(threads, graphs(offsets, count), width, norm<T>(data, eps),
                          {as<const std::int64_t>(apart[0]), n_apart}, as<const T>(apart[1]), as<T>(y),
                          as<T>(statistics));
        },
        nb::call_guard<nb::gil_scoped_release>());
  // gy: of all rows, of the rows apart. g: x, weight, bias, mean_scale, rows apart.
  m.def(("norm_backward" + s).c_str(),
        [](int threads, Address offsets, int count, int width, const Addresses& data, double eps,
           const Addresses& apart, int n_apart, Address statistics, const Addresses& gy,
           const Addresses& g) {
          norm_backward<T>(threads, graphs(offsets, count), width, norm<T>(data, eps),
                           {as<const std::int64_t>(apart[0]), n_apart}, as<const T>(apart[1]),
                           as<const T>(statistics), as<const T>(gy[0]), as<const T>(gy[1]),
                           {as<T>(g[0]), as<T>(g[1]), as<T>(g[2]), as<T>(g[3]), as<T>(g[4])});
        },
        nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace

NB_MODULE(_kernels, m) {
  m.doc() = "Row kernels of the network: see native.py, the only caller.";
  m.def("instruction_set", &instruction_set);
  m.def("keep_memory", &keep_memory);
  m.def("select_instruction_set", [](const std::string& name) { return select_instruction_set(name.c_str()); });
  m.def("edges_are_valid",
        [](int graph_count, const Addresses& index, std::int64_t edges, int codes) {
          return edges_are_valid(graphs(index[0], graph_count), graphs(index[1], graph_count),
                                 as<const std::int32_t>(index[2]), as<const std::int32_t>(index[3]),
                                 as<const std::int32_t>(index[4]), edges, codes);
        },
        nb::call_guard<nb::gil_scoped_release>());
  bind<float>(m, "_f32");
  bind<double>(m, "_f64");
}
