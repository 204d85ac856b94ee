/** What the engine and its worker thread say to each other. */
import type { LogRows } from './log-rows.ts';
import type { NewStore, StoredStore } from './sqlite-log.ts';

export interface WorkerStart {
  readonly file: string;
  readonly reserveBytes: number;
}

/** Answered in order, each by an `Answer` with its number. */
export type Request = { readonly number: number } & Task;

export type Task =
  | {
      readonly task: 'append';
      readonly newStores: readonly NewStore[];
      readonly rows: LogRows;
      /** Without history, for a disk that is full. */
      readonly isCompact: boolean;
    }
  /** Makes the reserve if there is room. */
  | { readonly task: 'reserve' }
  /** Gives the reserve, and the room of history, to what must be written. */
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
