import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { seededRandom, startTestServer, type TestServer } from '@flotilla/testkit';

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const values = [0, 1, 2, 3];

/** A policy that forbids one value, and what is known of its binding. */
interface Rule {
  isBound: boolean;
  isChanging: boolean;
  /** Grows before and after every change. */
  changes: number;
}

class Trial {
  readonly #server: TestServer;
  readonly #random: () => number;
  readonly #rules: readonly Rule[] = values.map(() => ({ isBound: false, isChanging: false, changes: 0 }));
  readonly counts = { refused: 0, admitted: 0 };
  #written = 0;

  constructor(server: TestServer, seed: number) {
    this.#server = server;
    this.#random = seededRandom(seed);
  }

  async prepare(): Promise<void> {
    const operations = ['CREATE', 'UPDATE'];
    const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations, resources: ['configmaps'] }];
    for (const value of values) {
      const spec = {
        matchConstraints: { resourceRules },
        validations: [{ expression: `object.data.v != '${value}'` }],
      };
      await this.#send('POST', `${registration}/validatingadmissionpolicies`, {
        metadata: { name: `p${value}` },
        spec,
      });
    }
  }

  async act(): Promise<void> {
    const value = Math.floor(this.#random() * values.length);
    const rule = this.#rules[value] as Rule;
    if (this.#random() < 0.3 && !rule.isChanging) await this.#toggle(value, rule);
    else await this.#write(value, rule);
  }

  async #toggle(value: number, rule: Rule): Promise<void> {
    rule.isChanging = true;
    rule.changes++;
    const bindings = `${registration}/validatingadmissionpolicybindings`;
    const spec = { policyName: `p${value}`, validationActions: ['Deny'] };
    if (rule.isBound) await this.#send('DELETE', `${bindings}/p${value}`);
    else await this.#send('POST', bindings, { metadata: { name: `p${value}` }, spec });
    rule.isBound = !rule.isBound;
    rule.isChanging = false;
    rule.changes++;
  }

  /** Creates or updates an object. What its rule allows is known only if the binding did not change meanwhile. */
  async #write(value: number, rule: Rule): Promise<void> {
    const { changes, isBound, isChanging } = rule;
    const known = this.#written;
    const isUpdate = known > 0 && this.#random() < 0.5;
    const name = isUpdate ? `c${Math.floor(this.#random() * known)}` : `c${this.#written++}`;
    const body = { metadata: { name }, data: { v: `${value}` } };
    const status = isUpdate
      ? await this.#send('PUT', `${configMaps}/${name}`, body)
      : await this.#send('POST', configMaps, body);
    if (isChanging || rule.changes !== changes || status === 404) return;
    assert.equal(status === 422, isBound, `${isUpdate ? 'update' : 'create'} of ${name} to ${value} got ${status}`);
    this.counts[isBound ? 'refused' : 'admitted']++;
  }

  async #send(method: string, path: string, body?: JsonObject): Promise<number> {
    const { status, text } = await this.#server.request(method, path, body && { body });
    assert.ok(status < 500 && status !== 409, text);
    return status;
  }
}

describe('policies under concurrent writes', () => {
  for (const seed of [1, 2, 3]) {
    test(`admit nothing that they forbid, and refuse nothing else (seed ${seed})`, async () => {
      const trial = new Trial(await startTestServer(), seed);
      await trial.prepare();
      for (let round = 0; round < 25; round++) await Promise.all(Array.from({ length: 12 }, () => trial.act()));
      assert.ok(trial.counts.refused > 20 && trial.counts.admitted > 20, JSON.stringify(trial.counts));
    });
  }
});
