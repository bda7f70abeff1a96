/** Programs that do nothing but start another, and where in their words that one stands. */

import { npmValues } from "./recipes/npmValues.ts"

export interface Wrapper {
  /** Letters of options that take a value, as a separate word or not. */
  readonly valued: string
  /** Long options that take so many of the words behind them as values, or one that fits. */
  readonly longs?: Readonly<Record<string, number | RegExp>>
  /** Operands of its own before the command. */
  readonly operands?: number
  /** What may stand before the command, with further options behind it. */
  readonly perhaps?: RegExp
  /** Where there is a `--`, the command stands behind it, whatever stands before. */
  readonly dashes?: boolean
  /** Only behind one of these words does it start a command. */
  readonly behind?: readonly string[]
  /** The command stands behind this option, and without it there is none. */
  readonly option?: RegExp
  /** What it starts may have a version behind its name. */
  readonly packages?: boolean
  /** The option that names the directory in which it starts the command, up to where the value begins. */
  readonly folder?: RegExp
  /** It writes a file that it is told. */
  readonly records?: true
  /** A word with blanks in it is a line that it has a shell read. */
  readonly shell?: true
}

const taking = (text: string, values = 1): Readonly<Record<string, number>> =>
  Object.fromEntries(text.split(" ").map((name) => [`--${name}`, values]))

const bound =
  "bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try setenv symlink file bind-data ro-bind-data chmod"
const mounted =
  "proc dev tmpfs mqueue dir chdir unsetenv uid gid hostname lock-file remount-ro perms size cap-add cap-drop argv0 seccomp"

const ofNpm = {
  ...taking(npmValues.join(" ")),
  ...taking("package"),
  "--color": /^(?:always|true|false)$/
}

/** A window with a command in it. */
const inWindow: Wrapper = { valued: "", option: /^(?:-[ex]|--|--command|--execute)$/, shell: true }
const windows =
  "xterm uxterm urxvt rxvt st gnome-terminal mate-terminal xfce4-terminal lxterminal konsole alacritty ghostty terminator tilix x-terminal-emulator"

/** Programs that set up an environment, from what stands behind this word on, up to `--` where there is one. */
const settingUp = (...behind: readonly string[]): Wrapper => ({ valued: "", behind, dashes: true })

export const wrappers: Readonly<Record<string, Wrapper>> = {
  ...Object.fromEntries(windows.split(" ").map((name) => [name, inWindow])),
  kitty: { valued: "Tdoc", longs: taking("title directory override config class name hold"), dashes: true },
  foot: { valued: "acTWwD", longs: taking("app-id config title working-directory"), shell: true },
  wezterm: settingUp("start"),
  tox: settingUp("exec", "e"),
  opam: settingUp("exec"),
  stack: settingUp("exec"),
  cabal: settingUp("exec"),
  dune: settingUp("exec"),
  lerna: { ...settingUp("exec"), shell: true },
  nx: settingUp("exec"),
  infisical: settingUp("run"),
  dotenvx: settingUp("run"),
  chamber: settingUp("exec"),
  teller: settingUp("run"),
  railway: settingUp("run"),
  foreman: { ...settingUp("run"), shell: true },
  sops: { valued: "", behind: ["exec-env", "exec-file"], operands: 1, shell: true },
  faketime: { valued: "f", operands: 1 },
  cpulimit: { valued: "lpe", longs: taking("limit pid exe") },
  dtach: { valued: "rEe", perhaps: /^\.{0,2}\/|^[\w.-]+$/ },
  abduco: { valued: "re", operands: 1 },
  setuidgid: { valued: "", operands: 1 },
  "s6-setuidgid": { valued: "", operands: 1 },
  envdir: { valued: "", operands: 1 },
  softlimit: { valued: "mdslafopc" },
  eatmydata: { valued: "" },
  ccache: { valued: "" },
  "arch-chroot": { valued: "u", operands: 1 },
  schroot: { valued: "csdup", longs: taking("chroot directory user"), dashes: true },
  "systemd-nspawn": {
    valued: "DMiuHp",
    longs: taking("directory machine image user chdir bind"),
    dashes: true
  },
  wsl: { valued: "du", longs: taking("distribution user cd"), folder: /^--cd$/, dashes: true },
  "wsl.exe": { valued: "du", longs: taking("distribution user cd"), folder: /^--cd$/, dashes: true },
  sudo: {
    valued: "ughpCDRTrt",
    longs: taking("user group host prompt chdir chroot close-from role type"),
    folder: /^(?:-[ABEHKNPSbeiknsv]*D|--chd[ir]*(?:=|$))/
  },
  doas: { valued: "uC" },
  env: { valued: "uC", longs: taking("unset chdir"), folder: /^(?:-[0iv]*C|--c[hdir]*(?:=|$))/ },
  nohup: { valued: "" },
  setsid: { valued: "" },
  command: { valued: "" },
  builtin: { valued: "" },
  exec: { valued: "a" },
  time: { valued: "fo", records: true },
  nice: { valued: "n", longs: taking("adjustment") },
  ionice: { valued: "cn", longs: taking("class classdata") },
  stdbuf: { valued: "ioe", longs: taking("input output error") },
  timeout: { valued: "ks", longs: taking("kill-after signal"), operands: 1 },
  flock: { valued: "wE", operands: 1 },
  caffeinate: { valued: "tw" },
  unbuffer: { valued: "" },
  busybox: { valued: "" },
  toybox: { valued: "" },
  pkexec: { valued: "" },
  chroot: { valued: "", operands: 1 },
  unshare: { valued: "SGRw", longs: taking("wd root"), folder: /^(?:-[a-zA-Z]*w|--wd(?:=|$))/ },
  nsenter: { valued: "tSG", folder: /^--wd=/ },
  strace: { valued: "abeEIoOpPsSuUX", records: true },
  ltrace: { valued: "aeDFlnopsuxX", records: true },
  taskset: { valued: "", operands: 1 },
  chrt: { valued: "", operands: 1 },
  "systemd-run": {
    valued: "puEMH",
    longs: taking("working-directory unit property"),
    folder: /^--working-d[a-z]*(?:=|$)/
  },
  "systemd-inhibit": { valued: "" },
  setarch: {
    valued: "",
    perhaps: /^(?:linux(?:32|64)|x86_64|i[3-6]86|aarch64|arm\w*|ppc\w*|s390x?|riscv\w*)$/
  },
  linux32: { valued: "" },
  linux64: { valued: "" },
  prlimit: { valued: "po" },
  numactl: {
    valued: "iIwpPmNC",
    longs: taking("interleave weighted-interleave preferred membind cpunodebind physcpubind")
  },
  script: { valued: "cEIOBTmoF", longs: taking("command"), operands: 1, records: true },
  runuser: { valued: "ugGcsw", longs: taking("user group supp-group") },
  tini: { valued: "pe" },
  "dumb-init": { valued: "r" },
  catatonit: { valued: "" },
  "xvfb-run": {
    valued: "efnpsw",
    longs: taking("auth-file error-file server-num xauth-protocol server-args wait")
  },
  chronic: { valued: "" },
  valgrind: { valued: "", records: true },
  "dbus-run-session": { valued: "" },
  sshpass: { valued: "pfdP" },
  volta: { valued: "", behind: ["run"] },
  ifne: { valued: "" },
  entr: { valued: "" },
  rlwrap: { valued: "" },
  proxychains: { valued: "f" },
  proxychains4: { valued: "f" },
  torsocks: { valued: "" },
  firejail: { valued: "" },
  bwrap: { valued: "", longs: { ...taking(bound, 2), ...taking(mounted) }, folder: /^--chdir$/ },
  cgexec: { valued: "g" },
  chpst: { valued: "u" },
  gosu: { valued: "", operands: 1 },
  "su-exec": { valued: "", operands: 1 },
  fakeroot: { valued: "" },
  noglob: { valued: "" },
  nocorrect: { valued: "" },
  dotenv: { valued: "e" },
  direnv: { valued: "", behind: ["exec"], operands: 1 },
  mise: { valued: "", behind: ["exec", "x"], dashes: true },
  "aws-vault": { valued: "", behind: ["exec"], dashes: true },
  rbenv: { valued: "", behind: ["exec"] },
  pyenv: { valued: "", behind: ["exec"] },
  bundle: { valued: "", behind: ["exec"] },
  poetry: {
    valued: "C",
    longs: taking("directory project"),
    behind: ["run"],
    folder: /^(?:-C|--directory(?:=|$))/
  },
  pipenv: { valued: "", behind: ["run"] },
  uv: { valued: "", longs: taking("directory project"), behind: ["run"], folder: /^--directory(?:=|$)/ },
  rye: { valued: "", behind: ["run"] },
  hatch: { valued: "e", longs: taking("env"), behind: ["run"] },
  pdm: { valued: "", behind: ["run"] },
  conda: { valued: "n", behind: ["run"] },
  doppler: { valued: "pc", behind: ["run"] },
  op: { valued: "", behind: ["run"] },
  uvx: { valued: "", packages: true },
  pipx: { valued: "", behind: ["run"], packages: true },
  "cross-env": { valued: "" },
  screen: { valued: "SchetTpr" },
  npx: {
    valued: "pwCn",
    longs: { ...ofNpm, ...taking("node-arg") },
    packages: true,
    folder: /^(?:-C|--prefix(?:=|$))/
  },
  bunx: { valued: "p", packages: true },
  pnpx: { valued: "p", packages: true },
  npm: {
    valued: "pwC",
    longs: ofNpm,
    behind: ["exec", "x"],
    packages: true,
    folder: /^(?:-C|--prefix(?:=|$))/
  },
  pnpm: {
    valued: "CF",
    longs: taking("dir filter"),
    behind: ["dlx", "exec"],
    packages: true,
    shell: true,
    folder: /^(?:-C|--dir(?:=|$))/
  },
  yarn: {
    valued: "p",
    longs: taking("cwd"),
    behind: ["dlx", "exec", "run"],
    packages: true,
    shell: true,
    folder: /^--cwd(?:=|$)/
  },
  bun: { valued: "p", behind: ["x"], packages: true },
  corepack: { valued: "", packages: true },
  shx: { valued: "" },
  perf: {
    valued: "eopxrCcFgGIDu",
    longs: taking("event output pid cpu count freq"),
    behind: ["stat", "record", "trace", "mem", "c2c", "ftrace", "lock", "sched"],
    records: true
  },
  proot: {
    valued: "rbwqkmiRS",
    longs: taking("rootfs bind pwd cwd qemu"),
    folder: /^(?:-w|--(?:pwd|cwd)(?:=|$))/
  },
  nix: { valued: "", option: /^(?:-c|--command)$/ },
  "flatpak-spawn": { valued: "", folder: /^--directory=/ },
  "distrobox-host-exec": { valued: "" },
  "host-spawn": { valued: "" },
  toolbox: { valued: "cdr", longs: taking("container distro release"), behind: ["run"] },
  distrobox: { valued: "n", longs: taking("name"), behind: ["enter"], dashes: true },
  pixi: { valued: "e", longs: taking("environment manifest-path"), behind: ["run"] },
  devbox: { valued: "", behind: ["run"] },
  asdf: { valued: "", behind: ["exec"] },
  fnm: { valued: "", longs: taking("using"), behind: ["exec"] },
  nvm: { valued: "", behind: ["exec"], operands: 1 },
  micromamba: { valued: "np", behind: ["run"] },
  mamba: { valued: "np", behind: ["run"] },
  "with-contenv": { valued: "" },
  s6: { valued: "" },
  setpriv: { valued: "" },
  xargs: { valued: "IRnPLsdaE" }
}
