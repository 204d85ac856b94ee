import { aggregateResources, type PodFields } from '@flotilla/builtins';
import { ApiError, parseQuantity, quote, type KubeObject, type Quantity } from '@flotilla/kube';
import { forbidden, type Admission, type Attributes } from './admission.ts';
import { storedObject } from './stored-objects.ts';

interface NodeFields extends KubeObject {
  status?: { allocatable?: Record<string, string> };
}

const systemLabel = 'kubernetes.io/os';

/** Refuses to resize a running pod beyond the allocatable resources of its node. */
export const podResize: Admission = {
  name: 'PodResizeValidator',
  operations: ['UPDATE'],
  validate(attributes) {
    const { resource, subresource, operation, object, oldObject, server } = attributes;
    if (resource.collection !== 'pods' || subresource !== 'resize' || operation !== 'UPDATE') return;
    const pod = object as PodFields;
    const { nodeName = '' } = pod.spec;
    if (nodeName === '' || pod.metadata.generation === oldObject?.metadata.generation) return;
    const node: NodeFields | undefined = storedObject(server, 'nodes', nodeName);
    if (!node) throw forbidden(attributes, `node ${quote(nodeName)} not found`);
    const system = node.metadata.labels?.[systemLabel] ?? 'linux';
    if (system !== 'linux') {
      const why = `pod resize is only supported on linux nodes, node ${quote(nodeName)} is ${quote(system)}`;
      throw forbiddenBecause(attributes, why, 'UnsupportedPlatform');
    }
    const excess = formatExcess(pod, node);
    if (excess !== '') {
      const why = `node didn't have enough allocatable resources: ${excess}`;
      throw forbiddenBecause(attributes, why, 'NodeCapacity');
    }
  },
};

/** The units of the error message: thousandths for CPU, bytes for memory. */
const measures: readonly (readonly [string, (quantity: Quantity) => bigint])[] = [
  ['cpu', (quantity) => quantity.milliValue()],
  ['memory', (quantity) => quantity.value()],
];

function formatExcess({ spec }: PodFields, { status }: NodeFields): string {
  const requests = aggregateResources(spec, 'requests');
  const excesses = measures.flatMap(([name, inUnits]) => {
    const own = spec.resources?.requests?.[name];
    const overhead = parseQuantity(spec.overhead?.[name] ?? '0');
    const requested = parseQuantity(own ?? requests.get(name) ?? '0').plus(overhead);
    const allocatable = parseQuantity(status?.allocatable?.[name] ?? '0');
    if (requested.compare(allocatable) <= 0) return [];
    return [`${name}, requested: ${inUnits(requested)}, allocatable: ${inUnits(allocatable)}`];
  });
  return excesses.join('; ');
}

function forbiddenBecause(attributes: Attributes, why: string, reason: string): ApiError {
  const { status } = forbidden(attributes, why);
  return new ApiError({ ...status, details: { ...status.details, causes: [{ reason }] } });
}
