import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ProgramFlags } from './program-flags.ts';

describe('flags of a program', () => {
  test('are parsed in every form that Go accepts', () => {
    const flags = new ProgramFlags(['--secure-port=6443', '--cert-dir', '/certs', '--allow-privileged', '-v=2']);
    assert.equal(flags.text('secure-port'), '6443');
    assert.equal(flags.text('cert-dir'), '/certs');
    assert.equal(flags.text('allow-privileged'), 'true');
    assert.equal(flags.text('v'), '2');
  });

  test('are split at the first equals sign only', () => {
    const flags = new ProgramFlags(['--feature-gates=A=true,B=false']);
    assert.deepEqual(flags.list('feature-gates'), ['A=true', 'B=false']);
  });

  test('are undefined if they are empty or absent', () => {
    const flags = new ProgramFlags(['--client-ca-file=', 'stray']);
    assert.equal(flags.text('client-ca-file'), undefined);
    assert.equal(flags.text('bind-address'), undefined);
    assert.deepEqual(flags.list('disable-admission-plugins'), []);
  });

  test('have the last value, or all values, if they are repeated', () => {
    const flags = new ProgramFlags(['--secure-port=1', '--secure-port=2', '--plugins=A,B', '--plugins=C']);
    assert.equal(flags.text('secure-port'), '2');
    assert.deepEqual(flags.all('secure-port'), ['1', '2']);
    assert.deepEqual(flags.list('plugins'), ['A', 'B', 'C']);
  });
});
