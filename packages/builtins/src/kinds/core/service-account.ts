import { nameIsDnsSubdomain, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';

const mountableSecretsAnnotation = 'kubernetes.io/enforce-mountable-secrets';

export const serviceAccountKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  nameRule: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  prepareForCreate: keepOnlySecretNames,
  prepareForUpdate: keepOnlySecretNames,
  warnings(object, old) {
    const isNew = isAnnotated(object) && !(old !== undefined && isAnnotated(old));
    return isNew ? [mountableSecretsWarning] : [];
  },
  columns: {
    definitions: [nameColumn, ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', age(object, now)],
  },
};

const mountableSecretsWarning =
  `metadata.annotations[${mountableSecretsAnnotation}]: deprecated in v1.32+; ` +
  'prefer separate namespaces to isolate access to mounted secrets';

/** The secrets of a service account are in its own namespace, so only their names are stored. */
function keepOnlySecretNames(object: KubeObject): void {
  const account = object as KubeObject & { secrets?: { name?: string }[] };
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

function isAnnotated({ metadata: { annotations = {} } }: KubeObject): boolean {
  return Object.hasOwn(annotations, mountableSecretsAnnotation);
}
