import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ProgramFlags } from './program-flags.ts';

describe('flags of a program', () => {
  test('are read in all of Go’s forms', () => {
    const flags = new ProgramFlags(['--secure-port=6443', '--cert-dir', '/certs', '--allow-privileged', '-v=2']);
    assert.equal(flags.text('secure-port'), '6443');
    assert.equal(flags.text('cert-dir'), '/certs');
    assert.equal(flags.text('allow-privileged'), 'true');
    assert.equal(flags.text('v'), '2');
  });

  test('keep what follows the first equals sign', () => {
    const flags = new ProgramFlags(['--feature-gates=A=true,B=false']);
    assert.deepEqual(flags.list('feature-gates'), ['A=true', 'B=false']);
  });

  test('that are empty or absent say nothing', () => {
    const flags = new ProgramFlags(['--client-ca-file=', 'stray']);
    assert.equal(flags.text('client-ca-file'), undefined);
    assert.equal(flags.text('bind-address'), undefined);
    assert.deepEqual(flags.list('disable-admission-plugins'), []);
  });

  test('that are repeated count as their last, or all together', () => {
    const flags = new ProgramFlags(['--secure-port=1', '--secure-port=2', '--plugins=A,B', '--plugins=C']);
    assert.equal(flags.text('secure-port'), '2');
    assert.deepEqual(flags.all('secure-port'), ['1', '2']);
    assert.deepEqual(flags.list('plugins'), ['A', 'B', 'C']);
  });
});
