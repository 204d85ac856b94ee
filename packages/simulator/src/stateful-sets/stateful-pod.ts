import { kinds, type Pod, type PodTemplate, type StatefulSet, type Volume } from '../kinds.ts';
import { podFromTemplate } from '../pods/pod-from-template.ts';
import { claimName, templateName } from './claims.ts';
import { podIndexLabel, podNameLabel, revisionLabel } from './identity.ts';

/** The pod with this ordinal, from the template of a revision. */
export function statefulPod(
  set: Readonly<StatefulSet>,
  template: Readonly<PodTemplate> | undefined,
  revision: string,
  ordinal: number,
): Pod {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podFromTemplate(template, kinds.statefulSet, set, ordinal);
  const { serviceName = '' } = set.spec ?? {};
  const volumes = volumesOf(set, pod, ordinal);
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name,
      labels: { ...pod.metadata.labels, ...identityLabels(name, ordinal), [revisionLabel]: revision },
    },
    spec: {
      ...pod.spec,
      hostname: name,
      ...(serviceName !== '' && { subdomain: serviceName }),
      ...(volumes.length > 0 && { volumes }),
    },
  };
}

/** The pod as the set wants it: with the labels of its identity and the volumes of its claims. */
export function conformingPod(set: Readonly<StatefulSet>, pod: Readonly<Pod>, ordinal: number): Pod {
  const { name = '' } = pod.metadata;
  const conforming: Pod = { ...pod };
  if (pod.metadata.labels?.[podNameLabel] !== name) {
    conforming.metadata = {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, ...identityLabels(name, ordinal) },
    };
  }
  if (!hasVolumes(set, pod, ordinal)) conforming.spec = { ...pod.spec, volumes: volumesOf(set, pod, ordinal) };
  return conforming;
}

function identityLabels(name: string, ordinal: number): Record<string, string> {
  return { [podNameLabel]: name, [podIndexLabel]: String(ordinal) };
}

/** A claim replaces a volume of the template with its name. */
function volumesOf(set: Readonly<StatefulSet>, { spec }: Readonly<Pod>, ordinal: number): Volume[] {
  const claims = (set.spec?.volumeClaimTemplates ?? []).map((template) => ({
    name: templateName(template),
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
  const names = new Set(claims.map(({ name }) => name));
  return [...claims, ...(spec?.volumes ?? []).filter(({ name }) => !names.has(name))];
}

function hasVolumes(set: Readonly<StatefulSet>, { spec }: Readonly<Pod>, ordinal: number): boolean {
  return (set.spec?.volumeClaimTemplates ?? []).every((template) => {
    const volume = spec?.volumes?.find(({ name }) => name === templateName(template));
    return volume?.persistentVolumeClaim?.claimName === claimName(set, template, ordinal);
  });
}
