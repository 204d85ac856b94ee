/** Which server a command means if the user names none. */
import { existsSync } from 'node:fs';
import { loadKubeconfig, type Kubeconfig } from '@flotilla/client';
import { explainAccessError } from '../explain-access-error.ts';
import { chooseFleet } from '../fleets/choose-fleet.ts';
import { findFleetDirectory } from '../fleets/fleet-directory.ts';
import type { FleetRecord } from '../fleets/fleet-record.ts';
import { runningFleets } from '../fleets/running-fleets.ts';
import { kubeconfigIn } from '../own-kubeconfig.ts';
import { chooseServer, type ServerCandidate } from './choose-server.ts';
import type { HubAddress } from './with-hub.ts';

export interface FoundServer {
  /** Absent: the files that kubectl reads. */
  readonly kubeconfig?: string;
  /** How it was found. Absent if the user named it with `--kubeconfig` or KUBECONFIG. */
  readonly source?: string;
  /** The fleets of this user that run. Absent if the user named the server. */
  readonly running?: readonly FleetRecord[];
}

/**
 * The fleet of the working directory, then kubectl's kubeconfig if it has a current context, then the only fleet of this user that runs
 * elsewhere. Without any of them kubectl's rules apply: in a pod, its service account.
 */
export async function findServer(
  { kubeconfig, context }: HubAddress,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<FoundServer> {
  if (kubeconfig !== undefined) return { kubeconfig };
  if (environment['KUBECONFIG']) return {};
  try {
    const running = await runningFleets(environment);
    const chosen = await chooseServer(candidatesIn(running, environment), context);
    if (chosen === undefined) return { running };
    if (chosen.kubeconfig !== undefined) return { kubeconfig: chosen.kubeconfig, source: chosen.source, running };
    return { running, source: `context "${context ?? (await chosen.currentContext())}" of ${chosen.source}` };
  } catch (error) {
    throw explainAccessError(error);
  }
}

function candidatesIn(running: readonly FleetRecord[], environment: NodeJS.ProcessEnv): ServerCandidate[] {
  const directory = findFleetDirectory().path;
  const here = running.find(({ dataDirectory }) => dataDirectory === directory);
  const chosen = chooseFleet(running, {}, [directory]);
  const elsewhere = here === undefined && 'fleet' in chosen ? [chosen.fleet] : [];
  return [
    ...hereIn(directory, here),
    usualServer(environment),
    ...elsewhere.map(({ name, kubeconfig, dataDirectory }) =>
      fleetServer(kubeconfig, `fleet "${name}" (${dataDirectory ?? 'in memory'}), the only one that runs`),
    ),
  ];
}

/** A fleet that has stopped, or could not be recorded, has its kubeconfig there, too. No command means another server because of that. */
function hereIn(directory: string, fleet: FleetRecord | undefined): ServerCandidate[] {
  if (fleet) return [fleetServer(fleet.kubeconfig, `fleet "${fleet.name}" of this directory`)];
  const file = kubeconfigIn(directory);
  return existsSync(file) ? [fleetServer(file, `the fleet in ${directory}`)] : [];
}

/** Its file may be large: it is read only to look for a context. */
function fleetServer(kubeconfig: string, source: string): ServerCandidate {
  return {
    kubeconfig,
    source,
    currentContext: () => 'hub',
    hasContext: async (name) => (await loadKubeconfig(kubeconfig, {}))?.contexts.has(name) ?? false,
  };
}

function usualServer(environment: NodeJS.ProcessEnv): ServerCandidate {
  let read: Promise<Kubeconfig | undefined> | undefined;
  const config = (): Promise<Kubeconfig | undefined> => (read ??= loadKubeconfig(undefined, environment));
  return {
    source: "kubectl's kubeconfig",
    currentContext: async () => (await config())?.currentContext ?? '',
    hasContext: async (name) => (await config())?.contexts.has(name) ?? false,
  };
}
