/** For tests: a hub with a member, on which the test plays the other controllers and the agent. */
import { works, type Binding, type PlacementFamily, type Work, type WorkStatus } from '@flotilla/api';
import { namespaces, type JsonObject } from '@flotilla/kube';
import { startTestHub, type TestHub } from '@flotilla/testkit';
import { aBinding, aCondition, aManifest, aSnapshot, conditionTexts, namespaceIn, reporting } from './works.testing.ts';

export const cleanUp = 'kubernetes-fleet.io/work-cleanup';

export const available = 'Available=True AllWorkAreAvailable: All corresponding work objects are available';

export function workKey(name: string): { namespace: string; name: string } {
  return { namespace: 'fleet-member-sea', name };
}

export function isAvailable(generation: number): WorkStatus {
  const done = aManifest('a', [aCondition('Applied', 'True'), aCondition('Available', 'True')]);
  return reporting(['Applied=True AllManifestsApplied', 'Available=True AllManifestsAvailable'], [done], generation);
}

export class WorksScene {
  readonly hub: TestHub;
  /** Changes of Works and bindings by the controllers. */
  writes: string[] = [];

  private constructor(hub: TestHub) {
    this.hub = hub;
    hub.shouldRefuse = ({ method, path }) => {
      const [, kind = '', rest = ''] = /\/(works|\w*bindings)(.*)$/.exec(path) ?? [];
      const isCounted = method !== 'GET' && kind !== '' && kind !== 'rolebindings';
      if (isCounted) this.writes.push(`${method} ${kind}${rest.endsWith('/status') ? '/status' : ''}`);
      return false;
    };
  }

  static async start(others: readonly string[] = []): Promise<WorksScene> {
    const scene = new WorksScene(await startTestHub({ controllers: ['clusters', 'works', ...others] }));
    await scene.hub.server.create(namespaces, { metadata: { name: 'shop' } });
    await scene.hub.addMember('sea');
    scene.writes = [];
    return scene;
  }

  /** Writes what the placement, scheduling and rollout controllers write. */
  async bind(
    family: PlacementFamily,
    changes: { name?: string; spec?: Partial<Binding['spec']> } = {},
  ): Promise<Binding> {
    const { metadata, ...given } = aBinding(family, changes.spec);
    const { namespace, labels, finalizers } = metadata;
    const name = changes.name ?? 'web-sea-1234';
    const binding = await this.hub.server.create(family.binding, {
      ...given,
      metadata: { name, namespace, labels, finalizers },
    });
    return this.startRollout(family, binding);
  }

  async startRollout(family: PlacementFamily, binding: Binding): Promise<Binding> {
    const observedGeneration = binding.metadata.generation ?? 0;
    const started = aCondition('RolloutStarted', 'True', { observedGeneration });
    const others = (binding.status?.conditions ?? []).filter(({ type }) => type !== started.type);
    const status = { ...binding.status, conditions: [...others, started] };
    return this.hub.client.update(family.binding, { ...binding, status }, { subresource: 'status' });
  }

  async snapshot(
    family: PlacementFamily,
    resources: JsonObject[],
    options: Parameters<typeof aSnapshot>[2] = {},
    index = 4,
  ): Promise<void> {
    const { metadata, spec } = aSnapshot(family, resources, options);
    const { uid: _uid, creationTimestamp: _time, labels, ...rest } = metadata;
    const name = metadata.name?.replace('-4-', `-${index}-`);
    const indexed = { ...labels, 'kubernetes-fleet.io/resource-index': String(index) };
    await this.hub.server.create(family.resourceSnapshot, { metadata: { ...rest, name, labels: indexed }, spec });
  }

  bindingOf(family: PlacementFamily, name = 'web-sea-1234'): Promise<Binding | undefined> {
    return this.hub.find(family.binding, { namespace: namespaceIn(family), name });
  }

  async conditionsOf(family: PlacementFamily, name?: string): Promise<string[]> {
    return conditionTexts((await this.bindingOf(family, name))?.status);
  }

  /** What the member's agent does with a Work: a finalizer, what it is about to apply, and what came of it. */
  async report(name: string, status: (generation: number) => WorkStatus): Promise<void> {
    const update = async (change: (work: Work) => Work, options?: { subresource: string }): Promise<void> => {
      await this.hub.client.update(works, change(await this.hub.client.get(works, workKey(name))), options);
    };
    await update((work) => ({ ...work, metadata: { ...work.metadata, finalizers: [cleanUp] } }));
    const preparing = aManifest('a', [aCondition('Applied', 'False', { reason: 'PreparingToProcess' })]);
    const about = { subresource: 'status' };
    await update(
      (work) => ({ ...work, status: { conditions: [], ...work.status, manifestConditions: [preparing] } }),
      about,
    );
    await update((work) => ({ ...work, status: status(work.metadata.generation ?? 0) }), about);
  }

  /** Less than the time after which an unreported Work becomes a status. */
  async shortly(): Promise<void> {
    for (let step = 0; step < 5; step++) await this.hub.clock.advance(100);
  }

  async release(name: string): Promise<void> {
    const work = await this.hub.find(works, workKey(name));
    if (work === undefined) return;
    await this.hub.client.update(works, { ...work, metadata: { ...work.metadata, finalizers: [] } });
  }
}
