import type { WithSession } from './session.ts';

export type { WithSession };

/** Loads the client only when a command needs it. */
export const withFleet: WithSession = async (flags, command) =>
  (await import('./session.ts')).withFleet(flags, command);
