/** The messages between the engine and its worker thread. */
import type { LogRows } from './log-rows.ts';
import type { NewStore, StoredStore } from './sqlite-log.ts';

export interface WorkerStart {
  readonly file: string;
  readonly reserveBytes: number;
}

/** Answered in order, each with an `Answer` of the same number. */
export type Request = { readonly number: number } & Task;

export type Task =
  | {
      readonly task: 'append';
      readonly newStores: readonly NewStore[];
      readonly rows: LogRows;
      /** Without history, for a full disk. */
      readonly isCompact: boolean;
    }
  /** Grows the reserve to the needed size if there is room. */
  | { readonly task: 'reserve' }
  /** Frees the reserve, and the room of history, for writes that must succeed. */
  | { readonly task: 'release' }
  | { readonly task: 'sweep'; readonly store: number; readonly compacted: number }
  | { readonly task: 'backup'; readonly file: string }
  | { readonly task: 'close' };

export type Answer =
  | { readonly kind: 'found'; readonly stores: readonly FoundStore[] }
  | { readonly kind: 'rows'; readonly rows: LogRows }
  | { readonly kind: 'loaded'; readonly isFull: boolean }
  | { readonly kind: 'refused'; readonly why: Refusal }
  | { readonly kind: 'done'; readonly number: number }
  | { readonly kind: 'failed'; readonly number: number; readonly message: string; readonly isFull: boolean };

/** Why the file cannot be opened, in a form that can cross threads. */
export type Refusal =
  | { readonly reason: 'busy' }
  | { readonly reason: 'unusable'; readonly problem: string }
  | { readonly reason: 'failed'; readonly message: string };

export interface FoundStore extends StoredStore {
  readonly revision: number;
}
