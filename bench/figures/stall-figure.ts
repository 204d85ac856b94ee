/** How long other clients wait while one sends legal, heavy requests. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchContext } from '../bench-context.ts';
import { forkAtLowPriority } from '../measured/low-priority.ts';
import type { Measurement } from '../results/measurement.ts';
import { percentile } from '../results/percentiles.ts';
import type { Noticed } from '../stall/bystanders.ts';
import type { Played, PlayerMessage } from '../stall/player.ts';
import { lengthOf, worstWaits, type Span } from '../stall/worst-waits.ts';

export async function stallFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('preparing heavy requests');
  return context.withFlotilla(async ({ server }) => {
    const player = forkAtLowPriority(programOf('player.ts'), server.target);
    const argument = JSON.stringify(server.target);
    const bystanders = fork(programOf('bystanders.ts'), [argument], { serialization: 'advanced' });
    try {
      await Promise.all([answerOf<PlayerMessage>(player), answerOf(bystanders)]);
      context.progress('playing heavy requests');
      bystanders.send('begin');
      player.send('begin');
      const played = (await answerOf<PlayerMessage>(player)) as readonly Played[];
      bystanders.send('end');
      return rows(played, await answerOf<Noticed>(bystanders));
    } finally {
      player.kill();
      bystanders.kill();
    }
  });
}

function programOf(file: string): string {
  return join(import.meta.dirname, '../stall', file);
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a process of the figure stall ended early: exit code ${code}`);
  });
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return answer;
}

function rows(played: readonly Played[], { probes, creates, ownDelayMs }: Noticed): Measurement[] {
  const common = { figure: 'stall', unit: 'ms' } as const;
  const waits = worstWaits(played, probes);
  const count = played.filter(({ isOfCatalogue }) => isOfCatalogue).length;
  const faults = played.filter(({ fault }) => fault !== undefined);
  return [
    {
      ...common,
      what: `${count} requests: longest wait of a probe`,
      value: longest(probes),
      bar: { atMost: 50 },
    },
    { ...common, what: 'wait of a probe, p99', value: p99(probes), bar: { atMost: 25 } },
    { ...common, what: 'slowest create of another user', value: longest(creates) },
    { ...common, what: 'create of another user, p99', value: p99(creates) },
    { ...common, unit: 'requests', what: 'not answered as expected', value: faults.length, bar: { atMost: 0 } },
    { ...common, what: "the probe's own delay, longest", value: ownDelayMs },
    ...played.map((request, index) => ({
      ...common,
      what: detailOf(request),
      value: waits[index] ?? 0,
      isDetail: true,
    })),
  ];
}

function detailOf(request: Played): string {
  const { name, fault, status, sentBytes, receivedBytes } = request;
  const ms = Math.round(lengthOf(request));
  return `${name}: ${fault ?? status}, ${kibOf(sentBytes)} sent, ${kibOf(receivedBytes)} received, ${ms} ms`;
}

function kibOf(bytes: number): string {
  return `${Math.round(bytes / 1024).toLocaleString('en')} KiB`;
}

function longest(spans: readonly Span[]): number {
  return Math.max(0, ...spans.map(lengthOf));
}

function p99(spans: readonly Span[]): number {
  return percentile(Float64Array.from(spans, lengthOf), 0.99);
}
