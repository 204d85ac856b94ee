import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { lineLogger, silentLogger } from '@flotilla/kube';
import { levelsOf, logFromPort, PortLogger } from './port-logger.ts';

test('lines cross the port unless the other end discards them', async () => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const there = lineLogger({ write, now: () => new Date(0), form: 'text', level: 'warn' });
  const { port1, port2 } = new MessageChannel();
  const closed = once(port1, 'close');
  logFromPort(port1, there);
  const here = new PortLogger({ port: port2, levels: levelsOf(there) }).with({ member: 'oslo' });
  let sent = 0;
  port1.on('message', () => sent++);
  here.debug('work applied');
  here.info('joined');
  here.warn('hub unreachable, retrying', { error: () => undefined });
  here.error('failed');
  port2.close();
  await closed;
  assert.equal(sent, 2);
  assert.match(lines[0] ?? '', /hub unreachable, retrying.*member=oslo/);
  assert.match(lines[1] ?? '', /failed.*member=oslo/);
});

test('a logger that overrides a level writes that level', () => {
  assert.deepEqual([...levelsOf({ ...silentLogger, warn: () => undefined })], ['warn']);
});
