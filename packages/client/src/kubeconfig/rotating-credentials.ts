import type { Clock } from '@flotilla/timing';
import type { Credentials, Identity } from '../http/credentials.ts';

export interface LoadedIdentity {
  readonly identity: Identity;
  /** Milliseconds since the epoch; without it, good until a server refuses it. */
  readonly staleAt?: number;
}

/** Credentials that are looked up again when they are stale or refused, once for all who wait for them. */
export function rotatingCredentials(load: () => Promise<LoadedIdentity>, clock: Clock): Credentials {
  let loaded: LoadedIdentity | undefined;
  let isRefused = false;
  let loading: Promise<Identity> | undefined;

  const reload = async (): Promise<Identity> => {
    try {
      const fresh = await load();
      const isSame = loaded !== undefined && isSameIdentity(loaded.identity, fresh.identity);
      // Whoever compares sees that nothing changed.
      loaded = isSame && loaded ? { ...fresh, identity: loaded.identity } : fresh;
      isRefused = false;
      return loaded.identity;
    } finally {
      loading = undefined;
    }
  };
  return {
    current: () => {
      const isFresh = loaded !== undefined && !isRefused && clock.now() < (loaded.staleAt ?? Infinity);
      return isFresh && loaded ? loaded.identity : (loading ??= reload());
    },
    refused: (identity) => {
      // Another request may have been refused before, and the next identity be here already.
      isRefused ||= identity === loaded?.identity;
    },
  };
}

function isSameIdentity(one: Identity, other: Identity): boolean {
  return (
    one.authorization === other.authorization &&
    one.certificate === other.certificate &&
    one.key === other.key &&
    one.authority === other.authority
  );
}
