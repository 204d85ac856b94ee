/** What the settings of a hub become on another Kubernetes, which may run OCM. */
import { managedClusters, ownDefinitionAnnotation } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { stagesBesideOcm, type HubSettings } from '@flotilla/controllers';
import { customResourceDefinitions, ignoreNotFound, type KubeObject } from '@flotilla/kube';

/** Only OCM's operator has it. */
const operatorDefinition = 'clustermanagers.operator.open-cluster-management.io';

/** Settings that say already whether OCM is installed stay as they are. */
export async function attachedSettings(
  client: Client,
  settings: HubSettings,
  signal?: AbortSignal,
): Promise<HubSettings> {
  if (settings.isOcmInstalled !== undefined) return settings;
  const isOcmInstalled = await findOcm(client, signal);
  return { ...settings, isOcmInstalled, ...(isOcmInstalled && { controllers: stagesBesideOcm(settings.controllers) }) };
}

/** Whether OCM's operator is installed, or a definition of its kinds that is not ours. */
async function findOcm(client: Client, signal?: AbortSignal): Promise<boolean> {
  const options = signal && { signal };
  const find = (name: string): Promise<KubeObject | undefined> =>
    client.get(customResourceDefinitions, { name }, options).catch(ignoreNotFound);
  const [operator, clusters] = await Promise.all([
    find(operatorDefinition),
    find(`${managedClusters.plural}.${managedClusters.group}`),
  ]);
  if (operator !== undefined) return true;
  return clusters !== undefined && clusters.metadata.annotations?.[ownDefinitionAnnotation] !== 'true';
}
