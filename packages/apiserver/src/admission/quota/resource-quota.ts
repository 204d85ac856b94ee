import { printAmounts, quotaEvaluatorOf, type Amounts, type UsageContext } from '@flotilla/builtins';
import { qualified, updateManagedFields, type KubeObject } from '@flotilla/kube';
import { endpointOf } from '../../resources/endpoint.ts';
import { encodeAt, headerOf } from '../../resources/object-bytes.ts';
import type { Write } from '../../store/store.ts';
import { forbidden, type Admission, type AdmissionDependencies, type Attributes } from '../admission.ts';
import type { Stored } from '../namespaced-objects.ts';
import { namespacedObject, storedObjects } from '../stored-objects.ts';
import { decideCharges } from './decide-charges.ts';
import { quotaCollection, type ParsedQuota } from './parse-quota.ts';

/**
 * Refuses writes that exceed a quota of their namespace. The usage in a quota's status changes in the commit of the write that
 * uses more. So no write is lost or counted twice, whatever fails, and concurrent writes see each other's usage. The controller
 * of quotas counts anew when objects are deleted.
 */
export const resourceQuota: Admission = {
  name: 'ResourceQuota',
  operations: ['CREATE', 'UPDATE'],
  charge(attributes) {
    const { namespace, resource, server, operation, subresource, object, oldObject } = attributes;
    if (namespace === '' || object === undefined || resource.collection === 'namespaces') return [];
    const quotas = server.quotas.in(namespace);
    if (quotas.length === 0) return [];
    const evaluator = quotaEvaluatorOf(qualified(resource.plural, resource.group));
    const write = { operation, subresource, object, old: oldObject };
    if (evaluator === undefined || !evaluator.isCounted(write)) return [];
    const counted = quotas.map(({ value }) => value);
    const charges = decideCharges(counted, evaluator, write, contextOf(attributes));
    if (charges.refusal !== undefined) throw forbidden(attributes, charges.refusal);
    return quotas.flatMap((quota) => {
      const used = charges.used.get(quota.value);
      return used === undefined ? [] : putUsed(server, quota, used);
    });
  },
};

function contextOf({ server, namespace }: Attributes): UsageContext {
  return {
    now: server.now(),
    deviceClasses: () => storedObjects(server, 'deviceclasses.resource.k8s.io'),
    pod: (name) => namespacedObject(server, 'pods', namespace, name),
    deviceClaims: () => storedObjects(server, 'resourceclaims.resource.k8s.io', namespace),
  };
}

/** kube-apiserver writes the status of quotas as a client of its own, under this name. */
const manager = 'kube-apiserver';

function putUsed(server: AdmissionDependencies, { entry, value }: Stored<ParsedQuota>, used: Amounts): Write {
  const live = value.object;
  const resource = server.registry.find('', 'v1', quotaCollection);
  const endpoint = resource && endpointOf(resource, 'status');
  if (!resource || !endpoint) throw new Error('the server has no resource for quotas');
  const status = { ...(live['status'] as object), used: printAmounts(used) };
  const object: KubeObject = { ...live, metadata: { ...live.metadata }, status };
  const managedFields = updateManagedFields({ kind: endpoint.managed, live, object, manager, now: server.now() });
  if (managedFields) object.metadata.managedFields = managedFields;
  const stored = resource.codec.withRevisionSlot(resource.codec.inWireOrder(object));
  const header = headerOf(resource, stored);
  const encode = (revision: number): Uint8Array => {
    const bytes = encodeAt(stored, revision);
    server.quotas.remember(bytes, { ...value, used, object: stored });
    return bytes;
  };
  return { verb: 'put', key: entry.key, expected: entry.revision, header, encode };
}
