/** What each command is for, in one sentence. */

export const about = {
  init: "Make a .hooktape folder with a first hook and editor types.",
  trust: "Show what changed in this project's hooks, and let them run as they are now.",
  build: "Compile the hooks.",
  install: "Build, and register hooktape in an agent's settings.",
  uninstall: "Take hooktape out of an agent's settings; everything else stays as it is.",
  doctor: "Check the installation, and say what to do.",
  import: "Bring past sessions onto the log, from the transcripts that agents keep.",
  run: "Run one hook call: the payload on standard input, the reply on standard output.",
  test: "Run the project's hooks on fixtures and compare the replies with the kept ones.",
  explain: "Say whether guard-destructive stops a shell command, by which rule, and why.",
  log: "Show what happened, a line for each call.",
  show: "Explain one invocation: states, handlers, intents, and the bytes it answered with.",
  replay: "Do recorded invocations again and compare; nothing is delivered or recorded.",
  note: "Store a note for later sessions.",
  notes: "Look at the notes that were stored, confirm or retract one.",
  search: "Find notes, fixes, errors, summaries and prompts of earlier sessions.",
  chains: "Look at errors, what was tried against them, and what helped.",
  checkpoint: "Take a checkpoint of the work: how good it stands, and why.",
  checkpoints: "Look at the checkpoints that were taken.",
  hooks: "List the hooks and how they do, switch one on or off.",
  jobs: "Look after the work that goes on after replies.",
  actors: "Show who is at work, such as calls, jobs and processes, and where each stands.",
  host: "Start, stop or look at the warm process that answers hooks.",
  forget: "Take a session, a call or a text out of everything that is kept.",
  docs: "Reference made from the code."
} as const
