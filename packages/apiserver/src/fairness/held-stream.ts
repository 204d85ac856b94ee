import type { ResponseStream } from '@flotilla/kube';

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

interface StreamListeners {
  /** Called when the stream ends, or when it first waits for its reader. From then on the reader sets its pace. */
  readonly release: () => void;
  readonly written: (bytes: number) => void;
  readonly ended: () => void;
}

/** The same stream with listeners. */
export function heldStream(stream: ResponseStream, { release, written, ended }: StreamListeners): ResponseStream {
  const over = once(release);
  return endingStream(
    {
      isCompressible: stream.isCompressible,
      start: (sink) =>
        stream.start({
          ...sink,
          write: (chunk) => {
            written(chunk.length);
            const isTaken = sink.write(chunk);
            if (!isTaken) over();
            return isTaken;
          },
        }),
    },
    () => {
      over();
      ended();
    },
  );
}

function once(call: () => void): () => void {
  let isCalled = false;
  return () => {
    if (isCalled) return;
    isCalled = true;
    call();
  };
}
