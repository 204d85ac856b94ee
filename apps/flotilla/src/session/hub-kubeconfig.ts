import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultDataDirectory } from '../server-flags.ts';
import type { HubAddress } from './with-hub.ts';

/** The file to read if the user names none: that of `flotilla up` in this folder. Undefined: those of kubectl. */
export async function hubKubeconfig({ kubeconfig }: HubAddress): Promise<string | undefined> {
  if (kubeconfig !== undefined || process.env['KUBECONFIG']) return kubeconfig;
  const file = join(defaultDataDirectory, 'kubeconfig');
  return access(file).then(
    () => file,
    () => undefined,
  );
}
