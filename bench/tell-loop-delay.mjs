/** Loaded into a program that is measured, ahead of it: answers its parent. Plain JavaScript, so that Node loads nothing more for it. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

process.on('message', () => {
  process.send?.({ p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 });
  delay.reset();
});
process.channel?.unref();
