import { copyJson, nameIsDnsSubdomain, type Kind, type KubeObject } from '@flotilla/kube';
import type { Pod, PodTemplate } from '../kinds.ts';
import { controllerReference } from '../ownership/controller-of.ts';
import { generatedName } from './generated-name.ts';

/** A pod of a workload, as Kubernetes' controllers create it. */
export function podFromTemplate(
  template: Readonly<PodTemplate> | undefined,
  kind: Kind,
  owner: Readonly<KubeObject>,
  ordinal: number,
  generateName = podPrefix(owner.metadata.name ?? ''),
): Pod {
  const { labels, annotations, finalizers } = template?.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: generatedName(generateName, owner, ordinal),
      generateName,
      namespace: owner.metadata.namespace ?? '',
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
      ownerReferences: [controllerReference(kind, owner)],
      ...(finalizers && { finalizers: [...finalizers] }),
    },
    spec: copyJson(template?.spec ?? {}) as NonNullable<Pod['spec']>,
  };
}

/** A dash follows the owner's name, if pods may be named so. */
export function podPrefix(ownerName: string): string {
  const prefix = `${ownerName}-`;
  return nameIsDnsSubdomain(prefix, true).length === 0 ? prefix : ownerName;
}
