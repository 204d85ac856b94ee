import type { FleetRecord } from '../fleets/fleet-record.ts';
import { explainStartError, type ServerFlags } from '../server-flags.ts';
import { UserError } from '../user-error.ts';

/** Turns errors of a start that the user can fix into UserErrors. */
export function explainUpError(error: unknown, flags: ServerFlags, running: readonly FleetRecord[]): unknown {
  const owner = isPortInUse(error) ? running.find(({ url }) => portOf(url) === flags.port) : undefined;
  if (owner === undefined) return explainStartError(error, flags);
  return new UserError(
    `port ${flags.port} is in use by fleet "${owner.name}" (process ${owner.pid}); ` +
      `stop it with "flotilla down --name ${owner.name}", or choose another port with --port (0 means any free port).`,
    { cause: error },
  );
}

function isPortInUse(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

function portOf(url: string): number {
  return Number(URL.parse(url)?.port);
}
