/** Waiting without an event loop: the synchronous path has none to go back to. */
const cell = new Int32Array(new SharedArrayBuffer(4))

/** Blocks this thread for about so many milliseconds. */
export const pause = (milliseconds: number): void => {
  Atomics.wait(cell, 0, 0, milliseconds)
}
