/** Why a host leaves a call to its client, which then has it handled in process. */

/** This call cannot be handled here; nothing of it was done yet. */
export class FallbackRequired extends Error {
  override readonly name = "FallbackRequired"
}

/** The call is for the entrypoint to answer; said to the client, which runs it. */
export class CallDeclined extends Error {
  override readonly name = "CallDeclined"
}
