import type { BenchContext } from './bench-context.ts';
import { measurementsOf } from './measuring-process.ts';
import type { Measurement } from './measurement.ts';

export async function informerFigure(context: BenchContext): Promise<Measurement[]> {
  context.say('an informer of 100,000 objects over HTTP');
  const remote = await context.withFlotilla(({ server }) =>
    measurementsOf('informer.ts', JSON.stringify(server.target)),
  );
  context.say('an informer of 100,000 objects in process');
  return [...remote, ...(await measurementsOf('informer.ts'))];
}
