import { namespaces, type Kind, type KubeObject } from '@flotilla/kube';
import type { ObservedObject } from '../watch/applied-objects.ts';
import type { Outcome } from '../manifest/outcome.ts';
import { isPrepared, type Prepared } from './prepare-manifests.ts';
import type { Round } from './work-round.ts';

/** The objects whose changes must requeue the Work, as the round left them. */
export function observedObjectsOf({ manifests, outcomes }: Pick<Round, 'manifests' | 'outcomes'>): ObservedObject[] {
  return manifests.flatMap((manifest, ordinal) => {
    const outcome = outcomes[ordinal];
    return isPrepared(manifest) && outcome !== undefined ? observedOfManifest(manifest, outcome) : [];
  });
}

function observedOfManifest({ kind, key }: Prepared, { result, live, missingNamespace }: Outcome): ObservedObject[] {
  const missing = missingNamespace === undefined ? [] : [absent(missingNamespace)];
  // An object that could not be read has no known version.
  if (result === 'FailedToFindObjInMemberCluster' || !isWatchable(kind)) return missing;
  return [{ kind, key, metadata: live && versionOf(live) }, ...missing];
}

function versionOf({ metadata: { uid = '', resourceVersion = '' } }: KubeObject): ObservedObject['metadata'] {
  return { uid, resourceVersion };
}

function absent(namespace: string): ObservedObject {
  return { kind: namespaces, key: { name: namespace }, metadata: undefined };
}

/** A kind without a list of verbs counts as watchable. */
export function isWatchable(kind: Kind & { readonly verbs?: readonly string[] }): boolean {
  return ['list', 'watch'].every((verb) => kind.verbs?.includes(verb) ?? true);
}
