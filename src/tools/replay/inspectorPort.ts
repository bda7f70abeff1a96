/** Where a debugger listens: at the port that debuggers look at by themselves, or at any where somebody else has that. */
import { createServer, type Server } from "node:net"

export const usualPort = 9229

/** 0 stands for any. */
export const inspectorPort = (
  wanted: number,
  makeServer: () => Pick<Server, "close" | "listen" | "once"> = createServer
): Promise<number> =>
  new Promise((done) => {
    const tried = makeServer()
    tried.once("error", () => done(0))
    tried.listen({ host: "127.0.0.1", port: wanted, exclusive: true }, () => tried.close(() => done(wanted)))
  })
