/** Counts the writes to a hub in this process, by kind. */
import type { Client } from '@flotilla/client';
import { discover } from '@flotilla/client';
import type { Kind } from '@flotilla/kube';

export interface HubWrites {
  /** Writes since the start, or since the last call, by kind. */
  readonly taken: () => ReadonlyMap<string, number>;
  readonly stop: () => void;
}

export async function countHubWrites(client: Client): Promise<HubWrites> {
  const { kinds } = await discover(client).all();
  let counts = new Map<string, number>();
  const ends = oneVersionOf(kinds).flatMap((kind) => {
    const view = client.view?.(kind);
    if (view === undefined) return [];
    return view.follow(
      () => void counts.set(kind.kind, (counts.get(kind.kind) ?? 0) + 1),
      () => undefined,
    );
  });
  return {
    taken: () => {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    stop: () => {
      for (const end of ends) end();
    },
  };
}

/** Writes without heartbeats and their mirror: their sum, and by kind. */
export function withoutHeartbeats(writes: ReadonlyMap<string, number>) {
  const heartbeats = new Set(['MemberCluster', 'InternalMemberCluster', 'Lease']);
  const kinds = [...writes].filter(([kind]) => !heartbeats.has(kind)).sort(([, a], [, b]) => b - a);
  return { kinds, sum: kinds.reduce((sum, [, count]) => sum + count, 0) };
}

/** All versions of a kind show the same objects. */
function oneVersionOf(kinds: readonly Kind[]): Kind[] {
  const seen = new Map<string, Kind>();
  for (const kind of kinds)
    if (!seen.has(`${kind.group}/${kind.plural}`)) seen.set(`${kind.group}/${kind.plural}`, kind);
  return [...seen.values()];
}
