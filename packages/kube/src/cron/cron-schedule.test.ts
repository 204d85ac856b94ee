import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cronScheduleProblem, parseCronSchedule } from './cron-schedule.ts';
import { timeZoneProblem } from './time-zone.ts';

test('accepts what cron accepts', () => {
  const schedules = [
    '* * * * *',
    '*/15 0-5 1,15 jan-mar MON-fri',
    '0 0 ? * 6',
    '5/10 * * * *',
    '@hourly',
    '@every 1h30m',
    ' 0  0 * * * ',
    '*-9 * * * *',
    'TZ=UTC 0 0 * * *',
    'CRON_TZ=Europe/Paris @daily',
  ];
  for (const schedule of schedules) assert.equal(cronScheduleProblem(schedule), undefined, schedule);
});

test('reports what is wrong with the rest', () => {
  const problems: Readonly<Record<string, string>> = {
    '* * * *': 'expected exactly 5 fields, found 4: [* * * *]',
    '60 * * * *': 'end of range (60) above maximum (59): 60',
    '* * 0 * *': 'beginning of range (0) below minimum (1): 0',
    '5-2 * * * *': 'beginning of range (5) beyond end of range (2): 5-2',
    '*/0 * * * *': 'step of range should be a positive number: */0',
    '1-2-3 * * * *': 'too many hyphens: 1-2-3',
    '1/2/3 * * * *': 'too many slashes: 1/2/3',
    'a * * * *': 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax',
    '*/-1 * * * *': 'negative number (-1) not allowed: -1',
    '@often': 'unrecognized descriptor: @often',
    '@every soon': 'failed to parse duration @every soon: time: invalid duration "soon"',
    'TZ=Mars/Olympus 0 0 * * *': 'provided bad location Mars/Olympus: unknown time zone Mars/Olympus',
    'TZ=0': 'invalid schedule format: runtime error: slice bounds out of range [:-1]',
  };
  for (const [schedule, problem] of Object.entries(problems)) assert.equal(cronScheduleProblem(schedule), problem);
});

test('knows time zones by their exact names', () => {
  for (const zone of ['Europe/Paris', 'US/Pacific', 'Asia/Kolkata', 'Etc/GMT+5', 'UTC', 'EST']) {
    assert.equal(timeZoneProblem(zone), undefined, zone);
  }
  assert.equal(timeZoneProblem('europe/paris'), 'unknown time zone europe/paris');
  assert.equal(timeZoneProblem('+01:00'), 'unknown time zone +01:00');
  assert.equal(timeZoneProblem('../etc'), 'time: invalid location name');
});

/** The next times after a moment, in UTC. */
function times(schedule: string, after: string, count = 1): string[] {
  const parsed = parseCronSchedule(schedule);
  const found: string[] = [];
  for (let moment: number | undefined = Date.parse(after); found.length < count && moment !== undefined;) {
    moment = parsed.next(moment);
    found.push(moment === undefined ? 'never' : new Date(moment).toISOString().replace(':00.000Z', 'Z'));
  }
  return found;
}

test('finds the next time of a schedule', () => {
  const after = '2026-11-15T23:45:52.300Z';
  const nexts: Readonly<Record<string, string>> = {
    '* * * * *': '2026-11-15T23:46Z',
    '*/15 * * * *': '2026-11-16T00:00Z',
    '30 3 * * *': '2026-11-16T03:30Z',
    '0 0 1 * *': '2026-12-01T00:00Z',
    '0 12 * jan mon-fri': '2027-01-01T12:00Z',
    '0 0 13 * 5': '2026-11-20T00:00Z',
    '0 0 */13 * 5': '2026-11-20T00:00Z',
    '0 0 13 * *': '2026-12-13T00:00Z',
    '0 0 29 2 *': '2028-02-29T00:00Z',
    '0 0 31 2 *': 'never',
    '@yearly': '2027-01-01T00:00Z',
    '@weekly': '2026-11-22T00:00Z',
    '@hourly': '2026-11-16T00:00Z',
    '@every 90m': '2026-11-16T01:15:52.000Z',
    '@every 1ms': '2026-11-15T23:45:53.000Z',
    'TZ=Asia/Kolkata 0 6 * * *': '2026-11-16T00:30Z',
    'TZ=America/New_York 0 6 * * *': '2026-11-16T11:00Z',
  };
  for (const [schedule, next] of Object.entries(nexts)) assert.deepEqual(times(schedule, after), [next], schedule);
});

test('is later than the given moment, even if that is a time of the schedule', () => {
  assert.deepEqual(times('0 * * * *', '2026-11-15T23:00:00Z'), ['2026-11-16T00:00Z']);
  assert.deepEqual(times('0 * * * *', '2026-11-15T22:59:59.999Z'), ['2026-11-15T23:00Z']);
});

test('skips a local time that a change of the clock skips, and repeats one that it repeats', () => {
  const paris = 'TZ=Europe/Paris 30 2 * * *';
  assert.deepEqual(times(paris, '2026-03-28T00:00:00Z', 3), [
    '2026-03-28T01:30Z',
    '2026-03-30T00:30Z',
    '2026-03-31T00:30Z',
  ]);
  assert.deepEqual(times(paris, '2026-10-24T12:00:00Z', 3), [
    '2026-10-25T00:30Z',
    '2026-10-25T01:30Z',
    '2026-10-26T01:30Z',
  ]);
  // Midnight does not exist on this day.
  assert.deepEqual(times('TZ=America/Sao_Paulo 0 1 4 * *', '2018-11-03T12:00:00Z'), ['2018-11-04T03:00Z']);
  // Nor does this day.
  assert.deepEqual(times('TZ=Pacific/Apia 0 0 * * *', '2011-12-29T10:00:00Z', 2), [
    '2011-12-30T10:00Z',
    '2011-12-31T10:00Z',
  ]);
});

test('gives up on moments that are no dates', () => {
  for (const moment of [Number.NaN, Infinity, -Infinity, 8.64e15]) {
    assert.equal(parseCronSchedule('TZ=Europe/Paris 0 0 1 1 *').next(moment), undefined);
  }
});
