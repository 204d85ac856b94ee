import type { ContainerFields, PodSpecFields, VolumeFields } from '@flotilla/builtins';
import { generateName, serviceAccountDirectory } from '@flotilla/kube';

/** Where programs in a pod look for what they need to speak to the server. */

const volumePrefix = 'kube-api-access-';

/** An hour and a little: the odd seconds tell tokens that were not asked for from those that were. */
const expirationSeconds = 3607;

/** Mounts a token, the server's certificate and the namespace's name into all containers that mount nothing there. */
export function mountTokenVolume(spec: PodSpecFields, random: () => number): void {
  const present = spec.volumes?.find(({ name }) => name.startsWith(volumePrefix));
  const name = present?.name ?? generateName(volumePrefix, random);
  const lacking = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter(lacksMount);
  for (const container of lacking)
    (container.volumeMounts ??= []).push({ name, readOnly: true, mountPath: serviceAccountDirectory });
  if (present === undefined && lacking.length > 0) (spec.volumes ??= []).push(tokenVolume(name));
}

function lacksMount({ volumeMounts = [] }: ContainerFields): boolean {
  return !volumeMounts.some((mount) => mount.mountPath === serviceAccountDirectory);
}

function tokenVolume(name: string): VolumeFields {
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef }] } },
      ],
      defaultMode: 0o644,
    },
  };
}
