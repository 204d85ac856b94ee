/** An environment and an object for tests, like those of a rule in a CRD. */
import { compile, createEnvironment, extend } from '../environment.ts';
import { kubernetesLibraries } from '../libraries/kubernetes.ts';
import { types, type CelType } from '../type.ts';
import { CelError, CelMap, type CelValue, type Result } from '../value.ts';
import { ArrayList } from '../values/list.ts';
import { EntryMap } from '../values/map.ts';
import { parseDuration, parseTimestamp } from '../values/time-text.ts';
import { program, type Evaluation, type Program } from './program.ts';

const inner = types.object('Inner', (name) => ({ a: types.int, z: types.string })[name]);

const fields: Readonly<Record<string, CelType>> = {
  s: types.string,
  i: types.int,
  d: types.double,
  b: types.bool,
  l: types.list(types.string),
  il: types.list(types.int),
  m: types.map(types.string, types.string),
  o: inner,
  ios: types.dyn,
  t: types.timestamp,
  du: types.duration,
  by: types.bytes,
};

const environment = extend(
  createEnvironment({ libraries: kubernetesLibraries }),
  new Map([['self', types.object('Self', (name) => fields[name])]]),
);

export const self: CelMap = mapOf({
  s: 'hello',
  i: 7n,
  d: 2.5,
  b: true,
  l: new ArrayList(['x', 'y']),
  il: new ArrayList([3n, 1n, 2n]),
  m: mapOf({ k: 'v' }),
  o: mapOf({ a: 1n }),
  ios: 5n,
  t: parseTimestamp('2024-02-29T12:34:56.789Z'),
  du: parseDuration('1h30m'),
  by: new Uint8Array([104, 105]),
});

function mapOf(entries: Readonly<Record<string, Result>>): CelMap {
  const map = new EntryMap();
  for (const [key, value] of Object.entries(entries)) map.set(key, value as CelValue);
  return map;
}

/** Returns an error if it compiles but always fails. */
export function prepare(text: string): Program | CelError {
  const compiled = compile(environment, text);
  if (!('ast' in compiled)) throw new Error(compiled.text);
  return program(environment, compiled.ast);
}

export function run(text: string, costLimit = Infinity): Evaluation {
  const ready = prepare(text);
  if (ready instanceof CelError) throw new Error(ready.message);
  return ready.evaluate({ self }, { costLimit });
}

/** The message of the resulting error; undefined if the result is a value. */
export function errorOf(text: string): string | undefined {
  const { value } = run(text);
  return value instanceof CelError ? value.message : undefined;
}
