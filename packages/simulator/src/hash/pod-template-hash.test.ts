import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseJson, type JsonObject } from '@flotilla/kube';
import { podTemplateHash, revisionData, revisionHash } from './pod-template-hash.ts';

interface Recorded {
  readonly name: string;
  readonly template: JsonObject;
  readonly collisionCount?: number;
  readonly hash: string;
  /** Absent for templates that a server stores in another form, and where Go rounds an integer. */
  readonly revisionHash?: string;
}

/** Templates with every field of every struct, and the hashes that Kubernetes v1.36 computes for them. */
const recorded = parseJson(readFileSync(new URL('recorded/template-hashes.json', import.meta.url), 'utf8'))
  .value as unknown as Recorded[];

describe('hashes of pod templates', () => {
  test('the label pod-template-hash is that of Kubernetes', () => {
    const ours = recorded.map(({ name, template, collisionCount }) => [
      name,
      podTemplateHash(template, collisionCount),
    ]);
    assert.deepEqual(
      ours,
      recorded.map(({ name, hash }) => [name, hash]),
    );
  });

  test('the hash of a ControllerRevision is that of Kubernetes', () => {
    const comparable = recorded.filter(({ revisionHash }) => revisionHash !== undefined);
    assert.deepEqual(
      comparable.map(({ name, template, collisionCount }) => [
        name,
        revisionHash(revisionData(template), collisionCount),
      ]),
      comparable.map(({ name, revisionHash }) => [name, revisionHash]),
    );
  });

  test('a template that no server stores has a hash too', () => {
    const hostile: unknown[] = [
      undefined,
      { spec: 'text', metadata: [] },
      { metadata: { labels: ['a'], creationTimestamp: 'yesterday', generation: '7' } },
      { spec: { containers: [null, 7, { resources: { limits: { cpu: 'much', memory: {}, disk: null } } }] } },
      { spec: { containers: { length: -1 }, terminationGracePeriodSeconds: Infinity } },
      { spec: { containers: [{ resources: { limits: { cpu: `${'9'.repeat(30)}e2000000000` } } }] } },
      JSON.parse('{"__proto__":{"spec":1},"metadata":{"labels":{"__proto__":"x"}}}'),
    ];
    for (const template of hostile) {
      assert.match(podTemplateHash(template as JsonObject), /^[bcdf456789]{1,10}$/);
    }
  });
});
