/** What is said of an actor to whoever looks: plain data, without what its facts carry. */

/** Whom or what it is about; a name is missing where it is not known or there is none. */
export interface Subject {
  readonly agent?: string | null
  readonly agentEvent?: string | null
  readonly session?: string | null
  readonly project?: string | null
  /** What else tells it from its like: the handler of a job, the process of handlers. */
  readonly name?: string | null
}

/** Where an actor stands. */
export interface ActorView extends Subject {
  /** Its identity: the stream of its facts. */
  readonly stream: string
  readonly machine: string
  readonly state: string
  /** When it came to this state, ISO 8601. */
  readonly since: string
  /** The process that had it is gone; only told where the log is asked. */
  readonly lost?: boolean
}

/** One step of an actor: a fact, and the states before and after it. */
export interface ActorFrame extends Subject {
  /** When the step was taken, ISO 8601. */
  readonly at: string
  readonly stream: string
  readonly machine: string
  /** The fact's type. */
  readonly fact: string
  readonly before: string
  readonly after: string
  /** The type of the command that the machine asked for. */
  readonly command: string | null
  /** The state did not take the fact: nothing moved. */
  readonly refused: boolean
}
