/** What the settings of a hub become on another Kubernetes, which may run OCM. */
import type { Client } from '@flotilla/client';
import { stagesBesideOcm, type HubSettings } from '@flotilla/controllers';
import { customResourceDefinitions } from '@flotilla/kube';
import { isOfOcm } from './ocm-definitions.ts';

/** Settings that say already whether OCM is installed stay as they are. */
export async function attachedSettings(
  client: Client,
  settings: HubSettings,
  signal?: AbortSignal,
): Promise<HubSettings> {
  if (settings.isOcmInstalled !== undefined) return settings;
  const { items } = await client.list(customResourceDefinitions, { metadataOnly: true, ...(signal && { signal }) });
  return settingsBeside(settings, items.some(isOfOcm));
}

export function settingsBeside(settings: HubSettings, isOcmInstalled: boolean): HubSettings {
  return { ...settings, isOcmInstalled, ...(isOcmInstalled && { controllers: stagesBesideOcm(settings.controllers) }) };
}
