import type { Client } from '@flotilla/client';
import type { HubSettings } from '@flotilla/controllers';
import { customResourceDefinitions, type Logger } from '@flotilla/kube';
import { InformerSet, type Informer } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { attachedSettings, settingsBeside } from './attached-settings.ts';
import { isOfOcm, ocmDefinitions } from './ocm-definitions.ts';

export interface FollowOcmOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly settings: HubSettings;
  readonly signal: AbortSignal;
}

/**
 * Runs the work of a hub with the settings for this server. When OCM is installed or removed, the signal of the work is aborted, and
 * once it has ended, it runs again with other settings. Settings that say whether OCM is installed are not changed.
 */
export async function followOcm(
  options: FollowOcmOptions,
  work: (settings: HubSettings, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { client, settings, signal, logger } = options;
  if (settings.isOcmInstalled !== undefined) return work(settings, signal);
  // Fails at once if the server refuses the request. An informer would retry.
  let current = await attachedSettings(client, settings, signal);
  const { informer, release } = new InformerSet(options).hold(customResourceDefinitions, {
    metadataOnly: true,
  });
  try {
    for (;;) {
      const isChanged = await runUntilChanged(informer, current, signal, work);
      if (!isChanged || signal.aborted) return;
      current = settingsBeside(settings, current.isOcmInstalled !== true);
      logger.info('restarting controllers', { isOcmInstalled: current.isOcmInstalled === true });
    }
  } finally {
    await release();
  }
}

/** Resolves with whether OCM was installed or removed. */
async function runUntilChanged(
  informer: Informer,
  settings: HubSettings,
  signal: AbortSignal,
  work: (settings: HubSettings, signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const changed = new AbortController();
  const check = (): void => {
    if (informer.isSynced && isOcmAmong(informer) !== settings.isOcmInstalled) changed.abort();
  };
  const unfollow = informer.follow({
    changed: ({ key }) => {
      if (ocmDefinitions.includes(key.name)) check();
    },
    reopened: check,
  });
  void informer.whenReady().then(check);
  try {
    await work(settings, AbortSignal.any([signal, changed.signal]));
  } finally {
    unfollow();
  }
  return changed.signal.aborted;
}

function isOcmAmong(informer: Informer): boolean {
  return ocmDefinitions.some((name) => {
    const definition = informer.get({ name });
    return definition !== undefined && isOfOcm(definition);
  });
}
