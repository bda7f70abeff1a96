/** Loaded before a program (`node --require`): its clock shows another time, HOOKTAPE_TEST_SHIFT_MS from the true one. */
const shift = Number(process.env.HOOKTAPE_TEST_SHIFT_MS ?? 0)
const TrueDate = Date
const now = () => TrueDate.now() + shift

globalThis.Date = class extends TrueDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts))
  }
  static now() {
    return now()
  }
}
