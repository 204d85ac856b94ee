import { connect } from '@flotilla/client';
import { uninstallWebhooks } from '@flotilla/fleet';
import type { UninstallOptions } from '../commands/uninstall.ts';
import { explainAccessError } from '../explain-access-error.ts';
import { print } from '../server-flags.ts';

export async function uninstall({ kubeconfig, context }: UninstallOptions): Promise<void> {
  try {
    const client = await connect({
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
      environment: process.env,
    });
    const deleted = await uninstallWebhooks(client).finally(() => client.close());
    for (const object of deleted) print(`Deleted ${object}.`);
    if (deleted.length === 0) print('Found no webhooks of Flotilla.');
  } catch (error) {
    throw explainAccessError(error);
  }
}
