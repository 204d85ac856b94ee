import type { Binding } from '@flotilla/api';
import { applyMergePatch, type JsonObject } from '@flotilla/kube';
import type { StartedRollout } from '../family/started-rollouts.ts';
import { decideRollout, type RolloutState } from './decide.ts';

export interface BoundAtOnce {
  readonly bindings: readonly Binding[];
  readonly started: readonly StartedRollout[];
}

/**
 * New bindings as the rollout would change them right after their creation, so that they need one write and not two. Only for a
 * placement that has no others: those could change meanwhile, and with them how many clusters may be rolled out to.
 */
export function boundAtOnce(state: RolloutState, now: Date): BoundAtOnce {
  const { steps, started = [] } = decideRollout(state, now);
  const changes = new Map<string, JsonObject>();
  for (const write of steps[0] ?? []) {
    if (write.verb === 'patch' && write.subresource === undefined) changes.set(write.key.name, write.patch);
  }
  const bindings = state.bindings.map((binding) => {
    const { spec, metadata } = changes.get(binding.metadata.name ?? '') ?? {};
    const { resourceVersion: _none, ...changed } = (metadata ?? {}) as JsonObject;
    return applyMergePatch(binding, { metadata: changed, ...(spec !== undefined && { spec }) }) as Binding;
  });
  return { bindings, started };
}
