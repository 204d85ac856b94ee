import type { Clock } from '@flotilla/timing';
import type { BatchReport } from './group-commit.ts';
import { memoryEngine } from './memory-engine.ts';
import { defaultRetention, type Retention } from '../log/retention.ts';
import type { StorageEngine } from '../store.ts';

/** A data directory, or memory. */
type EngineLocation = { readonly directory: string } | { readonly memory: true };

interface EngineOptions {
  readonly clock: Clock;
  readonly retention?: Retention;
  /** Called after each batch that the disk took or refused. */
  readonly report?: (batch: BatchReport) => void;
  /** Called when the disk becomes full, and when it has room again. */
  readonly spaceChanged?: (isFull: boolean) => void;
  /** As in `SqliteEngineOptions`. */
  readonly firstStore?: string | undefined;
}

export async function openEngine(
  location: EngineLocation,
  { clock, retention = defaultRetention, report, ...others }: EngineOptions,
): Promise<StorageEngine> {
  if ('memory' in location) return memoryEngine({ clock, retention });
  // Imported on demand: a server in memory needs no SQLite.
  const { openSqliteEngine } = await import('./sqlite-engine.ts');
  return openSqliteEngine({ directory: location.directory, clock, retention, ...(report && { report }), ...others });
}
