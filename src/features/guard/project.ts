/** Which directory counts as the project, where a session was started in one that is far too wide for that. */
import { normalized, within } from "./folders.ts"

/** Holds nothing. */
const nowhere = "/\u0000"

const whole = new Set([
  ..."/ /etc /usr /usr/local /var /var/lib /var/log /opt /srv /mnt /media /run /home /root".split(" "),
  ..."/Users /Volumes /Applications /private /private/etc /private/var".split(" ")
])

/** Nobody's project, however deep. */
const system =
  "/bin /sbin /lib /lib64 /boot /dev /proc /sys /usr/bin /usr/sbin /usr/lib /System /Library".split(" ")

/** All of the system, one of its folders that others share, the home directory or what that lies in. */
export const isWhole = (path: string, home: string): boolean => within(home, path) || whole.has(path)

/** The home directory, what it lies in, and what belongs to the system are nobody's project. */
const isTooWide = (path: string, home: string): boolean =>
  isWhole(path, home) || system.some((folder) => within(path, folder))

/** The project, or else where the command runs, or else a directory that nothing lies in. */
export const projectIn = (project: string, cwd: string, home: string): string =>
  [project, cwd].find((path) => !isTooWide(normalized(path), normalized(home))) ?? nowhere

export const isNowhere = (project: string): boolean => project === nowhere
