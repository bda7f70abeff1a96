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
const { cells, claimed, done, end, folder, how, news, stderr, stdout, time, wanted, why } = workerData
let held, code = 0, until = Infinity
const say = (descriptor, text) => {
  const bytes = Buffer.from(text, "utf8")
  for (let at = 0; at < bytes.length; ) {
    try { at += writeSync(descriptor, bytes, at) } catch (error) {
      if (error.code !== "EAGAIN") return error.code
      Atomics.wait(cells, done, 0, 1)
    }
  }
}
const append = (text) => {
  if (text === "") return
  try {
    const file = openSync(join(folder, held.spool + ".open"), "a", 0o600)
    try { writeSync(file, "\\n" + text.replaceAll(time, '"at":' + Date.now() + ",")) } finally { closeSync(file) }
  } catch {}
}
const handOver = () => {
  if (held.tail === "") return
  try { renameSync(join(folder, held.spool + ".open"), join(folder, held.spool)) } catch {}
}
const answer = (ended) => {
  if (Atomics.compareExchange(cells, claimed, 0, 1) !== 0) return
  const filled = (text) => text.replaceAll(how, ended)
  append(filled(held.tail))
  const { instead } = held
  const unheard = instead ? undefined : say(stderr, filled(held.stderr))
  const failed = say(stdout, filled(held.stdout)) || unheard
  if (instead) say(stderr, filled(failed ? instead.stderr : held.stderr))
  if (instead && failed) code = instead.code
  if (failed) append(filled(held.undelivered).replaceAll(why, failed))
  handOver()
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
    code = held.code
    answer(asked ? "could not go on" : "was ended when its time was over")
    Atomics.store(cells, done, code + 1)
    Atomics.notify(cells, done)
    break
  }
  Atomics.wait(cells, news, seen, Math.min(left, 0x7fffffff))
}
const { Session } = require("node:inspector")
const session = new Session()
session.connectToMainThread()
session.post("Runtime.evaluate", { expression: "this[" + JSON.stringify(end) + "](" + code + ")" })
`
