import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMsIn, machineCpuMsIn, memoryMibIn, wereCoresFull } from './process-usage.ts';

test('CPU is user and system time, whatever the name of the process', () => {
  const stat = '4711 (a) 1 (b)) S 1 4711 4711 0 -1 4194560 100 0 0 0 250 50 9 9 20 0 11 0 12345 1000 2000';
  assert.equal(cpuMsIn(stat), 3000);
});

test('memory is the resident set', () => {
  assert.equal(memoryMibIn('Name:\tnode\nVmPeak:\t  999999 kB\nVmRSS:\t  204800 kB\nThreads:\t11\n'), 200);
  assert.equal(memoryMibIn('Name:\tkthreadd\n'), 0);
});

test('idle time and disk waits do not count as busy', () => {
  const stat = 'cpu  100 20 30 4000 500 6 4 0 0 0\ncpu0 50 10 15 2000 250 3 2 0 0 0\n';
  assert.equal(machineCpuMsIn(stat), 1600);
  assert.equal(wereCoresFull(1900, 1000, 2), true);
  assert.equal(wereCoresFull(1500, 1000, 2), false);
});
