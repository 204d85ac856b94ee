import { ConnectionError, KubeconfigError } from '@flotilla/client';
import type { FleetRecord } from '../fleets/fleet-record.ts';
import { UserError } from '../user-error.ts';
import type { FoundServer } from './find-server.ts';

/** A command that cannot reach the server that it has found says which fleets run, or how to start one. */
export function explainMissingFleet(error: unknown, { kubeconfig, source, running }: FoundServer): unknown {
  if (!(error instanceof UserError) || !isUnreachable(error)) return error;
  if (running === undefined || running.some((fleet) => fleet.kubeconfig === kubeconfig)) return error;
  if (running.length > 0) return withFleets(error, running);
  // A context of kubectl is no fleet of ours.
  const isOwn = kubeconfig !== undefined || source === undefined;
  return isOwn ? noFleet(error) : error;
}

export function isUnreachable({ cause }: UserError): boolean {
  return cause instanceof ConnectionError || cause instanceof KubeconfigError;
}

function noFleet(cause: UserError): UserError {
  const advice = 'start one with "flotilla up --background", or name a server with --kubeconfig';
  return new UserError(`no fleet runs here: ${advice} (${cause.message.replace(/\.$/, '')}).`, { cause });
}

export function withFleets(cause: UserError, running: readonly FleetRecord[]): UserError {
  const fleets = running.map(({ name, kubeconfig }) => `fleet "${name}" with --kubeconfig ${kubeconfig}`);
  return new UserError(`${cause.message} These run: ${fleets.join(', ')}.`, { cause });
}
