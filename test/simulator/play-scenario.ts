import {
  applyMergePatch,
  apiVersionOf,
  ignoreNotFound,
  namespaces,
  type JsonObject,
  type JsonValue,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/kube';
import { changesBetween } from './changes.ts';
import { quietMs, type Cluster } from './cluster.ts';
import { kindNamed, kindOfPlural, namespacedKinds } from './kinds.ts';
import { Normaliser } from './normalise.ts';
import { ScenarioPods } from './scenario-pods.ts';
import type { Scenario, Step } from './scenario.ts';
import { takeSnapshot, type Snapshot } from './snapshot.ts';

const fieldManager = 'scenario';

/** Plays the steps one after another. Returns a block of lines for each: the command after `$ `, then what it changed. */
export async function playScenario(scenario: Scenario, cluster: Cluster, namespace: string): Promise<string[]> {
  const play = new Play(scenario, cluster, namespace);
  await play.begin();
  try {
    const blocks: string[] = [];
    for (const step of scenario.steps) blocks.push([`$ ${step.command}`, ...(await play.perform(step))].join('\n'));
    return blocks;
  } finally {
    await play.end();
  }
}

class Play {
  readonly #scenario: Scenario;
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #normaliser: Normaliser;
  readonly #pods: ScenarioPods;
  #snapshot: Snapshot = { objects: new Map(), events: new Map() };
  /** Objects without a namespace, to delete at the end. */
  readonly #created: KubeObject[] = [];

  constructor(scenario: Scenario, cluster: Cluster, namespace: string) {
    this.#scenario = scenario;
    this.#cluster = cluster;
    this.#namespace = namespace;
    this.#normaliser = new Normaliser(namespace);
    this.#pods = new ScenarioPods(cluster, namespace);
  }

  async begin(): Promise<void> {
    const { client } = this.#cluster;
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.#namespace } });
    await this.#cluster.settle(this.#namespace, quietMs);
  }

  async perform(step: Step): Promise<string[]> {
    this.#normaliser.beginStep(this.#cluster.now());
    const response = await this.#run(step);
    if (step.pause !== undefined) await this.#cluster.wait(millisecondsOf(step.pause));
    await this.#cluster.settle(this.#namespace, quietMs);
    const before = this.#snapshot;
    this.#snapshot = await takeSnapshot(this.#cluster.client, this.#namespace, this.#normaliser);
    return [...response, ...changesBetween(before, this.#snapshot)];
  }

  /** Leaves no object without a namespace that another scenario could meet. The namespace ends by itself. */
  async end(): Promise<void> {
    const { client } = this.#cluster;
    await client.delete(namespaces, { name: this.#namespace }).catch(ignoreNotFound);
    await this.#pods.removeAll();
    for (const kind of namespacedKinds) {
      const { items } = await client.list(kind, { namespace: this.#namespace });
      for (const { metadata } of items.filter(({ metadata }) => metadata.finalizers !== undefined)) {
        await this.#removeFinalizers(kind, { namespace: this.#namespace, name: metadata.name ?? '' });
      }
    }
    for (const { kind: name = '', metadata } of this.#created) {
      const kind = kindNamed(name);
      const key = { name: metadata.name ?? '' };
      await client.delete(kind, key, { gracePeriodSeconds: 0 }).catch(ignoreNotFound);
      await this.#removeFinalizers(kind, key);
    }
  }

  async #removeFinalizers(kind: Kind, key: ObjectKey): Promise<void> {
    const value = { metadata: { finalizers: null } };
    await this.#cluster.client.patch(kind, key, { type: 'merge', value }).catch(ignoreNotFound);
  }

  /** Names of objects without a namespace contain NAMESPACE, so that no two scenarios share them. */
  #withNamespace<T extends JsonValue | object>(value: T): T {
    return JSON.parse(JSON.stringify(value).replaceAll('NAMESPACE', this.#namespace)) as T;
  }

  /** Lines about the answer of the server, where it refused. */
  async #run(step: Step): Promise<string[]> {
    const { words, body } = this.#withNamespace({ words: step.words, body: step.body ?? {} });
    const [verb = '', first = '', second, ...rest] = words;
    switch (verb) {
      case 'create':
        return this.#create(first, body);
      case 'patch':
        return this.#patch(first, second, body);
      case 'scale':
        return this.#patch(first, 'scale', { spec: { replicas: Number(second) } });
      case 'delete':
        return this.#delete(first, second);
      case 'evict':
        return this.#orRefusal(this.#pods.evict(first));
      case 'pods':
        return (await this.#pods.set(first, second ?? '', rest)) ? [] : [`= no pod can become ${second}`];
      case 'wait':
        await this.#cluster.wait(first === 'minute' ? untilNextMinute(this.#cluster.now()) : millisecondsOf(first));
        return [];
      default:
        throw new Error(`unknown command ${verb} in scenario ${this.#scenario.name}`);
    }
  }

  async #create(name: string, changes: JsonObject): Promise<string[]> {
    const template = this.#scenario.objects.get(name);
    if (template === undefined) throw new Error(`scenario ${this.#scenario.name} has no object ${name}`);
    const object = applyMergePatch(this.#withNamespace(template), changes) as KubeObject;
    const kind = kindNamed(object.kind ?? '');
    const metadata = kind.namespaced
      ? { name, ...object.metadata, namespace: this.#namespace }
      : { name, ...object.metadata, labels: { ...object.metadata?.labels, scenario: this.#namespace } };
    const complete = { ...object, apiVersion: object.apiVersion ?? apiVersionOf(kind), metadata };
    if (!kind.namespaced) this.#created.push(complete);
    return this.#orRefusal(this.#cluster.client.create(kind, complete, { fieldManager }));
  }

  #patch(target: string, subresource: string | undefined, value: JsonObject): Promise<string[]> {
    const { kind, key } = this.#find(target);
    const options = { fieldManager, ...(subresource !== undefined && { subresource }) };
    return this.#orRefusal(this.#cluster.client.patch(kind, key, { type: 'merge', value }, options));
  }

  #delete(target: string, policy: string | undefined): Promise<string[]> {
    const propagationPolicy = policy as 'Orphan' | 'Background' | 'Foreground' | undefined;
    if (target === 'namespace') {
      return this.#orRefusal(this.#cluster.client.delete(namespaces, { name: this.#namespace }));
    }
    const { kind, key } = this.#find(target);
    return this.#orRefusal(this.#cluster.client.delete(kind, key, propagationPolicy && { propagationPolicy }));
  }

  #find(target: string): { kind: Kind; key: { namespace?: string; name: string } } {
    const [plural = '', name = ''] = target.split('/');
    const kind = kindOfPlural(plural);
    return { kind, key: kind.namespaced ? { namespace: this.#namespace, name } : { name } };
  }

  async #orRefusal(response: Promise<unknown>): Promise<string[]> {
    try {
      await response;
      return [];
    } catch (error) {
      return [`= ${this.#normaliser.text((error as Error).message)}`];
    }
  }
}

/** Three seconds after the minute has begun: controllers that fire with the minute have begun too. */
function untilNextMinute(now: number): number {
  return 60_000 - (now % 60_000) + 3000;
}

function millisecondsOf(duration: string): number {
  const [, number, unit] = /^(\d+)(s|m)$/.exec(duration) ?? [];
  if (number === undefined) throw new Error(`not a duration: ${duration}`);
  return Number(number) * (unit === 'm' ? 60_000 : 1000);
}
