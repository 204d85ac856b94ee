import type { Client } from '@flotilla/client';
import { ignoreAlreadyExists, ignoreNotFound, jsonEquals, secrets, type Kind, type KubeObject } from '@flotilla/kube';
import { mutatingConfigurations, validatingConfigurations } from './configuration-kinds.ts';
import { configurationName, webhookConfigurations, type WebhookSettings } from './webhook-configurations.ts';
import { certificateSecret } from './webhook-certificates.ts';

/** Writes the webhook configurations if they are missing or differ. */
export async function installWebhooks(client: Client, settings: WebhookSettings): Promise<void> {
  for (const [kind, wanted] of webhookConfigurations(settings)) await ensure(client, kind, wanted);
}

async function ensure(client: Client, kind: Kind, wanted: KubeObject): Promise<void> {
  const found = await client.get(kind, { name: configurationName }).catch(ignoreNotFound);
  if (found === undefined) await client.create(kind, wanted).catch(ignoreAlreadyExists);
  else if (!jsonEquals(found['webhooks'] ?? null, wanted['webhooks'] ?? null)) {
    await client.update(kind, { ...found, webhooks: wanted['webhooks'] ?? null });
  }
}

/** What `uninstallWebhooks` deleted, as `kind/name`. */
export async function uninstallWebhooks(client: Client): Promise<string[]> {
  const deleted: string[] = [];
  const remove = async (kind: Kind, name: string, namespace?: string): Promise<void> => {
    const gone = await client
      .delete(kind, { name, ...(namespace !== undefined && { namespace }) })
      .catch(ignoreNotFound);
    if (gone !== undefined) deleted.push(`${kind.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`);
  };
  // The key goes last: while a configuration exists, a hub that starts again needs it.
  await remove(validatingConfigurations, configurationName);
  await remove(mutatingConfigurations, configurationName);
  await remove(secrets, certificateSecret.name, certificateSecret.namespace);
  return deleted;
}
