import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chooseFleet, type WantedFleet } from './choose-fleet.ts';
import { parseRecord, recordFolder, type FleetRecord } from './fleet-record.ts';
import { startIn } from './process-identity.ts';

function aFleet(name: string, pid: number, dataDirectory?: string): FleetRecord {
  const access = { url: 'https://127.0.0.1:6443', kubeconfig: '/k', hubContext: 'hub' };
  const startedAt = '2026-01-01T00:00:00.000Z';
  return { name, pid, ...access, members: 3, startedAt, ...(dataDirectory !== undefined && { dataDirectory }) };
}

describe('the fleet that a command is about', () => {
  const running = [aFleet('fleet', 10, '/a'), aFleet('fleet', 11, '/b'), aFleet('shop', 12)];
  const cases: readonly (readonly [string, WantedFleet, readonly string[], number | RegExp])[] = [
    ['that of the working directory', {}, ['/b'], 11],
    ['the only one of its name', { name: 'shop' }, ['/b'], 12],
    ['the one with the data directory', { dataDirectory: '/a' }, ['/b'], 10],
    [
      'none, if several match',
      { name: 'fleet' },
      ['/c'],
      /^several fleets run: fleet \(\/a, process 10\), .*--data-dir$/,
    ],
    [
      'none, if the name is unknown',
      { name: 'x' },
      [],
      /^no fleet named x runs; these do: .*shop \(in memory, process 12\)$/,
    ],
  ];
  for (const [claim, wanted, here, expected] of cases) {
    test(`is ${claim}`, () => {
      const chosen = chooseFleet(running, wanted, here);
      if (typeof expected === 'number') assert.equal('fleet' in chosen && chosen.fleet.pid, expected);
      else assert.match('problem' in chosen ? chosen.problem : '', expected);
    });
  }

  test('is none, with the command to start one, if nothing runs', () => {
    assert.deepEqual(chooseFleet([], {}, []), {
      problem: 'no fleet runs; start one with "flotilla up --background"',
    });
  });
});

describe('the record of a fleet', () => {
  test('is refused if its process id could reach other processes', () => {
    const record = aFleet('fleet', 10);
    assert.deepEqual(parseRecord(record), record);
    for (const pid of [0, -1, 1, 1.5, '10', undefined]) assert.equal(parseRecord({ ...record, pid }), undefined);
    for (const value of [null, [], 'text', { ...record, kubeconfig: 7 }, { ...record, dataDirectory: null }]) {
      assert.equal(parseRecord(value), undefined);
    }
  });

  test('is in the folder for state, if that is absolute', () => {
    assert.equal(recordFolder({ XDG_STATE_HOME: '/state' }, '/home/a'), '/state/flotilla/fleets');
    assert.equal(recordFolder({ XDG_STATE_HOME: 'state' }, '/home/a'), '/home/a/.local/state/flotilla/fleets');
  });
});

describe('the start of a process', () => {
  const fields = Array.from({ length: 30 }, (_, index) => String(index + 4));
  test('is read past a name with parentheses', () => {
    assert.equal(startIn(`7 (a) (b c) S ${fields.join(' ')}`), '22');
  });
  test('is unknown for a zombie', () => {
    assert.equal(startIn(`7 (node) Z ${fields.join(' ')}`), undefined);
  });
});
