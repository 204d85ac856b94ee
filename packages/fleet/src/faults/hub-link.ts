import { ConnectionError, type Transport, type TransportRequest, type TransportResponse } from '@flotilla/client';
import type { ViewChange } from '@flotilla/kube';
import { pause, type Clock } from '@flotilla/timing';
import type { MemberFaults } from './member-faults.ts';
import { OpenStreams, type Delivery } from './open-streams.ts';

/** The connection between the agent of a member and the hub. It can be cut, and it can be slow. */
export class HubLink {
  readonly #clock: Clock;
  readonly #streams = new OpenStreams();
  #isCut = false;
  #delayMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  set({ isPartitioned, delayMs }: Pick<MemberFaults, 'isPartitioned' | 'delayMs'>): void {
    this.#isCut = isPartitioned;
    this.#delayMs = delayMs;
    if (isPartitioned) this.#streams.cut(cutError('cut'));
  }

  /** The same transport over this connection. */
  through(transport: Transport): Transport {
    const { view } = transport;
    const closing = new AbortController();
    return {
      send: (request) => this.#send(transport, request, closing.signal),
      ...(view !== undefined && {
        view: (request: TransportRequest) => {
          this.#throwIfCut();
          const opened = view(request);
          return opened && this.#streams.view(opened, (changed) => new DelayedChanges(this.#clock, this, changed));
        },
      }),
      close: () => {
        closing.abort(new ConnectionError('the client is closed', 'unreachable'));
        return transport.close();
      },
    };
  }

  /** Of a change or request that starts now. */
  get delayMs(): number {
    return this.#delayMs;
  }

  async #send(transport: Transport, request: TransportRequest, closing: AbortSignal): Promise<TransportResponse> {
    this.#throwIfCut();
    if (this.#delayMs > 0) {
      const stopped = request.signal ? AbortSignal.any([request.signal, closing]) : closing;
      await pause(this.#clock, this.#delayMs, stopped);
      stopped.throwIfAborted();
      this.#throwIfCut();
    }
    return request.query.includes('watch=true') ? this.#watch(transport, request) : transport.send(request);
  }

  /** A watch ends with a cut. All other responses are short. */
  async #watch(transport: Transport, request: TransportRequest): Promise<TransportResponse> {
    const cutting = new AbortController();
    const signal = request.signal ? AbortSignal.any([request.signal, cutting.signal]) : cutting.signal;
    const forget = this.#streams.add((error) => cutting.abort(error));
    try {
      const response = await transport.send({ ...request, signal });
      return { ...response, body: ending(response.body, forget) };
    } catch (error) {
      forget();
      throw error;
    }
  }

  #throwIfCut(): void {
    if (this.#isCut) throw cutError('unreachable');
  }
}

function cutError(reached: 'unreachable' | 'cut'): ConnectionError {
  return new ConnectionError('the network between agent and hub is partitioned', reached);
}

/** Calls `ended` once the body has ended in any way. Not a generator: that would cost each piece of a watch several promises. */
function ending(body: AsyncIterable<Uint8Array>, ended: () => void): AsyncIterable<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    try {
      const result = await pieces.next();
      if (result.done === true) ended();
      return result;
    } catch (error) {
      ended();
      throw error;
    }
  };
  const stop = async (): Promise<IteratorResult<Uint8Array>> => {
    ended();
    return (await pieces.return?.()) ?? { value: undefined, done: true };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) };
}

interface Delayed {
  readonly at: number;
  readonly change: ViewChange;
}

/** Passes changes on after the delay of the link, in order. */
class DelayedChanges implements Delivery {
  readonly #clock: Clock;
  readonly #link: HubLink;
  readonly #changed: (change: ViewChange) => void;
  #waiting: Delayed[] = [];
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, link: HubLink, changed: (change: ViewChange) => void) {
    this.#clock = clock;
    this.#link = link;
    this.#changed = changed;
  }

  readonly push = (change: ViewChange): void => {
    const { delayMs } = this.#link;
    if (delayMs === 0 && this.#waiting.length === 0) return this.#changed(change);
    this.#waiting.push({ at: this.#clock.elapsed() + delayMs, change });
    this.#plan();
  };

  flush(): void {
    this.#cancel?.();
    for (const { change } of this.#waiting.splice(0)) this.#changed(change);
  }

  stop(): void {
    this.#cancel?.();
    this.#waiting = [];
  }

  #plan(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.#cancel ??= this.#clock.after(Math.max(0, first.at - this.#clock.elapsed()), () => this.#passOn());
  }

  #passOn(): void {
    this.#cancel = undefined;
    const now = this.#clock.elapsed();
    const due = this.#waiting.findIndex(({ at }) => at > now);
    for (const { change } of this.#waiting.splice(0, due < 0 ? this.#waiting.length : due)) this.#changed(change);
    this.#plan();
  }
}
