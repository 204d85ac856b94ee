import {
  dns1123SubdomainProblems,
  invalid,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  notSupported,
  parseIp,
  portNameProblems,
  portNumberProblems,
  pushAll,
  required,
  wildcardSubdomainProblems,
  type FieldError,
} from '@flotilla/kube';
import { invalids } from '../field-checks.ts';
import {
  validateObjectReference,
  type IngressBackend,
  type IngressPath,
  type IngressRule,
  type IngressSpec,
  type IngressTls,
  type ServiceBackend,
} from './ingress-fields.ts';

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const wrongSequences = ['//', '/./', '/../', '%2f', '%2F'];
const wrongEndings = ['/..', '/.'];

/** Values that older releases accepted stay valid. */
interface IngressLeniency {
  readonly anySecretName: boolean;
  readonly anyWildcardRule: boolean;
}

export const strict: IngressLeniency = { anySecretName: false, anyWildcardRule: false };

export function leniencyOf({ tls = [], rules = [] }: IngressSpec): IngressLeniency {
  return {
    anySecretName: tls.some((one) => secretNameProblems(one).length > 0),
    anyWildcardRule: rules.some((rule) => isWildcard(rule) && validateHttp(rule, '').length > 0),
  };
}

export function validateIngressSpec(spec: IngressSpec, leniency: IngressLeniency): FieldError[] {
  const { defaultBackend, rules = [], tls = [], ingressClassName: className } = spec;
  const isEmpty = rules.length === 0 && defaultBackend === undefined;
  return [
    ...(isEmpty ? [invalid('spec', null, 'either `defaultBackend` or `rules` must be specified')] : []),
    ...(defaultBackend === undefined ? [] : validateBackend(defaultBackend, 'spec.defaultBackend')),
    ...rules.flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`, leniency)),
    ...tls.flatMap((one, index) => validateTls(one, `spec.tls[${index}]`, leniency)),
    ...(className === undefined
      ? []
      : invalids('spec.ingressClassName', className, nameIsDnsSubdomain(className, false))),
  ];
}

function validateRule(rule: IngressRule, field: string, { anyWildcardRule }: IngressLeniency): FieldError[] {
  const { host = '' } = rule;
  const errors = host === '' ? [] : validateHost(host, `${field}.host`);
  if (host !== '' && parseIp(host) !== undefined) {
    errors.unshift(invalid(`${field}.host`, host, 'must be a DNS name, not an IP address'));
  }
  return isWildcard(rule) && anyWildcardRule ? errors : [...errors, ...validateHttp(rule, field)];
}

function validateHost(host: string, field: string): FieldError[] {
  return invalids(field, host, host.includes('*') ? wildcardSubdomainProblems(host) : dns1123SubdomainProblems(host));
}

function validateHttp({ http }: IngressRule, field: string): FieldError[] {
  if (http === undefined) return [];
  const paths = http.paths ?? [];
  if (paths.length === 0) return [required(`${field}.http.paths`)];
  return paths.flatMap((path, index) => validatePath(path, `${field}.http.paths[${index}]`));
}

function validatePath(path: IngressPath, field: string): FieldError[] {
  const pathType = path.pathType ?? undefined;
  if (pathType === undefined) return [required(`${field}.pathType`, 'pathType must be specified')];
  const errors = pathTypes.includes(pathType)
    ? validatePathText(path.path ?? '', pathType, `${field}.path`)
    : [notSupported(`${field}.pathType`, pathType, pathTypes)];
  return [...errors, ...validateBackend(path.backend, `${field}.backend`)];
}

function validatePathText(path: string, type: string, field: string): FieldError[] {
  const isFree = type === 'ImplementationSpecific';
  const errors: FieldError[] = [];
  if (!path.startsWith('/') && !(isFree && path === '')) errors.push(invalid(field, path, 'must be an absolute path'));
  if (isFree) return errors;
  for (const wrong of wrongSequences) {
    if (path.includes(wrong)) errors.push(invalid(field, path, `must not contain '${wrong}'`));
  }
  for (const wrong of wrongEndings) {
    if (path.endsWith(wrong)) errors.push(invalid(field, path, `cannot end with '${wrong}'`));
  }
  return errors;
}

function validateBackend({ service, resource }: IngressBackend, field: string): FieldError[] {
  if (service !== undefined && resource !== undefined) {
    return [invalid(field, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return validateObjectReference(resource, `${field}.resource`);
  if (service !== undefined) return validateService(service, field);
  return [invalid(field, '', 'resource or service backend is required')];
}

function validateService(
  { name: service, port: { name = '', number = 0 } = {} }: ServiceBackend,
  field: string,
): FieldError[] {
  const errors =
    service === ''
      ? [required(`${field}.service.name`)]
      : invalids(`${field}.service.name`, service, nameIsDnsLabel(service, false));
  if (name !== '' && number !== 0) errors.push(invalid(field, '', 'cannot set both port name & port number'));
  else if (name !== '') pushAll(errors, invalids(`${field}.service.port.name`, name, portNameProblems(name)));
  else if (number === 0) errors.push(required(field, 'port name or number is required'));
  else {
    for (const problem of portNumberProblems(number)) {
      errors.push(invalid(`${field}.service.port.number`, number, problem));
    }
  }
  return errors;
}

function validateTls(tls: IngressTls, field: string, { anySecretName }: IngressLeniency): FieldError[] {
  const { hosts = [], secretName = '' } = tls;
  return [
    ...hosts.flatMap((host, index) => validateHost(host, `${field}.hosts[${index}]`)),
    ...(anySecretName ? [] : invalids(`${field}.secretName`, secretName, secretNameProblems(tls))),
  ];
}

function secretNameProblems({ secretName = '' }: IngressTls): readonly string[] {
  return secretName === '' ? [] : nameIsDnsSubdomain(secretName, false);
}

function isWildcard({ host = '' }: IngressRule): boolean {
  return host.includes('*');
}
