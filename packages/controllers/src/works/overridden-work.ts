import type { JsonObject } from '@flotilla/kube';
import { areNone, overriddenManifest, targetText, type Result } from '../overrides/overridden-manifest.ts';
import { identityOf, type IsClusterScoped } from '../overrides/resource-identity.ts';
import { referenceTo } from './envelope-manifests.ts';
import type { RenderedWork } from './rendered-group.ts';
import type { WorksState } from './works-state.ts';

/** The manifests for the cluster of the binding. A problem is a user error. */
export function overriddenManifests(
  { manifests, envelope }: RenderedWork,
  { cluster, overrides }: WorksState,
  isClusterScoped: IsClusterScoped,
): Result<readonly JsonObject[]> {
  if (overrides.problem !== undefined) return overrides;
  if (cluster === undefined || areNone(overrides.value)) return { value: manifests };
  const kept: JsonObject[] = [];
  for (const manifest of manifests) {
    const result = overriddenManifest(manifest, cluster, overrides.value, isClusterScoped);
    if (result.problem !== undefined) {
      if (envelope === undefined) return result;
      // KubeFleet cuts this sentence at the wrong place.
      const target = targetText(identityOf(manifest));
      return {
        problem: `failed to apply overrides to ${target} from envelope ${referenceTo(envelope)}: ${result.problem}`,
      };
    }
    if (result.value !== undefined) kept.push(result.value);
  }
  return { value: kept };
}
