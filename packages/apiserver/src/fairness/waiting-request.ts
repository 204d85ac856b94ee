import type { TooManyRequests } from '../limits/too-many-requests.ts';
import type { Asking } from './flow.ts';
import type { Queue, Waiting } from './queuing/fair-queues.ts';
import type { Seatable } from './seats/seated.ts';

/** The seats that a request has until it ends. */
export interface Seat extends Seatable {
  readonly asking: Asking;
  readonly queue: Queue<WaitingRequest> | undefined;
  readonly since: number;
}

/** A request that executes now, or in its turn of the event loop. */
export interface Begun {
  readonly seat: Seat;
  readonly turn: Promise<void> | undefined;
}

/** A request in a queue. `bodyBytes` is set if its work needs time in a turn of the event loop. */
export interface WaitingRequest extends Waiting {
  readonly asking: Asking;
  readonly bodyBytes: number | undefined;
  readonly distinguisher: string;
  readonly since: number;
  readonly start: (seat: Seat) => void;
  readonly reject: (error: TooManyRequests) => void;
}
