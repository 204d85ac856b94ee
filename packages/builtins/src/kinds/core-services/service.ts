import { nameIsDnsLabel, type KubeObject } from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';
import { loadBalancerWarnings, validateLoadBalancerStatus } from './load-balancer-status.ts';
import { dropTypeDependentFields } from './service-carry-over.ts';
import { serviceColumns } from './service-columns.ts';
import { setServiceDefaults } from './service-defaults.ts';
import { serviceOf, type ServiceFields, type ServiceSpec } from './service-fields.ts';
import { validateServiceChange } from './service-update.ts';
import { validateService } from './service-validation.ts';
import { serviceWarnings } from './service-warnings.ts';

/** Cluster IPs and node ports are the business of service-allocation.ts, which runs before these hooks. */
export const serviceKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'Service',
  nameRule: nameIsDnsLabel,
  createOnUpdate: true,
  returnsDeletedObject: true,
  setDefaults: (object) => setServiceDefaults(serviceOf(object)),
  prepareForCreate(object) {
    const service = serviceOf(object);
    service.status = { loadBalancer: {} };
    dropUnusedInternalPolicy(service.spec);
  },
  prepareForUpdate(object, old) {
    const service = serviceOf(object);
    const before = serviceOf(old);
    service.status = before.status ?? { loadBalancer: {} };
    dropTypeDependentFields(service, before);
    dropUnusedInternalPolicy(service.spec);
  },
  validate: (object) => validateService(serviceOf(object), undefined),
  validateUpdate(object, old) {
    const service = serviceOf(object);
    const before = serviceOf(old);
    return [...validateServiceChange(service.spec, before.spec), ...validateService(service, before)];
  },
  warnings: (object) => serviceWarnings(serviceOf(object)),
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        serviceOf(object).spec = serviceOf(old).spec;
      },
      validateUpdate(object, old) {
        const { spec, status } = serviceOf(object);
        return validateLoadBalancerStatus(spec, status, serviceOf(old).status);
      },
      warnings: (object) => loadBalancerWarnings(serviceOf(object).status?.loadBalancer.ingress),
      resetFields: [['spec']],
    },
  },
  fieldLabels: ['spec.clusterIP', 'spec.type'],
  selectableFields(object) {
    const { clusterIP = '', type = '' } = specOf(object);
    return { 'spec.clusterIP': clusterIP, 'spec.type': type };
  },
  columns: serviceColumns,
  resetFields: [['status']],
};

/** Readers leave a stored object as it is. */
function specOf(object: KubeObject): ServiceSpec {
  return (object as KubeObject & Partial<ServiceFields>).spec ?? {};
}

/** The field means nothing for ExternalName, and Kubernetes never shows it there; a wrong value is still refused. */
function dropUnusedInternalPolicy(spec: ServiceSpec): void {
  const { internalTrafficPolicy: policy } = spec;
  if (spec.type === 'ExternalName' && (policy === 'Cluster' || policy === 'Local')) delete spec.internalTrafficPolicy;
}
