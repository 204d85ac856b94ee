import type { ResponseStream } from '@flotilla/kube';

interface StreamObserver {
  readonly began: () => void;
  /** Called once, whoever ended it. */
  readonly ended: (bytes: number, seconds: number) => void;
}

/** The same stream, whose course somebody hears of. */
export function observedStream(stream: ResponseStream, { began, ended }: StreamObserver): ResponseStream {
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
      began();
      sink.onClose(over);
      stream.start({
        write: (chunk) => {
          bytes += chunk.length;
          return sink.write(chunk);
        },
        end: () => {
          over();
          sink.end();
        },
        fail: (error) => {
          over();
          sink.fail(error);
        },
        onDrain: sink.onDrain,
        onClose: sink.onClose,
      });
    },
  };
}
