/** References from a container to fields of its pod and to its resources: in variables and in downward API volumes. */
import { invalid, qualifiedNameProblems, notSupported, required, type FieldError } from '@flotilla/kube';
import type { FieldRefFields, ResourceFieldRefFields } from '../container-fields.ts';
import { compareQuantities } from '../resource-lists.ts';
import { invalidForEach } from './checks.ts';

const knownLabels: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);

const containerResources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const hugePages = /^(?:requests|limits)\.hugepages-/;

/** `supported`: the allowed fields, sorted. */
export function checkFieldRef(
  errors: FieldError[],
  path: string,
  ref: FieldRefFields,
  supported: readonly string[],
): void {
  if (!ref.apiVersion) return void errors.push(required(`${path}.apiVersion`));
  if (!ref.fieldPath) return void errors.push(required(`${path}.fieldPath`));
  const subscript = splitSubscript(ref.fieldPath);
  const problem = conversionProblem(ref, subscript);
  if (problem !== undefined) {
    return void errors.push(invalid(`${path}.fieldPath`, ref.fieldPath, `error converting fieldPath: ${problem}`));
  }
  if (subscript !== undefined) {
    const key = subscript.field === 'metadata.annotations' ? subscript.key.toLowerCase() : subscript.key;
    return invalidForEach(errors, path, key, qualifiedNameProblems(key));
  }
  const field = ref.fieldPath === 'spec.host' ? 'spec.nodeName' : ref.fieldPath;
  if (!supported.includes(field)) errors.push(notSupported(`${path}.fieldPath`, field, supported));
}

/** The reason if the field does not exist in this version. */
function conversionProblem(
  { apiVersion, fieldPath }: FieldRefFields,
  subscript: Subscript | undefined,
): string | undefined {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  if (subscript !== undefined) {
    const hasKeys = subscript.field === 'metadata.annotations' || subscript.field === 'metadata.labels';
    return hasKeys ? undefined : `field label does not support subscript: ${fieldPath}`;
  }
  return knownLabels.has(fieldPath) || fieldPath === 'spec.host'
    ? undefined
    : `field label not supported: ${fieldPath}`;
}

interface Subscript {
  readonly field: string;
  readonly key: string;
}

/** Splits `metadata.labels['app']` into field and key. */
function splitSubscript(fieldPath: string): Subscript | undefined {
  if (!fieldPath.endsWith("']")) return undefined;
  const start = fieldPath.indexOf("['");
  if (start < 1 || start > fieldPath.length - 4) return undefined;
  return { field: fieldPath.slice(0, start), key: fieldPath.slice(start + 2, -2) };
}

/** `inVolume`: a file must name the container; a variable refers to its own container. */
export function checkResourceFieldRef(
  errors: FieldError[],
  path: string,
  ref: ResourceFieldRefFields,
  inVolume: boolean,
): void {
  if (inVolume && !ref.containerName) errors.push(required(`${path}.containerName`));
  else if (!ref.resource) errors.push(required(`${path}.resource`));
  else if (!containerResources.includes(ref.resource) && !hugePages.test(ref.resource)) {
    errors.push(notSupported(`${path}.resource`, ref.resource, containerResources));
  }
  checkDivisor(errors, `${path}.divisor`, ref);
}

function checkDivisor(errors: FieldError[], path: string, { resource, divisor }: ResourceFieldRefFields): void {
  if (divisor === undefined || compareQuantities(divisor, '0') === 0) return;
  const kind = resource.slice(resource.indexOf('.') + 1);
  if (kind === 'cpu') {
    if (divisor !== '1' && divisor !== '1m') {
      errors.push(invalid(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource"));
    }
    return;
  }
  const noun = byteResource(resource, kind);
  if (noun !== undefined && !byteDivisors.includes(divisor)) {
    const values = byteDivisors.join(', ');
    errors.push(invalid(path, resource, `only divisor's values ${values} are supported with the ${noun} resource`));
  }
}

function byteResource(resource: string, kind: string): string | undefined {
  if (kind === 'memory') return 'memory';
  if (kind === 'ephemeral-storage') return 'local ephemeral storage';
  return hugePages.test(resource) ? 'hugepages' : undefined;
}
