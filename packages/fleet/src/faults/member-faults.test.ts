import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InvalidFaults, noFaults, parseFaults, printFaults } from './member-faults.ts';

describe('the text of faults', () => {
  test('names every fault, and is printed as it is parsed', () => {
    const text =
      'stop, partition, slow 300ms, fail workloads, fail api 12.5%, fail agent, fail webhook, fail clock -1h30m';
    assert.deepEqual(parseFaults(text), {
      isStopped: true,
      isPartitioned: true,
      delayMs: 300,
      workloadsFail: true,
      failureRate: 0.125,
      agentCrashes: true,
      webhookRefuses: true,
      clockShiftMs: -5_400_000,
    });
    assert.equal(printFaults(parseFaults(text)), text);
    assert.equal(printFaults(noFaults), 'none');
  });

  test('may have lines, spaces and several faults of a kind, of which the last counts', () => {
    assert.equal(printFaults(parseFaults('\n slow 1s\n\tslow   90s ,fail\n')), 'slow 1m30s, fail workloads');
    for (const text of ['', ' ', 'none', ',,', 'fail api 0%', 'fail clock 0']) {
      assert.deepEqual(parseFaults(text), noFaults, text);
    }
    assert.equal(printFaults(parseFaults('fail clock 5m')), 'fail clock +5m');
  });

  for (const [text, message] of [
    ['explode', /"explode" is not a fault; the faults are: stop, partition, slow DURATION/],
    ['stop now', /"stop now" is not a fault/],
    ['__proto__', /is not a fault/],
    ['fail disk', /"fail disk" is not a fault/],
    ['fail agent twice', /is not a fault/],
    ['slow', /"slow" is not a fault/],
    ['slow soon', /invalid duration "soon"; write for instance 300ms/],
    ['slow -1s', /a delay of -1s is not between 1ms and 10m/],
    ['slow 11m', /is not between/],
    ['fail api 101%', /"101%" is not a share of requests; write for instance 30%/],
    ['fail api -1%', /is not a share/],
    ['fail api lots', /is not a share/],
    ['fail clock 100000h', /a clock cannot be wrong by 100000h/],
    ['x'.repeat(501), /longer than 500 characters/],
  ] as const) {
    test(`is refused if it is ${text.slice(0, 20)}`, () => {
      assert.throws(
        () => parseFaults(text),
        (error) => error instanceof InvalidFaults && message.test(error.message),
      );
    });
  }
});
