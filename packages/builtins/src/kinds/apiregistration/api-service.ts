import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  invalid,
  nameIsPathSegment,
  notSupported,
  portNumberProblems,
  quote,
  required,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { carryOver, keepMetadata } from '../prepare-update.ts';
import { invalids } from '../field-checks.ts';

interface ApiServiceFields {
  spec: ApiServiceSpec;
  status: { conditions?: readonly ApiServiceCondition[] };
}

interface ApiServiceSpec {
  readonly group?: string;
  readonly version?: string;
  readonly groupPriorityMinimum?: number;
  readonly versionPriority?: number;
  /** Base64. */
  readonly caBundle?: string;
  readonly insecureSkipTLSVerify?: boolean;
  readonly service?: { readonly namespace?: string; readonly name?: string; port?: number };
}

interface ApiServiceCondition {
  readonly type: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

const conditionStatuses = ['True', 'False', 'Unknown'];

export const apiServiceKind: KindBehavior = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  allowsShortFinalizers: true,
  nameRule: nameIsPathSegment,
  requiresResourceVersion: true,
  setDefaults(object) {
    const { service } = apiServiceOf(object).spec;
    if (service !== undefined) service.port ??= 443;
  },
  /** APIs of this server are available from the start. */
  prepareForCreate(object, { now }) {
    const apiService = apiServiceOf(object);
    apiService.status = apiService.spec.service === undefined ? { conditions: [locallyAvailable(now)] } : {};
  },
  prepareForUpdate: (object, old) => carryOver('status', object, old),
  validate: validateApiService,
  validateUpdate: validateApiService,
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        carryOver('spec', object, old);
        keepMetadata(object, old);
      },
      validateUpdate: validateStatus,
      resetFields: [['spec'], ['metadata']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Service', 'string', 'The service of this version, or Local.'),
      column('Available', 'string', 'Whether it is available.'),
      ageColumn,
    ],
    cells(object, now) {
      const { service } = apiServiceOf(object).spec;
      const server = service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`;
      return [object.metadata.name ?? '', server, availability(object), age(object, now)];
    },
  },
  resetFields: [['status']],
};

/** Decoding has set spec and status, if only to Go's zero values. */
function apiServiceOf(object: KubeObject): ApiServiceFields {
  const apiService = object as KubeObject & Partial<ApiServiceFields>;
  apiService.spec ??= {};
  apiService.status ??= {};
  return apiService as ApiServiceFields;
}

function locallyAvailable(now: Date): ApiServiceCondition {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: `${now.toISOString().slice(0, 19)}Z`,
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}

function validateApiService(object: KubeObject): FieldError[] {
  const { spec } = apiServiceOf(object);
  return [
    ...validateName(object.metadata.name ?? '', spec),
    ...validateGroupVersion(spec),
    ...validatePriorities(spec),
    ...(spec.service === undefined ? validateLocal(spec) : validateRemote(spec, spec.service)),
  ];
}

function validateName(name: string, { group = '', version = '' }: ApiServiceSpec): FieldError[] {
  const expected = `${version}.${group}`;
  // The caller reports a missing name, as for all kinds.
  if (name === '' || name === expected || nameIsPathSegment(name, false).length > 0) return [];
  return [invalid('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${quote(expected)}`)];
}

function validateGroupVersion({ group = '', version = '' }: ApiServiceSpec): FieldError[] {
  const errors = group === '' ? [] : invalids('spec.group', group, dns1123SubdomainProblems(group));
  if (group === '' && version !== 'v1') {
    errors.push(required('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  }
  return [...errors, ...invalids('spec.version', version, dns1035LabelProblems(version))];
}

function validatePriorities({ groupPriorityMinimum = 0, versionPriority = 0 }: ApiServiceSpec): FieldError[] {
  const within = (field: string, value: number, limit: number) =>
    value > 0 && value <= limit ? [] : [invalid(field, value, `must be positive and less than ${limit}`)];
  return [
    ...within('spec.groupPriorityMinimum', groupPriorityMinimum, 20_000),
    ...within('spec.versionPriority', versionPriority, 1000),
  ];
}

function validateLocal({ caBundle = '', insecureSkipTLSVerify = false }: ApiServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (caBundle !== '') {
    const size = `${Buffer.from(caBundle, 'base64').length} bytes`;
    errors.push(invalid('spec.caBundle', size, 'local APIServices may not have a caBundle'));
  }
  if (insecureSkipTLSVerify) {
    errors.push(invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'));
  }
  return errors;
}

function validateRemote(
  { caBundle = '', insecureSkipTLSVerify = false }: ApiServiceSpec,
  { namespace = '', name = '', port = 0 }: NonNullable<ApiServiceSpec['service']>,
): FieldError[] {
  const errors: FieldError[] = [];
  if (namespace === '') errors.push(required('spec.service.namespace'));
  if (name === '') errors.push(required('spec.service.name'));
  const problems = portNumberProblems(port);
  if (problems.length > 0) {
    errors.push(invalid('spec.service.port', port, `port is not valid: ${problems.join(', ')}`));
  }
  if (insecureSkipTLSVerify && caBundle !== '') {
    errors.push(invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'));
  }
  return errors;
}

function validateStatus(object: KubeObject): FieldError[] {
  return (apiServiceOf(object).status.conditions ?? []).flatMap(({ status = '' }, index) => {
    if (conditionStatuses.includes(status)) return [];
    return [notSupported(`status.conditions[${index}].status`, status, conditionStatuses)];
  });
}

function availability(object: KubeObject): string {
  const condition = apiServiceOf(object).status.conditions?.find(({ type }) => type === 'Available');
  if (condition === undefined) return 'Unknown';
  const { status = '', reason = '' } = condition;
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}
