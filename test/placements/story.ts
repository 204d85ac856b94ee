/** A fleet for the stories in this folder: users apply YAML to the hub, and observers look at placements and members. */
import type { TestContext } from 'node:test';
import {
  clusterResourcePlacements,
  placementConditionType,
  resourcePlacements,
  type Placement,
  type PlacementStatus,
} from '@flotilla/api';
import { discover, type Client } from '@flotilla/client';
import { parseFleetFile } from '@flotilla/fleet/file';
import {
  apiVersionOf,
  configMaps,
  deployments,
  ignoreNotFound,
  namespaces,
  parseYaml,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/kube';
import { startTestFleet, type TestFleet } from '@flotilla/testkit';

/** Two clusters in the west and two in the east. */
const fourClusters = `
apiVersion: flotilla.dev/v1alpha1
kind: Fleet
members:
  - { name: west-1, labels: { region: west, env: prod } }
  - { name: west-2, labels: { region: west, env: canary } }
  - { name: east-1, labels: { region: east, env: prod } }
  - { name: east-2, labels: { region: east, env: canary } }
`;

export class Story {
  readonly fleet: TestFleet;
  #kinds: readonly Kind[] = [];

  private constructor(fleet: TestFleet) {
    this.fleet = fleet;
  }

  /** Starts a fleet of this shape, and stops it after the test. */
  static async start(t: TestContext, file = fourClusters): Promise<Story> {
    const shape = parseFleetFile(file, { name: 'story.yaml' });
    const fleet = await startTestFleet({ shape });
    t.after(() => fleet.stop());
    return new Story(fleet);
  }

  get hub(): Client {
    return this.fleet.hub;
  }

  /** Applies documents as `kubectl apply --server-side` does, and waits until the fleet has nothing to do. */
  async apply(yaml: string): Promise<void> {
    for (const object of documentsIn(yaml)) {
      await this.hub.apply(await this.#kindOf(object), object, { fieldManager: 'user', force: true });
    }
    await this.settle();
  }

  async delete(kind: Kind, key: ObjectKey): Promise<void> {
    await this.hub.delete(kind, key);
    await this.settle();
  }

  settle(): Promise<void> {
    return this.fleet.settle();
  }

  /** Lets time pass, then waits until the fleet has nothing to do. */
  async pass(seconds: number): Promise<void> {
    await this.fleet.clock.advance(seconds * 1000);
    await this.settle();
  }

  placement(name: string, namespace?: string): Promise<Placement> {
    return namespace === undefined
      ? this.hub.get(clusterResourcePlacements, { name })
      : this.hub.get(resourcePlacements, { namespace, name });
  }

  async statusOf(name: string, namespace?: string): Promise<PlacementStatus> {
    return (await this.placement(name, namespace)).status ?? {};
  }

  /** The conditions of a placement at its generation, without the prefix of their kind: `Available True ResourceAvailable`. */
  async progressOf(name: string, namespace?: string): Promise<string[]> {
    const { kind, metadata, status } = await this.placement(name, namespace);
    const prefix = placementConditionType({ kind } as Kind, 'scheduled').replace(/Scheduled$/, '');
    return (status?.conditions ?? [])
      .filter(({ observedGeneration }) => observedGeneration === metadata.generation)
      .map(({ type, status: holds, reason }) => `${type.replace(prefix, '')} ${holds} ${reason}`);
  }

  /** The clusters that a placement selected, sorted. */
  async clustersOf(name: string, namespace?: string): Promise<string[]> {
    const { placementStatuses = [] } = await this.statusOf(name, namespace);
    return placementStatuses.flatMap(({ clusterName }) => clusterName ?? []).sort();
  }

  /** What a member has; undefined if it has no such object. */
  async on<T extends KubeObject>(member: string, kind: Kind<T>, key: ObjectKey): Promise<T | undefined> {
    const client = this.fleet.member(member);
    const found = await client.get(kind, key).catch(ignoreNotFound);
    await client.close();
    return found;
  }

  /** The members that have this object, sorted. */
  async membersWith(kind: Kind, key: ObjectKey): Promise<string[]> {
    const names = [...this.fleet.running.members.keys()].sort();
    const found = await Promise.all(names.map(async (name) => ((await this.on(name, kind, key)) ? [name] : [])));
    return found.flat();
  }

  /** Changes an object of a member, as a user with access to that cluster would. */
  async changeOn(member: string, kind: Kind, key: ObjectKey, value: KubeObject['spec']): Promise<void> {
    const client = this.fleet.member(member);
    await client.patch(kind, key, { type: 'merge', value: value as never });
    await client.close();
    await this.settle();
  }

  async #kindOf({ apiVersion, kind }: KubeObject): Promise<Kind> {
    const isIt = (known: Kind): boolean => known.kind === kind && apiVersionOf(known) === apiVersion;
    let found = this.#kinds.find(isIt);
    if (found === undefined) {
      this.#kinds = (await discover(this.hub).all()).kinds;
      found = this.#kinds.find(isIt);
    }
    if (found === undefined) throw new RangeError(`the hub does not serve ${kind} of ${apiVersion}`);
    return found;
  }
}

export function documentsIn(yaml: string): KubeObject[] {
  return yaml
    .split(/^---$/m)
    .filter((document) => document.trim() !== '')
    .map((document) => parseYaml(document).value as unknown as KubeObject);
}

/** The conditions of a placement that has arrived everywhere. */
export const arrived = [
  'Scheduled True SchedulingPolicyFulfilled',
  'RolloutStarted True RolloutStarted',
  'Overridden True NoOverrideSpecified',
  'WorkSynchronized True WorkSynchronized',
  'Applied True ApplySucceeded',
  'Available True ResourceAvailable',
];

export { configMaps, deployments, namespaces };
