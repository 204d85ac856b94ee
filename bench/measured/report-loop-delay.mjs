/** Preloaded into a measured program: reports its event-loop delay to the parent. Plain JavaScript needs no type stripping. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

process.on('message', () => {
  process.send?.({ p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 });
  delay.reset();
});
process.channel?.unref();
