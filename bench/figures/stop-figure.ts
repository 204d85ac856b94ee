import { openStuckClients } from '../../test/stuck-clients.ts';
import type { BenchContext } from '../bench-context.ts';
import type { Measurement } from '../results/measurement.ts';
import { median } from '../results/percentiles.ts';

/** Enough to leave the write-ahead log nearly full. */
const freshObjects = 3000;

/** From the signal until the process has exited, with 50,000 objects and recent writes. Medians of three. */
export async function stopFigure(context: BenchContext): Promise<Measurement[]> {
  const { directory } = await context.filledDirectory();
  const quiet: number[] = [];
  const stuck: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    context.progress('stops');
    quiet.push(await stopMs(context, directory, `quiet${turn}`, 0));
    context.progress('stops with clients that never finish');
    stuck.push(await stopMs(context, directory, `stuck${turn}`, 10));
  }
  const common = { figure: 'stop', unit: 'ms', bar: { atMost: 1000 } } as const;
  return [
    { ...common, what: 'SIGTERM to exit, after writes', value: median(quiet) },
    { ...common, what: 'SIGTERM to exit, stuck clients', value: median(stuck) },
  ];
}

function stopMs(context: BenchContext, directory: string, prefix: string, stuckOfEach: number): Promise<number> {
  return context.withFlotilla(async ({ server, load }) => {
    await load.run({ work: 'create', kind: 'ConfigMap', prefix, count: freshObjects, inFlight: 64 });
    const { url, ...access } = server.target;
    const clients = await openStuckClients({ ...access, port: Number(new URL(url).port) }, stuckOfEach);
    const begin = performance.now();
    await server.stop();
    const ms = performance.now() - begin;
    clients[Symbol.dispose]();
    return ms;
  }, directory);
}
