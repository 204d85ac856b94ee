/** Preloaded into the measured program: reports its memory, handles and event-loop delay to the parent. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Without sockets: clients come and go. */
function handles() {
  return process.getActiveResourcesInfo().filter((type) => !/TCPSocket|TLSWrap|TCPSERVERWRAP|Immediate/.test(type));
}

process.on('message', ({ collects }) => {
  const delays = { p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 };
  if (collects) collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ ...delays, heapMib: (heapUsed + external) / 2 ** 20, rssMib: rss / 2 ** 20, handles: handles() });
  delay.reset();
});
process.channel?.unref();
