/** Messages of kube-apiserver v1.36.4 for rules in a CRD, verbatim. Accepted rules have an empty message. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { compile, createEnvironment, extend } from './environment.ts';
import { kubernetesLibraries } from './libraries/kubernetes.ts';
import { types, type CelType } from './type.ts';

const messages = JSON.parse(readFileSync(new URL('recorded/compile-messages.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

function objectType(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return types.object(name, (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined));
}

const self = objectType('self', {
  s: types.string,
  i: types.int,
  n: types.double,
  b: types.bool,
  l: types.list(types.string),
  lo: types.list(objectType('self.lo', { name: types.string, v: types.int })),
  m: types.map(types.string, types.string),
  o: objectType('self.o', { x: types.string }),
  t: types.timestamp,
  d: types.duration,
  ios: types.dyn,
  by: types.bytes,
  __namespace__: types.string,
});
const environment = extend(
  createEnvironment({ libraries: kubernetesLibraries }),
  new Map([
    ['self', self],
    ['oldSelf', self],
  ]),
);

describe('rules get the messages of kube-apiserver', () => {
  for (const [rule, message] of Object.entries(messages)) {
    test(rule, () => {
      const compiled = compile(environment, rule);
      if ('text' in compiled) assert.equal(compiled.text, message);
      else assert.equal(compiled.ast.resultType.kind === 'bool' ? '' : 'must evaluate to a bool', message);
    });
  }
});
