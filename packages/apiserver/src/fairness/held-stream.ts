import type { ResponseStream, StreamSink } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';

/** A reader that takes nothing for so long holds no seat any more. */
const stalledMs = 100;

/** The same stream; `ended` is called once when it ends, whichever side ends it. */
export function endingStream(stream: ResponseStream, ended: () => void): ResponseStream {
  return {
    isCompressible: stream.isCompressible,
    start: (sink) => {
      const over = once(ended);
      sink.onClose(over);
      stream.start({
        ...sink,
        end: () => {
          over();
          sink.end();
        },
        fail: (error) => {
          over();
          sink.fail(error);
        },
        onClose: (listener) =>
          sink.onClose(() => {
            over();
            listener();
          }),
      });
    },
  };
}

/** The same stream; `release` is called when it ends, or when its reader stalls: producing the rest is then no one's work. */
export function heldStream(stream: ResponseStream, clock: Clock, release: () => void): ResponseStream {
  const over = once(release);
  return {
    isCompressible: stream.isCompressible,
    start: (sink) => endingStream(new StallObserver(stream, clock, over), over).start(sink),
  };
}

class StallObserver implements ResponseStream {
  readonly isCompressible: boolean;
  readonly #stream: ResponseStream;
  readonly #clock: Clock;
  readonly #stalled: () => void;
  #isStalled = false;
  #since = 0;
  #isChecking = false;

  constructor(stream: ResponseStream, clock: Clock, stalled: () => void) {
    this.isCompressible = stream.isCompressible;
    this.#stream = stream;
    this.#clock = clock;
    this.#stalled = stalled;
  }

  start(sink: StreamSink): void {
    this.#stream.start({
      ...sink,
      write: (chunk) => {
        const isTaken = sink.write(chunk);
        if (!isTaken) this.#stall();
        return isTaken;
      },
      onDrain: (listener) =>
        sink.onDrain(() => {
          this.#isStalled = false;
          listener();
        }),
    });
  }

  #stall(): void {
    this.#isStalled = true;
    this.#since = this.#clock.elapsed();
    this.#checkAfter(stalledMs);
  }

  #checkAfter(milliseconds: number): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    this.#clock.after(milliseconds, () => {
      this.#isChecking = false;
      if (!this.#isStalled) return;
      const left = this.#since + stalledMs - this.#clock.elapsed();
      if (left <= 0) this.#stalled();
      else this.#checkAfter(left);
    });
  }
}

function once(call: () => void): () => void {
  let isCalled = false;
  return () => {
    if (isCalled) return;
    isCalled = true;
    call();
  };
}
