import { nameIsDnsSubdomain, warningsForCidr, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn, selectorCell } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { bumpGenerationOnSpec, startGeneration } from '../prepare-update.ts';
import { noOldValues } from '../ip-field.ts';
import { blocksOf, validateNetworkPolicy, type NetworkPolicySpec } from './network-policy-validation.ts';

export const networkPolicyKind: KindBehavior = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  nameRule: nameIsDnsSubdomain,
  setDefaults(object) {
    const spec = specOf(object);
    const { ingress = [], egress = [], policyTypes = [] } = spec;
    for (const { ports = [] } of [...ingress, ...egress]) for (const port of ports) port.protocol ??= 'TCP';
    if (policyTypes.length === 0) spec.policyTypes = egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  },
  prepareForCreate: startGeneration,
  prepareForUpdate: bumpGenerationOnSpec,
  validate: (object) => validateNetworkPolicy(specOf(object), noOldValues),
  validateUpdate(object, old) {
    const before = blocksOf(specOf(old)).flatMap(({ block }) => [block.cidr, ...(block.except ?? [])]);
    return validateNetworkPolicy(specOf(object), new Set(before));
  },
  warnings: (object) =>
    blocksOf(specOf(object)).flatMap(({ field, block: { cidr, except = [] } }) => [
      ...warningsForCidr(`${field}.cidr`, cidr),
      ...except.flatMap((range, index) => warningsForCidr(`${field}.except[${index}]`, range)),
    ]),
  columns: {
    definitions: [nameColumn, column('Pod-Selector', 'string', 'Pods that the policy selects.'), ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', selectorCell(specOf(object).podSelector), age(object, now)],
  },
};

function specOf(object: KubeObject): NetworkPolicySpec {
  const policy = object as KubeObject & { spec?: NetworkPolicySpec };
  return (policy.spec ??= {});
}
