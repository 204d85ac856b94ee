import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cronScheduleProblem, timeZoneProblem } from './cron-schedule.ts';

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
