import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { MetricsRegistry, silentLogger, type JsonObject } from '@flotilla/kube';
import { flushPromises, ManualClock } from '@flotilla/testkit';
import { eventJson, type AuditEvent } from '../audit-event.ts';
import { logBackend, type LogOutput } from './log-backend.ts';
import { RotatingFile } from './rotating-file.ts';
import { truncatingBackend } from './truncated-events.ts';
import { webhookBackend, type WebhookBackendOptions } from './webhook-backend.ts';

const moment = new Date('2026-01-02T03:04:05.678Z');

function event(auditId: string): AuditEvent {
  return {
    level: 'Metadata',
    auditId,
    stage: 'ResponseComplete',
    requestUri: '/version',
    verb: 'get',
    user: { name: 'ann', groups: ['a', 'b'] },
    sourceIps: ['127.0.0.1'],
    userAgent: 'me',
    responseStatus: { code: 200 },
    received: moment,
    stageTime: moment,
    annotations: new Map(),
  };
}

function dependencies(clock = new ManualClock()) {
  return { clock, random: () => 0, logger: silentLogger, metrics: new MetricsRegistry() };
}

async function metricsText(metrics: MetricsRegistry): Promise<string> {
  await flushPromises();
  return [...metrics.pieces()].join('');
}

describe('a backend with a largest event', () => {
  const large = (level: AuditEvent['level'], length: number): AuditEvent => ({
    ...event('large'),
    level,
    requestObject: JSON.stringify('x'.repeat(length)),
    responseObject: '{}',
  });
  const written = (maxEventBytes: number, given = dependencies()) => {
    const events: AuditEvent[] = [];
    const make = () => ({ write: (one: AuditEvent) => events.push(one) > 0, stop: () => Promise.resolve() });
    return { events, given, backend: truncatingBackend(make, maxEventBytes)(given) };
  };

  test('leaves out the bodies of a larger one, and says so', () => {
    const { events, backend } = written(1000);
    for (const one of [large('Request', 1), large('Request', 1000)]) assert.equal(backend.write(one), true);
    assert.deepEqual(
      events.map(({ requestObject, responseObject, annotations }) => [requestObject, responseObject, [...annotations]]),
      [
        ['"x"', '{}', []],
        [undefined, undefined, [['audit.k8s.io/truncated', 'true']]],
      ],
    );
  });

  test('counts a newline', () => {
    const bytes = Buffer.byteLength(eventJson(large('Request', 9))) + 1;
    const [exact, less] = [written(bytes), written(bytes - 1)];
    for (const { backend } of [exact, less]) void backend.write(large('Request', 9));
    assert.deepEqual([exact.events[0]?.responseObject, less.events[0]?.responseObject], ['{}', undefined]);
  });

  test('loses one that is too large without them', async () => {
    const { events, given, backend } = written(10);
    assert.equal(backend.write(large('Metadata', 1)), true);
    assert.equal(events.length, 0);
    assert.match(await metricsText(given.metrics), /apiserver_audit_error_total\{plugin="truncate"\} 1/);
  });
});

describe('the log of audit events', () => {
  function output(fails = false): LogOutput & { readonly texts: string[] } {
    const texts: string[] = [];
    const write = (text: string): void => {
      if (fails) throw new Error('disk full');
      texts.push(text);
    };
    return { texts, write, append: async (text) => write(text), close: () => Promise.resolve() };
  }
  const backend = (to: LogOutput, mode: 'batch' | 'blocking' | 'blocking-strict', given = dependencies()) =>
    logBackend({ open: () => to, format: 'legacy', mode, maxBuffered: 2 })(given);

  test('has one line of text for each event', () => {
    const to = output();
    void backend(to, 'blocking').write(event('one'));
    assert.deepEqual(to.texts, [
      '2026-01-02T03:04:05.678000Z AUDIT: id="one" stage="ResponseComplete" ip="127.0.0.1" method="get" user="ann" ' +
        'groups="\\"a\\",\\"b\\"" as="<self>" asgroups="<lookup>" user-agent="me" namespace="<none>" uri="/version" response="200"\n',
    ]);
  });

  test('fails a request only in the strict mode, and counts lost events', async () => {
    const given = dependencies();
    assert.equal(backend(output(true), 'blocking', given).write(event('one')), true);
    assert.equal(backend(output(true), 'blocking-strict', given).write(event('two')), false);
    assert.match(await metricsText(given.metrics), /apiserver_audit_error_total\{plugin="log"\} 2/);
  });

  test('is written later in batches, and loses events without room', async () => {
    const to = output();
    const given = dependencies();
    const { write, stop } = backend(to, 'batch', given);
    for (const id of ['one', 'two', 'three']) void write(event(id));
    assert.equal(to.texts.length, 0);
    await stop();
    assert.deepEqual(
      to.texts.map((text) => text.split('\n').length - 1),
      [2],
    );
    assert.match(await metricsText(given.metrics), /apiserver_audit_error_total\{plugin="log"\} 1/);
  });
});

describe('a rotating file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  after(() => rmSync(folder, { recursive: true }));

  test('begins a new file when one is full, and keeps the newest old ones, compressed', async () => {
    let now = moment.getTime();
    const path = join(folder, 'deep', 'audit.log');
    const file = new RotatingFile({
      path,
      maxBytes: 10,
      maxBackups: 2,
      maxAgeDays: 0,
      compress: true,
      now: () => new Date((now += 1000)),
      failed: assert.ifError,
    });
    for (const text of ['aaaaaa\n', 'bbbbbb\n', 'cccccc\n', 'dddddddddddddd\n', 'e\n']) file.write(text);
    await file.append('f\n');
    await file.close();
    const names = readdirSync(join(folder, 'deep')).toSorted();
    assert.deepEqual(names, [
      'audit-2026-01-02T03-04-08.678.log.gz',
      'audit-2026-01-02T03-04-09.678.log.gz',
      'audit.log',
    ]);
    assert.equal(readFileSync(path, 'utf8'), 'e\nf\n');
    assert.equal(gunzipSync(readFileSync(join(folder, 'deep', names[1] ?? ''))).toString(), 'dddddddddddddd\n');
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  test('removes old files by age, and continues a file', async () => {
    const path = join(folder, 'age.log');
    let now = moment;
    const open = (): RotatingFile =>
      new RotatingFile({
        path,
        maxBytes: 4,
        maxBackups: 0,
        maxAgeDays: 2,
        compress: false,
        now: () => now,
        failed: assert.ifError,
      });
    const first = open();
    for (const text of ['one\n', 'two\n']) first.write(text);
    await first.close();
    now = new Date(moment.getTime() + 3 * 24 * 3600 * 1000);
    const second = open();
    second.write('three\n');
    await second.close();
    const names = readdirSync(folder).filter((name) => name.startsWith('age'));
    assert.deepEqual(names.toSorted(), ['age-2026-01-05T03-04-05.678.log', 'age.log']);
  });

  test(
    'fails instead of hanging where no folder can be made',
    { skip: !existsSync('/proc/self') && 'no /proc' },
    () => {
      const limits = { maxBytes: 0, maxBackups: 0, maxAgeDays: 0, compress: false };
      const open = () =>
        new RotatingFile({ path: '/proc/flotilla/audit.log', ...limits, now: () => moment, failed: assert.ifError });
      assert.throws(open, { code: 'ENOENT', path: '/proc/flotilla' });
    },
  );
});

describe('the webhook of audit events', () => {
  function receiver(fails = 0) {
    const batches: string[][] = [];
    let attempts = 0;
    const post = (body: Uint8Array): Promise<void> => {
      if (++attempts <= fails) return Promise.reject(new Error('no'));
      const { items } = JSON.parse(Buffer.from(body).toString()) as { items: JsonObject[] };
      batches.push(items.map(({ auditID }) => auditID as string));
      return Promise.resolve();
    };
    return { post, batches, attempts: () => attempts };
  }
  const defaults: Omit<WebhookBackendOptions, 'post'> = {
    mode: 'batch',
    initialBackoffMs: 10_000,
    batch: { maxBuffered: 100, maxBatch: 2, maxWaitMs: 30_000, throttle: { perSecond: 10, burst: 2 } },
  };

  test('gets a full batch at once, and a smaller one in time', async () => {
    const clock = new ManualClock();
    const { post, batches } = receiver();
    const { write } = webhookBackend({ ...defaults, post })(dependencies(clock));
    for (const id of ['1', '2', '3']) void write(event(id));
    await flushPromises();
    assert.deepEqual(batches, [['1', '2']]);
    await clock.advance(30_000);
    assert.deepEqual(batches, [['1', '2'], ['3']]);
  });

  test('gets no more batches in a second than it should', async () => {
    const clock = new ManualClock();
    const { post, batches } = receiver();
    const { write } = webhookBackend({ ...defaults, post })(dependencies(clock));
    for (let id = 1; id <= 8; id++) void write(event(String(id)));
    await flushPromises();
    assert.equal(batches.length, 2);
    await clock.advance(100);
    assert.equal(batches.length, 3);
    await clock.advance(100);
    assert.deepEqual(batches.flat(), ['1', '2', '3', '4', '5', '6', '7', '8']);
  });

  test('gets a batch again that it did not accept, five times in all', async () => {
    const clock = new ManualClock();
    const given = dependencies(clock);
    const { post, batches, attempts } = receiver(6);
    const { write } = webhookBackend({ ...defaults, post })(given);
    void write(event('1'));
    void write(event('2'));
    for (let round = 0; round < 5; round++) await clock.advance(60_000);
    assert.equal(attempts(), 5);
    assert.match(await metricsText(given.metrics), /apiserver_audit_error_total\{plugin="webhook"\} 2/);
    void write(event('3'));
    void write(event('4'));
    for (let round = 0; round < 5; round++) await clock.advance(60_000);
    assert.deepEqual(batches, [['3', '4']]);
  });

  test('holds up the request in the blocking mode', async () => {
    const { post, batches } = receiver();
    const { write } = webhookBackend({ ...defaults, mode: 'blocking', post })(dependencies());
    assert.equal(await write(event('1')), true);
    assert.deepEqual(batches, [['1']]);
  });
});
