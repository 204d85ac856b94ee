import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { PathHandler } from '../request/path-handler.ts';
import { bytesResponse, jsonBytes } from '../response/respond.ts';

/** Reports the delay of the event loop, for benchmarks. */
export const loopDelayPath = '/flotilla/loop-delay';

const resolutionMs = 1;

/** Measures from its creation on. Every request answers with the delays since the previous one. */
export function loopDelayHandler(): PathHandler {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  return () => {
    const report = { p50Ms: delay.percentile(50) / 1e6, p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 };
    delay.reset();
    return bytesResponse(200, 'application/json', jsonBytes(report, false));
  };
}
