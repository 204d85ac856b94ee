import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { kubeconfigIn } from '../own-kubeconfig.ts';

export const defaultFleetName = 'fleet';

/** Where `flotilla up` stored its fleet before fleets had names. `flotilla hub` and `flotilla apiserver` use it still. */
const olderDirectory = '.data/hub';

/** Where the commands store data in the working directory without a name: a fleet, a hub or a server. */
export const defaultDirectories = [`.data/${defaultFleetName}`, olderDirectory] as const;

export interface FleetDirectory {
  /** Absolute. */
  readonly path: string;
  /** An earlier release made it. */
  readonly isOlder: boolean;
}

/** The data directory of a fleet without `--data-dir`: in the working directory, where the user finds it and git ignores it. */
export function findFleetDirectory(name = defaultFleetName, folder = process.cwd()): FleetDirectory {
  const [own, older] = [resolve(folder, '.data', name), resolve(folder, olderDirectory)];
  const isOlder = name === defaultFleetName && !existsSync(own) && holdsFleet(older);
  return { path: isOlder ? older : own, isOlder };
}

/** The kubeconfig of a fleet has a context for each member, too. That of a hub or a server has one. */
function holdsFleet(directory: string): boolean {
  try {
    const { contexts } = JSON.parse(readFileSync(kubeconfigIn(directory), 'utf8')) as { readonly contexts: unknown };
    return Array.isArray(contexts) && contexts.length > 1;
  } catch {
    return false;
  }
}

/** Why a name is invalid for a fleet: it is a directory, and the beginning of contexts. Undefined if it is valid. */
export function fleetNameProblem(name: string): string | undefined {
  if (/^[a-z0-9](?:[-a-z0-9]{0,48}[a-z0-9])?$/.test(name)) return undefined;
  return 'It must have at most 50 lower case letters, digits and dashes, and begin and end with a letter or digit.';
}
