import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commandOf, formatOutcome, formatRecording, parseRecording } from './transcript.ts';

const outcome = { command: 'kubectl get x', exitCode: 1, stdout: 'a\n\n$ b', stderr: 'oops\n' };

describe('a transcript', () => {
  test('distinguishes exit code, both outputs and a missing newline', () => {
    assert.equal(formatOutcome(outcome), '$ kubectl get x\n= 1\n| a\n|\n| $ b\n| (no newline at the end)\n! oops');
  });

  test('is equal after it is printed and parsed', () => {
    const recording = { origin: 'a server', blocks: [formatOutcome(outcome), '$ true'] };
    assert.deepEqual(parseRecording(formatRecording(recording)), recording);
    assert.equal(commandOf(formatOutcome(outcome)), 'kubectl get x');
  });

  test('is refused if it was edited', () => {
    const text = formatRecording({ origin: 'a server', blocks: ['$ true'] });
    assert.throws(() => parseRecording(text.replace('true', 'false')), /edited by hand/);
  });
});
