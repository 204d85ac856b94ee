import { uninstallPolicies, uninstallWebhooks } from '@flotilla/fleet';
import type { UninstallOptions } from '../commands/uninstall.ts';
import { print } from '../server-flags.ts';
import { withHub } from '../session/with-hub.ts';

export async function uninstall(options: UninstallOptions): Promise<void> {
  await withHub(options, async (hub) => {
    const deleted = [...(await uninstallWebhooks(hub)), ...(await uninstallPolicies(hub))];
    for (const object of deleted) print(`Deleted ${object}.`);
    if (deleted.length === 0) print('Found no webhooks and no policies of Flotilla.');
  });
}
