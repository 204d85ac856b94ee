import {
  duplicate,
  invalid,
  nameIsDnsSubdomain,
  notSupported,
  pushAll,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { Columns, KindBehavior } from '../../kind.ts';
import { bumpGenerationOnSpec } from '../prepare-update.ts';
import { repeatsIn } from '../field-checks.ts';
import { sameFields } from '../same-fields.ts';

interface CsiDriverSpec {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  volumeLifecycleModes?: string[];
  storageCapacity?: boolean;
  fsGroupPolicy?: string;
  readonly tokenRequests?: readonly TokenRequest[];
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  readonly nodeAllocatableUpdatePeriodSeconds?: number | bigint;
  readonly serviceAccountTokenInSecrets?: boolean;
  preventPodSchedulingIfMissing?: boolean;
}

interface TokenRequest {
  readonly audience?: string;
  readonly expirationSeconds?: number | bigint;
}

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes = ['Persistent', 'Ephemeral'];
const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

export const csiDriverKind: KindBehavior = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  nameRule: nameIsDnsSubdomain,
  requiresResourceVersion: true,
  returnsDeletedObject: true,
  setDefaults(object) {
    const spec = specOf(object);
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
  },
  /** The feature gate of this field is off by default. */
  prepareForCreate: (object) => void delete specOf(object).preventPodSchedulingIfMissing,
  prepareForUpdate(object, old) {
    if (specOf(old).preventPodSchedulingIfMissing === undefined) delete specOf(object).preventPodSchedulingIfMissing;
    bumpGenerationOnSpec(object, old);
  },
  validate: (object) => validateSpec(specOf(object)),
  validateUpdate: (object, old) => [...validateSpec(specOf(object)), ...validateImmutable(specOf(object), specOf(old))],
  warnings: tokenWarnings,
  columns: csiDriverColumns(),
};

/** Decoding has set the spec, if only to Go's zero value. */
function specOf(object: KubeObject): CsiDriverSpec {
  const driver = object as KubeObject & { spec?: CsiDriverSpec };
  driver.spec ??= {};
  return driver.spec;
}

function validateSpec(spec: CsiDriverSpec): FieldError[] {
  const { fsGroupPolicy = '', nodeAllocatableUpdatePeriodSeconds: period = 10, tokenRequests = [] } = spec;
  const errors: FieldError[] = [];
  if (!groupPolicies.includes(fsGroupPolicy)) {
    errors.push(notSupported('spec.fsGroupPolicy', fsGroupPolicy, groupPolicies));
  }
  pushAll(errors, validateTokenRequests(tokenRequests));
  const unknownModes = (spec.volumeLifecycleModes ?? []).filter((mode) => !lifecycleModes.includes(mode));
  for (const mode of unknownModes) errors.push(notSupported('spec.volumeLifecycleModes', mode, lifecycleModes));
  if (period < 10) {
    const detail = 'must be greater than or equal to 10 seconds';
    errors.push(invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, detail));
  }
  if (spec.serviceAccountTokenInSecrets !== undefined && tokenRequests.length === 0) {
    const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    errors.push(invalid('spec.serviceAccountTokenInSecrets', spec.serviceAccountTokenInSecrets, detail));
  }
  return errors;
}

function validateTokenRequests(requests: readonly TokenRequest[]): FieldError[] {
  const audiences = requests.map(({ audience = '' }) => audience);
  const repeats = repeatsIn(audiences);
  return requests.flatMap(({ audience = '', expirationSeconds: seconds = minTokenSeconds }, index) => {
    const path = `spec.tokenRequests[${index}]`;
    if (repeats.has(index)) return [duplicate(`${path}.audience`, audience)];
    const refused = (detail: string) => [invalid(`${path}.expirationSeconds`, seconds, detail)];
    if (seconds < minTokenSeconds) return refused('may not specify a duration less than 10 minutes');
    return seconds > maxTokenSeconds ? refused('may not specify a duration larger than 2^32 seconds') : [];
  });
}

/** Kubernetes' own path misspells `attachRequired`. */
function validateImmutable(spec: CsiDriverSpec, before: CsiDriverSpec): FieldError[] {
  const { attachRequired = null, volumeLifecycleModes = [] } = spec;
  const errors: FieldError[] = [];
  if (attachRequired !== before.attachRequired) {
    errors.push(invalid('spec.attachedRequired', attachRequired, 'field is immutable'));
  }
  if (!sameFields(volumeLifecycleModes, before.volumeLifecycleModes)) {
    errors.push(invalid('spec.volumeLifecycleModes', [...volumeLifecycleModes], 'field is immutable'));
  }
  return errors;
}

function tokenWarnings(object: KubeObject, old: KubeObject | undefined): string[] {
  const { tokenRequests = [], serviceAccountTokenInSecrets } = specOf(object);
  const isOld = old !== undefined && sameFields(tokenRequests, specOf(old).tokenRequests);
  if (isOld || tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
  const advice = 'set to true to prevent possible logging of tokens in volume attributes';
  return [`spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, ${advice}`];
}

function csiDriverColumns(): Columns {
  return {
    definitions: [
      nameColumn,
      column('AttachRequired', 'boolean', 'Whether volumes are attached before they are mounted.'),
      column('PodInfoOnMount', 'boolean', 'Whether the driver gets information about the pod.'),
      column('StorageCapacity', 'boolean', 'Whether the driver reports its storage capacity.'),
      column('TokenRequests', 'string', 'Audiences of the tokens that the driver gets.'),
      column('RequiresRepublish', 'boolean', 'Whether the driver needs periodic NodePublishVolume calls.'),
      column('Modes', 'string', 'Lifecycle modes of volumes that the driver supports.'),
      ageColumn,
    ],
    cells(object, now) {
      const spec = specOf(object);
      return [
        object.metadata.name ?? '',
        spec.attachRequired ?? true,
        spec.podInfoOnMount ?? false,
        spec.storageCapacity ?? false,
        spec.tokenRequests === undefined ? '<unset>' : spec.tokenRequests.map((one) => one.audience ?? '').join(','),
        spec.requiresRepublish ?? false,
        spec.volumeLifecycleModes?.join(',') || '<none>',
        age(object, now),
      ];
    },
  };
}
