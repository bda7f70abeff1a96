/**
 * What Node, its libraries, the linker of programs and shells read as they start. It can load code there, or keep them from starting at
 * all, and an agent's settings in a repository can set any variable: whatever starts hooktape takes these out of its environment.
 */
export const startVariables = [
  // Node: another process that is said to have started it, folders and files to read and write, what it trusts on the network.
  "NODE_OPTIONS",
  "NODE_CHANNEL_FD",
  "NODE_CHANNEL_SERIALIZATION_MODE",
  "NODE_UNIQUE_ID",
  "NODE_PATH",
  "NODE_PRESERVE_SYMLINKS",
  "NODE_PRESERVE_SYMLINKS_MAIN",
  "NODE_ICU_DATA",
  "NODE_V8_COVERAGE",
  "NODE_COMPILE_CACHE",
  "NODE_REDIRECT_WARNINGS",
  "NODE_PENDING_DEPRECATION",
  "NODE_DEBUG",
  "NODE_DEBUG_NATIVE",
  "NODE_TEST_CONTEXT",
  "NODE_EXTRA_CA_CERTS",
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "NODE_USE_ENV_PROXY",
  "NODE_USE_SYSTEM_CA",
  "WATCH_REPORT_DEPENDENCIES",
  "OPENSSL_CONF",
  "OPENSSL_CONF_INCLUDE",
  "OPENSSL_MODULES",
  "OPENSSL_ENGINES",
  // The linker and the C library. The native client takes away whatever begins with LD_ or DYLD_.
  "LD_PRELOAD",
  "LD_AUDIT",
  "LD_LIBRARY_PATH",
  "LD_TRACE_LOADED_OBJECTS",
  "LD_DEBUG",
  "LD_DEBUG_OUTPUT",
  "LD_PROFILE",
  "LD_BIND_NOT",
  "LD_SHOW_AUXV",
  "DYLD_INSERT_LIBRARIES",
  "DYLD_LIBRARY_PATH",
  "DYLD_FRAMEWORK_PATH",
  "DYLD_FALLBACK_LIBRARY_PATH",
  "DYLD_FALLBACK_FRAMEWORK_PATH",
  "GLIBC_TUNABLES",
  "GCONV_PATH",
  // Shells. The native client takes away functions that bash was to take over.
  "BASH_ENV",
  "ENV",
  "SHELLOPTS",
  "BASHOPTS",
  "PS4"
] as const
export type StartVariable = (typeof startVariables)[number]

/** Bash lets nobody take these away from itself: the script that it is to run does not try. */
export const heldByShell: readonly StartVariable[] = ["SHELLOPTS", "BASHOPTS"]

/** Those that are a shell's. */
const ofShells: readonly string[] = ["BASH_ENV", "ENV", "PS4", ...heldByShell]

/** As bash and Apple's bash name the functions that they take over. */
export const functionPrefixes = ["BASH_FUNC_", "__BASH_FUNC<"] as const

/** An environment for a shell that is to do what its script says, and nothing else. */
export const withoutShells = <A>(environment: Readonly<Record<string, A>>): Readonly<Record<string, A>> =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !ofShells.includes(name) && !functionPrefixes.some((prefix) => name.startsWith(prefix))
    )
  )

/** By which a Node finds libraries that lie beside it; where it does not start without, it is started with what its user had. */
export const libraryVariables = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] as const
