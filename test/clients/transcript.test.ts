import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commandOf, formatOutcome, formatRecording, parseRecording } from './transcript.ts';

const outcome = { command: 'kubectl get x', exitCode: 1, stdout: 'a\n\n$ b', stderr: 'oops\n' };

describe('a transcript', () => {
  test('tells exit code, both outputs and a missing newline apart', () => {
    assert.equal(formatOutcome(outcome), '$ kubectl get x\n= 1\n| a\n|\n| $ b\n| (no newline at the end)\n! oops');
  });

  test('comes back from its recording', () => {
    const recording = { origin: 'a server', blocks: [formatOutcome(outcome), '$ true'] };
    assert.deepEqual(parseRecording(formatRecording(recording)), recording);
    assert.equal(commandOf(formatOutcome(outcome)), 'kubectl get x');
  });

  test('is refused when somebody edited it', () => {
    const text = formatRecording({ origin: 'a server', blocks: ['$ true'] });
    assert.throws(() => parseRecording(text.replace('true', 'false')), /edited by hand/);
  });
});
