/** 100 watches: at the full rate of writes, and at a low rate, for the latency of an event. */
import type { BenchContext } from '../bench-context.ts';
import type { Measurement } from '../results/measurement.ts';
import { loopDelay, measure } from '../run.ts';

const watches = 100;
const inFlight = 16;

export async function watchFigure(context: BenchContext): Promise<Measurement[]> {
  const count = 3000;
  context.progress(`${watches} watches, creating at full rate`);
  const run = await context.withFlotilla(async ({ server, load }) => {
    await load.run({ work: 'watch', prefix: 'warm', watches, count: 300, inFlight });
    return measure(server, load, { work: 'watch', prefix: 'full-rate', watches, count, inFlight });
  });
  const expected = watches * count;
  const common = { figure: 'watch' };
  return [
    {
      ...common,
      what: 'events received',
      value: run.perSecond,
      unit: 'per second',
      bar: { atLeast: 60_000 },
      kubeApiserver: 27_735,
      isCrowded: run.isCrowded,
    },
    { ...common, what: 'events lost', value: expected - (run.events ?? 0), unit: 'events', bar: { atMost: 0 } },
    { ...common, what: 'server CPU of an event', value: run.serverCpuMs / expected, unit: 'ms' },
    { ...common, what: 'client CPU of an event', value: run.clientCpuMs / expected, unit: 'ms' },
    loopDelay('watch', '', run),
  ];
}

export async function latencyFigure(context: BenchContext): Promise<Measurement[]> {
  const perSecond = 30;
  const count = 10 * perSecond;
  context.progress(`${watches} watches, ${perSecond} creates/s for ${count / perSecond} s`);
  const run = await context.withFlotilla(async ({ server, load }) => {
    await load.run({ work: 'watch', prefix: 'warm', watches, count: 300, inFlight });
    return measure(server, load, { work: 'watch', prefix: 'steady', watches, count, inFlight, perSecond });
  });
  const common = { figure: 'latency', unit: 'ms' } as const;
  return [
    { ...common, what: 'create to event, p50', value: run.p50Ms, kubeApiserver: 5.6 },
    {
      ...common,
      what: 'create to event, p99',
      value: run.p99Ms,
      bar: { atMost: 10 },
      kubeApiserver: 22.6,
      isCrowded: run.isCrowded,
    },
    loopDelay('latency', '', run),
  ];
}
