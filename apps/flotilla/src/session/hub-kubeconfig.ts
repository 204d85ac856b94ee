import { defaultKubeconfig } from '../fleets/default-kubeconfig.ts';
import type { HubAddress } from './with-hub.ts';

/** The file to read if the user names none: that of the fleet which `flotilla up` runs. Undefined: those of kubectl. */
export async function hubKubeconfig({ kubeconfig }: HubAddress): Promise<string | undefined> {
  return kubeconfig ?? (await defaultKubeconfig());
}
