import type { ApiResponse, RequestBody } from '@flotilla/kube';
import type { WorkerRetry } from '../resources/cost-allowance.ts';
import type { DeleteOptions } from '../request/delete-options.ts';
import type { Representation } from '../request/negotiate.ts';
import type { Entry } from '../store/store.ts';
import type { Call } from './call.ts';

/** Runs work that would block the event loop for long in another thread. */
export interface HeavyWork {
  isHeavy(bytes: number): boolean;
  /** The error to throw if the request is too heavy for this thread. Call it once the body is received. */
  whyHeavy(call: Call, body: RequestBody): Error | undefined;
  /** For a request that turns out to be too heavy for this thread after its body was read. */
  retryOf(call: Call, body: RequestBody): WorkerRetry;
  isTooHeavy(error: unknown): boolean;
  /** Runs a request that has no body, or whose body is received. */
  run(call: Call, body?: Uint8Array): Promise<ApiResponse>;
  /** Makes one frame of a watch. */
  frame(call: Call, representation: Representation, content: FrameContent): Promise<Uint8Array>;
  /** Makes one item of a list. */
  item(call: Call, representation: Representation, entry: Entry): Promise<Uint8Array>;
  /** Reads the selectable fields of an object that a webhook converts. */
  fields(call: Call, entry: Entry): Promise<Readonly<Record<string, string>>>;
  /** Deletes one object of a collection. */
  delete(call: Call, namespace: string, name: string, options: DeleteOptions): Promise<void>;
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The content of a watch frame. It can be sent to another thread. */
export interface FrameContent {
  readonly type: EventType;
  readonly entry: Entry;
  /** The revision at which the object left the selector of the watch, if it differs from the entry's. */
  readonly lostAt?: number;
  /** The first frame of a Table watch has the column definitions. */
  readonly isFirst?: boolean;
}
