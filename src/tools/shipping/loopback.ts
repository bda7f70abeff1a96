/** Whether a host is this machine itself, however it is written. */
export const isLoopback = (host: string): boolean =>
  ["localhost", "::1", "[::1]"].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host)
