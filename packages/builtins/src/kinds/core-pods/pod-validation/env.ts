import {
  invalid,
  configMapKeyProblems,
  environmentVariableProblems,
  nameIsDnsSubdomain,
  notFound,
  required,
  type FieldError,
} from '@flotilla/kube';
import type { EnvFromFields, EnvVarFields, FileKeyRefFields, KeyRefFields } from '../container-fields.ts';
import { visitContainers, type PodSpecFields } from '../pod-fields.ts';
import { checkDnsLabel, checkNoBacksteps, invalidForEach } from './checks.ts';
import { checkFieldRef, checkResourceFieldRef } from './downward-api.ts';

const fieldsForVariables = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

export function checkEnv(errors: FieldError[], path: string, variables: readonly EnvVarFields[]): void {
  variables.forEach((variable, i) => {
    if (!variable.name) errors.push(required(`${path}[${i}].name`));
    else invalidForEach(errors, `${path}[${i}].name`, variable.name, environmentVariableProblems(variable.name));
    if (variable.valueFrom !== undefined) checkValueFrom(errors, `${path}[${i}].valueFrom`, variable);
  });
}

function checkValueFrom(errors: FieldError[], path: string, { value, valueFrom = {} }: EnvVarFields): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  if (fieldRef) checkFieldRef(errors, `${path}.fieldRef`, fieldRef, fieldsForVariables);
  if (resourceFieldRef) checkResourceFieldRef(errors, `${path}.resourceFieldRef`, resourceFieldRef, false);
  if (configMapKeyRef) checkKeyRef(errors, `${path}.configMapKeyRef`, configMapKeyRef);
  if (secretKeyRef) checkKeyRef(errors, `${path}.secretKeyRef`, secretKeyRef);
  if (fileKeyRef) checkFileKeyRef(errors, `${path}.fileKeyRef`, fileKeyRef);

  const given = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length;
  if (given === 0) {
    const choices = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    errors.push(invalid(path, '', `must specify one of: ${choices}`));
  } else if (value) errors.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (given > 1) errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
}

function checkKeyRef(errors: FieldError[], path: string, { name = '', key }: KeyRefFields): void {
  invalidForEach(errors, `${path}.name`, name, nameIsDnsSubdomain(name, false));
  if (!key) errors.push(required(`${path}.key`));
  else invalidForEach(errors, `${path}.key`, key, configMapKeyProblems(key));
}

function checkFileKeyRef(errors: FieldError[], path: string, ref: FileKeyRefFields): void {
  if (!ref.key) errors.push(required(`${path}.key`));
  else invalidForEach(errors, `${path}.key`, ref.key, environmentVariableProblems(ref.key));
  if (!ref.volumeName) errors.push(required(`${path}.volumeName`));
  else checkDnsLabel(errors, `${path}.volumeName`, ref.volumeName);
  if (!ref.path) errors.push(required(`${path}.path`));
  else checkNoBacksteps(errors, `${path}.path`, ref.path);
}

export function checkEnvFrom(errors: FieldError[], path: string, sources: readonly EnvFromFields[]): void {
  sources.forEach(({ prefix, configMapRef, secretRef }, i) => {
    if (prefix) invalidForEach(errors, `${path}[${i}].prefix`, prefix, environmentVariableProblems(prefix));
    if (configMapRef) checkSourceName(errors, `${path}[${i}].configMapRef.name`, configMapRef.name);
    if (secretRef) checkSourceName(errors, `${path}[${i}].secretRef.name`, secretRef.name);
    if (!configMapRef && !secretRef) {
      errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (configMapRef && secretRef) {
      errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
    }
  });
}

function checkSourceName(errors: FieldError[], path: string, name: string | undefined): void {
  if (!name) errors.push(required(path));
  else invalidForEach(errors, path, name, nameIsDnsSubdomain(name, true));
}

/** A variable from a file needs its file in a volume that the pod's containers can write. */
export function checkFileKeyVolumes(errors: FieldError[], path: string, spec: PodSpecFields): void {
  const volumes = new Map(spec.volumes?.map((volume) => [volume.name, volume]));
  visitContainers(spec, path, (container, containerPath) => {
    container.env?.forEach(({ valueFrom }, i) => {
      if (valueFrom?.fileKeyRef === undefined) return;
      const { volumeName } = valueFrom.fileKeyRef;
      const namePath = `${containerPath}.env[${i}].valueFrom.fileKeyRef.volumeName`;
      const volume = volumes.get(volumeName);
      if (volume === undefined) errors.push(notFound(namePath, volumeName));
      else if (volume.emptyDir === undefined) {
        errors.push(invalid(namePath, volumeName, 'referenced volume must be of type emptyDir'));
      }
    });
  });
}
