import { metricsContentType, type MetricsRegistry, type ResponseStream } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import type { PathHandler } from '../request/path-handler.ts';
import { guarded } from '../metrics/guarded.ts';
import { headersFor } from '../response/respond.ts';

export const metricsPath = '/metrics';

/** Sends a scrape in pieces, so that a large one does not block other requests. */
export function metricsHandler(metrics: MetricsRegistry, turns: LoopTurns): PathHandler {
  return () => ({ status: 200, headers: headersFor(metricsContentType), body: textOf(metrics, turns) });
}

/** Characters that are built before the event loop continues. */
const pieceLength = 64 * 1024;

function textOf(metrics: MetricsRegistry, turns: LoopTurns): ResponseStream {
  return {
    isCompressible: true,
    start: (sink) => {
      const families = metrics.pieces();
      let isClosed = false;
      sink.onClose(() => {
        isClosed = true;
      });
      const next = guarded(() => {
        if (isClosed) return;
        let text = '';
        let done = false;
        while (!done && text.length < pieceLength) {
          const family = families.next();
          done = family.done === true;
          text += family.value ?? '';
        }
        if (text !== '') sink.write(Buffer.from(text));
        if (done) sink.end();
        else turns.later(next);
      }, sink.fail);
      next();
    },
  };
}
