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
  type JsonObject,
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
  fleet: TestFleet;
  readonly #dataDirectory: string | undefined;
  #kinds: readonly Kind[] = [];

  private constructor(fleet: TestFleet, dataDirectory: string | undefined) {
    this.fleet = fleet;
    this.#dataDirectory = dataDirectory;
  }

  /** Starts a fleet of this shape, and stops it after the test. With a data directory it can be restarted. */
  static async start(t: TestContext, file = fourClusters, dataDirectory?: string): Promise<Story> {
    const story = await Story.open(file, dataDirectory);
    t.after(() => story.fleet.stop());
    return story;
  }

  /** The same; the caller stops the fleet. */
  static async open(file: string, dataDirectory?: string): Promise<Story> {
    const shape = parseFleetFile(file, { name: 'story.yaml' });
    return new Story(await startTestFleet({ shape, ...(dataDirectory && { dataDirectory }) }), dataDirectory);
  }

  /** Stops the hub and all members, and starts them from their data. */
  async restart(): Promise<void> {
    if (this.#dataDirectory === undefined) throw new RangeError('a fleet in memory cannot be restarted');
    const { clock } = this.fleet;
    await this.fleet.stop();
    this.fleet = await startTestFleet({ dataDirectory: this.#dataDirectory, clock });
  }

  /** Counts writes to the hub by kind, until the returned function is called. */
  async countWrites(): Promise<() => Record<string, number>> {
    const counts: Record<string, number> = {};
    const { kinds } = await discover(this.hub).all();
    const ends = kinds
      .filter(({ version, group }) => version === 'v1beta1' || !group.endsWith('kubernetes-fleet.io'))
      .flatMap((kind) => {
        const count = (): void => void (counts[kind.kind] = (counts[kind.kind] ?? 0) + 1);
        return this.hub.view?.(kind)?.follow(count, () => undefined) ?? [];
      });
    return () => {
      for (const end of ends) end();
      return counts;
    };
  }

  get hub(): Client {
    return this.fleet.hub;
  }

  /** Applies documents as `kubectl apply --server-side` does, and waits until the fleet has nothing to do. */
  async apply(yaml: string): Promise<void> {
    await this.applyNow(yaml);
    await this.settle();
  }

  /** The same without waiting. */
  async applyNow(yaml: string): Promise<void> {
    for (const object of documentsIn(yaml)) {
      await this.hub.apply(await this.#kindOf(object), object, { fieldManager: 'user', force: true });
    }
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
    if (this.#dataDirectory === undefined) await this.fleet.clock.advance(seconds * 1000);
    else await this.#passWithDisk(seconds);
    await this.settle();
  }

  /** Lets time pass, whatever the fleet is doing then. */
  async wait(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 0.1) {
      await this.fleet.clock.advance(100);
      // A disk needs real time, too.
      if (this.#dataDirectory !== undefined) await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  /** A disk needs real time, in which the clock must not run away from it. What waits for a retry needs the clock. */
  async #passWithDisk(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed++) {
      await this.fleet.clock.advance(1000);
      for (let tries = 0; tries < 20 && !this.fleet.running.isAtRest(); tries++) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
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
  async changeOn(member: string, kind: Kind, key: ObjectKey, value: JsonObject): Promise<void> {
    const client = this.fleet.member(member);
    await client.patch(kind, key, { type: 'merge', value });
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
    .filter((document) => /^\s*[^\s#]/m.test(document))
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
