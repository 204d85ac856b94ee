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

/**
 * The memory of buffers is released after the collection that found them unreachable, and what weak references held after that.
 * After one collection a fleet of 100 members seemed to hold 34 MiB more than after two.
 */
async function collectAll() {
  for (let round = 0; round < 4; round++) {
    collectGarbage();
    await new Promise(setImmediate);
  }
}

process.on('message', async ({ collects }) => {
  const delays = { p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 };
  if (collects) await collectAll();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ ...delays, heapMib: (heapUsed + external) / 2 ** 20, rssMib: rss / 2 ** 20, handles: handles() });
  delay.reset();
});
process.channel?.unref();
