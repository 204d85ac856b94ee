import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionError } from '@flotilla/client';
import { UserError } from '../user-error.ts';
import { forAll } from './for-all.ts';

test('one failure does not keep the others, but a server that is gone does', async () => {
  const gone = new ConnectionError('cannot connect to https://hub', 'unreachable');
  const tried: string[] = [];
  const outcomes: Readonly<Record<string, Error>> = { bad: new UserError('bad is wrong.'), gone };
  const action = async (item: string): Promise<void> => {
    tried.push(item);
    const error = outcomes[item];
    if (error) throw error;
  };
  await assert.rejects(forAll(['bad', 'good', 'bad'], action), { message: 'bad is wrong.\nbad is wrong.' });
  await assert.rejects(forAll(['bad', 'gone', 'good'], action), {
    message: 'bad is wrong.\ncannot connect to https://hub.',
  });
  await assert.rejects(forAll(['gone', 'good'], action), gone);
  assert.deepEqual(tried, ['bad', 'good', 'bad', 'bad', 'gone', 'gone']);
});
