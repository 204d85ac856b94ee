import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { clusterResourceEnvelopes } from '@flotilla/api';
import {
  configMaps,
  goJson,
  keyText,
  parseSpelledJson,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/kube';
import { configMap } from '@flotilla/testkit';
import { contentOf } from './content.ts';
import { digestObjects, digestOf, type DigestedObjects } from './digest-objects.ts';
import { compareKinds, compareNames } from './resource-order.ts';

/** Made with KubeFleet's own code: numbers, escapes, Services and Jobs that it cleans, kinds that it does not know. */
interface Recorded {
  readonly hash: string;
  readonly names: readonly string[];
  readonly sizes: readonly number[];
  readonly objects: readonly KubeObject[];
}

function kindOf({ apiVersion, kind }: KubeObject): Kind {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: true };
}

function digest(objects: readonly (readonly [Kind, KubeObject])[]): DigestedObjects {
  const kinds = objects.map(([kind, { metadata }]) => {
    const { namespace, name = '' } = metadata;
    return { kind, keys: [namespace === undefined ? { name } : { namespace, name }] };
  });
  const get = (kind: Kind, key: ObjectKey) =>
    objects.find(
      ([of, { metadata }]) => of === kind && keyText(key) === keyText({ ...metadata, name: metadata.name ?? '' }),
    )?.[1];
  const steps = digestObjects(kinds, get);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

describe('a digest of objects', () => {
  test('of nothing is the hash that KubeFleet has for it', () => {
    const { hash, identifiers, sizes, envelopes } = digest([]);
    assert.equal(hash, '83ff749c5d8eb5a0b62d714175bcbaef1409b371fc5a229a002db6fcc1f144e1');
    assert.deepEqual([identifiers, sizes, envelopes], [[], [], 0]);
  });

  test('hashes and measures the content as Go prints it', () => {
    const objects = [configMap('a', { page: '<b>&\u2028é' }), configMap('b', { text: 'x'.repeat(100_000) })];
    const texts = objects.map((object) => goJson(contentOf(configMaps, object)));
    const {
      hash,
      sizes,
      identifiers,
      objects: digested,
    } = digest(objects.map((object) => [configMaps, object] as const));
    const whole = createHash('sha256')
      .update(`{"selectedResources":[${texts.join(',')}]}`)
      .digest('hex');
    assert.equal(hash, whole);
    assert.deepEqual(
      sizes,
      texts.map((text) => Buffer.byteLength(`${text}\n`)),
    );
    assert.deepEqual(identifiers[0], { version: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'default' });
    assert.deepEqual(
      digested.map((one) => one.digest),
      objects.map((object) => digestOf(contentOf(configMaps, object))),
    );
  });

  test('equals the one that KubeFleet made of the same objects, in its order', () => {
    const text = readFileSync(new URL('recorded-digest.json', import.meta.url), 'utf8');
    const recorded = parseSpelledJson(text).value as unknown as Recorded;
    const objects = recorded.objects.map((object) => [kindOf(object), object] as const);
    const sorted = objects.toSorted(
      ([a, { metadata: left }], [b, { metadata: right }]) =>
        compareKinds(a, b) || compareNames({ ...left, name: left.name ?? '' }, { ...right, name: right.name ?? '' }),
    );
    const { hash, sizes, identifiers } = digest(sorted);
    assert.deepEqual(
      identifiers.map(({ kind, namespace = '', name }) => `${kind}/${namespace}/${name}`),
      recorded.names,
    );
    assert.deepEqual(sizes, recorded.sizes);
    assert.equal(hash, recorded.hash);
  });

  test('counts envelopes of every kind', () => {
    const annotations = { 'kubernetes-fleet.io/envelope-configmap': 'true' };
    const marked = configMap('a', { role: 'kind: Role' }, { annotations });
    const envelope = { apiVersion: '', kind: '', metadata: { name: 'c' }, data: {} };
    const { envelopes, identifiers } = digest([
      [configMaps, marked],
      [configMaps, configMap('b', { color: 'red' }, { annotations })],
      [clusterResourceEnvelopes, envelope],
    ]);
    assert.equal(envelopes, 2);
    assert.deepEqual(identifiers[2], {
      group: 'placement.kubernetes-fleet.io',
      version: 'v1beta1',
      kind: 'ClusterResourceEnvelope',
      name: 'c',
    });
  });

  test('leaves out an object that is gone', () => {
    const steps = digestObjects([{ kind: configMaps, keys: [{ namespace: 'default', name: 'a' }] }], () => undefined);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    assert.equal(step.value.hash, '83ff749c5d8eb5a0b62d714175bcbaef1409b371fc5a229a002db6fcc1f144e1');
  });
});
