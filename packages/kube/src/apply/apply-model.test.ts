/** Runs long sequences of applies and updates of a map against a model of key owners. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ApiError } from '../api-status.ts';
import type { JsonObject } from '../json/value.ts';
import type { KubeObject } from '../object.ts';
import { applyConfiguration } from './apply-configuration.ts';
import { aConfigMap, secondsLater, stored } from './sample-objects.testing.ts';
import { sampleKinds } from './sample-types.testing.ts';
import { updateManagedFields } from './update-managed-fields.ts';

const kind = sampleKinds.ConfigMap;
type Data = Readonly<Record<string, string>>;

interface Step {
  readonly verb: 'apply' | 'force' | 'update';
  readonly manager: string;
  readonly data: Data;
}

interface Model {
  readonly data: Map<string, string>;
  /** Contains no keys without an owner. */
  readonly owners: Map<string, ReadonlySet<string>>;
}

const arbitraryStep: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom('apply', 'force', 'update'),
  manager: fc.constantFrom('ann', 'bob', 'cid'),
  data: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.constantFrom('1', '2'), {
    noNullPrototype: true,
  }),
});

/** There is always one owner, because an object without owners is not managed. */
const first: Step = { verb: 'apply', manager: 'root', data: { root: '1' } };

test('every key has the value and owners of the model', () => {
  fc.assert(
    fc.property(fc.array(arbitraryStep, { maxLength: 12 }), (steps) => {
      let live: KubeObject = stored(aConfigMap({}), []);
      let model: Model = { data: new Map(), owners: new Map() };
      for (const [index, step] of [first, ...steps].entries()) {
        const expected = expectation(model, step);
        const actual = outcome(live, step, secondsLater(index));
        assert.equal(actual === 'conflict', expected === 'conflict');
        if (actual === 'conflict' || expected === 'conflict') continue;
        live = actual;
        model = expected;
        assert.deepEqual(new Map(Object.entries(live['data'] ?? {})), model.data);
        assert.deepEqual(ownersIn(live), model.owners);
      }
    }),
  );
});

function outcome(live: KubeObject, { verb, manager, data }: Step, now: Date): KubeObject | 'conflict' {
  if (verb === 'update') {
    const object = stored(aConfigMap({ root: '1', ...data }));
    return stored(object, updateManagedFields({ kind, live, object, manager, now }));
  }
  try {
    const { object } = applyConfiguration({
      kind,
      live,
      config: aConfigMap(data),
      manager,
      force: verb === 'force',
      now,
    });
    return stored(object, object.metadata.managedFields);
  } catch (error) {
    if (error instanceof ApiError && error.code === 409) return 'conflict';
    throw error;
  }
}

function expectation(model: Model, { verb, manager, data }: Step): Model | 'conflict' {
  const wanted = new Map(Object.entries(data));
  return verb === 'update'
    ? expectedUpdate(model, `${manager} Update`, wanted.set('root', '1'))
    : expectedApply(model, `${manager} Apply`, wanted, verb === 'force');
}

/** An updater becomes the only owner of the keys that it changes. Omitted keys are removed. */
function expectedUpdate(model: Model, updater: string, wanted: ReadonlyMap<string, string>): Model {
  const next: Model = { data: new Map(wanted), owners: new Map() };
  for (const [key, value] of wanted) {
    const same = model.data.get(key) === value;
    const owners = same ? model.owners.get(key) : new Set([updater]);
    if (owners !== undefined) next.owners.set(key, owners);
  }
  return next;
}

/**
 * A key that an applier omits is removed with its last owner. Changing a key of another owner is a conflict without
 * force.
 */
function expectedApply(
  model: Model,
  applier: string,
  wanted: ReadonlyMap<string, string>,
  force: boolean,
): Model | 'conflict' {
  const next: Model = { data: new Map(), owners: new Map() };
  for (const key of new Set([...model.data.keys(), ...wanted.keys()])) {
    const before = model.data.get(key);
    const after = wanted.get(key) ?? before;
    const owners = model.owners.get(key) ?? new Set();
    const others = owners.difference(new Set([applier]));
    const gone = !wanted.has(key) && owners.has(applier) && others.size === 0;
    if (gone || after === undefined) continue;
    const contested = after !== before && others.size > 0;
    if (contested && !force) return 'conflict';
    const remaining = contested ? new Set<string>() : others;
    next.data.set(key, after);
    const owning = wanted.has(key) ? remaining.union(new Set([applier])) : remaining;
    if (owning.size > 0) next.owners.set(key, owning);
  }
  return next;
}

function ownersIn({ metadata }: KubeObject): Map<string, Set<string>> {
  const owners = new Map<string, Set<string>>();
  for (const { manager, operation, fieldsV1 } of metadata.managedFields ?? []) {
    for (const key of Object.keys((fieldsV1?.['f:data'] as JsonObject | undefined) ?? {})) {
      if (key === '.') continue;
      const name = key.slice('f:'.length);
      owners.set(name, (owners.get(name) ?? new Set()).add(`${manager} ${operation}`));
    }
  }
  return owners;
}
