import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MetricsRegistry } from '@flotilla/kube';

const resolutionMs = 10;
const quantiles = [0.5, 0.9, 0.99, 1];
const descriptors = '/proc/self/fd';

/** Register once per process, however many servers it runs. */
export function processMetrics(metrics: MetricsRegistry): void {
  const gauge = (name: string, help: string): { set: (value: number) => void } => metrics.gauge({ name, help }).with();
  const cpu = metrics.counter({ name: 'process_cpu_seconds_total', help: 'Processor time spent, in seconds.' }).with();
  const resident = gauge('process_resident_memory_bytes', 'Resident memory, in bytes.');
  const heap = gauge('flotilla_heap_used_bytes', 'Memory of JavaScript objects, in bytes.');
  const open = gauge('process_open_fds', 'Open files and sockets.');
  gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.').set(
    Math.round(performance.timeOrigin) / 1000,
  );
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const delays = metrics.gauge({
    name: 'flotilla_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last scrape, in seconds.',
    labels: ['quantile'],
  });
  let countedCpu = 0;
  metrics.beforeScrape(() => {
    const { user, system } = process.cpuUsage();
    cpu.add((user + system) / 1e6 - countedCpu);
    countedCpu = (user + system) / 1e6;
    const memory = process.memoryUsage();
    resident.set(memory.rss);
    heap.set(memory.heapUsed);
    const files = openFiles();
    if (files !== undefined) open.set(files);
    for (const quantile of quantiles) {
      // The monitor includes its own resolution.
      const waited = Math.max(0, delay.percentile(quantile * 100) / 1e6 - resolutionMs);
      delays.with(String(quantile)).set(delay.count === 0 ? 0 : waited / 1000);
    }
    delay.reset();
  });
}

/** Returns undefined if the system does not report it. */
function openFiles(): number | undefined {
  try {
    return readdirSync(descriptors).length;
  } catch {
    return undefined;
  }
}
