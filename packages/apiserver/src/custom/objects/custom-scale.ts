import {
  apiErrors,
  apiVersionOf,
  fieldPath,
  invalid,
  type FieldError,
  type JsonObject,
  type KubeObject,
} from '@flotilla/kube';
import type { DefinitionSpec, DefinitionVersion, ScalePaths } from '@flotilla/schema';
import type { ScaleView } from '../../resources/resource.ts';
import { fieldsOf, integerAt, setAt, stringAt, type Found } from './dot-path.ts';
import { scaleColumnsOf } from './printer-columns.ts';

const maxReplicas = 2 ** 31 - 1;

/** The message with which Kubernetes refuses an invalid Scale of a custom resource: it fails to build the real one. */
const noScheme =
  'no kind is registered for the type v1.Scale in scheme "k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781"';

/** The scale subresource of a version. Keeps only paths of the definition in memory. */
export function customScale({ group, versions }: DefinitionSpec, version: DefinitionVersion): ScaleView | undefined {
  const paths = version.subresources?.scale;
  if (!paths) return undefined;
  const replicasPaths = new Map(
    versions.map((one) => [apiVersionOf({ group, version: one.name }), replicasPathOf(one)]),
  );
  return {
    replicas: (object) => toNumber(integerAt(object, paths.specReplicasPath)),
    statusReplicas: (object) => toNumber(integerAt(object, paths.statusReplicasPath)) ?? 0,
    selector: (object) => (paths.labelSelectorPath ? (valueOf(stringAt(object, paths.labelSelectorPath)) ?? '') : ''),
    setReplicas: (object, replicas) => setAt(object, paths.specReplicasPath, replicas),
    replicasPath: (apiVersion) => replicasPaths.get(apiVersion),
    requiredPath: paths.specReplicasPath,
    invalidMessage: noScheme,
    columns: scaleColumnsOf(version),
    hasStrategicPatch: false,
  };
}

/** Null for a version without a scale subresource. */
function replicasPathOf({ subresources }: DefinitionVersion): ReturnType<ScaleView['replicasPath']> {
  const path = subresources?.scale?.specReplicasPath;
  return path === undefined ? null : fieldPath(...fieldsOf(path));
}

function toNumber(found: Found<number | bigint>): number | undefined {
  const value = valueOf(found);
  return value === undefined ? undefined : Number(value);
}

function valueOf<T>(found: Found<T>): T | undefined {
  if ('error' in found) throw apiErrors.unknown(found.error);
  return found.value;
}

/** Validates the numbers and the selector that the Scale would show. */
export function scaleSpecErrors(object: KubeObject, { specReplicasPath }: ScalePaths): FieldError[] {
  return replicasErrors(object, specReplicasPath);
}

export function scaleStatusErrors(object: KubeObject, paths: ScalePaths): FieldError[] {
  const errors = replicasErrors(object, paths.statusReplicasPath);
  if (!paths.labelSelectorPath) return errors;
  const selector = stringAt(object, paths.labelSelectorPath);
  return 'error' in selector ? [...errors, invalid(paths.labelSelectorPath, '', selector.error)] : errors;
}

function replicasErrors(object: JsonObject, path: string): FieldError[] {
  const found = integerAt(object, path);
  if ('error' in found) return [invalid(path, 0, found.error)];
  const { value = 0 } = found;
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return value > maxReplicas ? [invalid(path, value, `should be less than or equal to ${maxReplicas}`)] : [];
}
