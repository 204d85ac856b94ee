import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { programCommand } from '../command-line.ts';
import { completionOf } from './complete.ts';

describe('a command line is completed with', () => {
  const cases: readonly (readonly [line: string, completion: object])[] = [
    ['why ', { source: 'placements', options: {} }],
    ['why -n shop ', { source: 'placements', options: { namespace: 'shop' } }],
    ['why web ', { source: 'clusters', options: {} }],
    ['get ', { source: 'kinds', options: {} }],
    ['get crp --context=hub ', { source: { namesOf: 'crp' }, options: { context: 'hub' } }],
    ['get crp -o ', { words: ['json', 'yaml', 'name', 'wide'] }],
    ['get --context ', { source: 'contexts', options: {} }],
    ['apply -f ', { words: [] }],
    ['completion ', { words: ['bash', 'zsh', 'fish'] }],
    ['member stop ', { source: 'clusters', options: {} }],
  ];
  for (const [line, completion] of cases) {
    test(`what can follow: ${line}`, async () => {
      const words = line.split(' ');
      assert.deepEqual(completionOf(await programCommand(words), words), completion);
    });
  }

  test('commands and flags', async () => {
    const words = async (...line: string[]) => {
      const completion = completionOf(await programCommand(line), line);
      return 'words' in completion ? completion.words : [];
    };
    assert.ok((await words('')).includes('why'));
    assert.ok((await words('status', '--')).includes('--watch'));
  });
});
