import type { Clock } from '@flotilla/timing';
import type { Credentials, Identity } from '../http/credentials.ts';

export interface LoadedIdentity {
  readonly identity: Identity;
  /** Milliseconds since the epoch. Absent: valid until a server answers 401. */
  readonly staleAt?: number;
}

/** Reloads credentials that are stale or refused. Concurrent callers share one load. */
export function rotatingCredentials(load: () => Promise<LoadedIdentity>, clock: Clock): Credentials {
  let loaded: LoadedIdentity | undefined;
  let isRefused = false;
  let loading: Promise<Identity> | undefined;

  const reload = async (): Promise<Identity> => {
    try {
      const fresh = await load();
      const isSame = loaded !== undefined && isSameIdentity(loaded.identity, fresh.identity);
      // Keeps the old object, so that connections see no change.
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
      // Another request may have caused a reload already.
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
