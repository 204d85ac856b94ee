import { existsSync } from 'node:fs';
import { kubeconfigIn } from '../own-kubeconfig.ts';
import { chooseFleet } from './choose-fleet.ts';
import { findFleetDirectory } from './fleet-directory.ts';
import { runningFleets } from './running-fleets.ts';

/**
 * The kubeconfig of the fleet that runs here, for commands that got none: the fleet of the working directory, or the only one of this
 * user. Undefined if the user has set KUBECONFIG or no such fleet runs: then kubectl's rules apply.
 */
export async function defaultKubeconfig(environment: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  if (environment['KUBECONFIG']) return undefined;
  const directory = findFleetDirectory().path;
  const here = kubeconfigIn(directory);
  const chosen = chooseFleet(await runningFleets(environment), {}, [directory]);
  if ('fleet' in chosen) return chosen.fleet.kubeconfig;
  // A fleet that could not be recorded.
  return existsSync(here) ? here : undefined;
}
