import type { ContainerFields, PodSpecFields, VolumeFields } from '@flotilla/builtins';
import { generateName, serviceAccountDirectory } from '@flotilla/kube';

/** Mounts what programs in a pod need to call the API server. */

const volumePrefix = 'kube-api-access-';

/** An hour and seven seconds marks a token as requested by this plugin, not by the user. */
const expirationSeconds = 3607;

/** Mounts a token, the server's CA certificate and the namespace into containers without a mount at that path. */
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
