import type { ClientHttp2Session } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectionPath, configMap, fieldOf, nameOf } from './config-map.ts';
import { expectStatus, startRequest } from './connections.ts';
import { inParallel, resultOf } from './requests.ts';
import type { LoadResult, Workload } from './workload.ts';

type WatchWorkload = Extract<Workload, { work: 'watch' }>;

/** Opens the watches, creates the objects, and waits until every watch has seen every object. */
export async function watch(
  connections: readonly ClientHttp2Session[],
  watching: readonly ClientHttp2Session[],
  { prefix, watches, count, inFlight, perSecond }: WatchWorkload,
): Promise<LoadResult> {
  const sent = new Float64Array(count);
  const delays = new Float64Array(perSecond === undefined ? 0 : watches * count);
  let events = 0;
  const seen = (number: number): void => {
    if (perSecond !== undefined) delays[events] = performance.now() - (sent[number] ?? 0);
    events++;
  };
  const revision = await newestRevision(connections[0]!);
  const path = `${collectionPath}?watch=1&resourceVersion=${revision}&timeoutSeconds=900`;
  const open = await Promise.all(
    Array.from({ length: watches }, (_, index) =>
      openWatch(watching[index % watching.length]!, path, count, perSecond !== undefined, seen),
    ),
  );

  const cpu = process.cpuUsage();
  const begin = performance.now();
  await inParallel(count, inFlight, async (worker, turn) => {
    if (perSecond !== undefined) await sleep(Math.max(0, begin + (turn / perSecond) * 1000 - performance.now()));
    sent[turn] = performance.now();
    const connection = connections[worker % connections.length]!;
    await expectStatus(connection, 201, 'POST', collectionPath, configMap(nameOf(prefix, turn), turn));
  });
  await Promise.all(open.map(({ done }) => done));
  const seconds = (performance.now() - begin) / 1000;
  const result = resultOf(events, seconds, delays, process.cpuUsage(cpu));
  for (const { stop } of open) stop();
  return { ...result, events };
}

async function newestRevision(connection: ClientHttp2Session): Promise<string> {
  const { first } = await expectStatus(connection, 200, 'GET', `${collectionPath}?limit=1`);
  return fieldOf(first, 'resourceVersion');
}

interface OpenWatch {
  /** Resolves when all events are received. Rejects if the watch ends first. */
  readonly done: Promise<void>;
  readonly stop: () => void;
}

const newline = '\n'.charCodeAt(0);

function openWatch(
  connection: ClientHttp2Session,
  path: string,
  count: number,
  namesMatter: boolean,
  seen: (number: number) => void,
): Promise<OpenWatch> {
  return new Promise((opened, failed) => {
    const stream = startRequest(connection, 'GET', path);
    const done = new Promise<void>((resolve, reject) => {
      let received = 0;
      const lines = namesMatter ? wholeLines((line) => seen(numberIn(line))) : lineEnds(() => seen(0));
      stream.on('data', (chunk: Buffer) => {
        received += lines(chunk);
        if (received >= count) resolve();
      });
      stream.on('close', () => reject(new Error(`a watch ended after ${received} of ${count} events`)));
    });
    // The caller awaits it later, with all watches.
    done.catch(() => undefined);
    stream.on('error', failed);
    stream.once('response', (headers) => {
      if (headers[':status'] === 200) opened({ done, stop: () => stream.close() });
      else failed(new Error(`a watch got status ${headers[':status']}`));
    });
  });
}

/** Counts lines without parsing them. */
function lineEnds(each: () => void): (chunk: Buffer) => number {
  return (chunk) => {
    let count = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
      count++;
      each();
    }
    return count;
  };
}

function wholeLines(each: (line: Buffer) => void): (chunk: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let count = 0;
    let start = 0;
    for (let at = text.indexOf(newline); at >= 0; at = text.indexOf(newline, start)) {
      each(text.subarray(start, at));
      start = at + 1;
      count++;
    }
    rest = text.subarray(start);
    return count;
  };
}

/** The number of an event's object: the digits at the end of its name. */
function numberIn(line: Buffer): number {
  return Number(fieldOf(line, 'name').slice(-6));
}
