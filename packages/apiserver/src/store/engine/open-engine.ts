import type { Clock } from '@flotilla/timing';
import type { BatchReport } from './group-commit.ts';
import { memoryEngine } from './memory-engine.ts';
import { defaultRetention, type Retention } from '../log/retention.ts';
import type { StorageEngine } from '../store.ts';

/** Where objects are kept: in a directory of the server's own, or nowhere. */
type EnginePlace = { readonly directory: string } | { readonly memory: true };

interface EngineOptions {
  readonly clock: Clock;
  readonly retention?: Retention;
  /** Hears of every batch that the disk took or refused. */
  readonly report?: (batch: BatchReport) => void;
  /** Hears when the disk has no more room, and when it has again. */
  readonly spaceChanged?: (isFull: boolean) => void;
}

export async function openEngine(
  place: EnginePlace,
  { clock, retention = defaultRetention, report, spaceChanged }: EngineOptions,
): Promise<StorageEngine> {
  if ('memory' in place) return memoryEngine({ clock, retention });
  // Loaded on demand: a server in memory needs no SQLite.
  const { openSqliteEngine } = await import('./sqlite-engine.ts');
  return openSqliteEngine({ directory: place.directory, clock, retention, ...(report && { report }), spaceChanged });
}
