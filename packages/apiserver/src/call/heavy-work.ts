import type { ApiResponse } from '@flotilla/kube';
import type { DeleteOptions } from '../request/delete-options.ts';
import type { Representation } from '../request/negotiate.ts';
import type { Entry } from '../store/store.ts';
import type { Call } from './call.ts';

/** Runs what would hold the event loop for long in another thread. */
export interface HeavyWork {
  isHeavy(bytes: number): boolean;
  /** Throws if the request, whose body has just come, must not run in this thread. */
  checkLight(call: Call, body: Uint8Array): void;
  /** Runs a request that needs no body, or has it already. */
  run(call: Call, body?: Uint8Array): Promise<ApiResponse>;
  /** Makes one frame of a watch. */
  frame(call: Call, representation: Representation, content: FrameContent): Promise<Uint8Array>;
  /** Makes one item of a list. */
  item(call: Call, representation: Representation, entry: Entry): Promise<Uint8Array>;
  /** Deletes one object of a collection. */
  delete(call: Call, namespace: string, name: string, options: DeleteOptions): Promise<void>;
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** What a frame of a watch shows. All of it can cross threads. */
export interface FrameContent {
  readonly type: EventType;
  readonly entry: Entry;
  /** The revision at which the watch lost the object, where it is not the entry's own. */
  readonly lostAt?: number;
  /** The first frame of a Table watch names the columns. */
  readonly isFirst?: boolean;
}
