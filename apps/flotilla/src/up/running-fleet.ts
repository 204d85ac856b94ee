/** A second `flotilla up` for a fleet that runs already. */
import type { UpFlags } from '../commands/up.ts';
import type { FleetRecord } from '../fleets/fleet-record.ts';
import { UserError } from '../user-error.ts';
import type { IsTyped } from './hub-flags.ts';
import type { FleetPlan } from './plan-fleet.ts';

/** Fleets are told apart by their data. Those in memory have only a name. */
export function sameFleet(running: readonly FleetRecord[], plan: FleetPlan): FleetRecord | undefined {
  return running.find(
    ({ name, dataDirectory }) =>
      dataDirectory === plan.dataDirectory && (plan.dataDirectory !== undefined || name === plan.name),
  );
}

/** Options of the fleet itself, which a running one cannot adopt. */
const fixedOptions: Readonly<Partial<Record<keyof UpFlags, string>>> = {
  file: '-f',
  members: '--members',
  port: '--port',
  host: '--host',
  new: '--new',
  writeKubeconfig: '--write-kubeconfig',
  merge: '--merge',
  authenticationConfig: '--authentication-config',
  oidcIssuerUrl: '--oidc-issuer-url',
};

/** Throws if the user asks for something that a running fleet cannot adopt. */
export function refuseFixedOptions({ name, pid, url }: FleetRecord, isTyped: IsTyped): void {
  const refused = Object.entries(fixedOptions).find(([option]) => isTyped(option))?.[1];
  if (refused === undefined) return;
  throw new UserError(
    `fleet "${name}" already runs at ${url} (process ${pid}), so that ${refused} has no effect; ` +
      `stop it first with "flotilla down --name ${name}".`,
  );
}
