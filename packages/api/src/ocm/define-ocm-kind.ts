import type { Kind } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { ownDefinitionAnnotation } from '../annotations.ts';
import { defineVersions, type KindInVersions } from '../define-versions.ts';

/** OCM has one version of each kind. */
export function defineOcmKind(kind: Kind, declared: Omit<KindInVersions, 'versions'>): CustomResourceDefinition {
  return defineVersions(kind, {
    ...declared,
    annotations: { [ownDefinitionAnnotation]: 'true' },
    versions: { [kind.version]: {} },
  });
}
