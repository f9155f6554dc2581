// The CUDA driver as far as CuPy calls it: modules and launches.
//
// The image of a module is not a cubin but text, which names the library that has the same kernels for the host:
//
//     lagbfs-emulated\n/path/to/the/library.so\n…
#include <cuda.h>
#include <dlfcn.h>

#include <cstring>
#include <memory>

#include "simulator.hpp"

using namespace simulator;

namespace {

struct Launch {  // as tests/cuda/fibers.hpp has it
  std::int64_t grid, first, blocks;
  std::int32_t threads, order;
  std::uint64_t seed;
};
using Run = const char* (*)(const Launch*, void**);  // as tests/cuda/entry.hpp has them
using Sizes = const std::size_t* (*)();

struct Module {
  void* library;
  int device;
};

struct Kernel {
  std::string name;
  Run run;
  const std::size_t* sizes;  // of its parameters; 0 ends them
  int device;
};

constexpr char kMagic[] = "lagbfs-emulated\n";
int order = 0;
std::uint64_t launches = 0;
std::string last_fault;

using Arguments = std::vector<std::vector<char>>;

Arguments taken(const Kernel& kernel, void** parameters) {
  Arguments copies;
  for (std::size_t i = 0; kernel.sizes[i]; ++i) {
    const auto* first = static_cast<const char*>(parameters[i]);
    copies.emplace_back(first, first + kernel.sizes[i]);
  }
  return copies;
}

// Whether some argument, or a part of one, is an address in another device's memory.
bool points_elsewhere(const Arguments& arguments, int device) {
  for (const auto& argument : arguments)
    for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= argument.size(); at += sizeof(std::uintptr_t)) {
      std::uintptr_t word;
      std::memcpy(&word, &argument[at], sizeof word);
      const Block* block = block_at(word);
      if (block && block->device != device) return true;
    }
  return false;
}

void run(const Kernel& kernel, const Launch& launch, Arguments& arguments, int device) {
  if (points_elsewhere(arguments, device)) {
    last_fault = kernel.name + ": an argument is in the memory of another device";
    return break_device(device, CUDA_ERROR_ILLEGAL_ADDRESS);
  }
  std::vector<void*> places;
  for (auto& argument : arguments) places.push_back(argument.data());
  if (const char* fault = kernel.run(&launch, places.data())) {
    last_fault = kernel.name + ": " + fault;
    break_device(device, CUDA_ERROR_LAUNCH_FAILED);
  }
}

}  // namespace

extern "C" {

// CuPy does without. NVRTC does too if this fails, and asks for tables of the driver's own if not.
CUresult cuInit(unsigned) { return CUDA_ERROR_NO_DEVICE; }
CUresult cuDriverGetVersion(int* version) {
  *version = driver_version;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char** text) {
  *text = error == CUDA_ERROR_OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == CUDA_ERROR_LAUNCH_FAILED   ? "CUDA_ERROR_LAUNCH_FAILED"
          : error == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                                : "CUDA_ERROR_UNKNOWN";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "said by the simulated driver";
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return asked<CUresult>("load", "", [&] {
    const char* text = static_cast<const char*>(image);
    if (std::strncmp(text, kMagic, sizeof kMagic - 1) != 0) return CUDA_ERROR_INVALID_IMAGE;
    text += sizeof kMagic - 1;
    void* library = dlopen(std::string(text, std::strcspn(text, "\n")).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) return CUDA_ERROR_INVALID_IMAGE;
    *module = reinterpret_cast<CUmodule>(new Module{library, current});
    return CUDA_SUCCESS;
  });
}
CUresult cuModuleUnload(CUmodule module) {
  delete reinterpret_cast<Module*>(module);
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  const auto* of = reinterpret_cast<Module*>(module);
  return asked<CUresult>("load", name, [&] {
    const auto run = reinterpret_cast<Run>(dlsym(of->library, (std::string("launch_") + name).c_str()));
    const auto sizes = reinterpret_cast<Sizes>(dlsym(of->library, (std::string("sizes_") + name).c_str()));
    if (!run || !sizes) return CUDA_ERROR_NOT_FOUND;
    *function = reinterpret_cast<CUfunction>(new Kernel{name, run, sizes(), of->device});
    return CUDA_SUCCESS;
  });
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute, CUfunction) {
  *value = 0;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }

CUresult cuLaunchKernel(CUfunction function, unsigned grid, unsigned grid_y, unsigned grid_z, unsigned block,
                        unsigned block_y, unsigned block_z, unsigned, CUstream stream, void** parameters, void**) {
  const Kernel kernel = *reinterpret_cast<Kernel*>(function);
  return asked<CUresult>("launch", kernel.name, [&] {
    if (kernel.device != current) return CUDA_ERROR_INVALID_HANDLE;
    if (!grid || !block || block > 1024) return CUDA_ERROR_INVALID_VALUE;
    if (grid_y * grid_z * block_y * block_z != 1) return CUDA_ERROR_NOT_SUPPORTED;
    const Launch launch{grid, 0, grid, static_cast<int>(block), order, ++launches};
    const int device = current;
    push(stream_of(stream),
         [=, arguments = taken(kernel, parameters)]() mutable { run(kernel, launch, arguments, device); });
    return CUDA_SUCCESS;
  });
}

long simulator_launches() { return static_cast<long>(launches); }
void simulator_order(int of_threads) { order = of_threads; }
const char* simulator_last_fault() { return last_fault.c_str(); }

}  // extern "C"
