import { parseQuantity, type KubeObject, type Quantity } from '@flotilla/kube';
import type { ResourceList } from '../kinds/core-pods/pod-fields.ts';
import { attributesClassesOf } from '../kinds/core-volumes/attributes-classes.ts';
import { classAnnotation } from '../kinds/core-volumes/volume-common.ts';
import { one } from './amounts.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { matchesValue } from './scope-values.ts';

interface VolumeClaim extends KubeObject {
  spec?: {
    storageClassName?: string;
    resources?: { requests?: ResourceList };
  };
  status?: {
    allocatedResources?: ResourceList;
  };
}

const claimsName = 'persistentvolumeclaims';
const storageName = 'requests.storage';
const countName = 'count/persistentvolumeclaims';
const names: ReadonlySet<string> = new Set([claimsName, storageName, countName]);

/** `gold.storageclass.storage.k8s.io/requests.storage` counts the storage of the class gold. */
const classInfix = '.storageclass.storage.k8s.io/';

export const volumeClaimEvaluator: QuotaEvaluator = {
  // A driver may report more storage, or another class, in the status.
  isCounted: ({ operation, subresource }) =>
    (subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) || subresource === 'status',
  matchingNames: (quotaNames) => [...quotaNames.keys()].filter(isClaimName),
  matchesScope(requirement, object) {
    if (requirement.scopeName !== 'VolumeAttributesClass') return false;
    const classes = attributesClassesOf(object);
    if (classes.length === 0) return matchesValue(requirement, undefined);
    return classes.some((name) => matchesValue(requirement, name));
  },
  usageOf(object) {
    const usage = new Map<string, Quantity>([
      [claimsName, one],
      [countName, one],
    ]);
    const className = classOf(object);
    if (className !== '') usage.set(className + classInfix + claimsName, one);
    const storage = storageOf(object);
    if (storage === undefined) return usage;
    usage.set(storageName, storage);
    if (className !== '') usage.set(className + classInfix + storageName, storage);
    return usage;
  },
};

function isClaimName(name: string): boolean {
  return names.has(name) || name.endsWith(classInfix + claimsName) || name.endsWith(classInfix + storageName);
}

function classOf({ metadata, spec }: VolumeClaim): string {
  const annotations = metadata.annotations ?? {};
  return Object.hasOwn(annotations, classAnnotation)
    ? (annotations[classAnnotation] ?? '')
    : (spec?.storageClassName ?? '');
}

/** The larger of what is requested and allocated, in whole bytes. */
function storageOf({ spec, status }: VolumeClaim): Quantity | undefined {
  const requested = spec?.resources?.requests?.['storage'];
  if (requested === undefined) return undefined;
  const request = parseQuantity(requested).roundedUp(0);
  const allocated = status?.allocatedResources?.['storage'];
  if (allocated === undefined) return request;
  const allocation = parseQuantity(allocated);
  return allocation.compare(request) > 0 ? allocation.roundedUp(0) : request;
}
