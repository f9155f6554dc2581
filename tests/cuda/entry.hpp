// What others see of a kernel: its parameters, as the compiler deduced them, and the launch.
namespace shim {

template <class T>
struct Name;
#define SHIM_NAME(type, text) \
  template <>                 \
  struct Name<type> {         \
    static void print(char* at) { std::strcat(at, text); } \
  };
SHIM_NAME(bool, "bool")
SHIM_NAME(signed char, "int8")
SHIM_NAME(short, "int16")
SHIM_NAME(int, "int32")
SHIM_NAME(long long, "int64")
SHIM_NAME(unsigned char, "uint8")
SHIM_NAME(unsigned short, "uint16")
SHIM_NAME(unsigned, "uint32")
SHIM_NAME(unsigned long long, "uint64")
SHIM_NAME(float, "float32")
SHIM_NAME(double, "float64")
template <class T>
struct Name<const T> {
  static void print(char* at) { std::strcat(at, "const "), Name<T>::print(at); }
};
template <class T>
struct Name<T*> {
  static void print(char* at) { Name<T>::print(at), std::strcat(at, "*"); }
};

static void** arguments;

template <auto kernel>
struct Kernel;
template <class... P, void (*kernel)(P...)>
struct Kernel<kernel> {
  template <std::size_t... I>
  static void call(std::index_sequence<I...>) {
    kernel(*static_cast<P*>(arguments[I])...);
  }
  static void run() { call(std::index_sequence_for<P...>{}); }
  // In bytes, of the parameters; 0 ends them.
  static const std::size_t* sizes() {
    static const std::size_t all[] = {sizeof(P)..., 0};
    return all;
  }
  static const char* signature() {
    static char text[1024];
    text[0] = 0;
    ((Name<P>::print(text), std::strcat(text, ";")), ...);
    return text;
  }
};

}  // namespace shim

#define SHIM_VISIBLE extern "C" __attribute__((visibility("default")))
#define SHIM_LAUNCH(name)                                                                      \
  SHIM_VISIBLE const char* launch_##name(const shim::Launch* with, void** arguments) {         \
    shim::arguments = arguments;                                                               \
    return shim::run(shim::Kernel<&name>::run, with);                                          \
  }                                                                                            \
  SHIM_VISIBLE const std::size_t* sizes_##name() { return shim::Kernel<&name>::sizes(); }
#define SHIM_SIGNATURE(name) \
  SHIM_VISIBLE const char* signature_##name() { return shim::Kernel<&name>::signature(); }
