import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineLogger, type LineLoggerOptions, type Logger } from './logger.ts';

const now = (): Date => new Date('2026-01-02T03:04:05.006Z');

function collecting(options: Partial<LineLoggerOptions> = {}): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, log: lineLogger({ write: (line) => lines.push(line), now, form: 'json', ...options }) };
}

test('writes a JSON object with the fields of each message', () => {
  const { log, lines } = collecting();
  log.info('binding held', { cluster: 'paris', revision: 12n });
  const line =
    '{"ts":"2026-01-02T03:04:05.006Z","level":"info","msg":"binding held","cluster":"paris","revision":"12"}';
  assert.deepEqual(lines, [`${line}\n`]);
});

test('prints bound fields on every line', () => {
  const { log, lines } = collecting();
  log.with({ controller: 'rollout' }).with({ key: 'a' }).warn('late');
  assert.deepEqual(JSON.parse(lines[0] ?? ''), {
    ts: '2026-01-02T03:04:05.006Z',
    level: 'warn',
    msg: 'late',
    controller: 'rollout',
    key: 'a',
  });
});

test('drops messages below the minimum level', () => {
  const { log, lines } = collecting({ level: 'warn' });
  log.debug('a');
  log.info('b');
  log.with({ x: 1 }).info('c');
  log.warn('d');
  log.error('e');
  assert.equal(lines.length, 2);
});

test('prints an error with its cause', () => {
  const { log, lines } = collecting();
  log.error('failed', { error: new Error('outer', { cause: new TypeError('inner') }) });
  const { error } = JSON.parse(lines[0] ?? '') as { error: string };
  assert.match(error, /^Error: outer\n[^]*\ncaused by: TypeError: inner\n/);
});

test('writes text on one line, whatever the values contain', () => {
  const { log, lines } = collecting({ form: 'text' });
  log.warn('slow request', { path: '/api', seconds: 1.5, who: 'a b', evil: 'x\n03:04:05 INFO all is well' });
  log.info('plain');
  assert.deepEqual(lines, [
    '03:04:05 WARN  slow request  path=/api seconds=1.5 who="a b" evil="x\\n03:04:05 INFO all is well"\n',
    '03:04:05 INFO  plain\n',
  ]);
});
