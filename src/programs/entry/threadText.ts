/**
 * What the thread runs that holds a reply where no native client does (threadHold.ts). A text, since an entrypoint is one file and the
 * thread has to stand on nothing that a hook can reach: it has objects of its own, and reads what it is told from a port.
 *
 * It waits until something is said or the time is over, then claims the answer, appends the facts, writes the reply, and has the main
 * thread end by way of the inspector, which interrupts code that spins.
 */
export const threadText = `"use strict"
const { parentPort, receiveMessageOnPort, workerData } = require("node:worker_threads")
const { closeSync, openSync, renameSync, writeSync } = require("node:fs")
const { join } = require("node:path")
const { cells, claimed, done, end, folder, how, news, stderr, stdout, time, wanted } = workerData
let held, until = Infinity
const say = (descriptor, text) => {
  const bytes = Buffer.from(text, "utf8")
  for (let at = 0; at < bytes.length; ) {
    try { at += writeSync(descriptor, bytes, at) } catch (error) {
      if (error.code !== "EAGAIN") return
      Atomics.wait(cells, done, 0, 1)
    }
  }
}
const record = ({ spool, tail }, ended) => {
  if (tail === "") return
  try {
    const file = openSync(join(folder, spool + ".open"), "a", 0o600)
    const text = tail.replaceAll(how, ended).replaceAll(time, '"at":' + Date.now() + ",")
    try { writeSync(file, "\\n" + text) } finally { closeSync(file) }
    renameSync(join(folder, spool + ".open"), join(folder, spool))
  } catch {}
}
const answer = (ended) => {
  if (Atomics.compareExchange(cells, claimed, 0, 1) !== 0) return
  record(held, ended)
  say(stderr, held.stderr.replaceAll(how, ended))
  say(stdout, held.stdout.replaceAll(how, ended))
}
for (;;) {
  const seen = Atomics.load(cells, news)
  for (let heard; (heard = receiveMessageOnPort(parentPort)); ) {
    held = heard.message
    until = performance.now() + held.leftMs
  }
  const left = until - performance.now()
  const asked = Atomics.load(cells, wanted) === 1
  if (held !== undefined && (asked || left <= 0)) {
    answer(asked ? "could not go on" : "was ended when its time was over")
    Atomics.store(cells, done, held.code + 1)
    Atomics.notify(cells, done)
    break
  }
  Atomics.wait(cells, news, seen, Math.min(left, 0x7fffffff))
}
const { Session } = require("node:inspector")
const session = new Session()
session.connectToMainThread()
session.post("Runtime.evaluate", { expression: "this[" + JSON.stringify(end) + "](" + held.code + ")" })
`
