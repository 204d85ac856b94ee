import type { ResponseStream, StreamSink } from '@flotilla/kube';
import { guarded } from './guarded.ts';

interface StreamObserver {
  readonly began: () => void;
  /** Called once, whichever side ended the stream. */
  readonly ended: (bytes: number, seconds: number) => void;
  /** The stream threw or reported a failure, and is cut. */
  readonly failed: (error: unknown) => void;
}

/** The same stream with an observer. An exception ends the stream, never the process. */
export function observedStream(stream: ResponseStream, { began, ended, failed }: StreamObserver): ResponseStream {
  return {
    isCompressible: stream.isCompressible,
    start: (sink) => {
      const start = performance.now();
      let bytes = 0;
      let isOver = false;
      const over = (): void => {
        if (isOver) return;
        isOver = true;
        ended(bytes, (performance.now() - start) / 1000);
      };
      const fail = (error: unknown): void => {
        if (isOver) return;
        over();
        failed(error);
        sink.fail(error);
      };
      const observed: StreamSink = {
        write: (chunk) => {
          bytes += chunk.length;
          return sink.write(chunk);
        },
        end: () => {
          over();
          sink.end();
        },
        fail,
        onDrain: (listener) => sink.onDrain(guarded(listener, fail)),
        onClose: (listener) => sink.onClose(guarded(listener, fail)),
      };
      began();
      sink.onClose(over);
      guarded(() => stream.start(observed), fail)();
    },
  };
}
