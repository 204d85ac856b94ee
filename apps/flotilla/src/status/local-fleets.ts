import { defaultKubeconfig } from '../fleets/default-kubeconfig.ts';
import { runningFleets } from '../fleets/running-fleets.ts';
import type { HubAddress } from '../session/with-hub.ts';
import { recordLines } from './status-lines.ts';

export interface LocalFleets {
  /** What to print about them before the status. */
  readonly lines: readonly string[];
  /** Several run, and nothing says which one is meant. */
  readonly isUndecided: boolean;
}

/** The fleets that `flotilla up` runs on this machine. A user who names a server asks about that one. */
export async function localFleets({ kubeconfig }: HubAddress): Promise<LocalFleets> {
  if (kubeconfig !== undefined || process.env['KUBECONFIG']) return { lines: [], isUndecided: false };
  const records = await runningFleets();
  const isUndecided = records.length > 1 && (await defaultKubeconfig()) === undefined;
  const lines = recordLines(records);
  return { lines: isUndecided ? [...lines, 'Choose one with --kubeconfig FILE.'] : lines, isUndecided };
}
