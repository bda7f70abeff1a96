/** Closes the ways to the world that Node's permissions leave open: a hook that is only tried must not reach anybody. */
import { Socket as DatagramSocket } from "node:dgram"
import { Socket } from "node:net"

/** As Node names what its permissions refuse. */
export const refusedCode = "ERR_ACCESS_DENIED"

const refuse = (): never => {
  throw Object.assign(new Error("Access to the network has been restricted"), { code: refusedCode })
}

export const closeNetwork = (): void => {
  Object.assign(Socket.prototype, { connect: refuse })
  Object.assign(DatagramSocket.prototype, { send: refuse, connect: refuse })
}

/** Reading is let through: hooks load their parts. */
export const permissionFlags = (): readonly string[] => {
  const flag = process.allowedNodeEnvironmentFlags.has("--permission")
    ? "--permission"
    : "--experimental-permission"
  return [flag, "--allow-fs-read=*"]
}
