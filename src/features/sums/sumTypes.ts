/** The facts of a call that sums are made of; all of them are among those that may be shipped. */
export const sumTypes = [
  "INVOCATION_OPENED",
  "PAYLOAD_BUFFERED",
  "PAYLOAD_REJECTED",
  "HANDLERS_PLANNED",
  "HANDLER_STARTED",
  "HANDLER_SUCCEEDED",
  "HANDLER_FAILED",
  "HANDLER_TIMED_OUT",
  "HANDLER_SKIPPED",
  "REPLY_DELIVERED",
  "DELIVERY_FAILED",
  "EXITED"
] as const
