import type { BodyShare } from '../limits/body-limit.ts';
import type { InFlightRequest } from '../limits/in-flight-request.ts';
import type { Asking } from './flow.ts';
import type { Seat } from './waiting-request.ts';

/** A change in its flow. Waiting for its body costs memory and no seat. */
export class FlowRequest implements InFlightRequest {
  readonly #asking: Asking;
  readonly #body: BodyShare;
  #seat: Seat | undefined;
  #isOver = false;

  constructor(asking: Asking, body: BodyShare) {
    this.#asking = asking;
    this.#body = body;
  }

  wait(): void {
    this.#body.wait();
  }

  received(bytes: number): void {
    this.#body.received(bytes);
  }

  begin(bodyBytes: number | undefined): Promise<void> | undefined {
    const { level } = this.#asking.flow;
    const begun = level.begin(this.#asking, bodyBytes);
    if (!(begun instanceof Promise)) {
      this.#seat = begun.seat;
      return begun.turn;
    }
    return begun.then((seat) => {
      this.#seat = seat;
      // Its response may have been sent meanwhile, such as a timeout.
      if (this.#isOver) level.release(seat);
    });
  }

  /** The response is known: gives back what the request holds. */
  end(): void {
    this.#isOver = true;
    this.#body.release();
    if (this.#seat !== undefined) this.#asking.flow.level.release(this.#seat);
  }

  /** Whether it was counted as executed. Requests that are refused before they need a seat are not. */
  get hasBegun(): boolean {
    return this.#seat !== undefined;
  }
}
